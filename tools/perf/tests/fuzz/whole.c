// SPDX-License-Identifier: GPL-2.0-only
/*
 * What perf script prints of a recording is what it prints of the same when it was stitched. An
 * input is the recording.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "../../util/stitch/stitch.h"
#include "commands.h"
#include "recording.h"

#define FIELDS "comm,tid,pid,time,event,ip,period"

static bool stitch__is_whole(struct reader *r, const char *output)
{
	struct stitch_opts opts = {
		.output = output,
		.symbols.binary = { .symfs = "/nonexistent", .no_unwind_cache = true },
	};
	struct stitch_result result = {};
	bool whole = !stitch__run(r, &opts, &result, NULL) && !result.misfits &&
		     !reader__account(r)->malformed && !reader__account(r)->damage.code;

	stitch_result__free(&result);
	return whole;
}

/* Into an open file without a name; -1 when it is not to be compared: something was not read. */
static int stitch(const u8 *data, size_t size)
{
	char path[] = "/dev/shm/perf-fuzz-XXXXXX";
	int in = fuzz__fd(data, size), out = mkostemp(path, O_CLOEXEC);
	bool whole = false;
	struct reader *r;

	FUZZ_TRUE(in >= 0 && out >= 0);
	close(out);
	if (!reader__open(&r, fuzz__path(in).name, true, NULL)) {
		whole = stitch__is_whole(r, path);
		reader__close(r);
	}
	close(in);
	out = whole ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	unlink(path);
	return out;
}

static char *text_of(int recording)
{
	static const char *const options[] = { "-F", FIELDS, NULL };
	int out = fuzz__fd("", 0);
	struct stat st;
	char *text;

	fuzz__run(cmd_script, "script", options, recording, out);
	fstat(out, &st);
	text = calloc(1, st.st_size + 1);
	FUZZ_TRUE(text && pread(out, text, st.st_size, 0) == st.st_size);
	close(out);
	return text;
}

FUZZ_TARGET(whole, "a stitched recording, printed, against the recording itself")
{
	int after = stitch(data, size), before;
	char *a, *b;

	if (after < 0)
		return;
	before = fuzz__fd(data, size);
	a = text_of(before);
	b = text_of(after);
	FUZZ_TRUE(!strcmp(a, b));
	free(a);
	free(b);
	close(after);
	close(before);
}
