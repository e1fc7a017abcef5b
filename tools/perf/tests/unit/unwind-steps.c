// SPDX-License-Identifier: GPL-2.0-only
/*
 * The walk at every instruction. A child is stepped through real functions; its calls are noted
 * with where on the stack they put the return address, and forgotten when the stack pointer is
 * above that. So at each instruction the true chain is known without any unwinder: prologues,
 * epilogues, PLT stubs, lazy binding, assembly, signals, longjmp().
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../util/io/mapfile.h"
#include "../lib/snapshot.h"
#include "../test.h"

#ifdef __x86_64__

#define MAX_STEPS 120000
#define CODE_STEPS 60000 /* without rows, which takes longer */
#define MAX_DEPTH 200
#define MAX_MAPS 64
#define COPY (256 << 10)

static int compare_ints(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* The stack is aligned anew, and its size is not known before. */
static __attribute__((noinline, force_align_arg_pointer)) int aligned(int n)
{
	char wide[64] __attribute__((aligned(64)));
	char *room = __builtin_alloca(n);

	memset(room, n, n);
	memset(wide, n, sizeof(wide));
	return room[n / 2] + wide[n & 63] + (int)strlen("some text");
}

static void on_signal(int sig)
{
	char buf[64];

	snprintf(buf, sizeof(buf), "signal %d", sig);
}

static void work(void)
{
	int v[20];
	char buf[256];
	regex_t re;
	time_t now = 1;
	struct tm tm;

	for (int i = 0; i < 20; i++)
		v[i] = i * 7919 % 31;
	qsort(v, 20, sizeof(*v), compare_ints);
	v[3] += aligned(v[5] * 10 + 7);
	snprintf(buf, sizeof(buf), "%d %s %.3f %p", v[3], "text", 1.5, buf);
	free(realloc(malloc(100), 5000));
	if (!regcomp(&re, "a[b-d]*|e+$", REG_EXTENDED)) {
		regexec(&re, "xxabcdd", 0, NULL, 0);
		regfree(&re);
	}
	strftime(buf, sizeof(buf), "%Y %B", gmtime_r(&now, &tm));
	dlsym(RTLD_DEFAULT, "qsort");
	getenv("HOME");
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	snprintf(buf, sizeof(buf), "%f", sin(v[2]) + pow(v[3], 0.3));
}

/* A call that has not returned. */
struct call {
	u64 address; /* to return to */
	u64 slot;    /* where it is on the stack */
};

struct tracee {
	pid_t pid;
	int mem;
	u64 v[24]; /* perf's numbering */
	u8 code[8];
	u8 stack[COPY];
	u64 size;
	struct call calls[MAX_DEPTH]; /* outermost first */
	u32 depth;
	u8 methods[MAX_DEPTH];
	struct unwinder *u;
	struct unwind_space *space;
	u32 nr_maps;
	struct self_map maps[MAX_MAPS];
	u64 compared, wrong, unmapped;
	u64 cut; /* right up to code without rows, or guessed from there on */
	u64 known;    /* registers that the walk is given */
	bool by_code; /* no rows, or few registers: wrong is what counts as whole and is not */
	u64 whole, skipped;
};

static int open_map(void *ctx, u32 module)
{
	struct tracee *t = ctx;

	for (u32 i = 0; i < t->nr_maps; i++)
		if (t->maps[i].m.module == module)
			return open(t->maps[i].path, O_RDONLY | O_CLOEXEC);
	return -ENOENT;
}

static void tracee__read_maps(struct tracee *t)
{
	t->nr_maps = pid_map__read(t->pid, t->maps, MAX_MAPS);
	unwind_space__clear(t->space);
	for (u32 i = 0; i < t->nr_maps; i++)
		unwind_space__add(t->space, &t->maps[i].m);
}

static void tracee__look(struct tracee *t)
{
	struct user_regs_struct r;
	ssize_t len;

	TEST_EQ(ptrace(PTRACE_GETREGS, t->pid, 0, &r), 0);
	memcpy(t->v, (u64[24]){ r.rax, r.rbx, r.rcx, r.rdx, r.rsi, r.rdi, r.rbp, r.rsp, r.rip,
				[16] = r.r8, r.r9, r.r10, r.r11, r.r12, r.r13, r.r14, r.r15 },
	       sizeof(t->v));
	memset(t->code, 0, sizeof(t->code));
	TEST_TRUE(pread(t->mem, t->code, sizeof(t->code), r.rip) > 0);
	len = pread(t->mem, t->stack, COPY, r.rsp);
	t->size = len > 0 ? len : 0;
}

static struct unwind_chain tracee__walk(struct tracee *t, u64 *ips)
{
	struct unwind_regs regs = { .known = t->known };
	struct unwind_stack stack = { .start = t->v[7], .data = t->stack, .size = t->size };
	struct unwind_chain c = { .ips = ips, .methods = t->methods, .max = MAX_DEPTH };

	memcpy(regs.v, t->v, sizeof(t->v));
	unwind__walk(t->space, &regs, &stack, &c);
	return c;
}

static u64 tracee__caller(const struct tracee *t, u32 frame)
{
	return frame <= t->depth ? t->calls[t->depth - frame].address : 0;
}

static void tracee__compare(struct tracee *t)
{
	u64 ips[MAX_DEPTH];
	struct unwind_chain c = tracee__walk(t, ips);
	u32 i;

	if (c.stop == UNWIND_NO_MODULE) {
		tracee__read_maps(t);
		c = tracee__walk(t, ips);
	}
	if (c.nr == 1 && c.stop == UNWIND_NO_MODULE) {
		t->unmapped++; /* the vdso, which is no file here */
		return;
	}
	t->compared++;
	for (i = 1; i < c.nr && ips[i] == tracee__caller(t, i); i++)
		;
	if (i == c.nr && c.nr == t->depth + 1 && c.stop == UNWIND_OUTERMOST) {
		t->whole++;
		return;
	}
	if (t->by_code && c.stop != UNWIND_OUTERMOST) {
		t->cut += i == c.nr;
		t->skipped += i < c.nr;
		return;
	}
	if ((!t->by_code && i == c.nr && c.stop == UNWIND_NO_ROW) ||
	    (!t->by_code && memchr(t->methods, UNWIND_BY_FP, min_of(i + 1, c.nr)))) {
		t->cut++;
		return;
	}
	if (t->wrong++ < 10)
		fprintf(stderr, "at %#" PRIx64 ", frame %u of %u (%u expected) is %#" PRIx64
			", expected %#" PRIx64 "; end: %s\n", t->v[8], i, c.nr, t->depth + 1,
			i < c.nr ? ips[i] : 0, tracee__caller(t, i), unwind_stop__name(c.stop));
}

static void tracee__push(struct tracee *t, u64 address, u64 slot)
{
	if (t->depth == MAX_DEPTH)
		TEST_FAIL("more calls than returns");
	t->calls[t->depth++] = (struct call){ address, slot };
}

static void tracee__push_top(struct tracee *t)
{
	u64 v;

	memcpy(&v, t->stack, sizeof(v));
	tracee__push(t, v, t->v[7]);
}

/* What the instruction at @code, which ran with @rsp, has done to the chain. */
static void tracee__follow(struct tracee *t, const u8 *code, u64 rsp)
{
	const u8 *op = code;

	while (t->depth && t->calls[t->depth - 1].slot < t->v[7])
		t->depth--;
	while (*op == 0xf2 || *op == 0xf3 || *op == 0x3e || (*op & 0xf0) == 0x40)
		op++;
	if (t->v[7] == rsp - 8 && (*op == 0xe8 || (*op == 0xff && (op[1] & 0x38) == 0x10)))
		tracee__push_top(t);
}

/* One instruction, or the entry into a signal handler. False: the child has ended. */
static bool tracee__step(struct tracee *t)
{
	u64 rsp = t->v[7], rip;
	u8 code[8];
	int status;

	memcpy(code, t->code, sizeof(code));
	TEST_EQ(ptrace(PTRACE_SINGLESTEP, t->pid, 0, 0), 0);
	TEST_EQ(waitpid(t->pid, &status, 0), t->pid);
	if (!WIFSTOPPED(status))
		return false;
	tracee__look(t);
	tracee__follow(t, code, rsp);
	if (WSTOPSIG(status) == SIGTRAP)
		return true;
	/* It is about to get a signal: the kernel makes a frame and goes to the handler. */
	rip = t->v[8];
	rsp = t->v[7];
	TEST_EQ(ptrace(PTRACE_SINGLESTEP, t->pid, 0, WSTOPSIG(status)), 0);
	TEST_EQ(waitpid(t->pid, &status, 0), t->pid);
	if (!WIFSTOPPED(status))
		return false;
	tracee__look(t);
	/* That frame is below the red zone. */
	tracee__push(t, rip, rsp - 128);
	tracee__push_top(t);
	return true;
}

static void tracee__unwind_by(struct tracee *t, const char *how)
{
	TEST_EQ(unwinder__by_name(&t->u, how, UNWIND_X86_64, NULL), 0);
	unwinder__on_open(t->u, open_map, t);
	t->space = unwind_space__new(t->u);
	tracee__read_maps(t);
}

/* @argv: the program; NULL: work(). @entry: the dynamic linker has done its work. */
static void tracee__start(struct tracee *t, const char *const *argv, bool entry)
{
	char path[32];
	int status;

	t->pid = fork();
	if (!t->pid) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		if (argv)
			execv(argv[0], (char **)(uintptr_t)argv);
		raise(SIGSTOP);
		work();
		_exit(0);
	}
	TEST_EQ(waitpid(t->pid, &status, 0), t->pid);
	if (!WIFSTOPPED(status))
		TEST_SKIP("processes cannot be traced here");
	if (entry)
		pid__run_to_entry(t->pid);
	snprintf(path, sizeof(path), "/proc/%d/mem", t->pid);
	t->mem = open(path, O_RDONLY | O_CLOEXEC);
	TEST_TRUE(t->mem >= 0);
	mapfile__init();
	tracee__unwind_by(t, NULL);
}

