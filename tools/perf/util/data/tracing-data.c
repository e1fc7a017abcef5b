// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bytes-out.h"
#include "tracing-data.h"

static const u8 head[] = "\x17\x08\x44" "tracing" "0.6"; /* with the NUL that ends the version */

/* Appends a file of tracefs, whose size is only known by reading it. 0 or -errno. */
static int put_file(struct bytes_out *out, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret = 0;
	ssize_t n;

	if (fd < 0)
		return -errno;
	for (;;) {
		vec__reserve(&out->buf, out->buf.nr + 16384);
		n = read(fd, out->buf.v + out->buf.nr, 16384);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		out->buf.nr += n;
	}
	if (n < 0)
		ret = -errno;
	close(fd);
	return ret;
}

/* A size of @width bytes, then the file; a file that is not there is empty if @optional. */
static int put_sized(struct bytes_out *out, const char *dir, const char *name, size_t width,
		     bool optional, struct error *err)
{
	char *path = xasprintf("%s/%s", dir, name);
	size_t at = out->buf.nr;
	u64 size;
	int ret;

	bytes_out__zeros(out, width);
	ret = put_file(out, path);
	if (ret && optional) {
		out->buf.nr = at + width;
		ret = 0;
	} else if (ret) {
		error__set(err, ret, "cannot read %s: %s", path, strerror(-ret));
	}
	free(path);
	size = out->buf.nr - at - width;
	memcpy(out->buf.v + at, &size, width); /* little endian keeps the low bytes first */
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ && width < sizeof(size))
		memcpy(out->buf.v + at, (u8 *)&size + sizeof(size) - width, width);
	return ret;
}

static void put_start(struct bytes_out *out)
{
	bytes_out__put(out, head, sizeof(head));
	bytes_out__put(out, &(u8){ __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ }, 1);
	bytes_out__put(out, &(u8){ sizeof(long) }, 1);
	bytes_out__u32(out, sysconf(_SC_PAGESIZE));
}

static int put_header_files(struct bytes_out *out, const char *tracefs, struct error *err)
{
	int ret;

	bytes_out__str(out, "header_page", 1);
	ret = put_sized(out, tracefs, "events/header_page", 8, false, err);
	if (ret)
		return ret;
	bytes_out__str(out, "header_event", 1);
	return put_sized(out, tracefs, "events/header_event", 8, false, err);
}

static int put_event(struct bytes_out *out, const char *tracefs, const char *name, size_t sys_len,
		     struct error *err)
{
	char *path = xasprintf("events/%.*s/%s/format", (int)sys_len, name, name + sys_len + 1);
	int ret = put_sized(out, tracefs, path, 8, false, err);

	free(path);
	return ret;
}

static bool same_system(const char *a, const char *b, size_t len)
{
	return !strncmp(a, b, len) && b[len] == ':';
}

/* The events of @names that belong to the system of @names[@first]. */
static int put_system(struct bytes_out *out, const char *tracefs, const char *const *names,
		      size_t first, size_t nr, struct error *err)
{
	const char *sys = names[first];
	size_t len = strcspn(sys, ":");
	u32 count = 0;
	int ret = 0;

	for (size_t i = first; i < nr; i++)
		count += same_system(sys, names[i], len);
	bytes_out__put(out, sys, len);
	bytes_out__zeros(out, 1);
	bytes_out__u32(out, count);
	for (size_t i = first; i < nr && !ret; i++)
		if (same_system(sys, names[i], len))
			ret = put_event(out, tracefs, names[i], len, err);
	return ret;
}

/* True for the first of @names that has its system. */
static bool opens_system(const char *const *names, size_t at)
{
	size_t len = strcspn(names[at], ":");

	for (size_t i = 0; i < at; i++)
		if (same_system(names[at], names[i], len))
			return false;
	return true;
}

static int put_systems(struct bytes_out *out, const char *tracefs, const char *const *names,
		       size_t nr, struct error *err)
{
	u32 systems = 0;
	int ret = 0;

	for (size_t i = 0; i < nr; i++) {
		if (!strchr(names[i], ':'))
			return error__set(err, -EINVAL, "'%s' is not a tracepoint (SYSTEM:EVENT)",
					  names[i]);
		systems += opens_system(names, i);
	}
	bytes_out__u32(out, 0); /* events of ftrace itself: none of them can be recorded */
	bytes_out__u32(out, systems);
	for (size_t i = 0; i < nr && !ret; i++)
		if (opens_system(names, i))
			ret = put_system(out, tracefs, names, i, nr, err);
	return ret;
}

int tracing_data__collect(struct recording *r, const char *tracefs, const char *const *names,
			  size_t nr, struct error *err)
{
	struct bytes_out out = {};
	int ret;

	put_start(&out);
	ret = put_header_files(&out, tracefs, err);
	if (!ret)
		ret = put_systems(&out, tracefs, names, nr, err);
	bytes_out__u32(&out, 0); /* kallsyms: readers use their own */
	if (!ret)
		ret = put_sized(&out, tracefs, "printk_formats", 4, true, err);
	if (!ret)
		ret = put_sized(&out, tracefs, "saved_cmdlines", 8, true, err);
	if (ret) {
		vec__free(&out.buf);
		return ret;
	}
	free(r->tracing_data);
	r->tracing_data = out.buf.v;
	r->tracing_data_size = out.buf.nr;
	recording__set(r, FEAT_TRACING_DATA);
	return 0;
}
