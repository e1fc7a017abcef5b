// SPDX-License-Identifier: GPL-2.0-only
/* A machine that forgets those who exited: a recorder runs as long as it is wanted. */
#include <sys/mman.h>

#include "../lib/machine-fixture.h"

#define FIRST 1000
#define PIDS 6000 /* more than are remembered; then they are used again */

static struct fixture setup(void)
{
	struct fixture f = fixture__setup();

	machine__free(f.m);
	f.m = machine__new(&(struct machine_opts){
		.recording = builder__recording(f.b), .forget = true,
	});
	return f;
}

static void map_at(struct fixture *f, u32 pid, u64 start)
{
	builder__at(f->b, pid, pid, 0, 1);
	builder__mmap2(f->b, &(struct mmap_record){ .start = start, .len = 0x2000, .ino = 77,
						    .prot = PROT_EXEC, .filename = "/prog" });
}

static void fork_at(struct fixture *f, u32 pid, u32 tid, u32 ppid, u32 ptid)
{
	builder__at(f->b, pid, tid, 0, 2);
	builder__fork(f->b, ppid, ptid);
}

static void exit_at(struct fixture *f, u32 pid, u32 tid)
{
	builder__at(f->b, pid, tid, 0, 3);
	builder__exit(f->b);
}

/* A process with a program of its own and a thread, which ends before it, or behind. */
static void live(struct fixture *f, u32 pid, bool leader_first)
{
	fork_at(f, pid, pid, 1, 1);
	builder__at(f->b, pid, pid, 0, 2);
	builder__comm(f->b, "prog", true);
	for (u64 i = 1; i <= 20; i++)
		map_at(f, pid, i * 0x10000);
	map_at(f, pid, 0x11000); /* cuts */
	fork_at(f, pid, pid + PIDS, pid, pid);
	exit_at(f, pid, leader_first ? pid : pid + PIDS);
	exit_at(f, pid, leader_first ? pid + PIDS : pid);
	fixture__feed(f);
}

static bool is_mapped(struct fixture *f, u32 tid)
{
	const struct thread *t = machine__find_thread(f->m, tid);

	return t && machine__find_map(f->m, t, PERF_RECORD_MISC_USER, 0x10000);
}

TEST(state_forgets, "state: what exited takes no memory for ever, when it is to be forgotten")
{
	struct fixture f = setup();
	size_t bytes = 0;

	map_at(&f, 1, 0x10000);
	builder__comm(f.b, "init", false);
	for (u32 i = 0; i < 2 * PIDS; i++) {
		live(&f, FIRST + i % PIDS, i & 1);
		if (i == 100)
			bytes = machine__bytes(f.m);
	}
	TEST_EQ(machine__bytes(f.m), bytes);
	TEST_TRUE(is_mapped(&f, 1));
	TEST_TRUE(!is_mapped(&f, FIRST + PIDS - 1));
	TEST_STR(machine__find_thread(f.m, FIRST + PIDS - 1)->comm, "prog");
	TEST_TRUE(!machine__find_thread(f.m, FIRST));
	fixture__teardown(&f);
}

TEST(state_forgets_leaders, "state: threads keep the address space of a leader that exited")
{
	struct fixture f = setup();

	map_at(&f, 10, 0x10000);
	fork_at(&f, 10, 11, 10, 10);
	fixture__feed(&f);
	TEST_TRUE(!machine__process_ended(f.m, 10));
	exit_at(&f, 10, 10);
	fixture__feed(&f);
	TEST_TRUE(!machine__process_ended(f.m, 10));
	for (u32 i = 0; i < PIDS; i++)
		live(&f, FIRST + i, false);
	fork_at(&f, 10, 12, 10, 11);
	fixture__feed(&f);
	TEST_TRUE(is_mapped(&f, 10) && is_mapped(&f, 11) && is_mapped(&f, 12));
	exit_at(&f, 10, 11);
	fixture__feed(&f);
	TEST_TRUE(!machine__process_ended(f.m, 10));
	exit_at(&f, 10, 12);
	fixture__feed(&f);
	TEST_TRUE(machine__process_ended(f.m, 10));
	TEST_TRUE(!is_mapped(&f, 10) && !is_mapped(&f, 11) && !is_mapped(&f, 12));
	/* Said to be gone, and yet it maps something: another record was lost. */
	map_at(&f, 11, 0x10000);
	fixture__feed(&f);
	TEST_TRUE(is_mapped(&f, 11) && !is_mapped(&f, 12));
	fixture__teardown(&f);
}

TEST(state_forgets_exec_caller, "state: who calls execve() leaves nothing under its own number")
{
	struct fixture f = setup();

	map_at(&f, 10, 0x10000);
	fork_at(&f, 10, 11, 10, 10);
	exit_at(&f, 10, 10); /* by the call */
	builder__at(f.b, 10, 10, 0, 4);
	builder__comm(f.b, "new", true);
	fixture__feed(&f);
	TEST_TRUE(is_mapped(&f, 10)); /* until it runs */
	TEST_TRUE(!machine__process_ended(f.m, 10));
	TEST_TRUE(machine__find_thread(f.m, 11)->exited && !is_mapped(&f, 11));
	map_at(&f, 10, 0x10000);
	exit_at(&f, 10, 10);
	fixture__feed(&f);
	TEST_TRUE(machine__process_ended(f.m, 10));
	fixture__teardown(&f);
}

