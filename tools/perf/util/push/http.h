/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * POST requests by libcurl, which is loaded when it is there: TLS and proxies are as its
 * documentation says (https_proxy, no_proxy, SSL_CERT_FILE). Redirects are followed five times, and
 * to http and https only; headers of the user go to the host of the URL alone. A request that is
 * not answered in time is given up.
 */
#ifndef PERF_PUSH_HTTP_H
#define PERF_PUSH_HTTP_H

#include "../base/error.h"

#define HTTP_TEXT_MAX 256

struct http_request {
	const char *url, *type;   /* type: of the content */
	const char *id;           /* "Idempotency-Key", the same when it is sent again */
	const char *header;       /* "Name: value", unless .headers have that name; or NULL */
	const char *const *headers; /* "Name: value"; the last is NULL; for the host of .url */
	const void *body;
	size_t size;
	u32 timeout_ms;           /* for all of it */
};

struct http_answer {
	u32 status;               /* as 200 */
	u64 retry_after_ms;       /* as the server asks; 0: it does not */
	bool stripped;            /* it comes from elsewhere, where .headers were not sent */
	char text[HTTP_TEXT_MAX]; /* how its text begins, on one line, harmless to a terminal */
};

struct http;

/*
 * Loads the library.
 * @out: for http__free()
 * Returns: 0; -ELIBACC when it is not there, or -ENOMEM, with words.
 */
int http__new(struct http **out, struct error *err);

/* @h may be NULL. */
void http__free(struct http *h);

/*
 * Sends a request, and waits for the answer.
 * @answer: filled on success
 * Returns: 0 when there is an answer, of whatever status; -EIO with words when there is none.
 */
int http__post(struct http *h, const struct http_request *r, struct http_answer *answer,
	       struct error *err);

#endif
