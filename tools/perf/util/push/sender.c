// SPDX-License-Identifier: GPL-2.0-only
#include "sender.h"

#include <stdlib.h>
#include <string.h>

#include "../base/clock.h"
#include "http.h"
#include "labels.h"
#include "split.h"

#define FIRST_WAIT_MS 250
#define LAST_WAIT_MS 60000
#define HALVE_MIN 1024        /* bytes of a profile: no store means it that has no room for less */
#define STUCK 2               /* profiles in a row that are not taken, before the newest is tried */

/* What becomes of a profile. */
enum verdict {
	SENT,     /* or is there in halves, which follow */
	REFUSED,  /* it will never be taken, or none will */
	LARGE,    /* the same, but a half of it may be */
	FAILS,    /* it, or the store: others may be taken */
	LATER,    /* it may be taken when it is offered again, and others no sooner */
	STOP,     /* something is wrong with the request, not with the profile */
};

enum state { WAITS, DONE, IS_REFUSED, HAS_FAILED };

struct sender {
	const struct sender_opts *opts;
	struct spool *spool;
	struct sender_account *account;
	struct http *http;
	VEC(u8) states;           /* of the spool's entries: enum state */
	struct http_answer answer, refusal; /* the last one; the last that refused a profile */
	u64 retry_after;          /* of the last one, ms */
	u64 deadline;             /* ns of CLOCK_MONOTONIC */
	u64 wait_ms;              /* after the next failure */
};

static enum verdict judge(u32 status)
{
	if (status >= 200 && status < 300)
		return SENT;
	switch (status) {
	case 413:
		return LARGE;
	case 400: /* not understood, wrong type, not sensible */
	case 415:
	case 422:
		return REFUSED;
	case 408:
	case 425:
	case 429:
		return LATER;
	}
	return status >= 500 ? FAILS : STOP;
}

static void tell(const struct sender *s, const char *text)
{
	if (s->opts->tell)
		s->opts->tell(s->opts->ctx, text);
}

static void tell_answer(const struct sender *s, const char *what)
{
	const struct http_answer *a = &s->answer;
	char *text = xasprintf("the store %s: status %u%s%s", what, a->status,
			       *a->text ? ", " : "", a->text);

	tell(s, text);
	free(text);
}

/* What the store has answered, if it has not taken a profile. */
static enum verdict take_answer(struct sender *s, struct error *err)
{
	const struct http_answer *a = &s->answer;
	enum verdict v = judge(a->status);

	if (v == FAILS && a->retry_after_ms)
		v = LATER; /* it speaks of itself */
	if (v == REFUSED)
		s->refusal = *a;
	if (v == FAILS || v == LATER || v == STOP)
		error__set(err, -EIO, "status %u%s%s%s", a->status, *a->text ? ", " : "", a->text,
			   !a->stripped ? "" : " (redirected to another host, to which the "
					       "headers and tokens are not sent)");
	else if (v == SENT && s->opts->kind == STORE_OTLP && *a->text && *a->text != '{')
		tell_answer(s, "accepted a profile, with a message");
	return v;
}

/* Sends it once. @err: words for FAILS, LATER and STOP */
static enum verdict send_once(struct sender *s, const struct spool_entry *e,
			      const struct spool_profile *profile, struct error *err)
{
	struct push_labels labels;
	struct store_profile p = {
		.name = e->name, .id = e->id, .from = e->from, .until = e->until,
		.data = profile->data.data, .size = profile->data.len,
	};
	struct http_request r = {
		.type = store__type(s->opts->kind), .id = e->id, .headers = s->opts->headers,
		.header = store__header(s->opts->kind), .body = p.data, .size = p.size,
		.timeout_ms = s->opts->timeout_ms,
	};
	enum verdict v = LATER;
	struct textbuf body;
	char *url;

	push_labels__parse(&labels, profile->labels, e->file, err); /* as far as they are good */
	p.labels = labels.v;
	p.nr_labels = labels.nr;
	textbuf__init(&body, -1);
	if (store__request(s->opts->kind, s->opts->url, &p, &url, &body)) {
		r.body = body.buf;
		r.size = body.len;
	}
	r.url = url;
	err->code = 0;
	if (!http__post(s->http, &r, &s->answer, err))
		v = take_answer(s, err);
	s->retry_after = s->answer.retry_after_ms;
	textbuf__free(&body);
	push_labels__free(&labels);
	free(url);
	return v;
}

