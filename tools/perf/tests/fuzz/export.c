// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf data convert. The first byte of an input says into which format, the rest is the recording.
 * What is written of damaged recordings, and of names that are no text, has the form of its format.
 */
#include "../../builtin.h"
#include "../../util/export/export.h"
#include "../lib/format-check.h"
#include "commands.h"

static bool is_well_formed(const char *format, const char *data, size_t size)
{
	static const char *const json[] = { "gecko", "speedscope", "json" };
	static const char element[] = "<script type=\"application/json\" id=\"data\">";

	for (size_t i = 0; i < ARRAY_SIZE(json); i++)
		if (!strcmp(format, json[i]))
			return is_json(data, size);
	if (!strcmp(format, "otlp") || !strcmp(format, "perfetto"))
		return is_proto(data, size);
	if (!strcmp(format, "folded") || !strcmp(format, "svg"))
		return is_lines(data, size);
	if (!strcmp(format, "html")) {
		const char *start = memmem(data, size, element, strlen(element)), *end;

		if (!start)
			return false;
		start += strlen(element);
		end = memmem(start, data + size - start, "</script>", strlen("</script>"));
		return end && is_json(start, end - start);
	}
	return true;
}

static void check(const char *format, int out)
{
	struct mapfile m = {};

	FUZZ_TRUE(!mapfile__map(&m, out));
	/* Nothing at all: no recording. */
	FUZZ_TRUE(!m.size || is_well_formed(format, (const char *)m.data, m.size));
	mapfile__unmap(&m);
}

FUZZ_TARGET(export, "perf data convert of a recording, into each format")
{
	const struct export_format *const *formats = export_formats();
	const char *options[] = { "--to", NULL, "-o", "-", NULL };
	int in, out;
	u32 nr = 0;

	if (!size)
		return;
	while (formats[nr])
		nr++;
	options[1] = formats[data[0] % nr]->name;
	in = fuzz__fd(data + 1, size - 1);
	out = memfd_create("fuzz-out", MFD_CLOEXEC);
	FUZZ_TRUE(in >= 0 && out >= 0);
	fuzz__run(data__convert, "convert", options, in, out);
	check(options[1], out);
	close(out);
	close(in);
}
