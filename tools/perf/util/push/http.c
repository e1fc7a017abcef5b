// SPDX-License-Identifier: GPL-2.0-only
#include "http.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../base/clock.h"
#include "../base/mem.h"
#include "../base/text.h"
#include "../io/secure-env.h"

/* The plain one, and those that Debian builds with other libraries for TLS. */
static const char *const libraries[] = { "libcurl.so.4", "libcurl-gnutls.so.4" };

#define REDIRECTS 5
#define ANSWER_MAX 65536 /* bytes; what is longer is not waited for */

/* Numbers of curl/curl.h, which do not change: libcurl keeps its binary interface. */
enum {
	OPT_WRITEDATA = 10001, OPT_URL = 10002, OPT_ERRORBUFFER = 10010, OPT_POSTFIELDS = 10015,
	OPT_HTTPHEADER = 10023, OPT_WRITEFUNCTION = 20011, OPT_NOSIGNAL = 99,
	OPT_TIMEOUT_MS = 155, OPT_PROTOCOLS = 181, OPT_POSTFIELDSIZE_LARGE = 30120,
	INFO_REDIRECT_URL = 0x10001f, INFO_RESPONSE_CODE = 0x200002, INFO_RETRY_AFTER = 0x600039,
	PROTOCOLS_HTTP_HTTPS = 1 | 2, ERROR_SIZE = 256, CODE_OK = 0, CODE_WRITE_ERROR = 23,
};

struct list;

/* curl_easy_init(3) and so on. */
struct library {
	void *object;
	int (*global_init)(long flags);
	void *(*init)(void);
	void (*cleanup)(void *easy);
	void (*reset)(void *easy);
	int (*setopt)(void *easy, int option, ...);
	int (*getinfo)(void *easy, int info, ...);
	int (*perform)(void *easy);
	const char *(*strerror)(int code);
	struct list *(*append)(struct list *l, const char *s);
	void (*free_all)(struct list *l);
};

struct http {
	struct library lib;
	void *easy;
	char error[ERROR_SIZE];
};

struct taker {
	struct http_answer *answer;
	size_t len, taken;
};

static int load(struct library *l)
{
	const struct { const char *name; void *fn; } symbols[] = {
		{ "curl_global_init", &l->global_init }, { "curl_easy_init", &l->init },
		{ "curl_easy_cleanup", &l->cleanup }, { "curl_easy_reset", &l->reset },
		{ "curl_easy_setopt", &l->setopt }, { "curl_easy_getinfo", &l->getinfo },
		{ "curl_easy_perform", &l->perform }, { "curl_easy_strerror", &l->strerror },
		{ "curl_slist_append", &l->append }, { "curl_slist_free_all", &l->free_all },
	};

	for (size_t i = 0; i < ARRAY_SIZE(libraries) && !l->object; i++)
		l->object = trusted_code__load(libraries[i], RTLD_NOW, NULL);
	if (!l->object)
		return -ELIBACC;
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		void *fn = dlsym(l->object, symbols[i].name);

		if (!fn)
			return -ELIBBAD;
		memcpy(symbols[i].fn, &fn, sizeof(fn));
	}
	return l->global_init(3 /* CURL_GLOBAL_ALL */) ? -ELIBBAD : 0;
}

int http__new(struct http **out, struct error *err)
{
	struct http *h = *out = xzalloc(sizeof(*h));
	int ret = load(&h->lib);

	if (ret)
		return error__set(err, ret, "profiles are sent with libcurl, which %s: install "
					    "libcurl4 (Debian), libcurl (Fedora) or curl (Arch)",
				  ret == -ELIBACC ? "is not there" : "does not work");
	h->easy = h->lib.init();
	return h->easy ? 0 : error__set(err, -ENOMEM, "libcurl cannot be initialized");
}

/* The library stays: threads of it may outlive its handles. */
void http__free(struct http *h)
{
	if (!h)
		return;
	if (h->easy)
		h->lib.cleanup(h->easy);
	free(h);
}

/* Anything but the number of bytes ends the transfer. */
static size_t take_text(char *data, size_t size, size_t nr, void *ctx)
{
	struct taker *t = ctx;
	size_t room = sizeof(t->answer->text) - 1 - t->len, n = min_of(size * nr, room);

	memcpy(t->answer->text + t->len, data, n);
	t->len += n;
	t->taken += size * nr;
	return t->taken > ANSWER_MAX ? 0 : size * nr;
}

/* Makes one harmless line of it. */
static void clean_text(struct http_answer *a, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!a->text[i] || isspace((unsigned char)a->text[i]))
			a->text[i] = ' ';
	while (len && a->text[len - 1] == ' ')
		len--;
	a->text[len] = '\0';
	text__disarm(a->text, len);
}

static void set_options(struct http *h, const struct http_request *r, struct list *headers,
			struct taker *t)
{
	const struct library *l = &h->lib;
	void *e = h->easy;

