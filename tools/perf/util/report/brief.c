// SPDX-License-Identifier: GPL-2.0-only
#include "brief.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../stack/kernel-entry.h"
#include "../text/insn-text.h"

#define KIND_DEPTH 4     /* functions of users that are asked what kind of work it is */

/* Names that say what kind of work it is; '^' is the beginning of a name, '$' its end. */
#define KIND_NAMES_MAX 20
static const char *const kind_names[WORK_KINDS][KIND_NAMES_MAX] = {
	[WORK_ALLOCATION] = {
		"^malloc$", "^free$", "^cfree", "^calloc$", "^realloc$", "^_int_",
		"^__libc_malloc", "^__libc_free", "^__libc_calloc", "^__libc_realloc",
		"^operator new", "^operator delete", "^malloc_", "^sysmalloc", "^unlink_chunk",
		"^__rust_alloc", "^__rust_dealloc", "^runtime.mallocgc", "^__rdl_",
	},
	[WORK_LOCK] = {
		"pthread_mutex_", "pthread_rwlock_", "pthread_cond_", "pthread_spin_lock",
		"lll_lock", "lll_unlock", "spin_lock_slowpath", "futex", "^rwsem_",
		"^osq_lock", "^mutex_lock", "mutex_lock_slowpath", "^sem_wait", "^sem_post",
	},
	[WORK_PAGE_FAULT] = {
		"asm_exc_page_fault", "el0_da",
	},
	[WORK_COPY] = {
		"memcpy", "memmove", "memset", "mempcpy", "strcpy",
	},
	[WORK_STRING] = {
		"strcmp", "strncmp", "strcasecmp", "memcmp", "strlen", "strchr", "strrchr",
		"strstr", "memchr", "strcoll", "strspn", "strcspn", "^regexec", "^re_search",
	},
	[WORK_FORMAT] = {
		"printf", "strtod", "strtol", "strtoul", "scanf", "^std::ostream", "^std::num_put",
	},
	[WORK_SORT] = {
		"^qsort", "^msort", "introsort", "^std::sort", "merge_sort",
		"std::__adjust_heap",
	},
	[WORK_MATH] = {
		"^__sin", "^__cos", "^__exp", "^__log", "^__pow", "^__ieee754_", "^sin$",
		"^cos$", "^exp$", "^log$", "^pow$", "^__udivti3", "^__muldc3",
	},
	[WORK_EXCEPTION] = {
		"^_Unwind_", "^__cxa_throw", "^__gxx_personality",
	},
	[WORK_LOADER] = {
		"^_dl_", "^do_lookup_x", "^dl_main",
	},
	[WORK_CHECK] = {
		"^__asan_", "^__ubsan_", "^__tsan_", "^__msan_", "^__gcov_", "^_mcount",
		"^__cyg_profile",
	},
};

const char *work_kind__text(enum work_kind kind)
{
	static const char *const texts[WORK_KINDS] = {
		[WORK_OTHER] = "the program's own code", [WORK_ALLOCATION] = "memory allocation",
		[WORK_LOCK] = "locks", [WORK_PAGE_FAULT] = "page faults",
		[WORK_COPY] = "copying memory", [WORK_STRING] = "comparing and searching text",
		[WORK_FORMAT] = "formatting and parsing numbers", [WORK_SORT] = "sorting",
		[WORK_MATH] = "mathematical functions", [WORK_EXCEPTION] = "exceptions",
		[WORK_LOADER] = "loading shared libraries",
		[WORK_CHECK] = "code of a sanitizer or profiler", [WORK_SYSCALL] = "system calls",
		[WORK_KERNEL] = "the kernel, outside of system calls",
		[WORK_LIBRARY] = "libraries of the system",
	};

	return texts[kind];
}

double brief__uncertainty(u64 nr, u64 of)
{
	double p = of ? (double)nr / of : 0;

	return of ? 100 * 1.96 * sqrt(p * (1 - p) / of) : 100;
}

