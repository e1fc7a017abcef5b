// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Walks of prepared rows in a handler of SIGPROF. There, whatever allocates, takes a lock or opens
 * something ends the program: the functions that do are replaced here. What is found must be what
 * the program knows of itself, and, where libdw is there, what that finds in copies of the same
 * stacks.
 */
#include <errno.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>

#include "include/self.h"
#include "include/suite.h"

#define WALKS 400
#define MAX_FRAMES 128
#define MAX_DEPTH 64
#define COPY (24 * 1024)
#define HANDLER_STACK (128 * 1024)
#define PAINT 0xa5

/* ---- What must not be called in the handler ---- */

static volatile sig_atomic_t in_handler;

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

#ifdef SANITIZED /* has replaced them already */
static void look_up(void)
{
}
#else
static void forbid(const char *what)
{
	if (!in_handler)
		return;
	in_handler = 0;
	fprintf(stderr, "%s() was called in a signal handler\n", what);
	abort();
}

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t size);
extern void __libc_free(void *p);

void *malloc(size_t size)
{
	forbid("malloc");
	return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	forbid("calloc");
	return __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	forbid("realloc");
	return __libc_realloc(p, size);
}

void free(void *p)
{
	forbid("free");
	__libc_free(p);
}

/* The next one of a name. dlsym() may allocate, so they are looked up before there are signals. */
static int (*next_lock)(pthread_mutex_t *), (*next_unlock)(pthread_mutex_t *);
static int (*next_open)(const char *, int, ...);
static void *(*next_mmap)(void *, size_t, int, int, int, off_t);

static void look_up(void)
{
	*(void **)&next_lock = dlsym(RTLD_NEXT, "pthread_mutex_lock");
	*(void **)&next_unlock = dlsym(RTLD_NEXT, "pthread_mutex_unlock");
	*(void **)&next_open = dlsym(RTLD_NEXT, "open");
	*(void **)&next_mmap = dlsym(RTLD_NEXT, "mmap");
}

int pthread_mutex_lock(pthread_mutex_t *m)
{
	forbid("pthread_mutex_lock");
	if (!next_lock)
		look_up();
	return next_lock(m);
}

int pthread_mutex_unlock(pthread_mutex_t *m)
{
	forbid("pthread_mutex_unlock");
	if (!next_unlock)
		look_up();
	return next_unlock(m);
}

int open(const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	forbid("open");
	if (!next_open)
		look_up();
	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	return next_open(path, flags, mode);
}

void *mmap(void *addr, size_t size, int prot, int flags, int fd, off_t offset)
{
	forbid("mmap");
	if (!next_mmap)
		look_up();
	return next_mmap(addr, size, prot, flags, fd, offset);
}

#endif

/* ---- The program that is interrupted: it writes down who has called whom ---- */

static volatile uint64_t shadow[MAX_DEPTH]; /* return addresses, outermost first */
static volatile uint32_t depth;
static volatile uint64_t work_done;

#define ENTER() (shadow[depth] = (uintptr_t)__builtin_return_address(0), \
		 __atomic_signal_fence(__ATOMIC_SEQ_CST), depth = depth + 1)
#define LEAVE() (depth = depth - 1)

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	work_done++;
	return x < y ? -1 : x > y;
}

/* Frames of the C library between ours, and a leaf of it. */
__attribute__((noinline)) void by_library(void);
void by_library(void)
{
	static uint32_t v[256];
	static char text[8192];

	ENTER();
	for (uint32_t i = 0; i < NR(v); i++)
		v[i] = (uint32_t)(i * 2654435761u + work_done);
	qsort(v, NR(v), sizeof(v[0]), compare);
	memset(text, v[0], sizeof(text));
	work_done += text[v[1] % sizeof(text)];
	LEAVE();
}

/* A frame whose size is known only when it runs: its rows go by the frame pointer. */
__attribute__((noinline)) void with_array(uint32_t n);
void with_array(uint32_t n)
{
	volatile uint8_t *v = __builtin_alloca(64 + n % 512);

	ENTER();
	for (uint32_t i = 0; i < 64 + n % 512; i++)
		v[i] = i + n;
	work_done += v[n % 64];
	LEAVE();
}

