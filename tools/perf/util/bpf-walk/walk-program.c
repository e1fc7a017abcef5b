// SPDX-License-Identifier: GPL-2.0-only
#include "walk-program.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../base/log.h"
#include "../bpf/btf.h"
#include "walk-copy.h"
#include "walk-exec.h"
#include "walk-generator.h"
#include "walk-python.h"
#include "walk-step.h"
#include "walk-watch.h"

#define USER_CS 0x33 /* of 64-bit code; 3 in the lowest bits: user mode */

static int find_offsets(struct generator *g, const struct btf *b, struct error *err)
{
	const struct task_member wanted[] = {
		{ "group_leader", 8, &g->group_leader, NULL },
		{ "start_boottime", 8, &g->start, NULL },
		{ "self_exec_id", 8, &g->nr_exec, NULL },
		{ "parent_exec_id", 8, &g->parent_exec, NULL },
		{ "real_parent", 8, &g->real_parent, NULL },
		{ "vfork_done", 8, &g->vfork, NULL },
		{ "tgid", 4, &g->tgid, NULL },
		{ "mm", 8, &g->mm, NULL },
		{ "thread.fsbase", 8, &g->fsbase, NULL },
		{ "start_stack", 8, &g->start_stack, "mm_struct" },
	};

	return task_members__find(b, wanted, ARRAY_SIZE(wanted), err);
}

/* SCRATCH, TASK and REGS; idle tasks, and those that are about to exit, have no user stack. */
static void begin(struct generator *g)
{
	struct bpf_asm *a = &g->a;

	bpf_asm__alu(a, BPF_MOV, CTX, BPF_REG_1);
	bpf_asm__store_imm(a, BPF_DW, BPF_REG_10, ZERO, 0);
	bpf_asm__call(a, BPF_FUNC_get_smp_processor_id);
	bpf_asm__store(a, BPF_DW, BPF_REG_10, KEY, BPF_REG_0);
	look_up(g, g->scratch, KEY, g->none);
	bpf_asm__alu(a, BPF_MOV, SCRATCH, BPF_REG_0);
	bpf_asm__store(a, BPF_DW, BPF_REG_10, POINTER, SCRATCH);
	bpf_asm__call(a, BPF_FUNC_get_current_pid_tgid);
	bpf_asm__alu_imm(a, BPF_RSH, BPF_REG_0, 32);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_0, 0, g->none);
	bpf_asm__store(a, BPF_DW, BPF_REG_10, KEY, BPF_REG_0);
	bpf_asm__call(a, BPF_FUNC_get_current_task_btf);
	bpf_asm__alu(a, BPF_MOV, TASK, BPF_REG_0);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, TASK, g->mm.offset);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, 0, g->none);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_1, g->start_stack.offset);
	store(g, AT(start_stack), BPF_REG_1);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, TASK);
	bpf_asm__call(a, BPF_FUNC_task_pt_regs);
	bpf_asm__alu(a, BPF_MOV, REGS, BPF_REG_0);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, SCRATCH);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_1, AT(regs));
	bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_2, sizeof(struct walk_regs));
	bpf_asm__alu(a, BPF_MOV, BPF_REG_3, REGS);
	bpf_asm__call(a, BPF_FUNC_probe_read_kernel);
	bpf_asm__jump(a, BPF_JNE, BPF_REG_0, 0, g->none);
	/* Kernel threads. */
	load(g, BPF_REG_1, AT(regs.cs));
	bpf_asm__alu_imm(a, BPF_AND, BPF_REG_1, 3);
	bpf_asm__jump(a, BPF_JNE, BPF_REG_1, 3, g->none);
}

/*
 * An NMI can come while the kernel is about to save the user's registers: its stack pointer is in
 * between them then.
 */
static void check_registers(struct generator *g)
{
	struct bpf_asm *a = &g->a;
	int saved = bpf_asm__label(a);

	bpf_asm__load(a, BPF_DW, BPF_REG_1, CTX, offsetof(struct walk_regs, cs));
	bpf_asm__alu_imm(a, BPF_AND, BPF_REG_1, 3);
	bpf_asm__jump(a, BPF_JNE, BPF_REG_1, 0, saved);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, CTX, offsetof(struct walk_regs, sp));
	bpf_asm__alu(a, BPF_MOV, BPF_REG_2, REGS);
	bpf_asm__jump_reg(a, BPF_JLT, BPF_REG_1, BPF_REG_2, saved);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_2, sizeof(struct walk_regs));
	bpf_asm__jump_reg(a, BPF_JLT, BPF_REG_1, BPF_REG_2, g->none);
	bpf_asm__place(a, saved);
}

