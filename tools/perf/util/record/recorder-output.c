// SPDX-License-Identifier: GPL-2.0-only
/* The recorder's output: describes the recording, opens, begins and finishes the file. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../base/log.h"
#include "../binary/build-id.h"
#include "../data/bytes-out.h"
#include "../data/machine-info.h"
#include "../data/record-pool.h"
#include "../data/sample-splice.h"
#include "../data/tracing-data.h"
#include "../live/synth-record.h"
#include "../event/tracefs.h"
#include "recorder-file.h"
#include "recorder-priv.h"

static int collect_formats(struct recorder *r, struct error *err)
{
	const struct event_list *list = r->opts->events;
	VEC(const char *) names = {};
	char tracefs[PATH_MAX];
	int ret = 0;

	for (size_t i = 0; i < list->specs.nr; i++) {
		const struct event_spec *spec = &list->specs.v[i];
		bool known = false;
		char *full;

		if (!spec->tp_name)
			continue;
		full = xasprintf("%s:%s", spec->tp_system, spec->tp_name);
		for (size_t k = 0; k < names.nr; k++)
			known |= !strcmp(names.v[k], full);
		if (!known)
			*vec__push(&names) = arena__intern(r->written->arena, full);
		free(full);
	}
	if (names.nr) {
		ret = tracefs__path(tracefs, err) ?:
		      tracing_data__collect(r->written, tracefs, names.v, names.nr, err);
	}
	vec__free(&names);
	return ret;
}

/* Describes which events are groups, for readers that show them side by side. */
static void describe_groups(struct recording *rec, const struct event_list *list)
{
	static const char name[64] = "{anon_group}";
	struct bytes_out out = {};
	u32 nr = 0;

	bytes_out__u32(&out, 0);
	for (u32 i = 0, members; i < list->specs.nr; i += members) {
		for (members = 1; i + members < list->specs.nr; members++)
			if (list->specs.v[i + members].leader != i)
				break;
		if (members == 1)
			continue;
		nr++;
		bytes_out__u32(&out, sizeof(name));
		bytes_out__put(&out, name, sizeof(name));
		bytes_out__u32(&out, i);
		bytes_out__u32(&out, members);
	}
	memcpy(out.buf.v, &nr, sizeof(nr));
	if (nr)
		recording__keep_opaque(rec, FEAT_GROUP_DESC, out.buf.v, out.buf.nr);
	vec__free(&out.buf);
}

/* Describes the clock: its resolution, and its time at some time of day. */
static void describe_clock(struct recording *rec, s32 clockid)
{
	struct { u32 version, clockid; u64 wall_ns, clock_ns; } data = { 1, clockid, 0, 0 };
	struct timespec wall, clock, res;

	if (clock_getres(clockid, &res) || clock_gettime(CLOCK_REALTIME, &wall) ||
	    clock_gettime(clockid, &clock))
		return;
	rec->clockid_res_ns = res.tv_sec * 1000000000ull + res.tv_nsec;
	recording__set(rec, FEAT_CLOCKID);
	data.wall_ns = wall.tv_sec * 1000000000ull + wall.tv_nsec;
	data.clock_ns = clock.tv_sec * 1000000000ull + clock.tv_nsec;
	recording__keep_opaque(rec, FEAT_CLOCK_DATA, &data, sizeof(data));
}

