// SPDX-License-Identifier: GPL-2.0-only
/*
 * Formats of tracepoints, and payloads that they are printed of. The first byte of an input is the
 * length of a payload, in units of 4 bytes; the payload; the text of the format. With 0 the rest is
 * all of the tracing data.
 */
#include "../../util/data/bytes-out.h"
#include "../../util/data/tracepoint-fields.h"
#include "input.h"

#define MAX_ID 4

static void put_tracing_data(struct bytes_out *out, const u8 *format, size_t size)
{
	bytes_out__put(out, "\x17\x08\x44tracing0.6\0\0\x08\0\x10\0\0", 20);
	bytes_out__str(out, "header_page", 1);
	bytes_out__u64(out, 0);
	bytes_out__str(out, "header_event", 1);
	bytes_out__u64(out, 0);
	bytes_out__u32(out, 0); /* events of ftrace */
	bytes_out__u32(out, 1); /* systems */
	bytes_out__str(out, "fuzz", 1);
	bytes_out__u32(out, 1); /* events of it */
	bytes_out__u64(out, size);
	bytes_out__put(out, format, size);
	bytes_out__u32(out, 0); /* kallsyms */
	bytes_out__u32(out, 0); /* printk formats */
	bytes_out__u64(out, 0); /* command lines */
}

static bool name_function(void *ctx, u64 addr, struct traced_function *out)
{
	*out = (struct traced_function){ .start = addr & ~0xffULL, .name = "function" };
	return addr & 1;
}

static void touch_name(void *ctx, const char *field, const char *delim)
{
	fuzz__touch(field, strlen(field) + 1);
	if (delim)
		fuzz__touch(delim, strlen(delim) + 1);
}

static void touch_value(void *ctx, const char *field, bool is_flag, u64 value, const char *name)
{
	fuzz__touch(name, strlen(name) + 1);
}

/* As scripts get them. */
static void take_fields(const struct tracepoints *t, u64 id, const u8 *payload, size_t size)
{
	static const struct traced_names names = { .field = touch_name, .value = touch_value };
	struct traced_event *e = traced_event__new(t, id);

	if (!e)
		return;
	traced_event__names(t, id, &names);
	for (u32 i = 0; traced_event__fits(t, id, payload, size) && i < e->nr; i++) {
		const struct traced_field *f = &e->fields[i];
		const void *bytes;
		u64 number;
		u32 len;

		if (f->is_array) {
			bytes = traced_field__bytes(f, e->swapped, payload, &len);
			fuzz__touch(bytes, len);
		} else {
			number = traced_field__number(f, e->swapped, payload);
			fuzz__touch(&number, sizeof(number));
		}
	}
	free(e);
}

static void print(const struct recording *r, const u8 *payload, size_t size)
{
	struct tracepoints *t = tracepoints__new(r);

	tracepoints__name_functions(t, name_function, NULL);
	for (u64 id = 0; id <= MAX_ID; id++) {
		const char *name = tracepoints__name(t, id);
		const char *text = tracepoints__fields(t, id, payload, size);

		take_fields(t, id, payload, size);
		if (name)
			fuzz__touch(name, strlen(name) + 1);
		if (text)
			fuzz__touch(text, strlen(text) + 1);
	}
	tracepoints__free(t);
}

FUZZ_TARGET(tracepoint, "formats and payloads of tracepoints")
{
	struct recording *r = recording__new();
	struct bytes_out out = {};
	size_t payload;

	if (size > 1) {
		payload = min_of((size_t)data[0] * 4, size - 1);
		if (data[0])
			put_tracing_data(&out, data + 1 + payload, size - 1 - payload);
		else
			bytes_out__put(&out, data + 1, size - 1);
		r->tracing_data = out.buf.v; /* which frees it */
		r->tracing_data_size = out.buf.nr;
		print(r, data + 1, payload);
	}
	recording__free(r);
}