/* Where on the stack @v is, above @from. */
static u64 tracee__find(const struct tracee *t, u64 from, u64 v)
{
	for (u64 off = 0; off + 8 <= t->size; off += 8)
		if (t->v[7] + off > from && !memcmp(t->stack + off, &v, sizeof(v)))
			return t->v[7] + off;
	TEST_FAIL("%#" PRIx64 " is not on the stack", v);
}

static void tracee__step_through(struct tracee *t, u64 steps)
{
	for (u64 left = steps; left && tracee__step(t); left--)
		tracee__compare(t);
	kill(t->pid, SIGKILL);
	fprintf(stderr, "%" PRIu64 " instructions, %" PRIu64 " wrong chains; %" PRIu64
		" cut at code without rows, %" PRIu64 " in no file\n", t->compared, t->wrong,
		t->cut, t->unmapped);
	TEST_TRUE(t->compared > 5000);
	unwind_space__free(t->space);
	unwinder__free(t->u);
	close(t->mem);
}

static void tracee__begin(struct tracee *t, const char *const *argv, bool entry)
{
	struct unwind_chain c;
	u64 ips[MAX_DEPTH], slot[MAX_DEPTH] = {};

	memset(t, 0, sizeof(*t));
	t->known = SNAPSHOT_REGS;
	tracee__start(t, argv, entry);
	/* The chain at the beginning, at a system call of libc, is believed. */
	tracee__look(t);
	c = tracee__walk(t, ips);
	TEST_EQ(c.stop, UNWIND_OUTERMOST);
	for (u32 i = 1; i < c.nr; i++)
		slot[i] = tracee__find(t, slot[i - 1], ips[i]);
	for (u32 i = c.nr; i > 1; i--)
		tracee__push(t, ips[i - 1], slot[i - 1]);
}