/* Who is interrupted: the note of the output. REGS is lost. */
static void identify(struct generator *g)
{
	struct bpf_asm *a = &g->a;

	bpf_asm__load(a, BPF_DW, BPF_REG_1, TASK, g->nr_exec.offset);
	store(g, AT(out.note.nr_exec), BPF_REG_1);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, TASK, g->group_leader.offset);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_1, g->start.offset);
	store(g, AT(out.note.start), BPF_REG_1);
	load(g, BPF_REG_1, AT(sequence));
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_1, 1);
	store(g, AT(sequence), BPF_REG_1);
	store(g, AT(out.note.sequence), BPF_REG_1);
	bpf_asm__imm64(a, BPF_REG_1, WALK_NOTE_MAGIC);
	store(g, AT(out.note.magic), BPF_REG_1); /* and .generation: 0 */
	store_imm(g, AT(out.note.stop), 0); /* and .copied */
	store_imm(g, AT(out.note.owner), 0);
	store_imm(g, AT(out.note.kept), 0); /* and .lower */
	store_imm(g, AT(out.note.cut), 0);
	store_imm(g, AT(out.note.changed), 0); /* and .other_size */
	store_imm(g, AT(out.note.other), 0);
	store_imm(g, AT(out.note.nr_calls), 0); /* and .nr_functions, .reserved */
	store_imm(g, AT(out.copy_start), 0);
	store_imm(g, AT(out.copied), 0);
	store_imm(g, AT(out.extra), 0); /* and .reserved */
	walk_watch__note(g);
}

/* Which sample it is, and what else is read of this task. */
static void call_extra(struct generator *g)
{
	struct bpf_asm *a = &g->a;
	int fits = bpf_asm__label(a);

	bpf_asm__load(a, BPF_DW, BPF_REG_1, CTX, offsetof(struct walk_regs, ip));
	store(g, AT(out.ip), BPF_REG_1);
	if (!g->extra->append)
		return;
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, CTX);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_2, SCRATCH);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_2, offsetof(struct walk_scratch, extra));
	bpf_asm__call_function(a, g->extra_at);
	bpf_asm__jump(a, BPF_JLE, BPF_REG_0, WALK_EXTRA_MAX, fits);
	bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_0, 0);
	bpf_asm__place(a, fits);
	bpf_asm__store(a, BPF_W, SCRATCH, AT(out.extra), BPF_REG_0);
}

/* The first frame, and nothing known of anything else. */
static void begin_walk(struct generator *g)
{
	struct bpf_asm *a = &g->a;
	const struct { s16 from, to; } moved[] = {
		{ AT(regs.ip), AT(pc) }, { AT(regs.sp), AT(sp) }, { AT(regs.bp), AT(fp) },
		{ AT(regs.ip), AT(ips) }, { AT(regs.sp), AT(first_sp) },
	};
	static const s16 zero[] = {
		AT(seg_start), AT(seg_size), AT(window), AT(window_size), AT(stop), AT(nr),
	};

	for (size_t i = 0; i < ARRAY_SIZE(moved); i++) {
		load(g, BPF_REG_1, moved[i].from);
		store(g, moved[i].to, BPF_REG_1);
	}
	for (size_t i = 0; i < ARRAY_SIZE(zero); i++)
		store_imm(g, zero[i], 0);
	store_imm(g, AT(fp_known), 1);
	store_imm(g, AT(exact), 1);
	store_imm(g, AT(next_call), -1);
	look_up(g, g->p->control, ZERO, g->none);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_0, offsetof(struct walk_control, epoch));
	store(g, AT(epoch), BPF_REG_1);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_0, offsetof(struct walk_control, check));
	store(g, AT(check), BPF_REG_1);
}

/* Goes to finish, with the reason @why; @skip: a label behind, for who does not. */
static void give_up(struct generator *g, enum walk_stop why, int skip)
{
	store_imm(g, AT(stop), why);
	bpf_asm__goto(&g->a, g->finish);
	bpf_asm__place(&g->a, skip);
}

