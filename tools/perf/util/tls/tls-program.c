// SPDX-License-Identifier: GPL-2.0-only
#include "tls-program.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../activity/activity.h"
#include "../base/log.h"
#include "../bpf/btf.h"

#define PROCESSES 16384u        /* places that the kernel keeps; the least used leave */
#define QUESTION_BYTES 65536u   /* of the ring of questions */
#define ASK_AGAIN_NS 5000000    /* a question that is not answered is asked again */
#define PT_REGS_IP 128          /* of struct pt_regs of x86-64 */
#define DTV_UNALLOCATED -1      /* glibc: this thread has not touched the block yet */

/* Places on the program's stack. */
enum slot {
	SLOT_PID = -16, SLOT_START = -32, SLOT_NR_EXEC = -24,
	SLOT_FS = -40, SLOT_AT = -48, SLOT_WORD = -56, SLOT_SIZE = -64,
	SLOT_LABELS = -96,   /* storage, count, capacity */
	SLOT_LABEL = -128,   /* sizes and addresses of key and value */
	SLOT_QUESTION = -160,
	SLOT_TARGET = -224,
};
_Static_assert(sizeof(struct tls_question) <= 32, "its slot has room");
_Static_assert(sizeof(struct tls_target) == 64 - 8, "its slot has room");

/* What is in which register from begin to end. */
#define CTX BPF_REG_6
#define TASK BPF_REG_7
#define TARGET BPF_REG_8
#define OUT BPF_REG_9

_Static_assert(sizeof(struct tls_output) + TLS_OTEL_HEAD + TLS_OTEL_ATTRIBUTES <= TLS_OUTPUT_MAX &&
	       sizeof(struct tls_output) + TLS_LABELS_MAX * sizeof(struct tls_label) <=
	       TLS_OUTPUT_MAX, "the longest outputs");

struct generator {
	struct bpf_asm *a;
	const struct tls_program *p;
	int none, ask, again, address, emit; /* labels */
};

static int find_offsets(struct tls_offsets *o, struct error *err)
{
	const struct task_member wanted[] = {
		{ "group_leader", 8, &o->group_leader, NULL },
		{ "start_boottime", 8, &o->start, NULL },
		{ "self_exec_id", 8, &o->nr_exec, NULL },
		{ "thread.fsbase", 8, &o->fsbase, NULL },
	};

	struct btf *b;
	int ret = btf__of_kernel(&b, err) ?:
		  task_members__find(b, wanted, ARRAY_SIZE(wanted), err);

	btf__free(b);
	return ret;
}

/* r1 = the slot on the stack */
static void slot_address(struct generator *g, u8 reg, enum slot slot)
{
	bpf_asm__alu(g->a, BPF_MOV, reg, BPF_REG_10);
	bpf_asm__alu_imm(g->a, BPF_ADD, reg, slot);
}

/* Reads @size bytes at r3 into @slot; jumps to @failed when they cannot be read. */
static void read_slot(struct generator *g, s32 helper, enum slot slot, u32 size, int failed)
{
	slot_address(g, BPF_REG_1, slot);
	bpf_asm__alu_imm(g->a, BPF_MOV, BPF_REG_2, size);
	bpf_asm__call(g->a, helper);
	bpf_asm__jump(g->a, BPF_JNE, BPF_REG_0, 0, failed);
}

static void read_kernel(struct generator *g, enum slot slot, u8 base, struct btf_place m)
{
	bpf_asm__alu(g->a, BPF_MOV, BPF_REG_3, base);
	bpf_asm__alu_imm(g->a, BPF_ADD, BPF_REG_3, m.offset);
	read_slot(g, BPF_FUNC_probe_read_kernel, slot, m.size ?: sizeof(u64), g->none);
}

static void read_user(struct generator *g, enum slot slot, u32 size)
{
	read_slot(g, BPF_FUNC_probe_read_user, slot, size, g->none);
}