/*
 * Steps through one of the programs of tests/data/sframe, or, without a name, through work().
 * Nine tenths of a program's instructions are those of the dynamic linker, which all have alike:
 * --thorough looks at these and at all programs, too. Of work() a quarter is enough otherwise.
 */
static void tracee__step_shape(struct tracee *t, const char *name, u64 steps)
{
	tracee__step_through(t, name ? steps : steps / test__share(4));
}

static void tracee__begin_shape(struct tracee *t, const char *name)
{
	char path[64];

	if (!name) {
		tracee__begin(t, NULL, false);
		return;
	}
	snprintf(path, sizeof(path), "sframe/%s", name);
	tracee__begin(t, (const char *const[]){ test__program(path), NULL }, test__share(2) > 1);
}

/* @jumps: at so many instructions of longjmp() the chain may be the one that it jumps to. */
static void expect_true_chains(const struct tracee *t, u64 jumps)
{
	TEST_TRUE(t->wrong <= jumps);
	TEST_TRUE(t->cut * 1000 < t->compared);
}

/*
 * The same with less to go by.
 * @how: sources of rows
 * @known: registers
 * @least: percent of the chains that must be whole
 */
static void step_by_code(const char *name, u64 steps, const char *how, u64 known, u64 least)
{
	static struct tracee t;

	tracee__begin_shape(&t, name);
	unwind_space__free(t.space);
	unwinder__free(t.u);
	tracee__unwind_by(&t, how);
	t.known = known;
	t.by_code = true;
	tracee__step_shape(&t, name, steps);
	fprintf(stderr, "%" PRIu64 " are whole, %" PRIu64 " lack a caller and say so\n", t.whole,
		t.skipped);
	TEST_EQ(t.wrong, 0);
	TEST_TRUE(t.whole * 100 >= t.compared * least);
}

