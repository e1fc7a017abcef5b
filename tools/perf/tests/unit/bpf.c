// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/btf.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../util/base/log.h"
#include "../../util/bpf/bpf.h"
#include "../../util/bpf/func-types.h"
#include "../../util/bpf/btf.h"
#include "../../util/io/privileges.h"
#include "../test.h"

TEST(bpf_assembler, "bpf: instructions have the kernel's encoding, and jumps the right distance")
{
	static const struct bpf_insn expected[] = {
		{ .code = 0xbf, .dst_reg = 6, .src_reg = 1 },
		{ .code = 0x18, .dst_reg = 2, .src_reg = 1, .imm = 7 }, {},
		{ .code = 0x18, .dst_reg = 3, .imm = 0x55667788 }, { .imm = 0x11223344 },
		{ .code = 0x79, .dst_reg = 1, .src_reg = 6, .off = 128 },
		{ .code = 0x15, .dst_reg = 1, .off = 5, .imm = -1 },
		{ .code = 0x63, .dst_reg = 10, .src_reg = 1, .off = -4 },
		{ .code = 0x7a, .dst_reg = 10, .off = -16, .imm = 9 },
		{ .code = 0xdb, .dst_reg = 9, .src_reg = 1, .off = 56, .imm = 0xe1 },
		{ .code = 0xdb, .src_reg = 1, .off = 8 },
		{ .code = 0x85, .imm = 14 },
		{ .code = 0x07, .dst_reg = 1, .imm = 5 },
		{ .code = 0x2d, .dst_reg = 1, .src_reg = 2, .off = -8 },
		{ .code = 0xb7, .imm = 1 },
		{ .code = 0x95 },
	};
	struct bpf_asm a = {};
	int back = bpf_asm__label(&a), out = bpf_asm__label(&a);

	bpf_asm__alu(&a, BPF_MOV, 6, 1);
	bpf_asm__map(&a, 2, 7);
	bpf_asm__imm64(&a, 3, 0x1122334455667788);
	bpf_asm__load(&a, BPF_DW, 1, 6, 128);
	bpf_asm__place(&a, back);
	bpf_asm__jump(&a, BPF_JEQ, 1, -1, out);
	bpf_asm__store(&a, BPF_W, 10, -4, 1);
	bpf_asm__store_imm(&a, BPF_DW, 10, -16, 9);
	bpf_asm__exchange(&a, 9, 56, 1);
	bpf_asm__atomic_add(&a, 0, 8, 1);
	bpf_asm__call(&a, BPF_FUNC_get_current_pid_tgid);
	bpf_asm__place(&a, out);
	bpf_asm__alu_imm(&a, BPF_ADD, 1, 5);
	bpf_asm__jump_reg(&a, BPF_JGT, 1, 2, back);
	bpf_asm__exit(&a, 1);
	TEST_EQ(bpf_asm__finish(&a), 0);
	TEST_EQ(a.insns.nr, ARRAY_SIZE(expected));
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
		TEST_TRUE(!memcmp(&a.insns.v[i], &expected[i], sizeof(expected[i])));
	bpf_asm__free(&a);
}

TEST(bpf_assembler_functions, "bpf: a function's address is its distance, and it has a type")
{
	struct func_types types;
	struct bpf_asm a = {};
	int called = bpf_asm__label(&a);

	bpf_asm__alu_imm(&a, BPF_MOV, 1, 5);
	bpf_asm__function(&a, 2, called);
	bpf_asm__exit(&a, 1);
	bpf_asm__place_function(&a, called);
	bpf_asm__exit(&a, 0);
	TEST_EQ(bpf_asm__finish(&a), 0);
	TEST_EQ(a.insns.v[1].src_reg, BPF_PSEUDO_FUNC);
	TEST_EQ(a.insns.v[1].imm, 3);
	func_types__make(&types, &a);
	TEST_EQ(types.functions.nr, 2);
	TEST_EQ(types.functions.v[1].insn_off, 5);
	TEST_EQ(types.btf.str_off + types.btf.str_len + types.btf.hdr_len, sizeof(types.btf));
	func_types__free(&types);
	bpf_asm__free(&a);
}