/* Goes to @other unless the process's value at r0 is of the task that started at r2. */
static void check_identity(struct generator *g, int other)
{
	struct bpf_asm *a = &g->a;

	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_0, offsetof(struct walk_process, start));
	bpf_asm__jump_reg(a, BPF_JNE, BPF_REG_1, BPF_REG_2, other);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_0, offsetof(struct walk_process, nr_exec));
	load(g, BPF_REG_2, AT(out.note.nr_exec));
	bpf_asm__jump_reg(a, BPF_JNE, BPF_REG_1, BPF_REG_2, other);
}

/*
 * r0 = the value of the parent's, if neither it nor the child has made an execve() since the fork:
 * the child's mappings are the parent's then, or nearly so. Whether they were is seen by who reads
 * the chain (walk_tables__believes()), who gets a copy of the stack as well, for the case that they
 * were not.
 */
static void find_parent(struct generator *g, int unknown)
{
	struct bpf_asm *a = &g->a;

	bpf_asm__load(a, BPF_DW, BPF_REG_1, TASK, g->parent_exec.offset);
	load(g, BPF_REG_2, AT(out.note.nr_exec));
	bpf_asm__jump_reg(a, BPF_JNE, BPF_REG_1, BPF_REG_2, unknown);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, TASK, g->real_parent.offset);
	bpf_asm__load(a, BPF_W, BPF_REG_2, BPF_REG_1, g->tgid.offset);
	bpf_asm__store(a, BPF_DW, BPF_REG_10, KEY, BPF_REG_2);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_1, g->group_leader.offset);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_1, g->start.offset);
	store(g, AT(word), BPF_REG_1);
	look_up(g, g->p->processes, KEY, unknown);
	load(g, BPF_REG_2, AT(word));
	check_identity(g, unknown);
	store_imm(g, AT(check), 1);
}

/*
 * A child of vfork() in execve() or exit() wakes its parent before it leaves the memory of both:
 * from then on the parent writes what was the child's stack.
 */
static void check_vfork(struct generator *g)
{
	static const s32 calls[] = { __NR_execve, __NR_execveat, __NR_exit, __NR_exit_group };
	struct bpf_asm *a = &g->a;
	int leaves = bpf_asm__label(a), own = bpf_asm__label(a);

	load(g, BPF_REG_1, AT(regs.orig_ax));
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, calls[i], leaves);
	bpf_asm__goto(a, own);
	bpf_asm__place(a, leaves);
	walk_generator__unless_given_back(g, own);
	give_up(g, WALK_BORROWED, own);
}

/* The mappings of the process, or of its parent, if they are of this program. */
static void find_process(struct generator *g)
{
	struct bpf_asm *a = &g->a;
	int parent = bpf_asm__label(a), unknown = bpf_asm__label(a), known = bpf_asm__label(a);
	int wide = bpf_asm__label(a), own = bpf_asm__label(a);

	load(g, BPF_REG_1, AT(regs.cs));
	bpf_asm__alu_imm(a, BPF_AND, BPF_REG_1, 0xffff);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, USER_CS, wide);
	give_up(g, WALK_COMPAT, wide);
	check_vfork(g);
	look_up(g, g->p->processes, KEY, parent);
	load(g, BPF_REG_2, AT(out.note.start));
	check_identity(g, parent);
	bpf_asm__goto(a, own);
	bpf_asm__place(a, parent);
	find_parent(g, unknown);
	bpf_asm__place(a, own);
	bpf_asm__load(a, BPF_W, BPF_REG_1, BPF_REG_0, offsetof(struct walk_process, depth));
	bpf_asm__jump(a, BPF_JNE, BPF_REG_1, 0, known);
	bpf_asm__place(a, unknown);
	give_up(g, WALK_NO_PROCESS, known);
	store(g, AT(depth), BPF_REG_1);
	bpf_asm__load(a, BPF_W, BPF_REG_1, BPF_REG_0, offsetof(struct walk_process, generation));
	bpf_asm__store(a, BPF_W, SCRATCH, AT(out.note.generation), BPF_REG_1);
	bpf_asm__load(a, BPF_W, BPF_REG_1, BPF_REG_0, offsetof(struct walk_process, root));
	store(g, AT(root), BPF_REG_1);
	bpf_asm__load(a, BPF_W, BPF_REG_1, BPF_REG_10, KEY);
	bpf_asm__store(a, BPF_W, SCRATCH, AT(out.note.owner), BPF_REG_1);
	walk_watch__compare(g);
}

