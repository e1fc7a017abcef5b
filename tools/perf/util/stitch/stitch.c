// SPDX-License-Identifier: GPL-2.0-only
#include "stitch.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "../data/sample-splice.h"
#include "../io/named-file.h"
#include "../io/replace-file.h"
#include "../sink/file-sink.h"
#include "../unwinder/unwinder.h"

/* Records between two checks for a signal. */
#define LOOK_EVERY 256

/*
 * In place, at most one in so many stacks may be lost because of missing binaries; none if the
 * original is not kept.
 */
#define MAX_UNREADABLE_SHARE 20

struct stitch {
	const struct stitch_opts *opts;
	struct stitch_result *result;
	struct reader *reader;
	struct recording *written;
	struct writer *writer;     /* NULL: dry run */
	struct replace_file file;
	struct file_sink sink;
	sigset_t ending, old_mask; /* signals that end the run, and the mask before */
	u32 nr_records;            /* since the start, for LOOK_EVERY */
	struct pipeline_account completed; /* by this run, not by one of which notes tell */
};

void stitch_result__free(struct stitch_result *r)
{
	pipeline__free(r->pipeline);
	free(r->events);
	free(r->old);
	r->pipeline = NULL;
	r->events = NULL;
	r->old = NULL;
}

const char *stitch__default_output(const char *input, struct error *err)
{
	struct stat st;

	if (!strcmp(input, "-"))
		return "-";
	if (named_file__stat(input, &st)) /* the reader reports it */
		return input;
	if (S_ISDIR(st.st_mode)) {
		error__set(err, -EISDIR, "%s: a directory cannot be stitched in place: name an "
			   "output file with -o", input);
		return NULL;
	}
	return S_ISREG(st.st_mode) ? input : "-";
}

/* Whether @output is the file that @r reads. */
static bool is_in_place(const struct reader *r, const char *output)
{
	struct stat in, out;

	if (!strcmp(output, "-") || named_file__stat(output, &out) || !S_ISREG(out.st_mode))
		return false;
	return !named_file__stat(reader__path(r), &in) && in.st_dev == out.st_dev &&
	       in.st_ino == out.st_ino;
}

static bool is_whole(const struct whole_sample *ws)
{
	return ws->user_part != USER_PART_MISSING && ws->user_part != USER_PART_KEPT &&
	       (ws->user_part != USER_PART_UNWOUND || ws->stop == UNWIND_OUTERMOST);
}

static int check_signals(struct stitch *s)
{
	sigset_t pending;

	if (++s->nr_records % LOOK_EVERY)
		return 0;
	sigpending(&pending);
	sigandset(&pending, &pending, &s->ending);
	return sigisemptyset(&pending) ? 0 : -EINTR;
}

static void stitch__begin(void *ctx, struct machine *machine, struct symbols *symbols)
{
	struct stitch *s = ctx;

	file_sink__begin(&s->sink, machine, symbols);
}

static int stitch__sample(void *ctx, const struct whole_sample *ws)
{
	struct stitch *s = ctx;
	struct stitch_result *res = s->result;

	if (s->opts->wanted && !s->opts->wanted(s->opts->wanted_ctx, ws)) {
		res->filtered++;
		return check_signals(s);
	}
	pipeline_account__add(&res->total, ws);
	pipeline_account__add(&res->events[ws->rec->event->idx], ws);
	if (!ws->noted)
		pipeline_account__add(&s->completed, ws);
	if (s->opts->drop_incomplete && !is_whole(ws)) {
		res->dropped++;
		return check_signals(s);
	}
	if (s->writer && file_sink__sample(&s->sink, ws))
		return s->sink.err.code;
	return check_signals(s);
}

static int stitch__record(void *ctx, const struct record *rec)
{
	struct stitch *s = ctx;

	if (s->writer && file_sink__record(&s->sink, rec))
		return s->sink.err.code;
	return check_signals(s);
}

/* In a stream samples may pass unmerged: the attrs still have to describe these. */
static void complete_attr(void *ctx, struct perf_event_attr *attr)
{
	const struct stitch *s = ctx;
	bool callchain = attr__test_bit(attr, ATTR_BIT_DEFER_CALLCHAIN);
	bool output = attr__test_bit(attr, ATTR_BIT_DEFER_OUTPUT);

	attr__completed(attr, s->opts->keep_copies);
	if (reader__is_stream(s->reader)) {
		attr__set_bit(attr, ATTR_BIT_DEFER_CALLCHAIN, callchain);
		attr__set_bit(attr, ATTR_BIT_DEFER_OUTPUT, output);
	}
}