TEST(bpf_assembler_labels, "bpf: a label that is nowhere, or too far away, is an error")
{
	struct bpf_asm a = {};
	int far = bpf_asm__label(&a), nowhere;

	bpf_asm__goto(&a, far);
	for (int i = 0; i < 32768; i++)
		bpf_asm__alu_imm(&a, BPF_MOV, 1, i);
	bpf_asm__place(&a, far);
	bpf_asm__exit(&a, 0);
	TEST_EQ(bpf_asm__finish(&a), -EINVAL);
	nowhere = bpf_asm__label(&a);
	a.fixups.nr = 0;
	bpf_asm__goto(&a, nowhere);
	TEST_EQ(bpf_asm__finish(&a), -EINVAL);
	bpf_asm__free(&a);
}

#define WORDS 4096

/* A program that the verifier refuses: it goes on behind its end. */
static void load_endless(int out)
{
	struct bpf_asm a = {};
	struct error err = {};

	bpf_asm__alu_imm(&a, BPF_MOV, 0, 1);
	TEST_EQ(bpf_asm__finish(&a), 0);
	dup2(out, STDERR_FILENO);
	log__set_level(LOG_DEBUG);
	TEST_TRUE(bpf_prog__load_perf_event(&a, "perf_test", &err) < 0);
	dprintf(out, "%d %s", err.code, err.text);
	bpf_asm__free(&a);
}

/* What is said of it to a process that has no more than these capabilities. */
static void words_with(u64 capabilities, char words[static WORDS])
{
	int fds[2], status;
	ssize_t n, len = 0;
	pid_t pid;

	TEST_EQ(pipe(fds), 0);
	pid = fork();
	if (!pid) {
		privileges__keep(capabilities);
		load_endless(fds[1]);
		_exit(0);
	}
	close(fds[1]);
	while ((n = read(fds[0], words + len, WORDS - 1 - len)) > 0)
		len += n;
	words[len] = '\0';
	close(fds[0]);
	TEST_EQ(waitpid(pid, &status, 0), pid);
	TEST_EQ(status, 0);
}

static bool may_load(void)
{
	struct bpf_map_opts opts = { .type = BPF_MAP_TYPE_ARRAY, .name = "perf_test",
				     .key_size = 4, .value_size = 8, .entries = 1 };
	int fd = bpf_map__create(&opts, NULL);

	if (fd >= 0)
		close(fd);
	return fd >= 0 && privileges__effective() & PRIVILEGE(CAP_SYS_ADMIN);
}

TEST(bpf_refused, "bpf: who may not load a program reads which capability it takes; others why")
{
	const u64 bpf = PRIVILEGE(CAP_BPF), perfmon = PRIVILEGE(CAP_PERFMON);
	struct bpf_map_opts no_key = { .type = BPF_MAP_TYPE_ARRAY, .name = "perf_test",
				       .value_size = 8, .entries = 1 };
	struct error err = {};
	char words[WORDS];

	if (!may_load())
		TEST_SKIP("needs the right to load BPF programs");
	words_with(~0ull, words);
	TEST_TRUE(strstr(words, "the kernel's verifier says:"));
	TEST_TRUE(strstr(words, "the kernel refuses a BPF program at samples"));
	words_with(bpf | perfmon, words);
	TEST_TRUE(strstr(words, "the kernel's verifier says:"));
	words_with(PRIVILEGE(CAP_CHOWN), words);
	TEST_TRUE(strstr(words, "needs the capability CAP_BPF and CAP_PERFMON; root has both."));
	words_with(perfmon, words);
	TEST_TRUE(strstr(words, "needs the capability CAP_BPF; root has it."));
	words_with(bpf, words);
	TEST_TRUE(strstr(words, "needs the capability CAP_PERFMON; root has it."));

	TEST_EQ(bpf_map__create(&no_key, &err), -EINVAL);
	TEST_TRUE(strstr(err.text, "the kernel refuses a map for a BPF program"));
	TEST_TRUE(!bpf_map__map(-1, 4096, &err));
	TEST_EQ(err.code, -EBADF);
}