/* Reads r2 bytes at r3 to @at of the output's data; the result is in r0. */
static void read_to_output(struct generator *g, u32 at)
{
	bpf_asm__alu(g->a, BPF_MOV, BPF_REG_1, OUT);
	bpf_asm__alu_imm(g->a, BPF_ADD, BPF_REG_1, offsetof(struct tls_output, data) + at);
	bpf_asm__call(g->a, BPF_FUNC_probe_read_user);
}

/* r0 = the value of @key in the map @fd; ends when there is none and @missing is the end. */
static void lookup(struct generator *g, int fd, enum slot key, int missing)
{
	bpf_asm__map(g->a, BPF_REG_1, fd);
	slot_address(g, BPF_REG_2, key);
	bpf_asm__call(g->a, BPF_FUNC_map_lookup_elem);
	bpf_asm__jump(g->a, BPF_JEQ, BPF_REG_0, 0, missing);
}

/* Who is interrupted; idle tasks are nobody. */
static void identify(struct generator *g)
{
	struct bpf_asm *a = g->a;

	bpf_asm__call(a, BPF_FUNC_get_current_pid_tgid);
	bpf_asm__alu_imm(a, BPF_RSH, BPF_REG_0, 32);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_0, 0, g->none);
	bpf_asm__store(a, BPF_DW, BPF_REG_10, SLOT_PID, BPF_REG_0);
	bpf_asm__store_imm(a, BPF_DW, BPF_REG_10, SLOT_NR_EXEC, 0);
	bpf_asm__call(a, BPF_FUNC_get_current_task);
	bpf_asm__alu(a, BPF_MOV, TASK, BPF_REG_0);
	/* Kernel threads have none, and programs before their first instructions. */
	read_kernel(g, SLOT_FS, TASK, g->p->offsets.fsbase);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_10, SLOT_FS);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, 0, g->none);
	read_kernel(g, SLOT_NR_EXEC, TASK, g->p->offsets.nr_exec);
	read_kernel(g, SLOT_WORD, TASK, g->p->offsets.group_leader);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_10, SLOT_WORD);
	read_kernel(g, SLOT_START, BPF_REG_1, g->p->offsets.start);
}

/* Its place in the map, if that is of this program. */
static void find_target(struct generator *g)
{
	struct bpf_asm *a = g->a;

	lookup(g, g->p->targets, SLOT_PID, g->ask);
	bpf_asm__alu(a, BPF_MOV, TARGET, BPF_REG_0);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, TARGET, offsetof(struct tls_target, identity.start));
	bpf_asm__load(a, BPF_DW, BPF_REG_2, BPF_REG_10, SLOT_START);
	bpf_asm__jump_reg(a, BPF_JNE, BPF_REG_1, BPF_REG_2, g->ask);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, TARGET, offsetof(struct tls_target, identity.nr_exec));
	bpf_asm__load(a, BPF_DW, BPF_REG_2, BPF_REG_10, SLOT_NR_EXEC);
	bpf_asm__jump_reg(a, BPF_JNE, BPF_REG_1, BPF_REG_2, g->ask);
}