TEST_LIMIT(unwind_steps, "unwind: at each instruction of real functions the chain is the true one",
	   120)
{
	static struct tracee t;

	tracee__begin_shape(&t, NULL);
	tracee__step_shape(&t, NULL, MAX_STEPS);
	expect_true_chains(&t, 0);
}

TEST_LIMIT(unwind_steps_start, "unwind: at each instruction of a program's start, as well", 120)
{
	static const char *const argv[] = { "/proc/self/exe", "version", NULL };
	static struct tracee t;

	tracee__begin(&t, argv, false);
	tracee__step_through(&t, MAX_STEPS / test__share(6));
	expect_true_chains(&t, 0);
}

TEST_LIMIT(unwind_steps_shapes, "unwind: at each instruction of programs with each shape of frame",
	   120)
{
	static const char *const names[] = {
		"steps_x86_v3", "steps_x86_v3_fp", "steps_x86_v3_gcc16", "steps_x86_v3_ibt",
	};
	static struct tracee t;

	for (size_t i = 0; i < ARRAY_SIZE(names); i += test__share(2)) {
		tracee__begin_shape(&t, names[i]);
		tracee__step_shape(&t, names[i], MAX_STEPS);
		expect_true_chains(&t, 12);
	}
}

static const char *const shapes[] = { NULL, "steps_x86_v3", "steps_x86_v3_fp" };

TEST_LIMIT(unwind_steps_code, "unwind: the same without any rows: what counts as whole is so", 300)
{
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i += test__share(2))
		step_by_code(shapes[i], CODE_STEPS, "fp", SNAPSHOT_REGS, shapes[i] ? 10 : 40);
}

TEST_LIMIT(unwind_steps_sp, "unwind: the same by pc and SP alone: what counts as whole is so", 300)
{
	u64 known = BIT_ULL(7) | BIT_ULL(8);

	/* Without the linker's steps, those in frames of unknown size weigh more. */
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i += test__share(2))
		step_by_code(shapes[i], MAX_STEPS, NULL, known,
			     shapes[i] && test__share(2) > 1 ? 80 : 90);
}

#endif