/* Returns whether there was time to wait. @asked: as long as the store asks for, ms */
static bool wait_some(struct sender *s, u64 asked)
{
	u64 wait_ns = max_of(s->wait_ms, asked) * NSEC_PER_MSEC;
	struct timespec time = clock__timespec(wait_ns);

	if (clock__now(CLOCK_MONOTONIC) + wait_ns > s->deadline)
		return false;
	nanosleep(&time, NULL);
	s->wait_ms = min_of(s->wait_ms * 2, (u64)LAST_WAIT_MS);
	return true;
}

/* Returns whether halves of it are in the spool in its place. */
static bool halve(struct sender *s, const struct spool_entry *e, const struct spool_profile *p)
{
	struct textbuf t[2];
	bool halved;

	if (p->data.len < HALVE_MIN)
		return false;
	textbuf__init(&t[0], -1);
	textbuf__init(&t[1], -1);
	halved = profile__split(e->format, p->data.data, p->data.len, t) &&
		 !spool__halve(s->spool, e, p->labels, (const struct bytes[]){
			 { (const u8 *)t[0].buf, t[0].len }, { (const u8 *)t[1].buf, t[1].len },
		 });
	textbuf__free(&t[0]);
	textbuf__free(&t[1]);
	s->account->nr_halved += halved;
	s->account->nr_left += halved;
	return halved;
}

/* It is sent, or set aside. @ret: of the spool */
static int finish_entry(struct sender *s, const struct spool_entry *e, bool sent, int ret,
			struct error *err)
{
	if (ret)
		return error__set(err, ret, "cannot remove '%s', which was sent: %s", e->file,
				  strerror(-ret));
	s->account->nr_sent += sent;
	s->account->nr_refused += !sent;
	s->account->bytes += sent ? e->size : 0;
	s->account->nr_left--;
	return 0;
}

/* The state that a profile has then. */
static enum state state_after(enum verdict v)
{
	switch (v) {
	case SENT: case LARGE:
		return DONE;
	case REFUSED:
		return IS_REFUSED;
	case FAILS:
		return HAS_FAILED;
	case LATER: case STOP:
		break;
	}
	return WAITS;
}

/* Sends entry @i once. Returns what becomes of it; -errno with words when the run must end. */
static int offer(struct sender *s, size_t i, struct error *err)
{
	const struct spool_entry e = s->spool->entries.v[i]; /* halves are added to these */
	struct spool_profile p;
	enum verdict v;
	bool halved;
	int ret = spool__read(s->spool, &e, &p);

	if (ret)
		return error__set(err, ret, "cannot read '%s': %s", e.file, strerror(-ret));
	v = send_once(s, &e, &p, err);
	halved = v == LARGE && halve(s, &e, &p);
	spool_profile__free(&p);
	s->states.v[i] = state_after(v);
	if (v == SENT) {
		s->wait_ms = FIRST_WAIT_MS;
		ret = finish_entry(s, &e, true, spool__remove(s->spool, &e), err);
	} else if (v == LARGE && !halved) {
		tell_answer(s, "does not accept a profile");
		ret = finish_entry(s, &e, false, spool__refuse(s->spool, &e), err);
	}
	return ret ?: v == LARGE ? SENT : (int)v;
}

static bool is_for_store(const struct sender *s, const struct spool_entry *e)
{
	return !strcmp(e->format, store__format(s->opts->kind));
}

/* Returns whether entry @i is to be offered. */
static bool waits(struct sender *s, size_t i)
{
	const struct spool_entry *e = &s->spool->entries.v[i];

	while (s->states.nr <= i)
		*vec__push(&s->states) = WAITS;
	return s->states.v[i] == WAITS && !e->refused && is_for_store(s, e);
}

/* Offers the newest of those behind entry @i. @v: the verdict of the last, if there is none. */
static int offer_newest(struct sender *s, size_t i, int v, struct error *err)
{
	for (size_t j = s->spool->entries.nr - 1; j > i; j--)
		if (waits(s, j))
			return offer(s, j, err);
	return v;
}

/*
 * Offers each once, as long as that makes sense.
 * Returns SENT when all were offered, what has ended it, or -errno.
 */