/* SLOT_AT = the address of the variable. */
static void find_address(struct generator *g)
{
	struct bpf_asm *a = g->a;
	int dynamic = bpf_asm__label(a), length = bpf_asm__label(a);

	bpf_asm__load(a, BPF_W, BPF_REG_1, TARGET, offsetof(struct tls_target, where));
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, TLS_DYNAMIC, dynamic);
	bpf_asm__jump(a, BPF_JNE, BPF_REG_1, TLS_STATIC, g->again);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_10, SLOT_FS);
	bpf_asm__goto(a, g->address);

	/* The DTV: its address is in the second word behind the thread pointer. */
	bpf_asm__place(a, dynamic);
	bpf_asm__load(a, BPF_DW, BPF_REG_3, BPF_REG_10, SLOT_FS);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_3, 8);
	read_user(g, SLOT_AT, sizeof(u64));
	/* Its length: of glibc in the entry in front of the first, of musl the first word. */
	bpf_asm__load(a, BPF_DW, BPF_REG_3, BPF_REG_10, SLOT_AT);
	bpf_asm__load(a, BPF_W, BPF_REG_1, TARGET, offsetof(struct tls_target, stride));
	bpf_asm__jump(a, BPF_JNE, BPF_REG_1, 16, length);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_3, -16);
	bpf_asm__place(a, length);
	read_user(g, SLOT_WORD, sizeof(u64));
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_10, SLOT_WORD);
	bpf_asm__load(a, BPF_W, BPF_REG_2, TARGET, offsetof(struct tls_target, module));
	bpf_asm__jump_reg(a, BPF_JGT, BPF_REG_2, BPF_REG_1, g->none);
	bpf_asm__load(a, BPF_W, BPF_REG_1, TARGET, offsetof(struct tls_target, stride));
	bpf_asm__alu(a, BPF_MUL, BPF_REG_2, BPF_REG_1);
	bpf_asm__load(a, BPF_DW, BPF_REG_3, BPF_REG_10, SLOT_AT);
	bpf_asm__alu(a, BPF_ADD, BPF_REG_3, BPF_REG_2);
	read_user(g, SLOT_WORD, sizeof(u64));
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_10, SLOT_WORD);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, 0, g->none);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, DTV_UNALLOCATED, g->none);

	bpf_asm__place(a, g->address);
	bpf_asm__load(a, BPF_DW, BPF_REG_2, TARGET, offsetof(struct tls_target, offset));
	bpf_asm__alu(a, BPF_ADD, BPF_REG_1, BPF_REG_2);
	bpf_asm__store(a, BPF_DW, BPF_REG_10, SLOT_AT, BPF_REG_1);
}

/* The bytes of the variable itself. */
static void read_value(struct generator *g)
{
	struct bpf_asm *a = g->a;

	bpf_asm__load(a, BPF_W, BPF_REG_2, TARGET, offsetof(struct tls_target, size));
	bpf_asm__jump(a, BPF_JGT, BPF_REG_2, ACTIVITY_VALUE_MAX, g->none);
	bpf_asm__store(a, BPF_DW, BPF_REG_10, SLOT_SIZE, BPF_REG_2);
	bpf_asm__load(a, BPF_DW, BPF_REG_3, BPF_REG_10, SLOT_AT);
	read_to_output(g, 0);
	bpf_asm__jump(a, BPF_JNE, BPF_REG_0, 0, g->none);
	bpf_asm__goto(a, g->emit);
}

/* SLOT_AT = the pointer there; none: the thread works on nothing. */
static void follow_pointer(struct generator *g)
{
	struct bpf_asm *a = g->a;

	bpf_asm__load(a, BPF_DW, BPF_REG_3, BPF_REG_10, SLOT_AT);
	read_user(g, SLOT_AT, sizeof(u64));
	bpf_asm__load(a, BPF_DW, BPF_REG_3, BPF_REG_10, SLOT_AT);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_3, 0, g->none);
}

static void read_otel(struct generator *g)
{
	const s16 data = offsetof(struct tls_output, data);
	struct bpf_asm *a = g->a;
	int fits = bpf_asm__label(a);

	follow_pointer(g);
	bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_2, TLS_OTEL_HEAD);
	read_to_output(g, 0);
	bpf_asm__jump(a, BPF_JNE, BPF_REG_0, 0, g->none);
	bpf_asm__load(a, BPF_B, BPF_REG_1, OUT, data + 24); /* valid */
	bpf_asm__jump(a, BPF_JNE, BPF_REG_1, 1, g->none);
	bpf_asm__store_imm(a, BPF_DW, BPF_REG_10, SLOT_SIZE, TLS_OTEL_HEAD);
	bpf_asm__load(a, BPF_H, BPF_REG_2, OUT, data + 26); /* bytes of attributes */
	bpf_asm__jump(a, BPF_JLE, BPF_REG_2, TLS_OTEL_ATTRIBUTES, fits);
	bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_2, TLS_OTEL_ATTRIBUTES);
	bpf_asm__place(a, fits);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, BPF_REG_2);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_1, TLS_OTEL_HEAD);
	bpf_asm__store(a, BPF_DW, BPF_REG_10, SLOT_WORD, BPF_REG_1);
	bpf_asm__load(a, BPF_DW, BPF_REG_3, BPF_REG_10, SLOT_AT);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_3, TLS_OTEL_HEAD);
	read_to_output(g, TLS_OTEL_HEAD);
	/* Where attributes cannot be read, the ids alone are. */
	bpf_asm__jump(a, BPF_JNE, BPF_REG_0, 0, g->emit);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_10, SLOT_WORD);
	bpf_asm__store(a, BPF_DW, BPF_REG_10, SLOT_SIZE, BPF_REG_1);
	bpf_asm__goto(a, g->emit);
}