/* The events as opened and as written differ when stack copies are unwound in between. */
int recorder__describe(struct recorder *r, struct error *err)
{
	int ret;

	r->live = recording__new();
	r->written = recording__new();
	ret = event_set__describe(&r->set, r->live, false, err);
	if (!ret)
		ret = event_set__describe(&r->set, r->written, r->opts->stitch, err);
	if (!ret)
		ret = off_cpu_events__describe(&r->opts->off_cpu, r->live, err);
	if (!ret)
		ret = off_cpu_events__describe(&r->opts->off_cpu, r->written, err);
	if (ret)
		return ret;
	/* No record of it goes into the file. */
	if (event_set__side_event(&r->set) >= 0) {
		struct evsel *side = r->written->events.v[event_set__side_event(&r->set)];

		side->attr.config = PERF_COUNT_SW_DUMMY;
		side->attr.sample_type &= ~(u64)PERF_SAMPLE_RAW;
	}
	recording__describe_machine(r->live);
	recording__describe_machine(r->written);
	recording__set_cmdline(r->written, r->opts->cmdline_argc, r->opts->cmdline_argv);
	recording__set(r->written, FEAT_EVENT_DESC);
	describe_groups(r->written, r->opts->events);
	if (r->sampling.use_clockid)
		describe_clock(r->written, r->sampling.clockid);
	ret = collect_formats(r, err);
	/* To know who was woken. */
	if (!ret && r->opts->off_cpu.on && r->written->tracing_data) {
		r->live->tracing_data = xmemdup(r->written->tracing_data,
						r->written->tracing_data_size);
		r->live->tracing_data_size = r->written->tracing_data_size;
	}
	return ret;
}

static void release_record(void *ctx, struct record *rec)
{
	const struct recorder *r = ctx;

	if (rec->owner && r->clock)
		record_block__put(rec->owner);
	else if (rec->owner)
		ring_chunk__put(rec->owner);
}

static bool is_backlogged(void *ctx)
{
	struct recorder *r = ctx;

	return r->rings && rings__backlogged(r->rings);
}

static void cache_binary(void *ctx, const struct dso *dso, const struct build_id *id)
{
	struct recorder *r = ctx;
	int ret = id_cache__add_dso(&r->cache, r->sink.binaries, dso, id, ID_CACHE_ADD);

	if (!ret)
		r->result->cached++;
	else if (ret != -EEXIST && ret != -ENOENT && !r->result->cache_err.code)
		error__set(&r->result->cache_err, ret, "%s was not copied to %s: %s", dso->name,
			   r->cache.dir, strerror(-ret));
}

static void open_cache(struct recorder *r)
{
	const struct binary_opts opts = {};

	if (!r->opts->fill_cache || r->opts->no_unwind_cache)
		return;
	if (id_cache__open(&r->cache, &opts, &r->result->cache_err))
		return;
	r->sink.found = cache_binary;
	r->sink.found_ctx = r;
}

static int sink_synthesized(void *ctx, const struct perf_event_header *hdr)
{
	struct recorder *r = ctx;
	struct record rec = { .hdr = hdr };

	(void)record__identify(&rec, r->live);
	return file_sink__record(&r->sink, &rec);
}

/* Where nothing else can be mapped. */
enum jit_file_at {
	DUMP_AT = 0x1000, /* jit-PID.dump */
	COPY_AT = 0x2000, /* perf-PID.map */
};

/*
 * What a process says of its code was written to @path, or will be: readers find it by a mapping,
 * as if the process had mapped it.
 */
static int map_file(struct recorder *r, u32 pid, const char *path, u64 time, enum jit_file_at at)
{
	struct synthesize s = {
		.emit = sink_synthesized, .ctx = r, .event = r->live->events.v[0], .time = time,
	};
	const struct synth_mmap2 mmap = {
		.misc = PERF_RECORD_MISC_USER, .pid = pid, .tid = pid, .start = at,
		.len = 0x1000, .prot = PROT_READ | PROT_EXEC, .flags = MAP_PRIVATE,
		.filename = path,
	};

	return synth__mmap2(&s, &mmap);
}

static int on_jit_file(void *ctx, u32 pid, const char *path, u64 time)
{
	struct recorder *r = ctx;

	r->result->jit_files++;
	return map_file(r, pid, path, time, DUMP_AT);
}

static int on_map_copy(void *ctx, u32 pid, const char *path, u64 time)
{
	return map_file(ctx, pid, path, time, COPY_AT);
}

static int insert(void *ctx, const struct perf_event_header *hdr)
{
	const struct recorder *r = ctx;

	return pipeline__insert(r->pipeline, hdr);
}