static int offer_all(struct sender *s, struct error *err)
{
	u32 in_row = 0;
	int v;

	for (size_t i = 0; i < s->spool->entries.nr; i++) { /* halves are added meanwhile */
		if (!waits(s, i))
			continue;
		v = offer(s, i, err);
		in_row = v == SENT ? 0 : in_row + 1;
		if (in_row == STUCK && (v == REFUSED || v == FAILS)) {
			v = offer_newest(s, i, v, err);
			in_row = v == SENT ? 0 : in_row;
		}
		if (v < 0 || v == LATER || v == STOP || in_row == STUCK)
			return v;
	}
	return SENT;
}

static u32 count_states(const struct sender *s, enum state state)
{
	u32 nr = 0;

	for (size_t i = 0; i < s->states.nr; i++)
		nr += s->states.v[i] == state;
	return nr;
}

/* Those that failed are to be offered again. */
static void wake_failed(struct sender *s)
{
	for (size_t i = 0; i < s->states.nr; i++)
		if (s->states.v[i] == HAS_FAILED)
			s->states.v[i] = WAITS;
}

/* The store takes profiles, but not these. */
static int set_aside(struct sender *s, struct error *err)
{
	int ret = 0;

	for (size_t i = 0; i < s->states.nr && ret >= 0; i++) {
		const struct spool_entry *e = &s->spool->entries.v[i];

		if (s->states.v[i] != HAS_FAILED && s->states.v[i] != IS_REFUSED)
			continue;
		ret = s->states.v[i] == HAS_FAILED ? spool__fail(s->spool, e) :
		      spool__refuse(s->spool, e) ?: 1;
		if (ret)
			ret = finish_entry(s, e, false, min_of(ret, 0), err);
		else
			s->account->nr_failed++;
	}
	return min_of(ret, 0);
}

/* The store takes none of what it was offered: it may be at fault. */
static int keep_refused(const struct sender *s, struct error *err)
{
	const struct http_answer *a = &s->refusal;
	u32 nr = count_states(s, IS_REFUSED);

	if (nr > 1)
		return error__set(err, -EPROTO, "it refuses all profiles that were offered, %u: "
				  "status %u%s%s: perf keeps them, and the others, for the next "
				  "run", nr, a->status, *a->text ? ", " : "", a->text);
	return error__set(err, -EPROTO, "it refuses the profile: status %u%s%s: perf keeps it "
			  "until the store accepts or refuses others", a->status,
			  *a->text ? ", " : "", a->text);
}

static int send_all(struct sender *s, struct error *err)
{
	struct spool *spool = s->spool;
	struct error failure = {};
	bool again;
	int v;

	for (size_t i = 0; i < spool->entries.nr; i++) {
		s->account->nr_left += !spool->entries.v[i].refused;
		s->account->nr_other += !spool->entries.v[i].refused &&
					!is_for_store(s, &spool->entries.v[i]);
	}
	do {
		wake_failed(s);
		v = offer_all(s, err);
		if (err->code)
			failure = *err;
		again = v == LATER || (v >= 0 && v != STOP && count_states(s, HAS_FAILED));
	} while (again && wait_some(s, s->retry_after));
	if (v == SENT && s->account->nr_sent)
		v = set_aside(s, err);
	else if (v == REFUSED || (v == SENT && count_states(s, IS_REFUSED)))
		return keep_refused(s, err);
	if (v < 0)
		return v;
	err->code = 0;
	return v == SENT && !count_states(s, HAS_FAILED) ? 0 :
	       error__set(err, failure.code, "%s", failure.text);
}

int sender__run(struct spool *spool, const struct sender_opts *opts, struct sender_account *a,
		struct error *err)
{
	struct sender s = {
		.opts = opts, .spool = spool, .account = a, .wait_ms = FIRST_WAIT_MS,
		.deadline = clock__now(CLOCK_MONOTONIC) + opts->retry_ms * NSEC_PER_MSEC,
	};
	int ret;

	*a = (struct sender_account){};
	ret = spool__list(spool);
	if (ret)
		return error__set(err, ret, "cannot read the spool: %s", strerror(-ret));
	ret = http__new(&s.http, err);
	if (!ret)
		ret = send_all(&s, err);
	vec__free(&s.states);
	http__free(s.http);
	return ret;
}