bool brief__name_matches(const char *name, const char *pattern)
{
	bool begins = *pattern == '^', ends;
	size_t len = strlen(pattern), at = strlen(name);

	pattern += begins;
	len -= begins;
	ends = pattern[len - 1] == '$';
	len -= ends;
	if (begins)
		return !strncmp(name, pattern, len) && (!ends || at == len);
	return memmem(name, at, pattern, len);
}

static bool is_kernel(const struct stack_frame *f)
{
	return f->cpumode == PERF_RECORD_MISC_KERNEL;
}

static bool calls_syscall(const struct stack_frame *f)
{
	return is_kernel(f) && f->sym && kernel_entry__calls_syscalls(f->sym->name);
}

/* Before and behind a call, the kernel does other things there. */
static bool is_syscall(const struct stack_frame *f)
{
	return symbol__is_named(f->sym) && strstr(f->sym->name, "sys_");
}

static enum work_kind kind_of_name(const char *name)
{
	for (enum work_kind k = 0; k < WORK_KINDS; k++)
		for (size_t i = 0; i < KIND_NAMES_MAX && kind_names[k][i]; i++)
			if (brief__name_matches(name, kind_names[k][i]))
				return k;
	return WORK_OTHER;
}

/* Of "memcpy@plt". */
static enum work_kind kind_of_called(const char *name)
{
	char plain[64];

	snprintf(plain, sizeof(plain), "%.*s", (int)strcspn(name, "@"), name);
	return kind_of_name(plain);
}

static enum work_kind kind_of_frame(const struct stack_frame *f)
{
	enum work_kind k = symbol__is_named(f->sym) ? kind_of_name(f->sym->name) : WORK_OTHER;

	if (k != WORK_OTHER)
		return !is_kernel(f) || k == WORK_LOCK || k == WORK_PAGE_FAULT ? k : WORK_OTHER;
	if (f->dso && !strncmp(f->dso->short_name, "libm.so", 7))
		return WORK_MATH;
	return calls_syscall(f) ? WORK_SYSCALL : WORK_OTHER;
}