/* A stream that goes into a file is unpacked first, so that no sample has to pass unmerged. */
static int prepare_input(struct reader *r, const struct stitch_opts *opts, struct error *err)
{
	struct stat st;
	bool pipe = !opts->dry_run && (!strcmp(opts->output, "-") ||
				       (!named_file__stat(opts->output, &st) &&
					!S_ISREG(st.st_mode)));

	if (!reader__is_stream(r) || pipe ||
	    !recording__any_bit(reader__recording(r), ATTR_BIT_DEFER_CALLCHAIN))
		return 0;
	return reader__unpack_stream(r, err);
}

static bool any_copies(const struct recording *rec)
{
	for (size_t i = 0; i < rec->events.nr; i++)
		if (attr__has_copy(&rec->events.v[i]->attr))
			return true;
	return false;
}

/* Refuses recordings with contents that the result would lack. */
static int refuse(const struct recording *rec, struct error *err)
{
	if (recording__has(rec, FEAT_AUXTRACE))
		return error__set(err, -EOPNOTSUPP, "the recording has AUX area data, which the "
				  "result could not keep");
	if (rec->arch && any_copies(rec) &&
	    unwind_arch__named(rec->arch) == UNWIND_UNSUPPORTED)
		return error__set(err, -EOPNOTSUPP, "stacks of the architecture %s cannot be "
				  "unwound",
				  rec->arch);
	return 0;
}

static int open_output(struct stitch *s, struct error *err)
{
	struct writer_opts opts = {
		.comp_level = s->opts->comp_level,
		.copies = s->opts->keep_copies,
	};
	const struct recording *rec = reader__recording(s->reader);
	int ret;

	s->written = recording__copy(rec, complete_attr, s);
	s->written->stack_notes |= any_copies(rec) ||
				   recording__any_bit(rec, ATTR_BIT_DEFER_CALLCHAIN);
	s->sink.notes = s->written->stack_notes;
	if (s->opts->dry_run)
		return 0;
	ret = replace_file__open(&s->file, s->opts->output, err);
	if (ret)
		return ret;
	opts.path = s->opts->output;
	opts.file = &s->file;
	ret = writer__open(&s->writer, &opts, s->written, err);
	s->sink.writer = s->writer;
	return ret;
}

static int build_pipeline(struct stitch *s, struct error *err)
{
	struct pipeline_opts opts = {
		.max_pending = s->opts->max_pending,
		.jobs = s->opts->jobs,
		.unwind = s->opts->unwind,
		.symbols = s->opts->symbols,
		.sink = {
			.begin = stitch__begin, .sample = stitch__sample,
			.record = stitch__record, .ctx = s,
			.drop_merged = true, .early_maps = true, .next = s->opts->also,
		},
		.progress = s->opts->progress,
		.progress_ctx = s->opts->progress_ctx,
	};

	s->sink.stitch = true;
	s->sink.keep_copies = s->opts->keep_copies;
	return pipeline__new(&s->result->pipeline, reader__recording(s->reader), &opts, err);
}

/* A signal that was ignored from the start stays ignored. */
static void hold_signal(struct stitch *s, int sig)
{
	struct sigaction now;

	if (!sigaction(sig, NULL, &now) && now.sa_handler != SIG_IGN)
		sigaddset(&s->ending, sig);
}

/*
 * Holds back signals, so that no temporary file is left behind. For a pipe the end of the data is
 * waited for instead: ^C also goes to the recorder at its other end, whose last records are wanted.
 */
static void hold_signals(struct stitch *s)
{
	bool pipe = !strcmp(reader__path(s->reader), "-");

	sigemptyset(&s->ending);
	hold_signal(s, SIGINT);
	if (!pipe) {
		hold_signal(s, SIGTERM);
		hold_signal(s, SIGHUP);
	}
	sigprocmask(SIG_BLOCK, &s->ending, &s->old_mask);
	if (pipe)
		sigemptyset(&s->ending);
}

static void describe(struct stitch *s)
{
	recording__add_build_ids(s->written, reader__recording(s->reader));
	if (!s->sink.last_time)
		return;
	s->written->first_sample_time = s->sink.first_time;
	s->written->last_sample_time = s->sink.last_time;
	recording__set(s->written, FEAT_SAMPLE_TIME);
}