__attribute__((noinline)) void recurse(uint32_t n);
void recurse(uint32_t n)
{
	ENTER();
	if (n) {
		recurse(n - 1);
	} else {
		by_library();
		with_array((uint32_t)work_done);
	}
	for (uint32_t i = 0; i < 2000; i++)
		work_done += i ^ n;
	LEAVE();
}

/* ---- The handler ---- */

static struct self self;
static struct unwind_space *space;
static struct unwinder *unwinder;

/* What a walk has found, and what it began with. */
struct walk {
	struct unwind_regs regs;
	uint64_t sp, size;
	uint64_t ips[MAX_FRAMES];
	struct unwind_chain chain;
	uint64_t known[MAX_DEPTH];
	uint32_t nr_known;
	uint8_t copy[COPY];
};

static struct walk walks[WALKS];
static volatile uint32_t nr_walks;

static void on_prof(int sig, siginfo_t *info, void *context)
{
	struct walk *w = &walks[nr_walks];
	struct unwind_stack memory = { .read = self__read, .ctx = &self };
	int err = errno;

	(void)sig;
	(void)info;
	if (nr_walks == WALKS)
		return;
	in_handler = 1;
	unwind_regs__from_context(&w->regs, context);
	w->sp = memory.start = unwinder__sp(unwinder, &w->regs);
	w->chain.ips = w->ips;
	w->chain.max = MAX_FRAMES;
	unwind__walk_prepared(space, &w->regs, &memory, &w->chain);
	in_handler = 0;
	w->nr_known = depth;
	for (uint32_t i = 0; i < w->nr_known; i++)
		w->known[i] = shadow[w->nr_known - 1 - i];
	w->size = self.stack[1] - w->sp < COPY ? self.stack[1] - w->sp : COPY;
	copy_stack(w->copy, w->sp, w->size);
	nr_walks++;
	errno = err;
}

static uint8_t *handler_stack;

static bool set_timer(long us)
{
	const struct itimerval t = { { 0, us }, { 0, us } };

	return !setitimer(ITIMER_PROF, &t, NULL);
}

