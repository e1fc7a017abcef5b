// SPDX-License-Identifier: GPL-2.0-only
#include "thread-time.h"

/* How much of the time from @from to @to counts. */
static u64 counted(const struct thread_time *t, u64 from, u64 to)
{
	u64 sum = 0, begin, end;

	if (!t->within)
		return to - from;
	for (size_t i = 0; i < t->within->nr; i++) {
		begin = max_of(from, t->within->v[i].from);
		end = min_of(to, t->within->v[i].to);
		sum += end > begin ? end - begin : 0;
	}
	return sum;
}

/* Counts the time until @time as that of the present state, and begins @next. */
static void advance(struct thread_time *t, u64 time, u64 losses, enum thread_state next)
{
	if (!t->seen) {
		t->seen = true;
		t->began = t->since = time;
	}
	if (t->losses != losses)
		t->state = THREAD_UNKNOWN;
	if (time > t->since) {
		t->ns[t->state] += counted(t, t->since, time);
		t->on += t->state == THREAD_ON ? time - t->since : 0;
		t->since = time;
	}
	t->state = next;
	t->losses = losses;
}

/* @now.blind: who is off a CPU may also be on one from which nothing comes. */
static enum thread_state off_state(struct moment now, enum thread_state state)
{
	return now.blind ? THREAD_UNKNOWN : state;
}

static bool is_known(const struct thread_time *t, u64 losses)
{
	return t->seen && t->losses == losses && t->state != THREAD_UNKNOWN;
}

static bool is_off(const struct thread_time *t, u64 losses)
{
	return is_known(t, losses) && t->state != THREAD_ON;
}

static void forget_stretch(struct thread_time *t)
{
	t->leaving = t->wake = t->out = 0;
	t->preempted = t->woken = false;
}

/*
 * Between the two events of a leaving thread, its stack is copied: the time of the first is nearer
 * to that of the switch, as the scheduler counts it. The state is still ON.
 */
void thread_time__leaving(struct thread_time *t, struct moment now)
{
	if (is_off(t, now.losses)) /* the record of its return is missing */
		t->state = THREAD_UNKNOWN;
	advance(t, now.time, now.losses, THREAD_ON);
	forget_stretch(t);
	t->leaving = t->since;
}

void thread_time__out(struct thread_time *t, struct moment now, bool preempted)
{
	bool lost = t->losses != now.losses, left = t->leaving && !lost;
	u64 out = left ? t->leaving : now.time, wake = left ? t->wake : 0;

	if (is_off(t, now.losses))
		t->state = THREAD_UNKNOWN;
	if (!left)
		forget_stretch(t);
	/* Up to .leaving the time is counted already. */
	advance(t, out, now.losses,
		off_state(now, preempted ? THREAD_RUNNABLE : THREAD_BLOCKED));
	t->out = t->since;
	t->leaving = t->wake = 0;
	t->preempted = preempted;
	if (wake && !preempted) {
		advance(t, wake, now.losses, off_state(now, THREAD_RUNNABLE));
		t->woken = true;
	}
}

bool thread_time__wake(struct thread_time *t, struct moment now)
{
	if (!t->seen || t->losses != now.losses)
		return false;
	if (t->leaving) {
		/* It has not left yet, but nothing keeps it from being woken. */
		t->wake = t->wake ? t->wake : now.time;
		return true;
	}
	if (t->state != THREAD_BLOCKED)
		return false;
	advance(t, now.time, now.losses, THREAD_RUNNABLE);
	t->woken = true;
	return true;
}

static bool end_stretch(struct thread_time *t, u64 time, u64 losses, struct off_stretch *out)
{
	bool known = is_off(t, losses) && t->out;
	u64 from = t->since;

	if (!known)
		return false;
	*out = (struct off_stretch){
		.out = t->out, .in = time > from ? time : from,
		.preempted = t->preempted, .woken = t->woken,
	};
	/* The last part is in .state; what was before it, if any, was blocked. */
	if (t->state == THREAD_BLOCKED)
		out->blocked = out->in - out->out;
	else if (t->woken)
		out->blocked = from - out->out;
	out->runnable = out->in - out->out - out->blocked;
	return true;
}

bool thread_time__in(struct thread_time *t, struct moment now, struct off_stretch *out)
{
	bool known = end_stretch(t, now.time, now.losses, out);

	/* On a CPU, or leaving it, without the record of the switch: when did it go? */
	if (is_known(t, now.losses) && t->state == THREAD_ON)
		t->state = THREAD_UNKNOWN;
	advance(t, now.time, now.losses, THREAD_ON);
	forget_stretch(t);
	return known;
}

void thread_time__on(struct thread_time *t, struct moment now)
{
	if (is_known(t, now.losses))
		return;
	advance(t, now.time, now.losses, THREAD_ON);
	forget_stretch(t);
}

void thread_time__born(struct thread_time *t, struct moment now)
{
	if (t->seen)
		return;
	advance(t, now.time, now.losses, off_state(now, THREAD_RUNNABLE));
}

bool thread_time__end(struct thread_time *t, struct moment now, struct off_stretch *out)
{
	bool known = end_stretch(t, now.time, now.losses, out);

	if (t->seen)
		advance(t, now.time, now.losses, THREAD_UNKNOWN);
	forget_stretch(t);
	return known;
}

void thread_time__whole(struct thread_time *t, const struct off_stretch *w, u64 losses)
{
	u64 early, blocked;

	if (!t->seen)
		advance(t, w->out, losses, THREAD_ON);
	if (w->in < t->since)
		return;
	if (is_off(t, losses) && w->out < t->since) {
		/* The switch was recorded after the sample that told of it. */
		early = min_of(t->since - w->out, t->on);
		t->on -= early;
		t->since -= early;
		t->ns[THREAD_ON] -= min_of(t->ns[THREAD_ON],
					   counted(t, t->since, t->since + early));
	} else if (w->out > t->since) {
		advance(t, w->out, losses, THREAD_UNKNOWN);
	}
	blocked = min_of(w->blocked, w->in - t->since);
	t->ns[THREAD_BLOCKED] += counted(t, t->since, t->since + blocked);
	t->ns[THREAD_RUNNABLE] += counted(t, t->since + blocked, w->in);
	t->since = w->in;
	t->state = THREAD_RUNNABLE;
	t->losses = losses;
	forget_stretch(t);
}

u64 thread_time__on_cpu(const struct thread_time *t, u64 time)
{
	bool on = t->state == THREAD_ON && time > t->since;

	return t->ns[THREAD_ON] + (on ? counted(t, t->since, time) : 0);
}