/* Copies one of the two strings of the label at SLOT_LABEL; @at: in the output's data. */
static void read_string(struct generator *g, s16 size_at, u32 max, u32 count_at, u32 at, int skip)
{
	struct bpf_asm *a = g->a;
	int fits = bpf_asm__label(a);

	bpf_asm__load(a, BPF_DW, BPF_REG_3, BPF_REG_10, SLOT_LABEL + size_at + 8);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_3, 0, skip);
	bpf_asm__load(a, BPF_DW, BPF_REG_2, BPF_REG_10, SLOT_LABEL + size_at);
	bpf_asm__jump(a, BPF_JLE, BPF_REG_2, max, fits);
	bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_2, max);
	bpf_asm__place(a, fits);
	bpf_asm__store(a, BPF_W, OUT, offsetof(struct tls_output, data) + count_at, BPF_REG_2);
	read_to_output(g, at);
	bpf_asm__jump(a, BPF_JNE, BPF_REG_0, 0, skip);
}

static void read_label(struct generator *g, u32 i, int done)
{
	const u32 at = i * sizeof(struct tls_label);
	struct bpf_asm *a = g->a;
	int skip = bpf_asm__label(a), next = bpf_asm__label(a);

	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_10, SLOT_LABELS + 8);
	bpf_asm__jump(a, BPF_JLE, BPF_REG_1, i, done);
	bpf_asm__load(a, BPF_DW, BPF_REG_3, BPF_REG_10, SLOT_LABELS);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_3, 32 * i);
	read_slot(g, BPF_FUNC_probe_read_user, SLOT_LABEL, 32, done);
	read_string(g, 0, TLS_LABEL_KEY_MAX, at + offsetof(struct tls_label, key_size),
		    at + offsetof(struct tls_label, key), skip);
	read_string(g, 16, TLS_LABEL_VALUE_MAX, at + offsetof(struct tls_label, value_size),
		    at + offsetof(struct tls_label, value), skip);
	bpf_asm__goto(a, next);
	bpf_asm__place(a, skip);
	bpf_asm__store_imm(a, BPF_W, OUT, offsetof(struct tls_output, data) + at, 0);
	bpf_asm__place(a, next);
	bpf_asm__store_imm(a, BPF_DW, BPF_REG_10, SLOT_SIZE, (i + 1) * sizeof(struct tls_label));
}

static void read_labels(struct generator *g)
{
	int done = bpf_asm__label(g->a);

	follow_pointer(g);
	read_user(g, SLOT_LABELS, 24);
	bpf_asm__store_imm(g->a, BPF_DW, BPF_REG_10, SLOT_SIZE, 0);
	for (u32 i = 0; i < TLS_LABELS_MAX; i++)
		read_label(g, i, done);
	bpf_asm__place(g->a, done);
	bpf_asm__load(g->a, BPF_DW, BPF_REG_1, BPF_REG_10, SLOT_SIZE);
	bpf_asm__jump(g->a, BPF_JEQ, BPF_REG_1, 0, g->none);
	bpf_asm__goto(g->a, g->emit);
}

