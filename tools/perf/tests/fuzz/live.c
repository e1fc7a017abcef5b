// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records as rings hand them out, through the pipeline of a recorder, which completes them at once,
 * into a file. A record is destroyed when it is released. The first byte of an input says how much
 * may wait, and when the next file would begin; the rest is a recording.
 */
#include "../../util/sink/file-sink.h"
#include "../lib/replay.h"
#include "recording.h"

static void complete_attr(void *ctx, struct perf_event_attr *attr)
{
	attr__completed(attr, false);
}

/* What was recorded can be read. Rings have no record of the format itself that does not fit. */
static void check(int fd, bool malformed)
{
	struct reader *r;
	struct record rec;

	FUZZ_TRUE(!reader__open(&r, fuzz__path(fd).name, true, NULL));
	while (reader__next(r, &rec) > 0)
		fuzz__touch(rec.hdr, rec.hdr->size);
	FUZZ_TRUE(!reader__account(r)->bytes_unread);
	FUZZ_TRUE(malformed || !reader__account(r)->malformed);
	reader__close(r);
}

static void record(struct reader *r, struct writer *w, struct recording *written, u8 how)
{
	struct file_sink sink;
	struct pipeline_opts opts = {
		.max_pending = how & 1 ? 2000 : 0,
		.symbols.binary = {
			.live = true, .symfs = "/nonexistent", .no_unwind_cache = true,
		},
	};
	struct pipeline *p;

	file_sink__init(&sink);
	sink.stitch = sink.live = true;
	sink.writer = w;
	opts.sink = file_sink__ops(&sink);
	FUZZ_TRUE(!pipeline__new(&p, reader__recording(r), &opts, NULL));
	FUZZ_TRUE(!replay__run(p, r, how >> 1 & 3));
	file_sink__describe(&sink, written);
	pipeline__free(p);
	file_sink__free(&sink);
}

FUZZ_TARGET(live, "a recorder's pipeline, from records to a file")
{
	int in, out;
	struct writer_opts opts = {};
	struct recording *written;
	struct fuzz_path path;
	struct reader *r;

	if (!size)
		return;
	in = fuzz__fd(data + 1, size - 1);
	out = fuzz__fd("", 0);
	path = fuzz__path(out);
	opts.path = path.name;
	if (!reader__open(&r, fuzz__path(in).name, true, NULL)) {
		struct writer *w;

		written = recording__copy(reader__recording(r), complete_attr, NULL);
		if (!writer__open(&w, &opts, written, NULL)) {
			record(r, w, written, data[0]);
			FUZZ_TRUE(!writer__finish(w, NULL));
			check(out, reader__account(r)->malformed);
		}
		recording__free(written);
		reader__close(r);
	}
	close(out);
	close(in);
}
