// SPDX-License-Identifier: GPL-2.0-only
#include "brief.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../stack/kernel-entry.h"

#define PATH_PERCENT 3   /* a path with less is not told */
#define PATH_DEPTH 512   /* functions of a path that are followed */
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
		[WORK_KERNEL] = "the kernel, not by a system call",
	};

	return texts[kind];
}

double brief__uncertainty(u64 nr, u64 of)
{
	double p = of ? (double)nr / of : 0;

	return of ? 100 * 1.96 * sqrt(p * (1 - p) / of) : 100;
}

static bool name_matches(const char *name, const char *pattern)
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
	return f->sym && strstr(f->sym->name, "sys_");
}

static enum work_kind kind_of_frame(const struct stack_frame *f)
{
	for (enum work_kind k = 0; f->sym && k < WORK_KINDS; k++)
		for (size_t i = 0; i < KIND_NAMES_MAX && kind_names[k][i]; i++)
			if (name_matches(f->sym->name, kind_names[k][i]))
				return !is_kernel(f) || k == WORK_LOCK || k == WORK_PAGE_FAULT ?
					       k : WORK_OTHER;
	if (f->dso && !strncmp(f->dso->short_name, "libm.so", 7))
		return WORK_MATH;
	return calls_syscall(f) ? WORK_SYSCALL : WORK_OTHER;
}

/* Libraries that nearly all programs have: what calls into them is more interesting. */
static bool is_of_system(const struct stack_frame *f)
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

bool brief__is_interpreted(const struct stack_frame *f)
{
	return f->dso && strstr(f->dso->path, ".jit/python-");
}

/* What is known of a frame, and sums over the stacks that it is on. */
struct frame_tally {
	u64 own, all, syscall, unnamed;
	u32 nr_own, nr_all, nr_syscall, nr_unnamed;
	u32 seen; /* the last record that had it */
	enum work_kind kind;
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
 * Returns the kind of a stack and the place of the frame that says so. Functions of users are asked
 * near the innermost one only: what a callback of qsort() does is not sorting.
 */
static enum work_kind kind_of(const struct maker *m, const u32 *frames, u32 nr, u32 *place)
{
	const struct stack_frame *all = m->h->stacks.frames.v;
	bool kernel = is_kernel(&all[frames[0]]), call = false;