TEST(bpf_map, "bpf: what is put into a map is in it until it is taken out")
{
	struct bpf_map_opts opts = { .type = BPF_MAP_TYPE_HASH, .name = "a_name_beyond_15_letters",
				     .key_size = 4, .value_size = 8, .entries = 2 };
	u32 key = 5, other = 6;
	u64 value = 77, got = 0;
	int fd;

	if (!may_load())
		TEST_SKIP("needs the right to make BPF maps");
	fd = bpf_map__create(&opts, NULL);
	TEST_TRUE(fd >= 0);
	TEST_EQ(bpf_map__set(fd, &key, &value, BPF_NOEXIST), 0);
	TEST_EQ(bpf_map__set(fd, &key, &value, BPF_NOEXIST), -EEXIST);
	TEST_EQ(bpf_map__get(fd, &key, &got), 0);
	TEST_EQ(got, 77);
	TEST_EQ(bpf_map__get(fd, &other, &got), -ENOENT);
	TEST_EQ(bpf_map__remove(fd, &key), 0);
	TEST_EQ(bpf_map__remove(fd, &key), -ENOENT);
	close(fd);
}

struct made_btf {
	u32 words[64];
	u32 nr;
	char strings[64];
	u32 string_bytes;
	u8 bytes[512];
	size_t size;
};

static u32 name(struct made_btf *m, const char *text)
{
	u32 at = m->string_bytes;

	memcpy(m->strings + at, text, strlen(text) + 1);
	m->string_bytes += strlen(text) + 1;
	return at;
}

static void type(struct made_btf *m, u32 name, u32 kind, u32 nr, u32 size)
{
	m->words[m->nr++] = name;
	m->words[m->nr++] = kind << 24 | nr;
	m->words[m->nr++] = size;
}

static void member(struct made_btf *m, u32 name, u32 type, u32 bits)
{
	m->words[m->nr++] = name;
	m->words[m->nr++] = type;
	m->words[m->nr++] = bits;
}

static void finish(struct made_btf *m)
{
	struct btf_header h = {
		.magic = BTF_MAGIC, .version = 1, .hdr_len = sizeof(h),
		.type_len = m->nr * sizeof(u32), .str_off = m->nr * sizeof(u32),
		.str_len = m->string_bytes,
	};

	memcpy(m->bytes, &h, sizeof(h));
	memcpy(m->bytes + sizeof(h), m->words, h.type_len);
	memcpy(m->bytes + sizeof(h) + h.type_len, m->strings, h.str_len);
	m->size = sizeof(h) + h.type_len + h.str_len;
}

/* struct outer { u32 pad; union { struct { u32 x; const_u32 y; }; }; struct inner in; } */
static void make(struct made_btf *m)
{
	u32 none, inner, x;

	*m = (struct made_btf){};
	none = name(m, "");
	inner = name(m, "inner");
	x = name(m, "x");
	type(m, name(m, "u32"), BTF_KIND_INT, 0, 4); /* 1 */
	m->words[m->nr++] = 32;
	type(m, none, BTF_KIND_CONST, 0, 1);   /* 2 */
	type(m, none, BTF_KIND_STRUCT, 2, 8);  /* 3 */
	member(m, x, 1, 0);
	member(m, name(m, "y"), 2, 32);
	type(m, none, BTF_KIND_UNION, 1, 8);   /* 4 */
	member(m, none, 3, 0);
	type(m, inner, BTF_KIND_STRUCT, 1, 4); /* 5 */
	member(m, x, 1, 0);
	type(m, name(m, "outer"), BTF_KIND_STRUCT, 3, 16); /* 6 */
	member(m, name(m, "pad"), 1, 0);
	member(m, none, 4, 32);
	member(m, name(m, "in"), 5, 96);
	finish(m);
}