static void walk(struct generator *g)
{
	struct bpf_asm *a = &g->a;

	bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_1, WALK_DEPTH_MAX + 1);
	bpf_asm__function(a, BPF_REG_2, g->step);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_3, BPF_REG_10);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_3, POINTER);
	bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_4, 0);
	bpf_asm__call(a, BPF_FUNC_loop);
}

/*
 * A copy has fewer frames than a chain that is full, whatever has ended it; but one in whose
 * process something is not known yet is copied, so that it will be.
 */
static void keep_full_chain(struct generator *g)
{
	struct bpf_asm *a = &g->a;

	load(g, BPF_REG_2, AT(nr));
	bpf_asm__jump(a, BPF_JLE, BPF_REG_2, WALK_MAX_FRAMES, g->copy);
	bpf_asm__jump(a, BPF_JLT, BPF_REG_1, WALK_NO_RULE, g->copy);
	bpf_asm__jump(a, BPF_JGT, BPF_REG_1, WALK_LIMIT, g->copy);
	bpf_asm__store_imm(a, BPF_W, SCRATCH, AT(out.note.stop), WALK_LIMIT);
}

/* What was walked by tables that changed meanwhile is worth nothing. */
static void check_epoch(struct generator *g)
{
	struct bpf_asm *a = &g->a;
	int same = bpf_asm__label(a), chain = bpf_asm__label(a);

	bpf_asm__place(a, g->finish);
	look_up(g, g->p->control, ZERO, g->none);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_0, offsetof(struct walk_control, epoch));
	load(g, BPF_REG_2, AT(epoch));
	bpf_asm__jump_reg(a, BPF_JEQ, BPF_REG_1, BPF_REG_2, same);
	store_imm(g, AT(stop), WALK_CHANGED);
	bpf_asm__place(a, same);
	load(g, BPF_REG_1, AT(stop));
	bpf_asm__store(a, BPF_W, SCRATCH, AT(out.note.stop), BPF_REG_1);
	load(g, BPF_REG_2, AT(pc));
	store(g, AT(out.note.at), BPF_REG_2);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, WALK_WHOLE, chain);
	keep_full_chain(g);
	bpf_asm__place(a, chain);
}

/* The output is the chain, or both ends of it; @size = its bytes. */
static void choose_chain(struct generator *g, u8 size)
{
	struct bpf_asm *a = &g->a;
	int all = bpf_asm__label(a);

	bpf_asm__store_imm(a, BPF_H, SCRATCH, AT(out.flags), WALK_HAS_CHAIN);
	load(g, size, AT(nr));
	bpf_asm__jump(a, BPF_JLE, size, WALK_MAX_FRAMES, all);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, size);
	bpf_asm__alu_imm(a, BPF_SUB, BPF_REG_1, WALK_MAX_FRAMES);
	bpf_asm__store(a, BPF_W, SCRATCH, AT(out.note.cut), BPF_REG_1);
	bpf_asm__alu_imm(a, BPF_MOV, size, WALK_MAX_FRAMES);
	bpf_asm__place(a, all);
	bpf_asm__store(a, BPF_H, SCRATCH, AT(out.nr), size);
	bpf_asm__alu_imm(a, BPF_LSH, size, 3);
}

/* Beside a longer chain there is no room for a copy. */
static void write_chain(struct generator *g)
{
	int alone = bpf_asm__label(&g->a);

	load(g, BPF_REG_1, AT(nr));
	bpf_asm__jump(&g->a, BPF_JGT, BPF_REG_1, WALK_BESIDE_FRAMES, alone);
	load(g, BPF_REG_1, AT(check));
	bpf_asm__jump(&g->a, BPF_JNE, BPF_REG_1, 0, g->copy);
	bpf_asm__place(&g->a, alone);
	choose_chain(g, BPF_REG_9);
	walk_generator__output(g, AT(out), AT(ips));
}