/* Refuses to replace an input that has more than the result. */
static int may_replace(const struct stitch *s, struct error *err)
{
	const struct reader_account *a = reader__account(s->reader);
	const struct pipeline_account *done = &s->completed;
	u64 unreadable = done->stop[UNWIND_UNREADABLE];
	u64 most = s->opts->no_old ? 0 : done->user_part[USER_PART_UNWOUND] / MAX_UNREADABLE_SHARE;

	if (a->malformed || a->damage.code)
		return error__set(err, -EBADMSG,
				  "'%s' is damaged and was not replaced: name a file with -o for "
				  "the readable part", s->opts->output);
	if (unreadable <= most)
		return 0;
	error__set(err, -EBADMSG,
		   "'%s' was not replaced, because %" PRIu64 " of its stack copies need binaries "
		   "that cannot be read here", s->opts->output, unreadable);
	error__hint(err, "Stitch on the machine where it was recorded, name the directory of the "
		    "binaries with --symfs, or an output file with -o%s.",
		    s->opts->no_old ? "; or leave out --no-old, so that the original is kept" : "");
	return -EBADMSG;
}

/* Whether the input has something that the result lacks, so that it is kept as FILE.old. */
static bool has_more(const struct stitch *s)
{
	const struct stitch_result *res = s->result;

	return pipeline_account__wanted(&s->completed) || res->filtered || res->dropped ||
	       s->sink.skipped;
}

static int commit(struct stitch *s, bool in_place, struct error *err)
{
	int ret;

	s->file.keep = in_place && !s->opts->no_old && has_more(s);
	ret = replace_file__commit(&s->file, &s->result->bytes_out, err);
	if (!ret && s->file.old)
		s->result->old = xstrdup(s->file.old);
	return ret;
}

static int finish(struct stitch *s, int ret, struct error *err)
{
	struct error failed = {};
	bool in_place;
	int end;

	if (!s->writer)
		return ret;
	in_place = is_in_place(s->reader, s->opts->output);
	describe(s);
	end = writer__finish(s->writer, &failed);
	s->writer = NULL;
	ret = ret ?: end;
	if (!ret && in_place)
		ret = may_replace(s, err);
	if (!ret)
		return commit(s, in_place, err);
	if (ret != -EBADMSG && ret != -EINTR)
		error__set(err, ret, "cannot write %s: %s", s->opts->output, strerror(-ret));
	if (in_place && ret != -EBADMSG)
		error__hint(err, "The recording was not changed.");
	return ret;
}

static void fill_result(struct stitch *s)
{
	struct pipeline_account *to = &s->result->total;
	const struct pipeline_account *all;

	s->result->written = s->sink.samples;
	s->result->misfits = s->sink.skipped;
	if (!s->result->pipeline)
		return;
	all = pipeline__account(s->result->pipeline);
	to->late = all->late;
	to->lost = all->lost;
	to->lost_samples = all->lost_samples;
	to->malformed = all->malformed;
	to->deferred_stats = all->deferred_stats;
}

int stitch__run(struct reader *r, const struct stitch_opts *opts, struct stitch_result *result,
		struct error *err)
{
	struct stitch s = { .opts = opts, .result = result, .reader = r };
	const struct recording *rec = reader__recording(r);
	int ret = refuse(rec, err);

	*result = (struct stitch_result){
		.nr_events = rec->events.nr,
	};
	result->events = xcalloc(rec->events.nr, sizeof(*result->events));
	file_sink__init(&s.sink);
	hold_signals(&s);
	reader__keep_unknown(r);
	if (!ret)
		ret = prepare_input(r, opts, err);
	if (!ret)
		ret = build_pipeline(&s, err);
	if (!ret)
		ret = open_output(&s, err);
	if (!ret) {
		result->bytes_in = reader__file_size(r);
		ret = pipeline__run(result->pipeline, r, err);
		if (reader__is_stream(r))
			result->bytes_in = reader__size(r);
		ret = finish(&s, ret, err);
	}
	fill_result(&s);
	writer__abort(s.writer);
	replace_file__abort(&s.file);
	file_sink__free(&s.sink);
	recording__free(s.written);
	sigprocmask(SIG_SETMASK, &s.old_mask, NULL);
	return ret;
}