TEST(btf_members, "btf: members are found, also in structs without a name and by a path")
{
	struct btf_place p;
	struct made_btf m;
	struct btf *b;

	make(&m);
	TEST_EQ(btf__parse(&b, m.bytes, m.size), 0);
	TEST_EQ(btf__member(b, "outer", "y", &p), 0);
	TEST_EQ(p.offset, 8);
	TEST_EQ(p.size, 4);
	TEST_EQ(btf__member(b, "outer", "in.x", &p), 0);
	TEST_EQ(p.offset, 12);
	TEST_EQ(btf__member(b, "inner", "x", &p), 0);
	TEST_EQ(p.offset, 0);
	TEST_EQ(btf__member(b, "outer", "in.y", &p), -ENOENT);
	TEST_EQ(btf__member(b, "outer", "in.x.z", &p), -ENOENT);
	TEST_EQ(btf__member(b, "u32", "x", &p), -ENOENT);
	btf__free(b);
}

TEST(btf_damaged, "btf: damaged and circular types are no members, and end")
{
	struct btf_place p;
	struct made_btf m;
	struct btf *b;

	for (size_t size = 0; size < 300; size++) {
		make(&m);
		if (!btf__parse(&b, m.bytes, min_of(size, m.size)))
			btf__member(b, "outer", "y", &p);
		btf__free(b);
	}
	for (size_t i = 0; i < 200; i++)
		for (u32 v = 0; v < 256; v += 51) {
			make(&m);
			m.bytes[i % m.size] = v;
			if (!btf__parse(&b, m.bytes, m.size))
				btf__member(b, "outer", "in.x", &p);
			btf__free(b);
		}
	make(&m);
	m.words[6] = 2; /* const of itself */
	m.words[18] = 4; /* a union that holds itself */
	finish(&m);
	TEST_EQ(btf__parse(&b, m.bytes, m.size), 0);
	TEST_EQ(btf__member(b, "outer", "y", &p), -ENOENT);
	btf__free(b);
}

TEST(btf_kernel, "btf: the types of this kernel say where a task has its thread pointer")
{
	struct error err = {};
	struct btf_place p;
	struct btf *b;

	if (btf__of_kernel(&b, &err))
		TEST_SKIP("%s", err.text);
	TEST_EQ(btf__member(b, "task_struct", "group_leader", &p), 0);
	TEST_EQ(p.size, 8);
	TEST_EQ(btf__member(b, "task_struct", "tgid", &p), 0);
	TEST_EQ(p.size, 4);
	TEST_EQ(btf__member(b, "task_struct", "no_such_member", &p), -ENOENT);
	btf__free(b);
}

TEST(btf_task_members, "btf: a member that a program reads must be there, in its size")
{
	struct btf_place leader, tgid;
	struct task_member wanted[] = {
		{ "group_leader", 8, &leader, NULL }, { "tgid", 4, &tgid, NULL },
	};
	struct error err = {};
	struct btf *b;

	if (btf__of_kernel(&b, &err))
		TEST_SKIP("%s", err.text);
	TEST_EQ(task_members__find(b, wanted, 2, &err), 0);
	TEST_EQ(leader.size, 8);
	TEST_TRUE(leader.offset != tgid.offset);
	wanted[1].size = 8;
	TEST_EQ(task_members__find(b, wanted, 2, &err), -EOPNOTSUPP);
	TEST_STR(err.text, "this kernel has no known task_struct.tgid");
	wanted[0].path = "no_such_member";
	TEST_EQ(task_members__find(b, wanted, 2, &err), -EOPNOTSUPP);
	TEST_STR(err.text, "this kernel has no known task_struct.no_such_member");
	wanted[0] = (struct task_member){ "start_stack", 8, &leader, "mm_struct" };
	wanted[1] = (struct task_member){ "tgid", 4, &tgid, "mm_struct" };
	TEST_EQ(task_members__find(b, wanted, 1, &err), 0);
	TEST_EQ(task_members__find(b, wanted, 2, &err), -EOPNOTSUPP);
	TEST_STR(err.text, "this kernel has no known mm_struct.tgid");
	TEST_TRUE(btf__function(b, "begin_new_exec"));
	TEST_EQ(btf__function(b, "task_struct"), 0); /* that is no function */
	btf__free(b);
}
