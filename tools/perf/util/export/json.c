// SPDX-License-Identifier: GPL-2.0-only
/*
 * The layout of `perf data convert --to-json` of Linux perf, a sample a line; a frame has in
 * addition "inlined" where it is. Written as samples come: nothing of them is kept.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "../data/tracepoint-fields.h"
#include "../text/frame-text.h"
#include "../text/json.h"
#include "formats.h"

struct json {
	struct export *x;
	struct frame_texts texts;
	struct tracepoints *traces;
	struct map64 traced;      /* id of a tracepoint -> struct traced_event */
	bool more;                /* than one sample */
};

static void put_captured(struct textbuf *tb, const struct reader *r)
{
	char when[64] = "";
	struct stat st;
	struct tm tm;

	if (!r || reader__is_pipe(r))
		return;
	if (!stat(reader__path(r), &st) && gmtime_r(&st.st_mtime, &tm))
		strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &tm);
	textbuf__json_text(tb, "captured-on", when);
	textbuf__json_number(tb, "data-offset", reader__data_offset(r));
	textbuf__json_number(tb, "data-size", reader__size(r));
	textbuf__json_number(tb, "feat-offset", reader__data_offset(r) + reader__size(r));
}

static void put_headers(struct textbuf *tb, const struct export *x)
{
	const struct recording *rec = x->recording;

	textbuf__puts(tb, "{\"linux-perf-json-version\":1,\n\"headers\":{\"header-version\":1");
	put_captured(tb, x->opts.reader);
	textbuf__json_text(tb, "hostname", rec->hostname);
	textbuf__json_text(tb, "os-release", rec->osrelease);
	textbuf__json_text(tb, "arch", rec->arch);
	textbuf__json_text(tb, "cpu-desc", rec->cpudesc);
	textbuf__json_text(tb, "cpuid", rec->cpuid);
	if (rec->nr_cpus_avail) {
		textbuf__json_number(tb, "nrcpus-online", rec->nr_cpus_online);
		textbuf__json_number(tb, "nrcpus-avail", rec->nr_cpus_avail);
	}
	textbuf__json_text(tb, "perf-version", rec->version);
	textbuf__puts(tb, ",\"cmdline\":[");
	for (size_t i = 0; i < rec->cmdline.nr; i++) {
		if (i)
			textbuf__putc(tb, ',');
		textbuf__json_string(tb, rec->cmdline.v[i]);
	}
	textbuf__puts(tb, "]},\n\"samples\":[");
}

static void *json__begin(struct export *x)
{
	struct json *w = xzalloc(sizeof(*w));

	w->x = x;
	w->traces = tracepoints__new(x->recording);
	put_headers(x->out, x);
	return w;
}

static void put_ip(void *ctx __unused_arg, struct textbuf *tb, const struct frame *f)
{
	textbuf__puts(tb, "{\"ip\":\"0x");
	textbuf__hex(tb, f->ip, 0);
	textbuf__puts(tb, f->is_cookie ? "\"}" : "\"");
}

static void put_names(void *ctx __unused_arg, struct textbuf *tb, const struct frame *f)
{
	textbuf__json_text(tb, "symbol", f->loc.sym ? f->loc.sym->name : NULL);
	textbuf__json_text(tb, "dso", f->loc.dso ? f->loc.dso->short_name : NULL);
	if (f->loc.sym && f->loc.sym->inlined)
		textbuf__json_bool(tb, "inlined", true);
	textbuf__putc(tb, '}');
}

static const struct traced_event *traced_event_of(struct json *w, u64 id)
{
	struct traced_event *e = map64__get(&w->traced, id);

	if (!e) {
		e = traced_event__new(w->traces, id);
		if (e)
			map64__set(&w->traced, id, e);
	}
	return e;
}

static void put_field(struct textbuf *tb, const struct traced_event *e,
		      const struct traced_field *f, const void *raw)
{
	u64 number = f->is_array ? 0 : traced_field__number(f, e->swapped, raw);
	const char *bytes;
	u32 len;

	textbuf__putc(tb, ',');
	textbuf__json_string(tb, f->name ?: "");
	textbuf__putc(tb, ':');
	if (f->is_array) {
		bytes = traced_field__bytes(f, e->swapped, raw, &len);
		textbuf__json_string_n(tb, bytes, f->is_string ? strnlen(bytes, len) : len);
		return;
	}
	textbuf__puts(tb, f->is_signed && (s64)number < 0 ? "\"-" : "\"");
	textbuf__dec(tb, f->is_signed && (s64)number < 0 ? -number : number, 0);
	textbuf__putc(tb, '"');
}

static void put_trace(struct json *w, const struct sample *s, u64 id)
{
	const struct traced_event *e = s->raw ? traced_event_of(w, id) : NULL;

	if (!e || !traced_event__fits(w->traces, id, s->raw, s->raw_size))
		return;
	for (u32 i = 0; i < e->nr; i++)
		put_field(w->x->out, e, &e->fields[i], s->raw);
}

static void json__sample(void *ctx, const struct export_sample *s)
{
	static const struct frame_printer printer = {
		.separator = ',', .head = put_ip, .place = put_names,
	};
	const struct perf_event_attr *attr = &s->ws->rec->event->attr;
	struct json *w = ctx;
	struct textbuf *tb = w->x->out;

	textbuf__puts(tb, w->more ? ",\n{\"timestamp\":" : "\n{\"timestamp\":");
	w->more = true;
	textbuf__dec(tb, s->time, 0);
	textbuf__json_signed(tb, "pid", (s32)s->pid);
	textbuf__json_signed(tb, "tid", (s32)s->tid);
	if (attr->sample_type & PERF_SAMPLE_CPU && s->cpu != NO_ID)
		textbuf__json_number(tb, "cpu", s->cpu);
	textbuf__json_text(tb, "comm", s->ws->thread->comm);
	textbuf__puts(tb, ",\"callchain\":[");
	if (s->ws->nr_chain || s->ws->nr_user) {
		frame_texts__chain(&w->texts, tb, s->frames, w->x->resolver, &printer);
	} else {
		put_ip(NULL, tb, s->frames->f.v);
		put_names(NULL, tb, s->frames->f.v);
	}
	textbuf__putc(tb, ']');
	if (attr->type == PERF_TYPE_TRACEPOINT)
		put_trace(w, s->ws->s, attr->config);
	textbuf__putc(tb, '}');
}

static void json__end(void *ctx, const char *words __unused_arg)
{
	struct json *w = ctx;

	textbuf__puts(w->x->out, "\n]}\n");
}

static void json__free(void *ctx)
{
	struct json *w = ctx;

	map64__for_each(&w->traced, slot)
		free(slot->value);
	map64__free(&w->traced);
	tracepoints__free(w->traces);
	frame_texts__free(&w->texts);
	free(w);
}

const struct export_format export_json = {
	.name = "json", .suffix = "json", .help = "the format of --to-json of Linux perf",
	.direct = true,
	.begin = json__begin, .sample = json__sample, .end = json__end, .free = json__free,
};