TEST(state_forgets_behind_last, "state: what has no tid any more keeps no address space")
{
	struct fixture f = setup();

	for (u32 pid = FIRST; pid < FIRST + 2; pid++) {
		map_at(&f, pid, 0x10000);
		fixture__feed(&f);
		TEST_TRUE(machine__thread(f.m, pid, NO_ID));
		exit_at(&f, pid, pid);
		fixture__feed(&f);
		TEST_TRUE(is_mapped(&f, NO_ID));
	}
	TEST_TRUE(!is_mapped(&f, FIRST));
	fixture__teardown(&f);
}

/* The inodes of what was forgotten. */
struct forgotten {
	u32 nr;
	u64 last;
	bool in_order;
};

static void on_forget(void *ctx, const struct dso *dso)
{
	struct forgotten *seen = ctx;

	seen->nr++;
	seen->in_order &= dso->ino > seen->last;
	seen->last = dso->ino;
}

/* A process that runs a program of a name of its own, calls itself by it, and ends. */
static void run_program(struct fixture *f, u32 nr)
{
	char name[32];

	snprintf(name, sizeof(name), "/prog%u", nr);
	builder__at(f->b, FIRST, FIRST, 0, 1);
	builder__comm(f->b, name, true);
	builder__mmap2(f->b, &(struct mmap_record){ .start = 0x1000, .len = 0x2000, .ino = nr,
						    .prot = PROT_EXEC, .filename = name });
	exit_at(f, FIRST, FIRST);
	fixture__feed(f);
}

#define PROGRAMS 4000

TEST(state_forgets_dsos, "state: binaries that nobody maps are forgotten, the oldest first")
{
	struct forgotten seen = { .in_order = true };
	struct fixture f = setup();
	const struct dso *used, *again = NULL;
	size_t bytes = 0;

	machine__on_forget(f.m, on_forget, &seen);
	map_at(&f, 1, 0x10000);
	fixture__feed(&f);
	used = machine__find_map(f.m, machine__thread(f.m, 1, 1), PERF_RECORD_MISC_USER,
				 0x10000)->dso;
	for (u32 i = 0; i < PROGRAMS; i++) {
		run_program(&f, 100 + i);
		run_program(&f, 99); /* again and again: never the oldest */
		if (i == 1000) {
			bytes = machine__bytes(f.m);
			again = machine__dso(f.m, 2);
		}
	}
	TEST_EQ(machine__bytes(f.m), bytes);
	TEST_TRUE(machine__nr_dsos(f.m) < 1000); /* numbers are used again */
	TEST_TRUE(machine__dso(f.m, 0) == used);
	TEST_TRUE(again && machine__dso(f.m, 2) == again && again->ino == 99);
	TEST_TRUE(seen.nr > PROGRAMS / 2 && seen.nr < PROGRAMS);
	TEST_TRUE(seen.in_order);
	for (size_t i = 3; i < machine__nr_dsos(f.m); i++) {
		const struct dso *dso = machine__dso(f.m, i);

		TEST_TRUE(!dso || (dso->id == i && dso->ino > seen.last));
		TEST_TRUE(!dso || strtoull(dso->name + strlen("/prog"), NULL, 10) == dso->ino);
	}
	/* Who needs the room gets it, from all but the one that he has at hand and those in use. */
	while (machine__forget_dso(f.m, again))
		;
	TEST_EQ(seen.nr, PROGRAMS);
	TEST_TRUE(machine__dso(f.m, 0) == used && machine__dso(f.m, 2) == again);
	fixture__teardown(&f);
}

TEST(state_forgets_names, "state: a task that changes its name without end takes no memory for it")
{
	struct fixture f = setup();
	size_t bytes = 0;
	char name[16];

	for (u32 i = 0; i < 100000; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		builder__at(f.b, FIRST, FIRST, 0, 1);
		builder__comm(f.b, name, false);
		fixture__feed(&f);
		if (i == 100)
			bytes = machine__bytes(f.m);
	}
	TEST_EQ(machine__bytes(f.m), bytes);
	TEST_STR(machine__find_thread(f.m, FIRST)->comm, "n99999");
	fork_at(&f, FIRST + 1, FIRST + 1, FIRST, FIRST);
	builder__at(f.b, FIRST, FIRST, 0, 1);
	builder__comm(f.b, "other", false);
	fixture__feed(&f);
	TEST_STR(machine__find_thread(f.m, FIRST + 1)->comm, "n99999");
	fixture__teardown(&f);
}

TEST(state_forgets_ahead, "state: a binary that was looked up is among the last to go")
{
	struct mmap_record mmap = { .start = 0x1000, .len = 0x2000, .ino = 5, .prot = PROT_EXEC,
				    .cpumode = PERF_RECORD_MISC_USER, .filename = "/soon" };
	struct fixture f = setup();
	const struct dso *soon = machine__dso_ahead(f.m, &mmap);

	for (u32 i = 0; i < 400; i++)
		run_program(&f, 100 + i);
	TEST_TRUE(machine__dso_ahead(f.m, &mmap) == soon);
	for (u32 i = 0; i < 400; i++)
		run_program(&f, 1000 + i);
	TEST_TRUE(machine__dso(f.m, soon->id) == soon);
	for (u32 i = 0; i < 400; i++)
		run_program(&f, 2000 + i);
	TEST_TRUE(!machine__dso(f.m, 0) || machine__dso(f.m, 0)->ino != mmap.ino);
	fixture__teardown(&f);
}