bool brief__is_of_system(const struct stack_frame *f)
{
	static const char *const names[] = {
		"libc.so", "libc-2", "libm.so", "libm-2", "libpthread", "libstdc++", "libgcc_s",
		"ld-linux", "ld-2", "[vdso]",
	};
	const char *name = f->dso ? f->dso->short_name : "";

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

bool brief__is_loader(const struct stack_frame *f)
{
	return f->sym && dso__is_of_runtime(f->dso) &&
	       (strstr(f->sym->name, " node:internal/main/") ||
		strstr(f->sym->name, " node:internal/modules/"));
}

/* What is known of a frame, and sums over the stacks that it is on. */
struct frame_tally {
	u64 own, all, syscall, unnamed;
	u32 nr_own, nr_all, nr_syscall, nr_unnamed;
	u32 seen; /* the last record that had it */
	enum work_kind kind;
	enum work_kind called; /* kind of the function that it calls there, by its name */
	bool is_call_known;
};

struct thread_tally {
	u64 period;
	u32 nr, tid;
};

struct maker {
	struct brief *b;
	const struct hist *h;
	struct frame_tally *frames;
	VEC(struct thread_tally) threads;
	struct map64 thread_of;  /* tid + 1 -> place in .threads + 1 */
	struct map64 unnamed_of; /* dso -> the frame that counts for it */
	struct frame_tally *callers[WORK_KINDS]; /* by frame, of those who ask for each kind */
};

void brief_item__put(struct brief_item *v, u32 *nr, u32 max, struct brief_item item)
{
	u32 at = *nr;

	if (!item.nr || (at == max && v[max - 1].period >= item.period))
		return;
	if (at == max)
		at--;
	else
		++*nr;
	for (; at && v[at - 1].period < item.period; at--)
		v[at] = v[at - 1];
	v[at] = item;
}

/*
 * What a function without a name does is known by the name that its caller calls it by, which is
 * that of an entry of the procedure linkage table: libraries without symbols have memcpy() under no
 * other.
 */
static enum work_kind kind_of_call(const struct maker *m, u32 caller)
{
	const struct stack_frame *f = &m->h->stacks.frames.v[caller];
	struct frame_tally *t = &m->frames[caller];
	const struct symbol *sym = NULL;
	u64 target;

	if (t->is_call_known)
		return t->called;
	t->is_call_known = true;
	if (m->h->opts.symbols && f->dso && f->is_return && !is_kernel(f) &&
	    insn__called(m->h->opts.symbols, f->dso, f->addr, &target))
		sym = symbols__find(m->h->opts.symbols, f->dso, target);
	if (symbol__is_named(sym) && strstr(sym->name, "@plt"))
		t->called = kind_of_called(sym->name);
	return t->called;
}

static enum work_kind kind_at(const struct maker *m, const u32 *frames, u32 nr, u32 i)
{
	const struct stack_frame *f = &m->h->stacks.frames.v[frames[i]];
	enum work_kind kind = m->frames[frames[i]].kind;

	if (kind != WORK_OTHER || symbol__is_named(f->sym) || i + 1 == nr ||
	    !brief__is_of_system(f))
		return kind;
	return kind_of_call(m, frames[i + 1]);
}

/*
 * Returns the kind of a stack and the place of the frame that says so. Functions of users are asked
 * near the innermost one only: what a callback of qsort() does is not sorting.
 */
static enum work_kind kind_of(const struct maker *m, const u32 *frames, u32 nr, u32 *place)
{
	const struct stack_frame *all = m->h->stacks.frames.v;
	bool kernel = is_kernel(&all[frames[0]]), call = false;

	for (u32 i = 0, user = 0; i < nr && user < KIND_DEPTH; i++) {
		enum work_kind kind = kind_at(m, frames, nr, i);

		*place = i;
		if (kind == WORK_SYSCALL)
			call = true;
		else if (kind != WORK_OTHER)
			return kind;
		/* Nameless ones of libraries are parts of the one that the program calls. */
		user += all[frames[i]].cpumode == PERF_RECORD_MISC_USER &&
			(symbol__is_named(all[frames[i]].sym) ||
			 !brief__is_of_system(&all[frames[i]]));
	}
	*place = 0;
	if (call || kernel)
		return call ? WORK_SYSCALL : WORK_KERNEL;
	return brief__is_of_system(&all[frames[0]]) ? WORK_LIBRARY : WORK_OTHER;
}

/* Counts a stack for the function that asked for this kind of work: the first of the program's. */
static void count_caller(struct maker *m, const struct stack_record *r, enum work_kind kind,
			 const u32 *frames, u32 nr, u32 place)
{
	const struct stack_frame *all = m->h->stacks.frames.v;
	struct frame_tally *t;
	u32 i = place;

	while (i < nr && (is_kernel(&all[frames[i]]) || m->frames[frames[i]].kind != WORK_OTHER ||
			  !all[frames[i]].sym || brief__is_of_system(&all[frames[i]])))
		i++;
	if (i == nr || kind == WORK_OTHER)
		return;
	if (!m->callers[kind])
		m->callers[kind] = xcalloc(m->h->stacks.frames.nr, sizeof(*m->callers[kind]));
	t = &m->callers[kind][all[frames[i]].shown];
	t->own += r->period;
	t->nr_own += stack_record__samples(r);
}

static void count_unnamed(struct maker *m, const struct stack_record *r, u32 leaf)
{
	const struct stack_frame *f = &m->h->stacks.frames.v[leaf];
	u64 key = (uintptr_t)f->dso;
	u32 frame;

	if (symbol__is_named(f->sym) || !f->dso)
		return;
	frame = (uintptr_t)map64__get(&m->unnamed_of, key);
	if (!frame) {
		frame = leaf;
		map64__set(&m->unnamed_of, key, (void *)(uintptr_t)frame);
	}
	m->frames[frame].unnamed += r->period;
	m->frames[frame].nr_unnamed += stack_record__samples(r);
}

static void count_thread(struct maker *m, const struct stack_record *r)
{
	u32 tid = m->h->contexts.v[r->context].tid;
	u32 nr = (uintptr_t)map64__get(&m->thread_of, (u64)tid + 1);

	if (!nr) {
		*vec__push(&m->threads) = (struct thread_tally){ .tid = tid };
		nr = m->threads.nr;
		map64__set(&m->thread_of, (u64)tid + 1, (void *)(uintptr_t)nr);
	}
	m->threads.v[nr - 1].period += r->period;
	m->threads.v[nr - 1].nr += stack_record__samples(r);
}

static void count_record(struct maker *m, u32 record)
{
	const struct stack_record *r = &m->h->stacks.records.v[record];
	const struct stack_frame *all = m->h->stacks.frames.v;
	u32 nr, place, call = 0;
	const u32 *frames = brief__frames(m->h, r, &nr);
	enum work_kind kind = kind_of(m, frames, nr, &place);
	struct frame_tally *t = &m->frames[all[frames[0]].shown];

	m->b->period += r->period;
	m->b->nr += stack_record__samples(r);
	t->own += r->period;
	t->nr_own += stack_record__samples(r);
	for (u32 i = 0; i < nr; i++) {
		t = &m->frames[all[frames[i]].shown];
		if (t->seen != record) {
			t->all += r->period;
			t->nr_all += stack_record__samples(r);
		}
		t->seen = record;
		if (i && calls_syscall(&all[frames[i]]) && !calls_syscall(&all[frames[i - 1]]) &&
		    is_syscall(&all[frames[i - 1]]))
			call = all[frames[i - 1]].shown;
	}
	m->frames[call].syscall += r->period;
	m->frames[call].nr_syscall += stack_record__samples(r);
	m->b->kinds[kind].period += r->period;
	m->b->kinds[kind].nr += stack_record__samples(r);
	count_caller(m, r, kind, frames, nr, place);
	count_unnamed(m, r, frames[0]);
	count_thread(m, r);
}

static void choose_items(struct maker *m)
{
	struct brief *b = m->b;

	for (u32 i = 1; i < m->h->stacks.frames.nr; i++) {
		const struct stack_frame *f = &m->h->stacks.frames.v[i];
		const struct frame_tally *t = &m->frames[i];

		BRIEF_PUT(b->functions, t->own, t->nr_own, i);
		if (dso__is_of_runtime(f->dso) && !brief__is_loader(f))
			BRIEF_PUT(b->of_runtimes, t->all, t->nr_all, i);
		BRIEF_PUT(b->syscalls, t->syscall, t->nr_syscall, i);
		BRIEF_PUT(b->unnamed, t->unnamed, t->nr_unnamed, i);
		for (enum work_kind k = 0; k < WORK_KINDS; k++)
			if (m->callers[k])
				BRIEF_PUT(b->kinds[k].callers, m->callers[k][i].own,
					 m->callers[k][i].nr_own, i);
	}
	for (u32 i = 0; i < b->functions.nr; i++)
		b->with_callees[i] = m->frames[b->functions.v[i].what].all;
	b->nr_threads = m->threads.nr;
	for (size_t i = 0; i < m->threads.nr; i++)
		BRIEF_PUT(b->threads, m->threads.v[i].period, m->threads.v[i].nr,
			 m->threads.v[i].tid);
}

void brief__make(struct brief *b, const struct hist *h, bool waits, bool fold)
{
	struct maker m = { .b = b, .h = h };

	*b = (struct brief){};
	m.frames = xcalloc(h->stacks.frames.nr, sizeof(*m.frames));
	for (size_t i = 1; i < h->stacks.frames.nr; i++)
		m.frames[i].kind = kind_of_frame(&h->stacks.frames.v[i]);
	for (u32 i = 1; i < h->stacks.records.nr; i++)
		count_record(&m, i);
	choose_items(&m);
	brief__find_paths(b, h, waits, fold);
	free(m.frames);
	for (enum work_kind k = 0; k < WORK_KINDS; k++)
		free(m.callers[k]);
	vec__free(&m.threads);
	map64__free(&m.thread_of);
	map64__free(&m.unnamed_of);
}

void brief__free(struct brief *b)
{
	vec__free(&b->path_frames);
	vec__free(&b->path_times);
}