static bool record_walks(void)
{
	struct sigaction sa = { .sa_sigaction = on_prof, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	stack_t st = { .ss_size = HANDLER_STACK };

	handler_stack = malloc(HANDLER_STACK);
	st.ss_sp = handler_stack;
	T(handler_stack);
	memset(handler_stack, PAINT, HANDLER_STACK);
	T(!sigaltstack(&st, NULL) && !sigaction(SIGPROF, &sa, NULL));
	T(set_timer(1000));
	for (uint32_t i = 0; nr_walks < WALKS; i++)
		recurse(i % 40);
	T(set_timer(0));
	return true;
}

/* ---- What is found ---- */

extern const char __executable_start[], etext[]; /* of the linker: this program's code */

static bool is_ours(uint64_t addr)
{
	return addr >= (uintptr_t)__executable_start && addr < (uintptr_t)etext;
}

/*
 * The known callers in their order, with frames of the C library between them. Two addresses may be
 * ours and unknown: where by_library() has called it, and the caller of a function that was about
 * to write itself down, or had just done with that.
 */
static bool is_known(const struct walk *w)
{
	uint32_t i = 1, unknown = 0;

	for (uint32_t k = 0; k < w->nr_known; k++, i++)
		for (; i < w->chain.nr && w->ips[i] != w->known[k]; i++)
			unknown += is_ours(w->ips[i]);
	return i <= w->chain.nr && unknown <= 2;
}

static bool test_walks(void)
{
	uint32_t whole = 0, known = 0, frames = 0, used;

	if (!nr_walks)
		T(record_walks());
	for (uint32_t i = 0; i < nr_walks; i++) {
		const struct walk *w = &walks[i];

		whole += w->chain.stop == UNWIND_OUTERMOST;
		known += is_known(w);
		frames += w->chain.nr;
		if (w->chain.stop != UNWIND_OUTERMOST || !is_known(w))
			printf("# walk %u: %u frames, %u known callers: %s\n", i, w->chain.nr,
			       w->nr_known, unwind_stop__name(w->chain.stop));
	}
	for (used = 0; used < HANDLER_STACK && handler_stack[used] == PAINT;)
		used++;
	printf("# %u walks, %u frames: %u whole, %u with all callers that are known; %u bytes of "
	       "stack\n", nr_walks, frames, whole, known, HANDLER_STACK - used);
	T(whole == nr_walks && known == nr_walks);
	T(HANDLER_STACK - used <= 64 * 1024);
	return true;
}

/* The mapping that holds @addr. */
static const struct unwind_mapping *mapping_of(uint64_t addr)
{
	for (uint32_t i = 0; i < self.nr_maps; i++)
		if (addr >= self.maps[i].start && addr < self.maps[i].end)
			return &self.maps[i];
	return NULL;
}

/* A walk as in a handler. */
static void walk_here(struct unwind_space *s, const struct unwind_regs *regs,
		      struct unwind_chain *chain)
{
	struct unwind_stack memory = { .read = self__read, .ctx = &self };

	memory.start = unwinder__sp(unwinder, regs);
	in_handler = 1;
	unwind__walk_prepared(s, regs, &memory, chain);
	in_handler = 0;
}

#define FAR (256 * 1024)

/* An address in the binary of the first frame that is not ours, far from that. */
static uint64_t far_from_caller(const struct unwind_chain *chain)
{
	const struct unwind_mapping *m;
	uint32_t i = 0;

	while (i < chain->nr && is_ours(chain->ips[i]))
		i++;
	m = i < chain->nr ? mapping_of(chain->ips[i]) : NULL;
	if (!m || m->end - m->start < 4 * FAR)
		return 0;
	return chain->ips[i] + FAR < m->end - FAR ? chain->ips[i] + FAR : chain->ips[i] - FAR;
}

/* The number of the register that has @pc. */
static uint32_t pc_of(const struct unwind_regs *regs, uint64_t pc)
{
	uint32_t i = 0;

	while (regs->v[i] != pc)
		i++;
	return i;
}

/* Without rows that are prepared the handler takes no lock, either, and says so. */
static bool test_unprepared(void)
{
	struct unwinder_opts opts = { .size = sizeof(opts), .arch = unwind_arch__native() };
	uint64_t ips[MAX_FRAMES], far;
	struct unwind_chain chain = { .ips = ips, .max = MAX_FRAMES };
	struct unwind_stack memory = { .read = self__read, .ctx = &self };
	struct unwind_regs regs, odd;
	struct unwind_space *bare;
	struct unwinder *u;
	ucontext_t context;

	T(!unwinder__new(&u, &opts));
	unwinder__on_open(u, self__open, &self);
	bare = unwind_space__new(u);
	T(bare && !self__add_maps(&self, bare));
	getcontext(&context);
	unwind_regs__from_context(&regs, &context);
	walk_here(space, &regs, &chain);
	T(chain.stop == UNWIND_OUTERMOST);
	far = far_from_caller(&chain);
	memory.start = unwinder__sp(u, &regs);
	walk_here(bare, &regs, &chain);
	T(chain.stop == UNWIND_NOT_PREPARED && chain.nr == 1);
	/* The C library is not open. */
	T(!unwind_space__prepare(bare, ips[0], ips[0] + 1));
	walk_here(bare, &regs, &chain);
	T(chain.stop == UNWIND_NOT_PREPARED && chain.nr > 1);
	/* It is, as another walk has come there, but not these rows of it. */
	odd = regs;
	odd.v[pc_of(&regs, ips[0])] = far;
	chain.max = 1;
	unwind__walk(bare, &odd, &memory, &chain);
	chain.max = MAX_FRAMES;
	T(chain.nr);
	walk_here(bare, &regs, &chain);
	T(chain.stop == UNWIND_NOT_PREPARED && chain.nr > 1);
	T(!unwind_space__prepare(bare, 0, UINT64_MAX));
	walk_here(bare, &regs, &chain);
	T(chain.stop == UNWIND_OUTERMOST);
	unwind_space__free(bare);
	unwinder__free(u);
	printf("# %s\n", far ? "also of a binary that is open" : "no large C library");
	return true;
}

#if __has_include(<elfutils/libdwfl.h>) && defined(__x86_64__)
#include <elfutils/libdwfl.h>

struct oracle {
	const struct walk *w;
	uint64_t ips[MAX_FRAMES];
	uint32_t nr;
};

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread_arg)
{
	(void)dwfl;
	if (*thread_arg)
		return 0;
	*thread_arg = arg;
	return 1;
}