	l->reset(e);
	l->setopt(e, OPT_URL, r->url);
	l->setopt(e, OPT_POSTFIELDSIZE_LARGE, (long long)r->size);
	l->setopt(e, OPT_POSTFIELDS, r->body);
	l->setopt(e, OPT_HTTPHEADER, headers);
	l->setopt(e, OPT_WRITEFUNCTION, take_text);
	l->setopt(e, OPT_WRITEDATA, t);
	l->setopt(e, OPT_ERRORBUFFER, h->error);
	l->setopt(e, OPT_NOSIGNAL, 1L);
	l->setopt(e, OPT_TIMEOUT_MS, (long)r->timeout_ms);
	l->setopt(e, OPT_PROTOCOLS, (long)PROTOCOLS_HTTP_HTTPS);
}

/* Returns whether one of @headers has the name of @header. */
static bool has_header(const char *const *headers, const char *header)
{
	size_t len = strcspn(header, ":") + 1;

	for (; headers && *headers; headers++)
		if (!strncasecmp(*headers, header, len))
			return true;
	return false;
}

/* "Expect" would wait a second for servers that do not know it. */
static struct list *make_headers(struct http *h, const struct http_request *r)
{
	struct list *headers = h->lib.append(NULL, "Expect:");
	char *type = xasprintf("Content-Type: %s", r->type);
	char *id = xasprintf("Idempotency-Key: %s", r->id);

	headers = h->lib.append(headers, type);
	headers = h->lib.append(headers, id);
	if (r->header && !has_header(r->headers, r->header))
		headers = h->lib.append(headers, r->header);
	for (const char *const *s = r->headers; s && *s; s++)
		headers = h->lib.append(headers, *s);
	free(type);
	free(id);
	return headers;
}

/* Sends it to one URL. @to: out: where the answer redirects to, the caller's; NULL: nowhere */
static int post_once(struct http *h, const struct http_request *r, struct http_answer *answer,
		     char **to, struct error *err)
{
	struct taker taker = { .answer = answer };
	struct list *headers = make_headers(h, r);
	const char *redirect = NULL;
	long long seconds = 0;
	long status = 0;
	int code;

	h->error[0] = '\0';
	set_options(h, r, headers, &taker);
	code = h->lib.perform(h->easy);
	h->lib.getinfo(h->easy, INFO_RESPONSE_CODE, &status);
	h->lib.getinfo(h->easy, INFO_REDIRECT_URL, &redirect);
	if (h->lib.getinfo(h->easy, INFO_RETRY_AFTER, &seconds) == CODE_OK && seconds > 0)
		answer->retry_after_ms = min_of(seconds, 86400LL) * 1000;
	*to = redirect ? xstrdup(redirect) : NULL;
	h->lib.free_all(headers);
	clean_text(answer, taker.len);
	answer->status = status;
	if (code == CODE_OK || (code == CODE_WRITE_ERROR && taker.taken > ANSWER_MAX))
		return 0;
	return error__set(err, -EIO, "%s", *h->error ? h->error : h->lib.strerror(code));
}

/* "https://host:port" at the beginning of a URL: how long it is */
static size_t origin_len(const char *url)
{
	const char *host = strstr(url, "://");

	return host ? host + 3 - url + strcspn(host + 3, "/?#") : 0;
}

/* Whether two URLs have the same scheme, host and port. */
static bool is_same_origin(const char *a, const char *b)
{
	size_t len = origin_len(a);

	return len && len == origin_len(b) && !strncasecmp(a, b, len);
}

/*
 * Redirects are followed here, as libcurl would send the headers of the user, which are secrets,
 * to any host; it keeps only "Authorization" and "Cookie" back.
 */
int http__post(struct http *h, const struct http_request *request, struct http_answer *answer,
	       struct error *err)
{
	u64 end = clock__now(CLOCK_MONOTONIC) + request->timeout_ms * NSEC_PER_MSEC, now;
	struct http_request r = *request;
	char *at = xstrdup(r.url), *to;
	bool stripped = false;
	int ret;

	for (u32 left = REDIRECTS;; left--) {
		r.url = at;
		*answer = (struct http_answer){ .stripped = stripped };
		ret = post_once(h, &r, answer, &to, err);
		if (ret || !to)
			break;
		now = clock__now(CLOCK_MONOTONIC);
		if (!left || now + NSEC_PER_MSEC > end) {
			ret = error__set(err, -EIO, left ? "timed out in redirects" :
					 "more than %d redirects", REDIRECTS);
			break;
		}
		r.timeout_ms = (end - now) / NSEC_PER_MSEC;
		if (r.headers && !is_same_origin(request->url, to)) {
			stripped = *r.headers;
			r.headers = NULL;
		}
		free(at);
		at = to;
	}
	free(to);
	free(at);
	return ret;
}
