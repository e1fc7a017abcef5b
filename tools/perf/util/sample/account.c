// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../base/line-out.h"
#include "../base/version.h"
#include "account.h"

/* Stacks that are cut for one reason; fewer are not worth an advice. */
#define ENOUGH_CUT 20

#define LARGE_COPY 32768 /* bytes: what asks for more than this asked for all that can be had */
#define CUT_PERCENT 10 /* of the recorded stacks: also code with frame pointers calls other code */

void pipeline_account__add(struct pipeline_account *a, const struct whole_sample *ws)
{
	a->samples++;
	a->user_part[ws->user_part]++;
	a->kernel_alone += ws->user_part == USER_PART_NONE && ws->nr_chain &&
			   ws->s->cpumode == PERF_RECORD_MISC_KERNEL;
	a->copies += ws->s->stack_room != 0;
	a->copies_full += ws->s->stack_room && ws->s->stack_size == ws->s->stack_room;
	a->copy_bytes += ws->s->stack_size;
	a->copy_room += ws->s->stack_room;
	a->recorded_early += ws->ends_early;
	switch (ws->user_part) {
	case USER_PART_UNWOUND:
		a->stop[ws->stop]++;
		for (int i = 0; i < UNWIND_METHOD_NR; i++)
			a->frames[i] += ws->found[i];
		break;
	case USER_PART_MISSING:
		a->deferred_empty += deferred_result__is_match(ws->deferred);
		/* fall through */
	case USER_PART_DEFERRED:
		a->restored += ws->nr_restored != 0;
		a->deferred[ws->deferred]++;
		break;
	default:
		break;
	}
}

static void line_out__records(struct line_out *o, u64 nr, const char *what)
{
	if (!nr)
		return;
	line_out__count(o, "; ", nr, nr == 1 ? " record " : " records ");
	line_out__add(o, "%s", what);
}

struct reason {
	const char *name;
	u64 nr;
};

static int reason__cmp(const void *a, const void *b)
{
	const struct reason *x = a, *y = b;

	return compare_of(y->nr, x->nr);
}

static size_t account__reasons(const struct pipeline_account *a, struct reason *r)
{
	size_t nr = 0;

	for (int i = 0; i < UNWIND_STOP_NR; i++)
		if (i != UNWIND_OUTERMOST && a->stop[i])
			r[nr++] = (struct reason){ unwind_stop__name(i), a->stop[i] };
	for (int i = 0; i < DEFERRED_NR; i++)
		if (!deferred_result__is_match(i) && a->deferred[i])
			r[nr++] = (struct reason){ deferred_result__name(i), a->deferred[i] };
	if (a->deferred_empty)
		r[nr++] = (struct reason){ "empty record", a->deferred_empty };
	qsort(r, nr, sizeof(*r), reason__cmp);
	return nr;
}

/* Rounded down: 100.0 % is printed only when nothing is missing. */
static void line_out__share(struct line_out *o, u64 part, u64 of)
{
	u64 permille = of ? (u64)((double)part / of * 1000) : 0;

	if (part == of)
		permille = 1000;
	else if (permille == 1000)
		permille = 999;
	line_out__add(o, " (%" PRIu64 ".%" PRIu64 " %%", permille / 10, permille % 10);
}

static void account__add_missing(const struct pipeline_account *a, struct line_out *o, u64 missing)
{
	struct reason reasons[UNWIND_STOP_NR + DEFERRED_NR + 1];
	size_t nr = account__reasons(a, reasons);

	line_out__count(o, ", ", missing, " not whole");
	for (size_t i = 0; i < nr; i++) {
		line_out__count(o, i ? ", " : ": ", reasons[i].nr, " ");
		line_out__add(o, "%s", reasons[i].name);
	}
}

u64 pipeline_account__wanted(const struct pipeline_account *a)
{
	return a->user_part[USER_PART_UNWOUND] + a->user_part[USER_PART_DEFERRED] +
	       a->user_part[USER_PART_MISSING];
}

u64 pipeline_account__whole(const struct pipeline_account *a)
{
	return a->stop[UNWIND_OUTERMOST] + a->user_part[USER_PART_DEFERRED];
}

/*
 * The same losses are counted by buffer (LOST) and by event (LOST_SAMPLES), so these are not added
 * up. The last losses of a buffer have no LOST record, and before Linux 6.0 there is only LOST.
 */
u64 pipeline_account__lost(const struct pipeline_account *a)
{
	return max_of(a->lost, a->lost_samples);
}