static bool read_copy(Dwfl *dwfl, Dwarf_Addr addr, Dwarf_Word *v, void *arg)
{
	const struct walk *w = ((struct oracle *)arg)->w;

	(void)dwfl;
	if (addr < w->sp || addr - w->sp > w->size - sizeof(*v) || w->size < sizeof(*v))
		return false;
	memcpy(v, w->copy + (addr - w->sp), sizeof(*v));
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	static const uint8_t perf_of_dwarf[17] = {
		0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8,
	};
	const struct walk *w = ((struct oracle *)arg)->w;
	Dwarf_Word v[17];

	for (size_t i = 0; i < NR(v); i++)
		v[i] = w->regs.v[perf_of_dwarf[i]];
	return dwfl_thread_state_registers(thread, 0, NR(v), v);
}

static int on_frame(Dwfl_Frame *frame, void *arg)
{
	struct oracle *o = arg;
	Dwarf_Addr pc;

	if (o->nr == MAX_FRAMES || !dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	o->ips[o->nr++] = pc;
	return DWARF_CB_OK;
}

/* libdw reports a frame with pc 0, or the like, behind the last one. */
static bool agrees(const struct walk *w, struct oracle *o)
{
	while (o->nr && !o->ips[o->nr - 1])
		o->nr--;
	return o->nr == w->chain.nr && !memcmp(o->ips, w->ips, o->nr * sizeof(*o->ips));
}

static bool ask_libdw(const struct walk *w)
{
	static const Dwfl_Callbacks files = {
		.find_elf = dwfl_linux_proc_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
	};
	static const Dwfl_Thread_Callbacks threads = {
		.next_thread = next_thread, .memory_read = read_copy,
		.set_initial_registers = set_registers,
	};
	static struct oracle o; /* libdw keeps the address */
	static Dwfl *dwfl;

	o.w = w;
	o.nr = 0;
	if (!dwfl) {
		dwfl = dwfl_begin(&files);
		dwfl_linux_proc_report(dwfl, getpid());
		dwfl_report_end(dwfl, NULL, NULL);
		if (!dwfl_attach_state(dwfl, NULL, getpid(), &threads, &o))
			return false;
	}
	dwfl_getthread_frames(dwfl, 1, on_frame, &o);
	return agrees(w, &o);
}

static bool test_libdw(void)
{
	uint32_t same = 0, asked = 0;

	for (uint32_t i = 0; i < nr_walks; i++) {
		if (walks[i].size == COPY)
			continue; /* the copy is not all of the stack */
		asked++;
		same += ask_libdw(&walks[i]);
	}
	printf("# %u of %u walks are what libdw finds\n", same, asked);
	T(asked > WALKS / 2);
	/* libdw has no row where a function was interrupted in a PLT, and guesses there. */
	T(same >= asked - asked / 50);
	return true;
}
#else
static bool test_libdw(void)
{
	printf("# libdw is not there\n");
	return true;
}
#endif

static const struct test tests[] = {
	{ "what is not prepared ends a walk, and nothing is done about it", test_unprepared },
	{ "walks in a signal handler find all callers", test_walks },
	{ "and those that libdw finds", test_libdw },
};

int main(void)
{
	struct unwinder_opts opts = { .size = sizeof(opts), .arch = unwind_arch__native() };
	bool ok;
	int ret;

	look_up();
	ok = self__init(&self) && !unwinder__new(&unwinder, &opts);
	if (!ok)
		return 1;
	unwinder__on_open(unwinder, self__open, &self);
	space = unwind_space__new(unwinder);
	if (!space || self__add_maps(&self, space) || unwind_space__prepare(space, 0, UINT64_MAX))
		return 1;
	ret = suite__run(tests, NR(tests));
	unwind_space__free(space);
	unwinder__free(unwinder);
	self__exit(&self);
	return ret;
}