static int on_moved_text(void *ctx, u32 pid, const struct map *map, u64 time)
{
	struct recorder *r = ctx;
	const struct dso *dso = map->dso;
	struct synthesize s = {
		.emit = insert, .ctx = r, .event = r->live->events.v[0], .time = time,
	};
	const struct synth_mmap2 mmap = {
		.misc = PERF_RECORD_MISC_USER, .pid = pid, .tid = pid, .start = map->start,
		.len = map->end - map->start, .pgoff = map->pgoff, .prot = map->prot,
		.flags = map->flags, .filename = dso->path, .build_id = dso->build_id,
		.maj = dso->maj, .min = dso->min, .ino = dso->ino,
		.ino_generation = dso->ino_generation,
	};

	return synth__mmap2(&s, &mmap);
}

int recorder__find_output(struct recorder *r, struct error *err)
{
	int ret;

	if (!strcmp(r->opts->output, "-"))
		return 0;
	ret = out_place__find(&r->place, r->opts->output, err);
	if (ret)
		return ret;
	jit_dir__init(&r->jit_dir, &r->place);
	r->has_place = true;
	return 0;
}

static u64 event_time(void *ctx)
{
	const struct recorder *r = ctx;

	return event_clock__now(&r->event_clock);
}

static bool can_tell_time(struct recorder *r)
{
	int err = event_clock__init(&r->event_clock, r->live);

	if (err)
		pr_warn("Code that programs register for debuggers gets no names, because the "
			"clock of the samples cannot be read: %s. Use '-k mono'.\n",
			strerror(-err));
	return !err;
}

int recorder__build_pipeline(struct recorder *r, struct error *err)
{
	struct pipeline_opts opts = {
		.keep_deferred = !r->opts->stitch,
		.max_pending = r->opts->max_pending,
		.keep_copies = !r->opts->stitch,
		.keep_switches = r->opts->off_cpu.raw,
		.backlogged = is_backlogged,
		.backlogged_ctx = r,
		.snapshots = r->sampling.overwrite,
		.unwind = r->opts->unwind,
		.runtimes = r->opts->runtimes,
		.symbols.binary = {
			.live = true, .no_unwind_cache = r->opts->no_unwind_cache,
		},
	};
	int ret;

	r->sink.stitch = r->opts->stitch;
	r->sink.parts = SPLICE_EMPTY;
	r->sink.live = true;
	r->sink.drop_foreign = r->set.foreign_chains;
	open_cache(r);
	opts.jit_dir = r->has_place ? &r->jit_dir : NULL;
	if (r->has_place && can_tell_time(r))
		opts.now = event_time;
	opts.on_jit_file = on_jit_file;
	opts.on_map_copy = on_map_copy;
	opts.on_moved_text = on_moved_text;
	opts.on_jit_file_ctx = r;
	opts.sink = file_sink__ops(&r->sink);
	recorder_parts__join(r, &opts);
	ret = pipeline__new(&r->pipeline, r->live, &opts, err);
	if (ret)
		return ret;
	pipeline__on_release(r->pipeline, release_record, r);
	return 0;
}

/*
 * The attrs say that callchains are deferred until it is known that all were merged: in the end,
 * unless the recorder is killed, or writes to a pipe.
 */
static void mark_deferred(struct recorder *r)
{
	static const enum attr_bit bits[] = { ATTR_BIT_DEFER_CALLCHAIN, ATTR_BIT_DEFER_OUTPUT };

	for (size_t i = 0; i < r->live->events.nr; i++)
		for (size_t k = 0; k < ARRAY_SIZE(bits); k++)
			evsel__set_bit(r->written->events.v[i], bits[k],
				       attr__test_bit(&r->live->events.v[i]->attr, bits[k]));
}

/* Whether samples are completed here, so that there is something to tell of each. */
static bool has_notes(const struct recorder *r)
{
	return r->opts->stitch && (recording__any_samples(r->live, PERF_SAMPLE_STACK_USER) ||
				   recording__any_bit(r->live, ATTR_BIT_DEFER_CALLCHAIN));
}