/* r0 = the bytes of the output. */
static void finish_output(struct generator *g)
{
	struct bpf_asm *a = g->a;

	bpf_asm__place(a, g->emit);
	bpf_asm__load(a, BPF_W, BPF_REG_1, TARGET, offsetof(struct tls_target, kind));
	bpf_asm__store(a, BPF_W, OUT, offsetof(struct tls_output, kind), BPF_REG_1);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, CTX, PT_REGS_IP);
	bpf_asm__store(a, BPF_DW, OUT, offsetof(struct tls_output, ip), BPF_REG_1);
	bpf_asm__load(a, BPF_DW, BPF_REG_0, BPF_REG_10, SLOT_SIZE);
	bpf_asm__store(a, BPF_W, OUT, offsetof(struct tls_output, size), BPF_REG_0);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_0, offsetof(struct tls_output, data));
	bpf_asm__return(a);
}

/* Asks for the process, and notes that it was asked for. */
static void write_question(struct generator *g)
{
	struct bpf_asm *a = g->a;
	const s16 q = SLOT_QUESTION, t = SLOT_TARGET;

	/* Here .where is TLS_NOWHERE or TLS_NOT_YET. */
	bpf_asm__place(a, g->again);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, TARGET, offsetof(struct tls_target, ask_at));
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, 0, g->none);
	bpf_asm__call(a, BPF_FUNC_ktime_get_ns);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, TARGET, offsetof(struct tls_target, ask_at));
	bpf_asm__jump_reg(a, BPF_JGT, BPF_REG_1, BPF_REG_0, g->none);

	bpf_asm__place(a, g->ask);
	for (s16 at = 0; at < (s16)sizeof(struct tls_target); at += 8)
		bpf_asm__store_imm(a, BPF_DW, BPF_REG_10, t + at, 0);
	bpf_asm__call(a, BPF_FUNC_ktime_get_ns);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_0, ASK_AGAIN_NS);
	bpf_asm__store(a, BPF_DW, BPF_REG_10, t + (s16)offsetof(struct tls_target, ask_at),
		       BPF_REG_0);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_10, SLOT_START);
	bpf_asm__store(a, BPF_DW, BPF_REG_10, t, BPF_REG_1);
	bpf_asm__store(a, BPF_DW, BPF_REG_10, q, BPF_REG_1);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_10, SLOT_NR_EXEC);
	bpf_asm__store(a, BPF_DW, BPF_REG_10, t + 8, BPF_REG_1);
	bpf_asm__store(a, BPF_DW, BPF_REG_10, q + 8, BPF_REG_1);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_10, SLOT_PID);
	bpf_asm__store(a, BPF_DW, BPF_REG_10, q + 16, BPF_REG_1);
	bpf_asm__map(a, BPF_REG_1, g->p->targets);
	slot_address(g, BPF_REG_2, SLOT_PID);
	slot_address(g, BPF_REG_3, SLOT_TARGET);
	bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_4, BPF_ANY);
	bpf_asm__call(a, BPF_FUNC_map_update_elem);
	bpf_asm__map(a, BPF_REG_1, g->p->questions);
	slot_address(g, BPF_REG_2, SLOT_QUESTION);
	bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_3, sizeof(struct tls_question));
	bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_4, BPF_RB_FORCE_WAKEUP);
	bpf_asm__call(a, BPF_FUNC_ringbuf_output);

	bpf_asm__place(a, g->none);
	bpf_asm__exit(a, 0);
}

void tls_program__append(const struct tls_program *p, struct bpf_asm *a, int label)
{
	struct generator generator = {
		.a = a, .p = p, .none = bpf_asm__label(a), .ask = bpf_asm__label(a),
		.again = bpf_asm__label(a), .address = bpf_asm__label(a),
		.emit = bpf_asm__label(a),
	}, *g = &generator;
	int otel = bpf_asm__label(a), labels = bpf_asm__label(a);

	bpf_asm__place_function(a, label);
	bpf_asm__alu(a, BPF_MOV, CTX, BPF_REG_1);
	bpf_asm__alu(a, BPF_MOV, OUT, BPF_REG_2);
	identify(g);
	find_target(g);
	find_address(g);
	bpf_asm__load(a, BPF_W, BPF_REG_1, TARGET, offsetof(struct tls_target, kind));
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, ACTIVITY_OTEL, otel);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, ACTIVITY_LABELS, labels);
	read_value(g);
	bpf_asm__place(a, otel);
	read_otel(g);
	bpf_asm__place(a, labels);
	read_labels(g);
	finish_output(g);
	write_question(g);
}

