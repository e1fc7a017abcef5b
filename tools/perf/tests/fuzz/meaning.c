// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commands over a recording whose form is right and whose meaning is not: see
 * ../lib/recording-edits.h. The first byte of an input says which command with which options, the
 * second one how many changes follow, then comes the recording.
 */
#include "../../util/stitch/stitch.h"
#include "../lib/recording-edits.h"
#include "commands.h"
#include "recording.h"

#define EDITS_MAX 32

static const struct {
	int (*command)(int argc, const char **argv);
	const char *words[10];
} modes[] = {
	{ cmd_report, { "report" } },
	{ cmd_report, { "report", "--tasks" } },
	{ cmd_report, { "report", "--mmaps" } },
	{ cmd_report, { "report", "--times", "thread", "--json" } },
	{ cmd_report, { "report", "--wall", "--wakers", "-s", "comm,state,waker,sym" } },
	{ cmd_report, { "report", "--brief" } },
	{ cmd_report, { "report", "--hierarchy", "-s", "pid,tid,comm,dso,cpu", "-g", "caller" } },
	{ cmd_report, { "report", "--latency", "-s", "parallelism,time", "--time", "10%-90%" } },
	{ cmd_report, { "report", "-T", "--group", "--header" } },
	{ cmd_report, { "report", "-D" } },
	{ cmd_script, { "script", "--reltime", "--show-task-events", "--show-mmap-events" } },
	{ cmd_script, { "script", "--json" } },
	{ NULL, { "stitch" } },
};

static void stitch(struct reader *r)
{
	struct stitch_opts opts = {
		.output = "/dev/null",
		.symbols.binary = { .symfs = "/nonexistent", .no_unwind_cache = true },
	};
	struct stitch_result result;

	stitch__run(r, &opts, &result, NULL);
	stitch_result__free(&result);
}

FUZZ_TARGET(meaning, "commands over recordings whose parts contradict each other")
{
	size_t nr, changed, front;
	u8 *copy;
	u32 mode;

	if (size < 2)
		return;
	mode = data[0] % ARRAY_SIZE(modes);
	nr = data[1] % (EDITS_MAX + 1);
	front = 2 + nr * sizeof(struct recording_edit);
	if (size < front)
		return;
	copy = recording__edit(data + front, size - front, data + 2, nr, &changed);
	if (modes[mode].command)
		fuzz__run_silently(modes[mode].command, modes[mode].words[0],
				   modes[mode].words + 1, copy, changed);
	else
		fuzz__read(copy, changed, stitch);
	free(copy);
}
