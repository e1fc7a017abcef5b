// SPDX-License-Identifier: GPL-2.0-only
#include "sender.h"

#include <stdlib.h>
#include <string.h>

#include "../base/clock.h"
#include "http.h"
#include "split.h"

#define FIRST_WAIT_MS 250
#define LAST_WAIT_MS 60000
#define HALVE_MIN 1024        /* bytes of a profile: no store means it that has no room for less */

/* What becomes of a profile. */
enum verdict {
	SENT,
	REFUSED,  /* it will never be taken */
	LARGE,    /* the same, but a half of it may be */
	LATER,    /* it may be taken when it is offered again */
	STOP,     /* something is wrong with the request, not with the profile */
};

struct sender {
	const struct sender_opts *opts;
	struct spool *spool;
	struct sender_account *account;
	struct http *http;
	struct http_answer answer; /* the last one */
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
	return status >= 500 ? LATER : STOP;
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

/* Sends it once. @retry_after: out: ms; -errno with words for LATER and STOP */
static enum verdict send_once(struct sender *s, const struct spool_entry *e, const void *data,
			      u64 *retry_after, struct error *err)
{
	struct store_profile p = {
		.name = e->name, .id = e->id, .from = e->from, .until = e->until,
		.data = data, .size = e->size,
	};
	struct http_request r = {
		.type = store__type(s->opts->kind), .id = e->id, .headers = s->opts->headers,
		.body = data, .size = e->size, .timeout_ms = s->opts->timeout_ms,
	};
	struct http_answer *a = &s->answer;
	enum verdict v = LATER;
	struct textbuf body;
	char *url;

	textbuf__init(&body, -1);
	if (store__request(s->opts->kind, s->opts->url, &p, s->opts->labels, s->opts->nr_labels,
			   &url, &body)) {
		r.body = body.buf;
		r.size = body.len;
	}
	r.url = url;
	if (!http__post(s->http, &r, a, err)) {
		v = judge(a->status);
		if (v == LATER || v == STOP)
			error__set(err, -EIO, "status %u%s%s%s", a->status, *a->text ? ", " : "",
				   a->text, !a->stripped ? "" : " (redirected to another host, to "
								"which the headers and tokens are "
								"not sent)");
		else if (v == SENT && s->opts->kind == STORE_OTLP && *a->text && *a->text != '{')
			tell_answer(s, "accepted a profile, with a message");
	}
	*retry_after = a->retry_after_ms;
	textbuf__free(&body);
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

/* Sends it until something else than LATER comes of it, or there is no time left. */
static enum verdict offer(struct sender *s, const struct spool_entry *e, const void *data,
			  struct error *err)
{
	u64 retry_after;
	enum verdict v;

	do {
		err->code = 0;
		v = send_once(s, e, data, &retry_after, err);
	} while (v == LATER && wait_some(s, retry_after));
	return v;
}

/* Returns whether halves of it are in the spool in its place. */
static bool halve(struct sender *s, const struct spool_entry *e, const void *data)
{
	struct textbuf t[2];
	bool halved;

	if (e->size < HALVE_MIN)
		return false;
	textbuf__init(&t[0], -1);
	textbuf__init(&t[1], -1);
	halved = profile__split(e->format, data, e->size, t) &&
		 !spool__halve(s->spool, e, (const struct bytes[]){
			 { (const u8 *)t[0].buf, t[0].len }, { (const u8 *)t[1].buf, t[1].len },
		 });
	textbuf__free(&t[0]);
	textbuf__free(&t[1]);
	s->account->nr_halved += halved;
	s->account->nr_left += halved;
	return halved;
}

/* The store has it, or will never take it. */
static int finish_entry(struct sender *s, const struct spool_entry *e, bool sent,
			struct error *err)
{
	int ret = sent ? spool__remove(s->spool, e) : spool__refuse(s->spool, e);

	if (!sent)
		tell_answer(s, "does not accept a profile");
	if (ret)
		return error__set(err, ret, "cannot remove '%s', which was sent: %s", e->file,
				  strerror(-ret));
	s->wait_ms = FIRST_WAIT_MS;
	s->account->nr_sent += sent;
	s->account->nr_refused += !sent;
	s->account->bytes += sent ? e->size : 0;
	s->account->nr_left--;
	return 0;
}

static int send_entry(struct sender *s, struct spool_entry *e, struct error *err)
{
	enum verdict v;
	bool halved;
	void *data;
	int ret = spool__read(s->spool, e, &data);

	if (ret)
		return error__set(err, ret, "cannot read '%s': %s", e->file, strerror(-ret));
	v = offer(s, e, data, err);
	halved = v == LARGE && halve(s, e, data);
	free(data);
	if (v == LATER || v == STOP)
		return err->code;
	return halved ? 0 : finish_entry(s, e, v == SENT, err);
}

static bool is_for_store(const struct sender *s, const struct spool_entry *e)
{
	return !strcmp(e->format, store__format(s->opts->kind));
}

static int send_all(struct sender *s, struct error *err)
{
	struct spool *spool = s->spool;
	int ret = 0;

	for (size_t i = 0; i < spool->entries.nr; i++) {
		s->account->nr_left += !spool->entries.v[i].refused;
		s->account->nr_other += !spool->entries.v[i].refused &&
					!is_for_store(s, &spool->entries.v[i]);
	}
	for (size_t i = 0; !ret && i < spool->entries.nr; i++) { /* halves are added meanwhile */
		struct spool_entry e = spool->entries.v[i];

		if (!e.refused && is_for_store(s, &e))
			ret = send_entry(s, &e, err);
	}
	return ret;
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
	http__free(s.http);
	return ret;
}