/* Adds the share of whole stacks, and their total unless that is the number of samples. */
static void account__add_whole(const struct pipeline_account *a, struct line_out *o)
{
	u64 whole = pipeline_account__whole(a), wanted = pipeline_account__wanted(a);

	line_out__count(o, ", ", whole, whole == 1 ? " whole user stack" : " whole user stacks");
	line_out__share(o, whole, wanted);
	if (wanted != a->samples)
		line_out__count(o, " of ", wanted, "");
	line_out__add(o, ")");
	if (wanted > whole)
		account__add_missing(a, o, wanted - whole);
}

static void account__add_others(const struct pipeline_account *a, struct line_out *o)
{
	const u64 *part = a->user_part;
	const char *before = pipeline_account__wanted(a) ? "; " : ", ";

	if (part[USER_PART_RECORDED]) {
		line_out__count(o, before, part[USER_PART_RECORDED],
				part[USER_PART_RECORDED] == 1 ? " user stack as recorded"
							  : " user stacks as recorded");
		if (a->recorded_early)
			line_out__count(o, " (", a->recorded_early,
					" end at once or outside of code)");
		before = ", ";
	}
	if (part[USER_PART_KEPT]) {
		line_out__count(o, before, part[USER_PART_KEPT], " left unstitched");
		before = ", ";
	}
	if (part[USER_PART_NONE])
		line_out__count(o, before, part[USER_PART_NONE],
				a->kernel_alone == part[USER_PART_NONE]
				? " without a user stack (kernel threads, idle CPUs)"
				: " without a user stack");
}

int pipeline_account__line(const struct pipeline_account *a, char *buf, size_t size)
{
	struct line_out o = { buf, size, 0 };

	if (size)
		buf[0] = 0;
	line_out__count(&o, "", a->samples, a->samples == 1 ? " sample" : " samples");
	if (pipeline_account__wanted(a))
		account__add_whole(a, &o);
	account__add_others(a, &o);
	line_out__records(&o, pipeline_account__lost(a), "lost");
	line_out__records(&o, a->late, "out of order");
	line_out__records(&o, a->odd, "with an impossible time");
	return o.len;
}

void pipeline_account__add_cut(struct pipeline_account *a, enum runtime runtime)
{
	if (runtime < RUNTIME_NR)
		a->cut_in_code[runtime]++;
}

static bool advice_against_frame_pointers(const struct pipeline_account *a, char *buf, size_t size)
{
	u64 all = a->user_part[USER_PART_RECORDED], early = a->recorded_early;

	if (early < ENOUGH_CUT || early * 100 < all * CUT_PERCENT)
		return false;
	snprintf(buf, size, "%" PRIu64 " %% of the user stacks end at once or outside of code: "
		 "they were recorded by frame pointers, which most programs do not keep; %s "
		 "record -g --defer records whole ones", early * 100 / all, perf__typed());
	return true;
}

static bool advice_on_copies(const struct pipeline_account *a, char *buf, size_t size)
{
	u64 cut = a->stop[UNWIND_COPY_SHORT], room = a->copies ? a->copy_room / a->copies : 0;

	if (cut < ENOUGH_CUT || cut < pipeline_account__wanted(a) / 20)
		return false;
	if (room < LARGE_COPY)
		snprintf(buf, size, "%" PRIu64 " user stacks are longer than their copies: %s "
			 "record -g --defer copies up to 64 kB of each", cut, perf__typed());
	else
		snprintf(buf, size, "%" PRIu64 " user stacks are longer than their copies, which "
			 "cannot be larger: %s record -g --defer=bpf, as root, walks stacks of "
			 "up to 8,000 functions", cut, perf__typed());
	return true;
}

bool pipeline_account__advice(const struct pipeline_account *a, char *buf, size_t size)
{
	enum runtime most = RUNTIME_OTHER + 1;
	u64 wanted = pipeline_account__wanted(a);

	if (advice_against_frame_pointers(a, buf, size) || advice_on_copies(a, buf, size))
		return true;
	for (enum runtime r = most + 1; r < RUNTIME_NR; r++)
		if (a->cut_in_code[r] > a->cut_in_code[most])
			most = r;
	if (a->cut_in_code[most] < ENOUGH_CUT || a->cut_in_code[most] < wanted / 20)
		return false;
	snprintf(buf, size, "%" PRIu64 " stacks end in code made by %s", a->cut_in_code[most],
		 runtime__advice(most));
	return true;
}
