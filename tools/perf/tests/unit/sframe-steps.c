// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs with .sframe (tests/data/sframe/steps_*, prog_*) run step by step: at each of their
 * instructions the stack by .sframe must be the one by .eh_frame.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../util/io/mapfile.h"
#include "../../util/base/mem.h"
#include "../../util/unwinder/unwinder.h"
#include "../lib/snapshot.h"
#include "../test.h"

#ifdef __x86_64__

#define MAX_STEPS 2000000
#define MAX_MAPS 32
#define STACK 32768
#define FRAMES 64
#define KNOWN 0xff01ffULL /* as sample_regs_user of perf record */

struct map {
	struct unwind_mapping m;
	char path[512];
};

struct stepper {
	pid_t pid;
	const char *path;
	struct map maps[MAX_MAPS];
	int nr_maps;
	u64 stack_end;
	u8 stack[STACK];
	u32 walks, frames, sframe_frames, unlike, not_whole;
};

/* One way to unwind, and what it found last. */
struct way {
	struct unwinder *u;
	struct unwind_space *space;
	u64 ips[FRAMES];
	u8 methods[FRAMES];
	struct unwind_chain chain;
};

static int open_map(void *ctx, u32 module)
{
	struct stepper *s = ctx;

	return open(s->maps[module].path, O_RDONLY | O_CLOEXEC);
}

static void way__init(struct way *w, struct stepper *s, const char *how)
{
	TEST_EQ(unwinder__by_name(&w->u, how, UNWIND_X86_64, NULL), 0);
	unwinder__on_open(w->u, open_map, s);
	w->space = unwind_space__new(w->u);
	for (int i = 0; i < s->nr_maps; i++)
		unwind_space__add(w->space, &s->maps[i].m);
}

static void way__exit(struct way *w)
{
	unwind_space__free(w->space);
	unwinder__free(w->u);
}

/* The child runs @path, its output goes nowhere. */
static void stepper__start(struct stepper *s)
{
	char *const argv[] = { (char *)s->path, NULL }, *const envp[] = { NULL };
	int status;

	s->pid = fork();
	if (!s->pid) {
		int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

		dup2(fd, 1);
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execve(s->path, argv, envp);
		_exit(errno == ENOENT || errno == ENOEXEC ? 126 : 127);
	}
	TEST_EQ(waitpid(s->pid, &status, 0), s->pid);
	if (WIFEXITED(status))
		TEST_SKIP("cannot run a program of this architecture (%d)", WEXITSTATUS(status));
	TEST_TRUE(WIFSTOPPED(status));
	ptrace(PTRACE_SETOPTIONS, s->pid, 0, PTRACE_O_EXITKILL);
}

static void stepper__read_maps(struct stepper *s)
{
	unsigned long start, end, off, ino;
	char path[64], line[1024], prot[8];
	struct map *m = s->maps;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", s->pid);
	f = fopen(path, "r");
	TEST_TRUE(f);
	s->nr_maps = 0;
	while (s->nr_maps < MAX_MAPS && fgets(line, sizeof(line), f)) {
		m->path[0] = 0;
		if (sscanf(line, "%lx-%lx %7s %lx %*s %lu %511s", &start, &end, prot, &off, &ino,
			   m->path) < 5)
			continue;
		if (!strcmp(m->path, "[stack]"))
			s->stack_end = end;
		if (prot[2] != 'x' || m->path[0] != '/')
			continue;
		m->m = (struct unwind_mapping){ start, end, off, s->nr_maps++ };
		m++;
	}
	fclose(f);
}

static struct map *stepper__program(struct stepper *s)
{
	struct stat st, of_map;

	TEST_EQ(stat(s->path, &st), 0);
	for (int i = 0; i < s->nr_maps; i++)
		if (!stat(s->maps[i].path, &of_map) && of_map.st_ino == st.st_ino)
			return &s->maps[i];
	TEST_FAIL("%s is not mapped", s->path);
}

static void take_regs(const struct user_regs_struct *u, struct unwind_regs *regs)
{
	*regs = (struct unwind_regs){
		.known = KNOWN,
		.v = { u->rax, u->rbx, u->rcx, u->rdx, u->rsi, u->rdi, u->rbp, u->rsp, u->rip,
		       0, 0, 0, 0, 0, 0, 0, u->r8, u->r9, u->r10, u->r11, u->r12, u->r13, u->r14,
		       u->r15 },
	};
}

