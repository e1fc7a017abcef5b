// SPDX-License-Identifier: GPL-2.0-only
#include "spool.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/hash-bytes.h"
#include "../io/mapfile.h"
#include "../io/private-dir.h"

#define LOCK ".lock"
#define REFUSED ".refused"
#define FAILED ".failed" /* and a digit */
#define LABELS "labels " /* and what they are: no profile begins so */
#define HALF "half-"
#define HALF_PREFIX (sizeof(HALF) - 1 + SPOOL_ID + 1) /* "half-ID-" */

static int open_dir(struct spool *s, const char *path, struct error *err)
{
	char *parent = xstrdup(path);
	char *end = parent + strlen(parent), *slash;

	while (end > parent + 1 && end[-1] == '/')
		*--end = '\0';
	slash = strrchr(parent, '/');
	if (slash)
		*slash = '\0';
	s->dir = private_dir__open(!slash ? "." : slash == parent ? "/" : parent,
				   slash ? slash + 1 : parent, err);
	free(parent);
	return min_of(s->dir, 0);
}

int spool__open(struct spool *s, const char *path, struct error *err)
{
	int ret;

	*s = (struct spool){ .dir = -1, .lock = -1 };
	ret = open_dir(s, path, err);
	if (ret)
		return ret;
	s->lock = private_dir__lock(s->dir, LOCK);
	if (s->lock < 0)
		return error__set(err, s->lock, "cannot lock '%s': %s", path, strerror(-s->lock));
	/* Of who was killed while it wrote a profile: that would not count for its size. */
	private_dir__remove_unfinished(s->dir, LOCK);
	return 0;
}

void spool__close(struct spool *s)
{
	if (s->lock >= 0)
		close(s->lock);
	if (s->dir >= 0)
		close(s->dir);
	vec__free(&s->entries);
}

static void clean_name(char *to, const char *name)
{
	size_t i;

	for (i = 0; name[i] && i < SPOOL_NAME_MAX; i++)
		to[i] = isalnum((unsigned char)name[i]) || strchr("._-", name[i]) ? name[i] : '_';
	to[i] = '\0';
}

/* What was put there must survive a machine that loses power, before its recording is removed. */
static int sync_file(struct spool *s, const char *file)
{
	int fd = private_dir__load(s->dir, file), ret;

	if (fd < 0)
		return fd;
	ret = fsync(fd) || fsync(s->dir) ? -errno : 0;
	close(fd);
	return ret;
}

/* @file: out: the name of the file of a profile, 256 bytes */
static void name_file(char *file, const char *name, const char *format, u64 from, u64 until,
		      struct bytes data)
{
	char clean[SPOOL_NAME_MAX + 1];

	clean_name(clean, name);
	snprintf(file, 256, "%020llu-%020llu-%016llx%016llx-%s.%s", (unsigned long long)from,
		 (unsigned long long)until,
		 (unsigned long long)stable_hash_bytes(data.data, data.len),
		 (unsigned long long)hash_bytes_with(1, data.data, data.len),
		 *clean ? clean : "perf", format);
}

/* Returns: what a file holds: in memory of the caller's. */
static struct bytes with_labels(const char *labels, struct bytes profile)
{
	size_t len = strlen(LABELS) + strlen(labels) + 1;
	char *text = xmalloc(len + profile.len + 1);

	snprintf(text, len + 1, LABELS "%s\n", labels);
	if (profile.len)
		memcpy(text + len, profile.data, profile.len);
	return (struct bytes){ (const u8 *)text, len + profile.len };
}

static int save(struct spool *s, const char *file, struct bytes data)
{
	return private_dir__save(s->dir, file, data.data, data.len) ?: sync_file(s, file);
}

static int add(struct spool *s, const char *name, const char *format, u64 from, u64 until,
	       struct bytes data, struct error *err)
{
	char file[256];
	int ret;

	name_file(file, name, format, from, until, data);
	ret = save(s, file, data);
	free((void *)data.data);
	return ret ? error__set(err, ret, "cannot keep a profile on disk: %s", strerror(-ret)) : 0;
}