int recorder__open_output(struct recorder *r, struct error *err)
{
	struct writer_opts opts = {
		.path = r->opts->output,
		.place = recorder__place(r),
		.comp_level = r->opts->comp_level,
		.copies = r->sampling.largest_copy && r->sampling.keep_copies,
		.give_up = recorder__gives_up,
		.give_up_ctx = r,
	};
	int ret;

	mark_deferred(r);
	r->written->stack_notes = r->sink.notes = has_notes(r);
	ret = recorder_file__keep_old(opts.place, &r->old_kept, err);
	if (ret)
		return ret;
	ret = writer__open(&r->writer, &opts, r->written, err);
	if (ret && r->old_kept)
		recorder_file__bring_back(opts.place, true);
	r->sink.writer = r->writer;
	return ret;
}

int recorder__synthesize(struct recorder *r,
			 int (*emit)(void *ctx, const struct perf_event_header *hdr))
{
	struct synthesize s = {
		.emit = emit,
		.ctx = r,
		.build_id = build_id__read_fd,
		.kernel_build_id = build_id__read_kernel,
		.module_build_id = build_id__read_module,
		.event = recorder__tracking_event(r->live),
		.leave_out = r->opts->leave_out,
		.kernel_text = &r->kernel_text,
		/* These records are at the end of the file, but older than all others. */
		.time = r->opts->tail_synthesize,
	};
	int ret;

	synthesize__init(&s);
	/* Processes first: they may end soon, the kernel does not. */
	ret = synthesize__processes(&s, &r->target);
	if (!ret)
		ret = synthesize__kernel(&s);
	if (!ret)
		ret = synthesize__ksymbols(&s);
	if (!ret)
		ret = synthesize__cgroups(&s);
	r->result->synth_tasks = s.tasks;
	r->result->synth_mappings = s.mappings;
	r->result->synth_skipped = s.skipped;
	synthesize__done(&s);
	return ret;
}

static int write_synthesized(void *ctx, const struct perf_event_header *hdr)
{
	struct recorder *r = ctx;

	return writer__write(r->writer, hdr, hdr->size, &r->sink.err);
}

static int write_lost_of(void *ctx, size_t event, const struct perf_counts_values *count)
{
	struct recorder *r = ctx;
	struct synthesize s = {
		.emit = write_synthesized,
		.ctx = r,
		.event = r->written->events.v[event],
	};
	u64 written = (uintptr_t)map64__get(&r->lost_written, count->id), id = count->id;

	if (count->lost <= written)
		return 0;
	map64__set(&r->lost_written, count->id, (void *)(uintptr_t)count->lost);
	r->lost += count->lost - written;
	/* Of a CPU that came later the file has no ids. */
	if (!recording__event_by_id(r->written, id) && s.event->ids.nr)
		id = s.event->ids.v[0];
	return synth__lost_samples(&s, id, count->lost - written);
}

int recorder__write_lost(struct recorder *r)
{
	return event_set__each_count(&r->set, write_lost_of, r);
}

/* With the hints of the sink's words, on lines of their own. */
static int recorder__say_failed(const struct recorder *r, struct error *err)
{
	if (err)
		*err = r->sink.err;
	return r->failed;
}

int recorder__finish_output(struct recorder *r, struct error *err)
{
	int ret;

	recorder__check_asleep(r);
	if (!r->failed)
		r->failed = pipeline__finish(r->pipeline);
	recorder_parts__end(r);
	if (!r->failed && r->opts->tail_synthesize)
		r->failed = recorder__synthesize(r, write_synthesized);
	if (!r->failed)
		r->failed = recorder__write_lost(r);
	if (!r->writer) /* the next of several files could not be opened */
		return recorder__say_failed(r, err);
	file_sink__describe(&r->sink, r->written);
	/* So that .bytes is known. An error is returned again by writer__finish(). */
	(void)writer__flush(r->writer, NULL);
	r->result->bytes = writer__bytes(r->writer);
	ret = writer__finish(r->writer, err);
	r->writer = NULL;
	if (ret || !r->failed)
		return ret;
	if (!r->sink.err.code)
		error__set(&r->sink.err, r->failed, "%s", strerror(-r->failed));
	error__prefix(&r->sink.err, "the recording ended early");
	return recorder__say_failed(r, err);
}