static void make_labels(struct generator *g)
{
	struct bpf_asm *a = &g->a;

	*a = (struct bpf_asm){};
	g->none = bpf_asm__label(a);
	g->finish = bpf_asm__label(a);
	g->copy = bpf_asm__label(a);
	g->step = bpf_asm__label(a);
}

/* The program that keeps the stacks of those that call execve(): see walk-exec.h. */
static int generate_keeper(struct generator *g)
{
	struct bpf_asm *a = &g->a;

	make_labels(g);
	begin(g);
	identify(g);
	begin_walk(g);
	find_process(g);
	walk(g);
	check_epoch(g);
	choose_chain(g, BPF_REG_6);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_6, sizeof(struct walk_output));
	walk_exec__keep(g, AT(out));
	walk_copy__keep(g);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_6,
			 sizeof(struct walk_output) + sizeof(struct walk_regs));
	walk_exec__keep(g, AT(copy_out));
	bpf_asm__place(a, g->none);
	bpf_asm__exit(a, 0);
	walk_step__generate(a, g->p, g->step);
	return bpf_asm__finish(a);
}

static int generate(struct generator *g)
{
	struct bpf_asm *a = &g->a;

	make_labels(g);
	g->state_step = bpf_asm__label(a);
	g->frame_step = bpf_asm__label(a);
	g->extra_at = g->extra->append ? bpf_asm__label(a) : -1;
	begin(g);
	check_registers(g);
	identify(g);
	call_extra(g);
	walk_exec__use(g);
	begin_walk(g);
	if (g->p->python >= 0)
		walk_python__read(g);
	find_process(g);
	walk(g);
	check_epoch(g);
	write_chain(g);
	walk_copy__write(g);
	bpf_asm__place(a, g->none);
	bpf_asm__exit(a, 1); /* the sample is taken in any case */
	walk_step__generate(a, g->p, g->step);
	if (g->p->python >= 0)
		walk_python__append(g);
	if (g->extra->append)
		g->extra->append(g->extra->ctx, a, g->extra_at);
	return bpf_asm__finish(a);
}

int walk_program__new_chunk(struct error *err)
{
	const struct bpf_map_opts opts = {
		BPF_MAP_TYPE_ARRAY, "perf_walk_rows", sizeof(u32), WALK_CHUNK, 1, BPF_F_MMAPABLE, 0,
	};

	return bpf_map__create(&opts, err);
}

static int create_maps(struct walk_program *p, u32 nr_cpus, struct error *err)
{
	const u32 array = BPF_MAP_TYPE_ARRAY, mapped = BPF_F_MMAPABLE;
	int chunk = walk_program__new_chunk(err), ret = min_of(chunk, 0);
	const struct {
		int *fd;
		struct bpf_map_opts opts;
	} maps[] = {
		{ &p->control, { array, "perf_walk_state", 4, sizeof(struct walk_control), 1,
				 mapped, 0 } },
		{ &p->processes, { BPF_MAP_TYPE_HASH, "perf_walk_procs", 4,
				   sizeof(struct walk_process), WALK_PROCESSES,
				   0, 0 } },
		{ &p->blocks, { array, "perf_walk_maps", 4, sizeof(struct walk_block), WALK_BLOCKS,
				mapped, 0 } },
		{ &p->pages, { array, "perf_walk_pages", 4, sizeof(walk_page_place), WALK_PAGES,
			       mapped, 0 } },
		{ &p->first, { array, "perf_walk_first", 4, WALK_CHUNK, WALK_FIRST_CHUNKS, mapped,
			       0 } },
		{ &p->rules, { array, "perf_walk_rules", 4, sizeof(struct walk_rule), WALK_RULES,
			       mapped, 0 } },
		{ &p->scratch, { array, "perf_walk_bytes", 4, sizeof(struct walk_scratch), nr_cpus,
				 0, 0 } },
		{ &p->keeper_scratch, { array, "perf_walk_exec", 4, sizeof(struct walk_scratch),
					nr_cpus, 0, 0 } },
		{ &p->kept, { array, "perf_walk_kept", 4, sizeof(struct walk_kept), p->nr_kept, 0,
			      0 } },
		{ &p->python, { BPF_MAP_TYPE_HASH, "perf_walk_py", 4, sizeof(struct walk_python),
				WALK_PYTHONS, 0, 0 } },
		{ &p->changes, { array, "perf_walk_news", 4, sizeof(struct walk_changes),
				 WALK_CHANGES, 0, 0 } },
		{ &p->others, { array, "perf_walk_other", 4, sizeof(struct walk_other),
				WALK_OTHERS, mapped, 0 } },
		{ &p->outputs, { BPF_MAP_TYPE_PERF_EVENT_ARRAY, "perf_walk_out", 4, 4, nr_cpus, 0,
				 0 } },
		{ &p->chunks, { BPF_MAP_TYPE_ARRAY_OF_MAPS, "perf_walk_all", 4, 4, p->nr_chunks, 0,
				chunk } },
	};

	for (size_t i = 0; !ret && i < ARRAY_SIZE(maps); i++) {
		*maps[i].fd = bpf_map__create(&maps[i].opts, err);
		ret = min_of(*maps[i].fd, 0);
	}
	if (chunk >= 0)
		close(chunk);
	return ret;
}