/* The main program: calls the function, and writes what it has found into the ring. */
static int generate(const struct tls_program *p, struct bpf_asm *a)
{
	const s16 zero = -8;
	int none = bpf_asm__label(a), function = bpf_asm__label(a);

	bpf_asm__alu(a, BPF_MOV, BPF_REG_6, BPF_REG_1);
	bpf_asm__store_imm(a, BPF_DW, BPF_REG_10, zero, 0);
	bpf_asm__map(a, BPF_REG_1, p->scratch);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_2, BPF_REG_10);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_2, zero);
	bpf_asm__call(a, BPF_FUNC_map_lookup_elem);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_0, 0, none);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_7, BPF_REG_0);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, BPF_REG_6);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_2, BPF_REG_7);
	bpf_asm__call_function(a, function);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_0, 0, none);
	bpf_asm__jump(a, BPF_JGT, BPF_REG_0, TLS_OUTPUT_MAX, none);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_5, BPF_REG_0);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, BPF_REG_6);
	bpf_asm__map(a, BPF_REG_2, p->outputs);
	bpf_asm__imm64(a, BPF_REG_3, BPF_F_CURRENT_CPU);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_4, BPF_REG_7);
	bpf_asm__call(a, BPF_FUNC_perf_event_output);
	bpf_asm__place(a, none);
	bpf_asm__exit(a, 1); /* the sample is taken in any case */
	tls_program__append(p, a, function);
	return bpf_asm__finish(a);
}

/* Those of the function alone; the others: see tls_program__load(). */
static int create_maps(struct tls_program *p, struct error *err)
{
	const struct {
		int *fd;
		struct bpf_map_opts opts;
	} maps[] = {
		{ &p->targets, { BPF_MAP_TYPE_LRU_HASH, "perf_tls_places", sizeof(u32),
				 sizeof(struct tls_target), PROCESSES, 0, 0 } },
		{ &p->questions, { BPF_MAP_TYPE_RINGBUF, "perf_tls_asks", 0, 0, QUESTION_BYTES,
				   0, 0 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(maps); i++) {
		*maps[i].fd = bpf_map__create(&maps[i].opts, err);
		if (*maps[i].fd < 0)
			return *maps[i].fd;
	}
	return 0;
}

static int check_machine(struct error *err)
{
	struct utsname u;

	if (!uname(&u) && !strcmp(u.machine, "x86_64"))
		return 0;
	return error__set(err, -EOPNOTSUPP, "reading thread-local variables is implemented for "
			  "x86-64 only");
}

static const struct tls_program closed = { -1, -1, -1, -1, -1, {} };

int tls_program__prepare(struct tls_program *p, struct error *err)
{
	int ret;

	*p = closed;
	ret = check_machine(err) ?: create_maps(p, err);
	return ret ?: find_offsets(&p->offsets, err);
}

int tls_program__load(struct tls_program *p, u32 nr_cpus, struct error *err)
{
	const struct bpf_map_opts outputs = {
		BPF_MAP_TYPE_PERF_EVENT_ARRAY, "perf_tls_out", sizeof(u32), sizeof(u32), nr_cpus,
		0, 0,
	};
	const struct bpf_map_opts scratch = {
		BPF_MAP_TYPE_PERCPU_ARRAY, "perf_tls_bytes", sizeof(u32), TLS_OUTPUT_MAX, 1, 0, 0,
	};
	struct bpf_asm a = {};

	p->outputs = bpf_map__create(&outputs, err);
	if (p->outputs < 0)
		return p->outputs;
	p->scratch = bpf_map__create(&scratch, err);
	if (p->scratch < 0)
		return p->scratch;
	BUG_ON(generate(p, &a));
	p->program = bpf_prog__load_perf_event(&a, "perf_tls", err);
	bpf_asm__free(&a);
	return min_of(p->program, 0);
}

void tls_program__close(struct tls_program *p)
{
	const int fds[] = { p->program, p->targets, p->outputs, p->scratch, p->questions };

	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	*p = closed;
}