static void way__walk(struct way *w, struct stepper *s, const struct unwind_regs *regs, size_t size)
{
	struct unwind_stack stack = { .start = regs->v[7], .data = s->stack, .size = size };

	w->chain = (struct unwind_chain){ .ips = w->ips, .methods = w->methods, .max = FRAMES };
	unwind__walk(w->space, regs, &stack, &w->chain);
}

static void print_chain(const char *name, const struct way *w)
{
	printf("%s:", name);
	for (u32 i = 0; i < w->chain.nr; i++)
		printf(" %" PRIx64 " %s", w->ips[i], unwind_method__name(w->methods[i]));
	printf(": %s\n", unwind_stop__name(w->chain.stop));
}

static void stepper__compare(struct stepper *s, struct way *sframe, struct way *eh_frame,
			     const struct user_regs_struct *u)
{
	size_t size = min_of(s->stack_end - u->rsp, (u64)STACK);
	struct iovec to = { s->stack, size }, from = { (void *)u->rsp, size };
	struct unwind_regs regs;

	TEST_EQ(process_vm_readv(s->pid, &to, 1, &from, 1, 0), (ssize_t)size);
	take_regs(u, &regs);
	way__walk(sframe, s, &regs, size);
	way__walk(eh_frame, s, &regs, size);
	s->walks++;
	s->frames += sframe->chain.nr;
	for (u32 i = 1; i < sframe->chain.nr; i++)
		s->sframe_frames += sframe->methods[i] == UNWIND_BY_SFRAME;
	s->not_whole += sframe->chain.stop != UNWIND_OUTERMOST;
	if (sframe->chain.nr == eh_frame->chain.nr && sframe->chain.stop == eh_frame->chain.stop &&
	    !memcmp(sframe->ips, eh_frame->ips, sframe->chain.nr * sizeof(u64)))
		return;
	if (s->unlike++ < 3) {
		print_chain("sframe", sframe);
		print_chain("eh_frame", eh_frame);
	}
}

static void stepper__run(struct stepper *s, struct way *sframe, struct way *eh_frame)
{
	const struct unwind_mapping *text = &stepper__program(s)->m;
	struct user_regs_struct u;
	int status, sig = 0;

	for (u32 i = 0; i < MAX_STEPS; i++) {
		TEST_EQ(ptrace(PTRACE_GETREGS, s->pid, 0, &u), 0);
		if (u.rip >= text->start && u.rip < text->end)
			stepper__compare(s, sframe, eh_frame, &u);
		TEST_EQ(ptrace(PTRACE_SINGLESTEP, s->pid, 0, sig), 0);
		TEST_EQ(waitpid(s->pid, &status, 0), s->pid);
		if (WIFEXITED(status))
			return;
		TEST_TRUE(WIFSTOPPED(status));
		sig = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
	}
	TEST_FAIL("%s does not end", s->path);
}

static void step_through(struct stepper *s, const char *name, const char *how)
{
	static struct way sframe, eh_frame;

	char path[64];

	memset(s, 0, sizeof(*s));
	snprintf(path, sizeof(path), "sframe/%s", name);
	s->path = test__program(path);
	mapfile__init();
	stepper__start(s);
	pid__run_to_entry(s->pid);
	stepper__read_maps(s);
	way__init(&sframe, s, how);
	way__init(&eh_frame, s, "eh_frame");
	stepper__run(s, &sframe, &eh_frame);
	way__exit(&sframe);
	way__exit(&eh_frame);
	printf("%s: %u stacks, %u unlike, %u not whole, %u frames, %u by .sframe\n", name, s->walks,
	       s->unlike, s->not_whole, s->frames, s->sframe_frames);
}

TEST_LIMIT(sframe_steps, "sframe: the stacks of .eh_frame, at each instruction of 11 programs", 120)
{
	static const char *const names[] = {
		"prog_x86_v1", "prog_x86_v2", "prog_x86_v3", "steps_x86_v1", "steps_x86_v2",
		"steps_x86_v2p", "steps_x86_v3", "steps_x86_v3_fp", "steps_x86_v3_gcc16",
		"steps_x86_v3_ibt", "steps_x86_v3_nopie",
	};
	static struct stepper s;

	for (size_t i = 0; i < ARRAY_SIZE(names); i += test__share(3)) {
		step_through(&s, names[i], "sframe,eh_frame");
		TEST_EQ(s.unlike, 0);
		TEST_TRUE(s.walks > 200 && s.sframe_frames > s.walks);
	}
}

#endif