static int check_machine(struct error *err)
{
	struct utsname u;

	if (!uname(&u) && !strcmp(u.machine, "x86_64"))
		return 0;
	return error__set(err, -EOPNOTSUPP, "walking stacks by a BPF program is implemented for "
			  "x86-64 only");
}

static const struct walk_program closed = {
	-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, -1, -1, -1, -1, 0, -1, -1,
	{ -1, -1, -1 }, { -1, -1, -1 },
};

/* Without it samples in execve() have no stack, as with copies. */
static void load_keeper(struct walk_program *p, struct generator *g, const struct btf *b)
{
	const char *name = "perf_walk_exec";
	struct error err = {};
	u32 function;

	g->scratch = p->keeper_scratch;
	BUG_ON(generate_keeper(g));
	p->keeper = bpf_prog__load_tracepoint(&g->a, name, WALK_EXEC_TRACEPOINT, &p->keeper_link,
					      &err);
	function = p->keeper < 0 ? btf__function(b, WALK_EXEC_FUNCTION) : 0;
	if (function)
		p->keeper = bpf_prog__load_at_call(&g->a, name, function, &p->keeper_link, &err);
	if (p->keeper < 0)
		pr_debug("stacks of samples in execve() are unknown: %s\n", err.text);
	bpf_asm__free(&g->a);
}

static int load_walk(struct walk_program *p, struct generator *g, struct error *err)
{
	BUG_ON(generate(g));
	p->program = bpf_prog__load_perf_event(&g->a, "perf_walk", err);
	bpf_asm__free(&g->a);
	return min_of(p->program, 0);
}

/* A verifier may refuse the part that reads Python's frames: then stacks are walked without it. */
static int load_with_python(struct walk_program *p, struct generator *g, struct error *err)
{
	int ret = load_walk(p, g, err);

	if (!ret || ret == -EPERM)
		return ret;
	close(p->python);
	p->python = -1;
	return load_walk(p, g, err);
}

static int load_programs(struct walk_program *p, const struct walk_program_opts *opts,
			 struct error *err)
{
	struct generator g = { .p = p, .extra = &opts->extra, .scratch = p->scratch };
	struct btf *b;
	int ret = btf__of_kernel(&b, err) ?: find_offsets(&g, b, err);

	if (!ret)
		ret = load_with_python(p, &g, err);
	if (!ret) {
		load_keeper(p, &g, b);
		walk_watch__load(p, b);
	}
	btf__free(b);
	return ret;
}

int walk_program__load(struct walk_program *p, const struct walk_program_opts *opts,
		       struct error *err)
{
	*p = closed;
	p->nr_chunks = opts->nr_chunks;
	p->nr_kept = walk_exec__entries(opts->nr_cpus);
	return check_machine(err) ?: create_maps(p, opts->nr_cpus, err) ?:
	       load_programs(p, opts, err);
}

void walk_program__close(struct walk_program *p)
{
	const int fds[] = {
		p->keeper_link, p->keeper, p->keeper_scratch, p->kept, p->program, p->control,
		p->processes, p->blocks, p->pages, p->first, p->chunks, p->rules, p->scratch,
		p->outputs, p->python, p->changes, p->others,
	};

	walk_watch__close(p);
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	*p = closed;
}
