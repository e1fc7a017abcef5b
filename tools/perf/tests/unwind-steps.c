// SPDX-License-Identifier: GPL-2.0-only
/*
 * The walk at every instruction. A child is stepped through real functions; what its calls and
 * returns do is followed on a stack of our own, so that at each instruction the true chain is
 * known without any unwinder: prologues, epilogues, PLT stubs, lazy binding, assembly, signals.
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

#include "../util/base/mapfile.h"
#include "snapshot.h"
#include "test.h"

#ifdef __x86_64__

#define MAX_STEPS 120000
#define MAX_DEPTH 200
#define COPY (32 << 10)

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

struct tracee {
	pid_t pid;
	int mem;
	u64 v[24]; /* perf's numbering */
	u8 code[8];
	u8 stack[COPY];
	u64 size;
	u64 shadow[MAX_DEPTH]; /* return addresses, outermost first */
	u32 depth;
	struct unwinder *u;
	struct unwind_space *space;
	u64 compared, wrong, vdso;
	u32 lost; /* the shadow no longer holds: a return that it did not expect */
};

static int open_self(void *ctx __unused_arg, u32 module)
{
	struct self_map maps[64];
	int nr = self_map__read(maps, 64);

	for (int i = 0; i < nr; i++)
		if (maps[i].m.module == module)
			return open(maps[i].path, O_RDONLY | O_CLOEXEC);
	return -ENOENT;
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

static u64 tracee__top(const struct tracee *t)
{
	u64 v;

	memcpy(&v, t->stack, sizeof(v));
	return v;
}

static struct unwind_chain tracee__walk(struct tracee *t, u64 *ips)
{
	struct unwind_regs regs = { .known = SNAPSHOT_REGS };
	struct unwind_stack stack = { t->v[7], t->stack, t->size };
	struct unwind_chain c = { .ips = ips, .max = MAX_DEPTH };

	memcpy(regs.v, t->v, sizeof(t->v));
	unwind__walk(t->space, &regs, &stack, &c);
	return c;
}

static void tracee__compare(struct tracee *t)
{
	u64 ips[MAX_DEPTH];
	struct unwind_chain c = tracee__walk(t, ips);
	u32 i;

	if (c.nr == 1 && c.stop == UNWIND_NO_MODULE) {
		t->vdso++; /* which is no file here */
		return;
	}
	t->compared++;
	for (i = 1; i < c.nr && i <= t->depth && ips[i] == t->shadow[t->depth - i]; i++)
		;
	if (i == c.nr && c.nr == t->depth + 1 && c.stop == UNWIND_OUTERMOST)
		return;
	if (t->wrong++ < 10)
		fprintf(stderr, "at %#" PRIx64 ", frame %u of %u (%u expected) is %#" PRIx64
			", expected %#" PRIx64 "; end: %s\n", t->v[8], i, c.nr, t->depth + 1,
			i < c.nr ? ips[i] : 0, i <= t->depth ? t->shadow[t->depth - i] : 0,
			unwind_stop__name(c.stop));
}

static void tracee__push(struct tracee *t, u64 address)
{
	if (t->depth == MAX_DEPTH)
		TEST_FAIL("more calls than returns");
	t->shadow[t->depth++] = address;
}

static void tracee__pop(struct tracee *t)
{
	if (t->depth && t->shadow[t->depth - 1] == t->v[8])
		t->depth--;
	else
		t->lost++;
}

/* What the instruction at @code, which ran with @rsp, has done to the chain. */
static void tracee__follow(struct tracee *t, const u8 *code, u64 rsp, u64 rax)
{
	const u8 *op = code;

	while (*op == 0xf2 || *op == 0xf3 || *op == 0x3e || (*op & 0xf0) == 0x40)
		op++;
	if (*op == 0xe8 || (*op == 0xff && (op[1] & 0x38) == 0x10 && t->v[7] == rsp - 8))
		tracee__push(t, tracee__top(t));
	else if (*op == 0xc3 || *op == 0xc2)
		tracee__pop(t);
	else if (*op == 0x0f && op[1] == 0x05 && rax == 15) /* rt_sigreturn */
		tracee__pop(t);
}

/* One instruction, or the entry into a signal handler. False: the child has ended. */
static bool tracee__step(struct tracee *t)
{
	u64 rip = t->v[8], rsp = t->v[7], rax = t->v[0];
	u8 code[8];
	int status;

	memcpy(code, t->code, sizeof(code));
	TEST_EQ(ptrace(PTRACE_SINGLESTEP, t->pid, 0, 0), 0);
	TEST_EQ(waitpid(t->pid, &status, 0), t->pid);
	if (!WIFSTOPPED(status))
		return false;
	tracee__look(t);
	tracee__follow(t, code, rsp, rax);
	if (WSTOPSIG(status) == SIGTRAP)
		return true;
	/* It is about to get a signal: the kernel makes a frame and goes to the handler. */
	rip = t->v[8];
	TEST_EQ(ptrace(PTRACE_SINGLESTEP, t->pid, 0, WSTOPSIG(status)), 0);
	TEST_EQ(waitpid(t->pid, &status, 0), t->pid);
	if (!WIFSTOPPED(status))
		return false;
	tracee__look(t);
	tracee__push(t, rip);
	tracee__push(t, tracee__top(t));
	return true;
}

static void tracee__start(struct tracee *t)
{
	static struct self_map maps[64]; /* too large for the stack that is copied */
	int nr = self_map__read(maps, 64), status;
	char path[32];

	t->pid = fork();
	if (!t->pid) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		work();
		_exit(0);
	}
	TEST_EQ(waitpid(t->pid, &status, 0), t->pid);
	if (!WIFSTOPPED(status))
		TEST_SKIP("processes cannot be traced here");
	snprintf(path, sizeof(path), "/proc/%d/mem", t->pid);
	t->mem = open(path, O_RDONLY | O_CLOEXEC);
	TEST_TRUE(t->mem >= 0);
	mapfile__init();
	TEST_EQ(unwinder__new(&t->u, NULL, UNWIND_X86_64, NULL), 0);
	unwinder__on_open(t->u, open_self, NULL);
	t->space = unwind_space__new(t->u);
	for (int i = 0; i < nr; i++)
		unwind_space__add(t->space, &maps[i].m);
}

TEST_LIMIT(unwind_steps, "unwind: at each instruction of real functions the chain is the true one",
	   120)
{
	static struct tracee t;
	struct unwind_chain c;
	u64 ips[MAX_DEPTH];

	tracee__start(&t);
	/* The chain at the beginning, at a system call of libc, is believed. */
	tracee__look(&t);
	c = tracee__walk(&t, ips);
	TEST_EQ(c.stop, UNWIND_OUTERMOST);
	for (u32 i = c.nr; i > 1; i--)
		tracee__push(&t, ips[i - 1]);
	for (u32 i = 0; i < MAX_STEPS && tracee__step(&t); i++)
		tracee__compare(&t);
	kill(t.pid, SIGKILL);
	fprintf(stderr, "%" PRIu64 " instructions and %" PRIu64 " in the vdso, %" PRIu64
		" wrong chains, %u strange returns\n", t.compared, t.vdso, t.wrong, t.lost);
	TEST_TRUE(t.compared > 10000);
	TEST_EQ(t.lost, 0);
	TEST_EQ(t.wrong, 0);
	unwind_space__free(t.space);
	unwinder__free(t.u);
	close(t.mem);
}

#endif