	for (u32 i = 0, user = 0; i < nr && user < KIND_DEPTH; i++) {
		enum work_kind kind = m->frames[frames[i]].kind;

		*place = i;
		if (kind == WORK_SYSCALL)
			call = true;
		else if (kind != WORK_OTHER)
			return kind;
		user += all[frames[i]].cpumode == PERF_RECORD_MISC_USER;
	}
	*place = 0;
	return call ? WORK_SYSCALL : kernel ? WORK_KERNEL : WORK_OTHER;
}

/* Counts a stack for the function that asked for this kind of work: the first of the program's. */
static void count_caller(struct maker *m, const struct stack_record *r, enum work_kind kind,
			 const u32 *frames, u32 nr, u32 place)
{
	const struct stack_frame *all = m->h->stacks.frames.v;
	struct frame_tally *t;
	u32 i = place;

	while (i < nr && (is_kernel(&all[frames[i]]) || m->frames[frames[i]].kind != WORK_OTHER ||
			  !all[frames[i]].sym || is_of_system(&all[frames[i]])))
		i++;
	if (i == nr || kind == WORK_OTHER)
		return;
	if (!m->callers[kind])
		m->callers[kind] = xcalloc(m->h->stacks.frames.nr, sizeof(*m->callers[kind]));
	t = &m->callers[kind][all[frames[i]].shown];
	t->own += r->period;
	t->nr_own += r->nr;
}

static void count_unnamed(struct maker *m, const struct stack_record *r, u32 leaf)
{
	const struct stack_frame *f = &m->h->stacks.frames.v[leaf];
	u64 key = (uintptr_t)f->dso;
	u32 frame;

	if (f->sym || !f->dso)
		return;
	frame = (uintptr_t)map64__get(&m->unnamed_of, key);
	if (!frame) {
		frame = leaf;
		map64__set(&m->unnamed_of, key, (void *)(uintptr_t)frame);
	}
	m->frames[frame].unnamed += r->period;
	m->frames[frame].nr_unnamed += r->nr;
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
	m->threads.v[nr - 1].nr += r->nr;
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
	m->b->nr += r->nr;
	t->own += r->period;
	t->nr_own += r->nr;
	for (u32 i = 0; i < nr; i++) {
		t = &m->frames[all[frames[i]].shown];
		if (t->seen != record) {
			t->all += r->period;
			t->nr_all += r->nr;
		}
		t->seen = record;
		if (i && calls_syscall(&all[frames[i]]) && !calls_syscall(&all[frames[i - 1]]) &&
		    is_syscall(&all[frames[i - 1]]))
			call = all[frames[i - 1]].shown;
	}
	m->frames[call].syscall += r->period;
	m->frames[call].nr_syscall += r->nr;
	m->b->kinds[kind].period += r->period;
	m->b->kinds[kind].nr += r->nr;
	count_caller(m, r, kind, frames, nr, place);
	count_unnamed(m, r, frames[0]);
	count_thread(m, r);
}

static void choose_items(struct maker *m)
{
	struct brief *b = m->b;

	for (u32 i = 1; i < m->h->stacks.frames.nr; i++) {
		const struct frame_tally *t = &m->frames[i];

		BRIEF_PUT(b->functions, t->own, t->nr_own, i);
		if (brief__is_interpreted(&m->h->stacks.frames.v[i]))
			BRIEF_PUT(b->interpreted, t->all, t->nr_all, i);
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

/* Stacks whose outermost functions are the same. */
struct bundle {
	u64 period, ended; /* .ended: of those that have no more functions */
	u32 nr, depth;
	u32 parent;  /* bundle; 0: none */
	u32 frame;   /* the last function they share */
	VEC(u32) records;
};

typedef VEC(struct bundle) bundle_vec;

/* Divides the stacks of a bundle by their next function. Returns the first of the new bundles. */
static size_t divide(const struct hist *h, bundle_vec *v, size_t at)
{
	size_t first = v->nr;
	struct map64 by_frame = {};

	for (size_t i = 0; i < v->v[at].records.nr; i++) {
		u32 record = v->v[at].records.v[i], nr, frame;
		const struct stack_record *r = &h->stacks.records.v[record];
		const u32 *frames = brief__frames(h, r, &nr);
		size_t to;

		if (v->v[at].depth == nr) {
			v->v[at].ended += r->period;
			continue;
		}
		frame = h->stacks.frames.v[frames[nr - 1 - v->v[at].depth]].shown;
		to = (uintptr_t)map64__get(&by_frame, frame);
		if (!to) {
			*vec__push(v) = (struct bundle){
				.depth = v->v[at].depth + 1, .parent = at, .frame = frame,
			};
			to = v->nr;
			map64__set(&by_frame, frame, (void *)to);
		}
		v->v[to - 1].period += r->period;
		v->v[to - 1].nr += r->nr;
		*vec__push(&v->v[to - 1].records) = record;
	}
	map64__free(&by_frame);
	return first;
}

static void put_path(struct brief *b, const bundle_vec *v, size_t at, u64 period, u32 nr,
		     bool splits)
{
	struct brief_path path = {
		.period = period, .nr = nr, .first = b->path_frames.nr,
		.nr_frames = v->v[at].depth, .splits = splits,
	};
	u32 i = b->nr_paths;

	if (i == BRIEF_PATHS && b->paths[i - 1].period >= period)
		return;
	for (u32 k = 0; k < path.nr_frames; k++)
		*vec__push(&b->path_frames) = 0;
	for (u32 k = path.nr_frames; k--; at = v->v[at].parent)
		b->path_frames.v[path.first + k] = v->v[at].frame;
	if (i == BRIEF_PATHS)
		i--;
	else
		b->nr_paths++;
	for (; i && b->paths[i - 1].period < period; i--)
		b->paths[i] = b->paths[i - 1];
	b->paths[i] = path;
}

/* By the words of user_stack__word(). */
enum brief_proof brief__proof(const struct hist *h, const struct stack_record *r)
{
	const char *word = h->contexts.v[r->context].whole;

	if (!word || !strcmp(word, "as recorded"))
		return BRIEF_UNPROVEN;
	return !strcmp(word, "whole") || !strcmp(word, "no user stack") ? BRIEF_WHOLE : BRIEF_CUT;
}

/* Follows the stacks from the outermost function inwards, where enough of them go. */
static void find_paths(struct brief *b, const struct hist *h)
{
	u64 least = b->period * PATH_PERCENT / 100;
	bundle_vec v = {};

	*vec__push(&v) = (struct bundle){ .period = b->period, .nr = b->nr };
	for (u32 i = 1; i < h->stacks.records.nr; i++) {
		const struct stack_record *r = &h->stacks.records.v[i];
		enum brief_proof proof = brief__proof(h, r);

		b->cut += proof == BRIEF_CUT ? r->period : 0;
		b->unproven += proof == BRIEF_UNPROVEN ? r->period : 0;
		if (proof != BRIEF_CUT)
			*vec__push(&v.v[0].records) = i;
	}
	for (size_t at = 0; at < v.nr; at++) {
		u64 left = v.v[at].period;
		u32 nr = v.v[at].nr;
		size_t first = v.nr, kept = first;

		if (v.v[at].period && v.v[at].depth < PATH_DEPTH)
			first = kept = divide(h, &v, at);
		for (size_t i = first; i < v.nr; i++) {
			if (v.v[i].period < least || !v.v[i].period) {
				vec__free(&v.v[i].records);
				continue;
			}
			left -= v.v[i].period;
			nr -= v.v[i].nr;
			v.v[kept++] = v.v[i];
		}
		if (at && left && left >= least)
			put_path(b, &v, at, left, nr, v.v[at].ended < left / 2);
		v.nr = kept;
		vec__free(&v.v[at].records);
	}
	vec__free(&v);
}

void brief__make(struct brief *b, const struct hist *h)
{
	struct maker m = { .b = b, .h = h };

	*b = (struct brief){};
	m.frames = xcalloc(h->stacks.frames.nr, sizeof(*m.frames));
	for (size_t i = 1; i < h->stacks.frames.nr; i++)
		m.frames[i].kind = kind_of_frame(&h->stacks.frames.v[i]);
	for (u32 i = 1; i < h->stacks.records.nr; i++)
		count_record(&m, i);
	choose_items(&m);
	find_paths(b, h);
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
}