int spool__add_file(struct spool *s, const char *name, const char *format, const char *labels,
		    u64 from, u64 until, const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;
	struct mapfile m = {};

	ret = fd < 0 ? -errno : mapfile__map(&m, fd);
	if (fd >= 0)
		close(fd);
	if (ret)
		return error__set(err, ret, "cannot read '%s': %s", path, strerror(-ret));
	ret = add(s, name, format, from, until,
		  with_labels(labels, (struct bytes){ m.data, m.size }), err);
	mapfile__unmap(&m);
	return ret;
}

/* Takes ".refused" and ".failedN" off the end of the @len bytes of @file. Returns what is left. */
static size_t parse_end(struct spool_entry *e, const char *file, size_t len)
{
	size_t refused = strlen(REFUSED), failed = strlen(FAILED) + 1;

	e->refused = len > refused && !memcmp(file + len - refused, REFUSED, refused);
	if (e->refused)
		len -= refused;
	if (len > failed && !memcmp(file + len - failed, FAILED, failed - 1) &&
	    isdigit((unsigned char)file[len - 1])) {
		e->nr_failed = file[len - 1] - '0';
		len -= failed;
	}
	return len;
}

/* Returns whether @file is the name of a profile. */
static bool parse_name(struct spool_entry *e, const char *file)
{
	size_t len = strlen(file);
	unsigned long long from, until;
	int at = 0;
	char *dot;

	if (len >= sizeof(e->file))
		return false;
	memcpy(e->file, file, len + 1);
	len = parse_end(e, file, len);
	if (sscanf(file, "%20llu-%20llu-%32[0-9a-f]-%n", &from, &until, e->id, &at) != 3 || !at ||
	    strlen(e->id) != SPOOL_ID || (size_t)at > len || len - at > SPOOL_NAME_MAX)
		return false;
	snprintf(e->name, sizeof(e->name), "%.*s", (int)(len - at), file + at);
	dot = strrchr(e->name, '.');
	if (!dot || dot == e->name || strlen(dot + 1) >= sizeof(e->format))
		return false;
	memcpy(e->format, dot + 1, strlen(dot));
	*dot = '\0';
	e->from = from;
	e->until = until;
	return true;
}

static int take_file(void *ctx, const char *file, const struct stat *st)
{
	struct spool *s = ctx;
	struct spool_entry e = { .size = st->st_size };

	if (parse_name(&e, file))
		*vec__push(&s->entries) = e;
	return 0;
}

static bool is_half(const char *file)
{
	return !strncmp(file, HALF, strlen(HALF)) && strlen(file) > HALF_PREFIX;
}

static int take_half(void *ctx, const char *file, const struct stat *st __unused_arg)
{
	struct spool *s = ctx;

	if (is_half(file))
		*vec__push(&s->halves) = xstrdup(file);
	return 0;
}

static bool has_id(const struct spool *s, const char *id)
{
	for (size_t i = 0; i < s->entries.nr; i++)
		if (!strncmp(s->entries.v[i].id, id, SPOOL_ID))
			return true;
	return false;
}

/*
 * What a sender has left that died while it halved a profile: halves of one that is there are made
 * again, and the others replace it.
 */
static void settle_halves(struct spool *s)
{
	private_dir__for_each(s->dir, take_half, s);
	for (size_t i = 0; i < s->halves.nr; i++) {
		const char *file = s->halves.v[i];

		if (has_id(s, file + strlen(HALF)))
			private_dir__remove(s->dir, file);
		else
			private_dir__rename(s->dir, file, file + HALF_PREFIX);
		free(s->halves.v[i]);
	}
	vec__free(&s->halves);
}

static int by_file(const void *a, const void *b)
{
	const struct spool_entry *x = a, *y = b;

	return strcmp(x->file, y->file);
}

static int list(struct spool *s)
{
	s->entries.nr = 0;
	return private_dir__for_each(s->dir, take_file, s);
}

int spool__list(struct spool *s)
{
	int ret = list(s);

	settle_halves(s);
	ret = ret ?: list(s);
	if (s->entries.nr)
		qsort(s->entries.v, s->entries.nr, sizeof(*s->entries.v), by_file);
	return ret;
}

