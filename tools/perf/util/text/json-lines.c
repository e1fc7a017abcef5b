// SPDX-License-Identifier: GPL-2.0-only
#include "json-lines.h"

void json__begin(struct textbuf *tb, const char *type)
{
	textbuf__puts(tb, "{\"type\":\"");
	textbuf__puts(tb, type);
	textbuf__putc(tb, '"');
}

void json__end(struct textbuf *tb)
{
	textbuf__puts(tb, "}\n");
}

static void put_event_description(struct textbuf *tb, const struct evsel *ev)
{
	textbuf__puts(tb, "{\"name\":");
	textbuf__json_string(tb, ev->name);
	textbuf__json_number(tb, "type", ev->attr.type);
	textbuf__json_address(tb, "config", ev->attr.config);
	textbuf__json_address(tb, "sample_type", ev->attr.sample_type);
	textbuf__json_text(tb, "unit", ev->unit);
	textbuf__putc(tb, '}');
}

void textbuf__json_recording(struct textbuf *tb, const struct recording *r)
{
	textbuf__json_text(tb, "hostname", r->hostname);
	textbuf__json_text(tb, "os_release", r->osrelease);
	textbuf__json_text(tb, "arch", r->arch);
	textbuf__json_text(tb, "recorder_version", r->version);
	textbuf__json_key(tb, "command");
	textbuf__putc(tb, '[');
	for (size_t i = 0; i < r->cmdline.nr; i++) {
		textbuf__puts(tb, i ? "," : "");
		textbuf__json_string(tb, r->cmdline.v[i]);
	}
	textbuf__putc(tb, ']');
	textbuf__json_key(tb, "events");
	textbuf__putc(tb, '[');
	for (size_t i = 0; i < r->events.nr; i++) {
		textbuf__puts(tb, i ? "," : "");
		put_event_description(tb, r->events.v[i]);
	}
	textbuf__putc(tb, ']');
}

const char *json__mode_name(u8 cpumode)
{
	switch (cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		return "kernel";
	case PERF_RECORD_MISC_USER:
		return "user";
	case PERF_RECORD_MISC_HYPERVISOR:
		return "hypervisor";
	case PERF_RECORD_MISC_GUEST_KERNEL:
		return "guest_kernel";
	case PERF_RECORD_MISC_GUEST_USER:
		return "guest_user";
	default:
		return "unknown";
	}
}
