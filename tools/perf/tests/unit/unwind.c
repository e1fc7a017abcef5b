// SPDX-License-Identifier: GPL-2.0-only
/* The unwinder on snapshots of this process. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include "../../util/io/mapfile.h"
#include "../../util/unwinder/unwinder.h"
#include "../lib/snapshot.h"
#include "../test.h"

#ifdef __x86_64__

/* A test of what every backend promises. */
#define BOTH(id, text)                                                      \
	static void run_##id(const char *backend);                          \
	TEST(unwind_##id, text) { run_##id("table"); }                      \
	TEST(unwind_##id##_libdw, text " (libdw)") { run_##id("libdw"); }   \
	static void run_##id(const char *backend)

static __attribute__((noinline)) int recurse(struct snapshot *s, int depth)
{
	volatile char room[48];

	room[0] = depth;
	return (depth ? recurse(s, depth - 1) : snapshot__take(s)) + room[0];
}

struct loaded {
	struct unwinder *u;
	struct unwind_space *space;
};

static int open_self(void *ctx, u32 module)
{
	struct self_map maps[64];
	int nr = self_map__read(maps, 64);

	++*(int *)ctx;
	for (int i = 0; i < nr; i++)
		if (maps[i].m.module == module)
			return open(maps[i].path, O_RDONLY | O_CLOEXEC);
	return -ENOENT;
}

static void map_self(struct unwind_space *space)
{
	struct self_map maps[64];
	int nr = self_map__read(maps, 64);

	for (int i = 0; i < nr; i++)
		unwind_space__add(space, &maps[i].m);
}

static struct loaded load_self(const char *backend, int *opened)
{
	struct loaded l;

	mapfile__init();
	TEST_EQ(unwinder__by_name(&l.u, backend, unwind_arch__parse("x86_64"), NULL), 0);
	if (opened)
		unwinder__on_open(l.u, open_self, opened);
	l.space = unwind_space__new(l.u);
	map_self(l.space);
	return l;
}

static void unload(struct loaded *l)
{
	unwind_space__free(l->space);
	unwinder__free(l->u);
}

static struct unwind_chain walk(struct loaded *l, struct snapshot *s, u64 *ips, u8 *methods,
				u32 max)
{
	struct unwind_chain c = { .ips = ips, .methods = methods, .max = max };

	unwind__walk(l->space, &s->regs, &s->stack, &c);
	return c;
}

/* The leaf differs (another line of snapshot__take()); every caller must be the same. */
static void compare(const struct snapshot *s, const struct unwind_chain *c)
{
	TEST_EQ(c->nr, s->nr_expect);
	for (u32 i = 1; i < c->nr; i++)
		TEST_EQ(c->ips[i], s->expect[i]);
}

BOTH(self, "unwind: our own stack, as libgcc sees it")
{
	static struct snapshot s;
	u64 ips[SNAPSHOT_FRAMES];
	u8 methods[SNAPSHOT_FRAMES];
	int opened = 0;
	struct loaded l = load_self(backend, &opened);
	struct unwind_chain c;

	for (int depth = 0; depth < 100; depth += 33) {
		recurse(&s, depth);
		c = walk(&l, &s, ips, methods, SNAPSHOT_FRAMES);
		compare(&s, &c);
		TEST_EQ(c.stop, UNWIND_OUTERMOST);
		TEST_TRUE(c.nr > (u32)depth + 3);
		TEST_EQ(methods[0], UNWIND_BY_START);
		TEST_EQ(methods[1], strcmp(backend, "libdw") ? UNWIND_BY_EH_FRAME : UNWIND_BY_CFI);
	}
	unload(&l);
}

static void *thread_main(void *s)
{
	recurse(s, 7);
	return NULL;
}

BOTH(thread, "unwind: a thread's stack ends at clone3")
{
	static struct snapshot s;
	int opened = 0;
	struct loaded l = load_self(backend, &opened);
	u64 ips[SNAPSHOT_FRAMES];
	struct unwind_chain c;
	pthread_t t;

	pthread_create(&t, NULL, thread_main, &s);
	pthread_join(t, NULL);
	c = walk(&l, &s, ips, NULL, SNAPSHOT_FRAMES);
	compare(&s, &c);
	TEST_EQ(c.stop, UNWIND_OUTERMOST);
	unload(&l);
}

static struct snapshot signal_snapshot;

static void on_signal(int sig __unused_arg)
{
	snapshot__take(&signal_snapshot);
}

BOTH(signal, "unwind: through a signal frame into what was interrupted")
{
	int opened = 0;
	struct loaded l = load_self(backend, &opened);
	u64 ips[SNAPSHOT_FRAMES];
	struct unwind_chain c;

	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	c = walk(&l, &signal_snapshot, ips, NULL, SNAPSHOT_FRAMES);
	compare(&signal_snapshot, &c);
	TEST_EQ(c.stop, UNWIND_OUTERMOST);
	unload(&l);
}

BOTH(alt_stack, "unwind: a signal on its own stack reaches what was interrupted")
{
	stack_t alt = { .ss_size = SNAPSHOT_BYTES };
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
	int opened = 0;
	struct loaded l = load_self(backend, &opened);
	u64 ips[SNAPSHOT_FRAMES];
	struct unwind_chain c;

	alt.ss_sp = mmap(NULL, alt.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
	sigaltstack(&alt, NULL);
	sigaction(SIGUSR1, &sa, NULL);
	memset(&signal_snapshot, 0, sizeof(signal_snapshot));
	raise(SIGUSR1);
	/* The copy holds the handler's stack: up to the frame of the interrupted function. */
	signal_snapshot.stack.size = (u64)(uintptr_t)alt.ss_sp + alt.ss_size -
				     signal_snapshot.stack.start;
	c = walk(&l, &signal_snapshot, ips, NULL, SNAPSHOT_FRAMES);
	TEST_TRUE(c.nr >= 3 && c.nr < signal_snapshot.nr_expect);
	for (u32 i = 1; i < c.nr; i++)
		TEST_EQ(c.ips[i], signal_snapshot.expect[i]);
	TEST_TRUE(!strcmp(backend, "table") ? c.stop == UNWIND_OTHER_STACK :
		  c.stop == UNWIND_COPY_SHORT || c.stop == UNWIND_NO_PROGRESS);
	unload(&l);
}

BOTH(stops, "unwind: each way to end is told apart")
{
	static struct snapshot s;
	int opened = 0;
	struct loaded l = load_self(backend, &opened), nofile = load_self(backend, NULL);
	u64 ips[SNAPSHOT_FRAMES], size, known;
	struct unwind_chain c;
	u32 whole;

	recurse(&s, 20);
	size = s.stack.size;
	known = s.regs.known;
	c = walk(&l, &s, ips, NULL, SNAPSHOT_FRAMES);
	whole = c.nr;
	TEST_EQ(c.stop, UNWIND_OUTERMOST);

	/* How large the frames are is the compiler's business: some cut leaves a few. */
	for (s.stack.size = 1000, c.nr = 0; c.nr <= 3 && s.stack.size < size; s.stack.size += 500)
		c = walk(&l, &s, ips, NULL, SNAPSHOT_FRAMES);
	TEST_EQ(c.stop, UNWIND_COPY_SHORT);
	TEST_TRUE(c.nr > 3 && c.nr < whole);
	s.stack.size = 0;
	c = walk(&l, &s, ips, NULL, SNAPSHOT_FRAMES);
	TEST_EQ(c.stop, UNWIND_COPY_SHORT);
	TEST_EQ(c.nr, 1);
	s.stack.size = size;

	c = walk(&l, &s, ips, NULL, 5);
	TEST_EQ(c.stop, UNWIND_LIMIT);
	TEST_EQ(c.nr, 5);

	s.regs.known = known & ~BIT_ULL(8);
	c = walk(&l, &s, ips, NULL, SNAPSHOT_FRAMES);
	TEST_EQ(c.stop, UNWIND_NO_REGS);
	TEST_EQ(c.nr, 0);
	s.regs.known = BIT_ULL(8);
	c = walk(&l, &s, ips, NULL, SNAPSHOT_FRAMES);
	TEST_EQ(c.stop, UNWIND_UNKNOWN_REG);
	TEST_EQ(c.nr, 1);
	s.regs.known = known;

	s.regs.compat = true;
	c = walk(&l, &s, ips, NULL, SNAPSHOT_FRAMES);
	TEST_EQ(c.stop, UNWIND_COMPAT);
	TEST_EQ(c.nr, 1);
	TEST_EQ(ips[0], s.regs.v[8]);
	s.regs.compat = false;

	c = walk(&nofile, &s, ips, NULL, SNAPSHOT_FRAMES);
	TEST_EQ(c.stop, UNWIND_UNREADABLE);
	unwind_space__clear(l.space);
	c = walk(&l, &s, ips, NULL, SNAPSHOT_FRAMES);
	TEST_EQ(c.stop, UNWIND_NO_MODULE);
	TEST_EQ(c.nr, 1);
	unload(&nofile);
	unload(&l);
}

BOTH(remap, "unwind: a space follows its mappings")
{
	static struct snapshot s;
	int opened = 0;
	struct loaded l = load_self(backend, &opened);
	u64 ips[SNAPSHOT_FRAMES];
	struct unwind_chain c;
	int opened_first;

	recurse(&s, 3);
	c = walk(&l, &s, ips, NULL, SNAPSHOT_FRAMES);
	TEST_EQ(c.stop, UNWIND_OUTERMOST);
	opened_first = opened;
	TEST_TRUE(opened >= 2);
	for (int i = 0; i < 3; i++) {
		/* The same modules in another space: no file is asked for again. */
		unwind_space__free(l.space);
		l.space = unwind_space__new(l.u);
		map_self(l.space);
		c = walk(&l, &s, ips, NULL, SNAPSHOT_FRAMES);
		compare(&s, &c);
		TEST_EQ(c.stop, UNWIND_OUTERMOST);
		unwind_space__clear(l.space);
		c = walk(&l, &s, ips, NULL, SNAPSHOT_FRAMES);
		TEST_EQ(c.stop, UNWIND_NO_MODULE);
		map_self(l.space);
		c = walk(&l, &s, ips, NULL, SNAPSHOT_FRAMES);
		compare(&s, &c);
	}
	TEST_EQ(opened, opened_first);
	unload(&l);
}

BOTH(garbage, "unwind: random registers and stack bytes end, and soon")
{
	static struct snapshot s;
	int opened = 0;
	struct loaded l = load_self(backend, &opened);
	u64 ips[SNAPSHOT_FRAMES], seed = 88172645463325252ULL, text;
	struct unwind_chain c;

	recurse(&s, 20);
	text = s.regs.v[8];
	for (int round = 0; round < 3000; round++) {
		u64 *words = (u64 *)s.copy;

		for (size_t i = 0; i < SNAPSHOT_BYTES / 8; i += 1 + (round & 7)) {
			seed ^= seed << 13;
			seed ^= seed >> 7;
			seed ^= seed << 17;
			/* Mostly what could be return addresses or stack addresses. */
			words[i] = seed & 1 ? text + (seed >> 44) - (1 << 18) :
				   seed & 2 ? s.stack.start + (seed >> 48) : seed;
		}
		s.regs.v[8] = text + (seed >> 46) - (1 << 16);
		s.regs.v[6] = s.stack.start + (seed & 0xfff8);
		c = walk(&l, &s, ips, NULL, SNAPSHOT_FRAMES);
		TEST_TRUE(c.nr >= 1 && c.nr <= SNAPSHOT_FRAMES);
		TEST_TRUE(c.stop < UNWIND_STOP_NR);
	}
	unload(&l);
}

#endif

TEST(unwind_names, "unwind: architectures, stops and methods have names")
{
	TEST_EQ(unwind_arch__parse("aarch64"), UNWIND_AARCH64);
	TEST_EQ(unwind_arch__parse("s390x"), UNWIND_S390X);
	TEST_EQ(unwind_arch__parse("riscv64"), UNWIND_UNSUPPORTED);
	TEST_EQ(unwind_arch__parse(NULL), UNWIND_UNSUPPORTED);
	for (int i = 0; i < UNWIND_STOP_NR; i++)
		TEST_TRUE(unwind_stop__name(i));
	for (int i = 0; i < UNWIND_METHOD_NR; i++)
		TEST_TRUE(unwind_method__name(i));
}