static int read_all(int fd, void *data, size_t size)
{
	size_t at = 0;

	while (at < size) {
		ssize_t n = read(fd, (u8 *)data + at, size - at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		at += n;
	}
	return 0;
}

/* Before labels were kept, a file had the profile alone. */
static void take_labels(struct spool_profile *p, size_t size)
{
	char *labels = p->text + strlen(LABELS);
	char *end = !strncmp(p->text, LABELS, strlen(LABELS)) ?
		    memchr(labels, '\n', size - strlen(LABELS)) : NULL;

	p->labels = "";
	p->data = (struct bytes){ (const u8 *)p->text, size };
	if (!end)
		return;
	*end = '\0';
	p->labels = labels;
	p->data.data = (const u8 *)end + 1;
	p->data.len = size - (end + 1 - p->text);
}

int spool__read(struct spool *s, const struct spool_entry *e, struct spool_profile *p)
{
	int fd = private_dir__load(s->dir, e->file), ret;

	if (fd < 0)
		return fd;
	p->text = xmalloc(e->size + 1);
	ret = read_all(fd, p->text, e->size);
	close(fd);
	p->text[e->size] = '\0';
	if (ret)
		spool_profile__free(p);
	else
		take_labels(p, e->size);
	return ret;
}

void spool_profile__free(struct spool_profile *p)
{
	free(p->text);
}

int spool__remove(struct spool *s, const struct spool_entry *e)
{
	return private_dir__remove(s->dir, e->file);
}

int spool__halve(struct spool *s, const struct spool_entry *e, const char *labels,
		 const struct bytes halves[2])
{
	char file[256], *names[2];
	size_t sizes[2];
	struct spool_entry half;
	int ret = 0;

	for (u32 i = 0; i < 2; i++) {
		struct bytes data = with_labels(labels, halves[i]);

		sizes[i] = data.len;
		name_file(file, e->name, e->format, e->from, e->until, data);
		names[i] = xasprintf(HALF "%s-%s", e->id, file);
		ret = ret ?: save(s, names[i], data);
		free((void *)data.data);
	}
	ret = ret ?: spool__remove(s, e);
	for (u32 i = 0; i < 2; i++) {
		half = (struct spool_entry){ .size = sizes[i] };
		if (!ret && !private_dir__rename(s->dir, names[i], names[i] + HALF_PREFIX) &&
		    parse_name(&half, names[i] + HALF_PREFIX))
			*vec__push(&s->entries) = half;
		free(names[i]);
	}
	return ret;
}

static int rename_with(struct spool *s, const struct spool_entry *e, const char *end, u32 nr)
{
	int len = strlen(e->file) - (e->nr_failed ? strlen(FAILED) + 1 : 0), ret;
	char *to = nr ? xasprintf("%.*s%s%u", len, e->file, end, nr) :
		   xasprintf("%.*s%s", len, e->file, end);

	ret = private_dir__rename(s->dir, e->file, to);
	free(to);
	return ret;
}

int spool__refuse(struct spool *s, const struct spool_entry *e)
{
	return rename_with(s, e, REFUSED, 0);
}

int spool__fail(struct spool *s, const struct spool_entry *e)
{
	if (e->nr_failed + 1 >= SPOOL_FAILED_MAX)
		return spool__refuse(s, e) ?: 1;
	return rename_with(s, e, FAILED, e->nr_failed + 1);
}

/* Removes entries, the oldest first, until *@size is not above @max. Returns how many. */
static u32 remove_some(struct spool *s, bool refused, u64 max, u64 *size)
{
	u32 nr = 0;

	for (size_t i = 0; i < s->entries.nr && *size > max; i++) {
		const struct spool_entry *e = &s->entries.v[i];

		if (e->refused != refused || spool__remove(s, e))
			continue;
		*size -= e->size;
		nr++;
	}
	return nr;
}

u32 spool__shrink(struct spool *s, u64 max, u32 *unsent)
{
	u64 size = 0;
	u32 nr;

	*unsent = 0;
	if (spool__list(s))
		return 0;
	for (size_t i = 0; i < s->entries.nr; i++)
		size += s->entries.v[i].size;
	nr = remove_some(s, true, max, &size);
	*unsent = remove_some(s, false, max, &size);
	return nr + *unsent;
}
