// SPDX-License-Identifier: GPL-2.0-only
/* The course of a recording, from the fork of the workload to the finished file. */
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/log.h"
#include "../io/mapfile.h"
#include "../live/synth-record.h"
#include "recorder-file.h"
#include "recorder-priv.h"

#define PIPELINE_NICE -10 /* ordinary users may not; that is no error */
#define FLUSH_MS 200 /* kill -9 may cost so much; shorter makes compressed files larger */
#define RELEASE_MS 10000 /* so often memory of files that were read is given back */
#define LOOK_MS 50   /* so often it looks for signals, commands and ends, whatever waits */
/* One with the last samples, and two that let all records before them leave the order stage. */
#define ROUNDS_TO_STOP 3

static int push(struct recorder *r, const struct perf_event_header *hdr, void *owner)
{
	struct record rec = { .hdr = hdr, .owner = owner };

	if (record__identify(&rec, r->live))
		pr_debug("the kernel wrote a record of type %u that does not fit its "
			 "event\n", hdr->type);
	if (rec.time != NO_TIME && rec.time > r->newest)
		r->newest = rec.time;
	recorder_parts__record(r, &rec);
	return pipeline__push(r->pipeline, &rec);
}

static int push_synthesized(void *ctx, const struct perf_event_header *hdr)
{
	struct recorder *r = ctx;

	return push(r, arena__dup(r->synth_bytes, hdr, hdr->size), NULL);
}

static u64 now_ms(void)
{
	return clock__now(CLOCK_MONOTONIC) / NSEC_PER_MSEC;
}

/* The size of the file, with the records that still wait for deferred callchains. */
static u64 output_bytes(const struct recorder *r)
{
	return writer__bytes(r->writer) + pipeline__pending(r->pipeline);
}

static bool wants_switch(struct recorder *r, u64 now)
{
	const struct switch_output *sw = &r->opts->switch_output;

	if (!sw->on || r->stopping)
		return false;
	return r->switch_wanted || (sw->size && output_bytes(r) >= sw->size) ||
	       (r->switch_ms && now >= r->switch_ms);
}

static int switch_output(struct recorder *r, u64 now)
{
	int ret = recorder__switch_output(r);

	r->switch_wanted = false;
	if (r->switch_ms)
		r->switch_ms = now + r->opts->switch_output.ms;
	r->flushed_ms = 0;
	return ret;
}

/*
 * Whether a reader of the file must hold what it has read: the state that is written at the very
 * end belongs in front of everything, and a snapshot is older than what was written meanwhile.
 */
static bool has_late_records(const struct recorder *r)
{
	return r->opts->tail_synthesize || r->sampling.overwrite;
}

/*
 * A recording of many files lasts: of all that its machine runs, binaries were read once, and stay
 * in this process's memory unless they are given back. They are mostly in the page cache.
 */
static void release_memory(struct recorder *r, u64 now)
{
	if (!r->opts->switch_output.on || now < r->released_ms + RELEASE_MS)
		return;
	r->released_ms = now;
	mapfile__release_pages();
	mem__give_back();
}

/* Ends the round in the pipeline, and in the file when something was written. @pass: 0: of none */
static int end_round(struct recorder *r, u64 pass)
{
	u64 before = writer__bytes(r->writer), now;
	int ret;

	recorder_parts__round(r, pass);
	ret = pipeline__round(r->pipeline);
	if (!ret && writer__bytes(r->writer) != before && !has_late_records(r))
		ret = writer__finished_round(r->writer, &r->sink.err);
	now = now_ms();
	release_memory(r, now);
	if (ret || now < r->flushed_ms + FLUSH_MS)
		return ret;
	r->flushed_ms = now;
	return writer__flush(r->writer, &r->sink.err);
}

/* The contents of overwritten rings belong into the file before it is finished. */
static void ask_for_snapshot(struct recorder *r)
{
	if (!r->sampling.overwrite || r->snapshot_asked || r->stopping ||
	    !(r->snapshot_wanted || wants_switch(r, now_ms())))
		return;
	r->snapshot_wanted = false;
	r->snapshot_asked = true;
	rings__snapshot(r->rings);
}

/* The snapshot is in the file. */
static int end_snapshot(struct recorder *r)
{
	u64 now = now_ms();

	r->snapshot_asked = false;
	if (wants_switch(r, now))
		return switch_output(r, now);
	return writer__flush(r->writer, &r->sink.err);
}

/* Overwritten rings have no rounds until they are read. */
static bool wants_asleep(const struct recorder *r)
{
	return !r->failed && r->opts->stitch && !r->sampling.overwrite &&
	       r->sampling.stack == USER_STACK_DEFER;
}

/*
 * From now on rounds are counted: of passes that begin later. Those that the drain has made by now,
 * many when this thread is late, do not have what is in the rings at this moment.
 */
static void await_rounds(struct recorder *r)
{
	r->rounds_from = rings__passes(r->rings);
	rings__pass(r->rings);
}

/*
 * Begins the next file when it is time: of the threads that sleep now the stacks are read, and used
 * if no record of theirs comes meanwhile.
 */
static int end_file(struct recorder *r, u64 pass)
{
	u64 now = now_ms();

	if (r->rounds_to_switch && pass <= r->rounds_from)
		return 0;
	if (r->rounds_to_switch) {
		if (!--r->rounds_to_switch)
			return switch_output(r, now);
		rings__pass(r->rings);
		return 0;
	}
	if (r->sampling.overwrite || !wants_switch(r, now))
		return 0;
	if (!wants_asleep(r))
		return switch_output(r, now);
	recorder__read_asleep(r);
	r->rounds_to_switch = ROUNDS_TO_STOP;
	await_rounds(r);
	return 0;
}

static void disable(struct recorder *r)
{
	r->rounds_to_stop = 0;
	recorder_parts__disable(r);
	event_set__disable(&r->set);
	rings__stop(r->rings);
}

/* Deferred callchains come until the stacks of those that wait for them are read. */
static void count_down(struct recorder *r)
{
	if (--r->rounds_to_stop) {
		rings__pass(r->rings);
		return;
	}
	recorder__read_asleep(r);
	disable(r);
}

static void push_chunk(struct recorder *r, struct ring_chunk *c)
{
	const struct perf_event_header *hdr;
	size_t pos = 0;

	while (!r->failed && (hdr = ring_chunk__next(c, &pos))) {
		c->refs++;
		recorder_parts__taken(r, (struct perf_event_header *)hdr);
		r->failed = push(r, hdr, c);
	}
	if (!r->failed && c->round_ended)
		r->failed = end_round(r, c->pass) ?: end_file(r, c->pass);
	if (!r->failed && c->snapshot_ended)
		r->failed = end_snapshot(r);
	if (r->rounds_to_stop && r->failed)
		disable(r);
	else if (r->rounds_to_stop && c->round_ended && c->pass > r->rounds_from)
		count_down(r);
	ring_chunk__put(c);
}

/*
 * Takes the chunks that are there. Returns 0 when there may be more: where samples come as fast as
 * they are written there always are, and who calls has other things to look for; -ESHUTDOWN when no
 * more will come.
 */
static int push_chunks(struct recorder *r)
{
	u64 until = now_ms() + LOOK_MS;
	struct ring_chunk *c;
	int ret;

	while (!(ret = rings__take(r->rings, &c))) {
		push_chunk(r, c);
		if (now_ms() >= until)
			return 0;
	}
	/* The arena is full of records that wait for the end of a round: it is ended, twice. */
	if (ret == -ENOBUFS && !r->failed) {
		pipeline__expire_doubted(r->pipeline);
		r->failed = end_round(r, 0);
		if (!r->failed)
			r->failed = end_round(r, 0);
	}
	return ret;
}

static bool is_done(struct recorder *r)
{
	if (r->signal || r->failed || r->stop_wanted)
		return true;
	if (r->has_workload && workload__ended(&r->workload))
		return true;
	if (r->opts->max_size && output_bytes(r) >= r->opts->max_size)
		return true;
	/* A recorded workload has ended when it exits, not when its events hang up. */
	return !r->target.workload && rings__hung_up(r->rings);
}

static void stop(struct recorder *r)
{
	r->stopping = true;
	r->result->ms = r->started_ms ? now_ms() - r->started_ms : 0;
	if (!r->failed && r->opts->off_cpu.on && !r->opts->off_cpu.raw && !r->target.workload)
		recorder__read_slept(r);
	if (!wants_asleep(r)) {
		disable(r);
		return;
	}
	r->rounds_to_switch = 0;
	/* Without an event of their own, records of callchains come with the samples. */
	if (event_set__defers_apart(&r->set)) {
		recorder_parts__disable(r);
		event_set__disable_samples(&r->set);
		recorder__end_off_cpu(r);
	}
	r->rounds_to_stop = ROUNDS_TO_STOP;
	await_rounds(r);
}

/* Does what is due, and returns the milliseconds until the next thing is due; -1: none is. */
static int due(struct recorder *r)
{
	const struct toggles *t = &r->opts->toggles;
	u64 now = now_ms(), next = UINT64_MAX;

	if (r->stopping)
		return -1;
	while (r->next_toggle < t->nr && now >= r->started_ms + t->ms[r->next_toggle])
		recorder__toggle(r, "", !(r->next_toggle++ & 1));
	if (r->next_toggle < t->nr)
		next = r->started_ms + t->ms[r->next_toggle];
	/* Without .overwrite this is checked when a round ends. */
	if (r->sampling.overwrite && r->switch_ms && !r->snapshot_asked)
		next = min_of(next, r->switch_ms);
	if (next == UINT64_MAX)
		return -1;
	return next <= now ? 0 : min_of(next - now, (u64)INT_MAX);
}

static void run_loop(struct recorder *r)
{
	struct pollfd fds[] = {
		{ .fd = r->ready_fd, .events = POLLIN },
		{ .fd = r->signal_fd, .events = POLLIN },
		{ .fd = -1, .events = POLLIN },
		{ .fd = r->trigger.fd, .events = POLLIN },
		{ .fd = recorder_agent__fd(r), .events = POLLIN },
	};
	int ret = -EAGAIN, wait_ms;
	bool busy = false;
	eventfd_t ready;

	while (ret != -ESHUTDOWN) {
		if (!r->stopping && is_done(r))
			stop(r);
		fds[2].fd = r->opts->control ? r->opts->control->fd : -1;
		wait_ms = recorder_agent__wait(r, due(r));
		if (poll(fds, ARRAY_SIZE(fds), busy ? 0 : wait_ms) < 0 && errno != EINTR)
			break;
		eventfd_read(r->ready_fd, &ready);
		recorder__read_signals(r);
		recorder__run_commands(r);
		recorder_parts__look(r, now_ms());
		ask_for_snapshot(r);
		ret = push_chunks(r);
		busy = !ret || (ret == -EAGAIN && stack_walker__go_on(r->walker));
	}
}

/* On busy CPUs a recorder that is late loses samples. The command was forked before. */
static void raise_priority(void)
{
	errno = 0;
	if (getpriority(PRIO_PROCESS, 0) > PIPELINE_NICE && !errno)
		(void)setpriority(PRIO_PROCESS, gettid(), PIPELINE_NICE);
}

static int start_workload(struct recorder *r, struct error *err)
{
	int ret = workload__start(&r->workload, err);

	if (ret)
		return ret;
	while ((ret = workload__await_exec(&r->workload, r->signal_fd, err)) > 0) {
		recorder__read_signals(r);
		if (r->signal)
			return 0;
	}
	return ret;
}

static int start(struct recorder *r, struct error *err)
{
	struct rings_opts opts = {
		.set = &r->set,
		.recording = r->live,
		.arena_bytes = r->opts->arena_bytes,
		.priority = r->opts->priority,
		.affinity = r->opts->affinity,
		.flush_bytes = r->opts->flush_bytes,
		.ready_fd = r->ready_fd,
	};
	int ret = recorder_parts__start(r, &opts, err) ?: rings__start(&r->rings, &opts, err);

	if (ret)
		return ret;
	raise_priority();
	recorder__drop_privileges(r, RECORDER_STARTED);
	/* Enabled before the synthesis, so that no change of state is missed in between. */
	if (r->sampling.enable_on_exec)
		;
	else if (r->sampling.start_disabled)
		event_set__enable_tracking(&r->set);
	else
		event_set__enable(&r->set);
	if (r->opts->switch_output.ms)
		r->switch_ms = now_ms() + r->opts->switch_output.ms;
	r->started_ms = now_ms();
	if (!r->opts->tail_synthesize)
		r->failed = recorder__synthesize(r, push_synthesized);
	recorder_parts__started(r);
	if (!r->has_workload)
		return 0;
	ret = start_workload(r, err);
	if (ret)
		error__prefix(err, "%s", r->opts->argv[0]);
	r->result->exec_failed = ret;
	return ret;
}

/* By this descriptor the drain wakes up this thread. */
static int open_ready_fd(struct recorder *r, struct error *err)
{
	r->ready_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (r->ready_fd < 0)
		return error__set(err, -errno, "cannot wait for the rings: %s", strerror(errno));
	return 0;
}

static int open_events(struct recorder *r, struct error *err)
{
	const struct recorder_opts *opts = r->opts;
	const struct event_set_opts set = {
		.sampling = &r->sampling,
		.target = &r->target,
		.ring_pages = opts->ring_pages,
		.no_fallback = opts->no_fallback,
		.clock_ns = opts->clock_ns,
		.clock_stack = AGENT_STACK_MAX,
	};

	return event_set__open(&r->set, opts->events, &set, err) ?:
	       recorder_parts__opened(r, &r->set, err);
}

/* Makes the process of the command, which waits. */
static int prepare_workload(struct recorder *r, struct error *err)
{
	const struct recorder_opts *opts = r->opts;
	int ret;

	if (!opts->argv)
		return 0;
	ret = recorder_agent__prepare(r, opts->argv, !strcmp(opts->output, "-"), err);
	if (ret)
		return ret;
	r->has_workload = true;
	if (!r->target.system_wide && !target__has_tasks(&r->target)) {
		r->target.workload = r->workload.pid;
		r->sampling.enable_on_exec = true;
	}
	return 0;
}

static int prepare(struct recorder *r, struct error *err)
{
	const struct recorder_opts *opts = r->opts;
	int ret;

	r->sampling.start_disabled = opts->start_disabled || opts->toggles.nr || opts->agent;
	r->sampling.track_apart = !opts->clock_ns &&
				  (r->sampling.start_disabled || opts->control ||
				   r->sampling.overwrite);
	ret = recorder_agent__open(r, err);
	ret = ret ?: prepare_workload(r, err);
	ret = ret ?: recorder__watch_signals(r, err);
	ret = ret ?: open_ready_fd(r, err);
	ret = ret ?: recorder_parts__prepare(r, err);
	ret = ret ?: open_events(r, err);
	ret = ret ?: recorder__describe(r, err);
	ret = ret ?: recorder_parts__described(r, err);
	ret = ret ?: recorder__find_output(r, err);
	ret = ret ?: recorder__build_pipeline(r, err);
	ret = ret ?: recorder__open_output(r, err);
	if (ret)
		return ret;
	kernel_text__read(&r->kernel_text);
	recorder__drop_privileges(r, RECORDER_OPENED);
	return 0;
}

static void fill_result(struct recorder *r)
{
	const struct binaries *binaries = symbols__binaries(pipeline__symbols(r->pipeline));
	struct recorder_result *res = r->result;

	res->samples = r->sink.samples;
	res->counted = res->samples ? 0 : event_set__counted(&r->set);
	res->account = *pipeline__account(r->pipeline);
	res->foreign = r->sink.foreign + res->account.deferred_stats.unused;
	res->account.lost_samples = r->lost;
	res->ring_bytes = r->set.ring_pages * (u64)sysconf(_SC_PAGESIZE);
	res->lacked_descriptors = binaries__lacked_descriptors(binaries);
	res->given_up = binaries__nr_given_up(binaries);
	/* Events on CPUs begin one after the other, and may have missed mappings. */
	res->saw_hidden = !r->target.system_wide && !r->target.has_cpus &&
			  machine__saw_hidden(pipeline__machine(r->pipeline));
	res->jit = *jit_dumps__account(pipeline__jit(r->pipeline));
	if (pipeline__map_copies(r->pipeline))
		res->maps = *map_copies__finish(pipeline__map_copies(r->pipeline));
	res->raw_through = r->opts->stitch ? res->account.user_part[USER_PART_KEPT] : 0;
	if (pipeline__off_cpu(r->pipeline))
		res->off_cpu = *off_cpu__account(pipeline__off_cpu(r->pipeline));
	if (r->rings)
		rings__stats(r->rings, &res->rings);
	res->has_account = r->rings && !res->exec_failed;
}

/* After an error the file may have fewer samples than were passed to the writer. */
static void recount_output(struct recorder *r)
{
	struct recorder_result *res = r->result;
	u64 fitted, bytes;

	if (recorder_file__count(recorder__place(r), res->output, &fitted, &bytes) ||
	    fitted > res->samples)
		return;
	res->unwritten = res->samples - fitted;
	res->samples = fitted;
	res->bytes = bytes;
}

/* Gives the output its final name. */
static int name_output(struct recorder *r, struct error *err)
{
	const struct recorder_opts *opts = r->opts;
	struct recorder_result *res = r->result;

	if (r->has_place && (opts->timestamp_filename || opts->switch_output.on))
		return recorder_file__stamp(&r->place, res->output, sizeof(res->output), err);
	snprintf(res->output, sizeof(res->output), "%s", opts->output);
	return 0;
}

/* Runs, and collects the results; the first error is in @err. */
static int record(struct recorder *r, struct error *err)
{
	int ret = start(r, err), written, named;

	if (ret && r->rings)
		stop(r);
	if (r->rings)
		run_loop(r);
	written = recorder__finish_output(r, ret ? NULL : err);
	ret = ret ?: written;
	fill_result(r);
	if (!r->result->has_account) {
		recorder_file__bring_back(recorder__place(r), r->old_kept);
		return ret;
	}
	named = name_output(r, ret ? NULL : err);
	if (written)
		recount_output(r);
	if (r->opts->sampling.stack == USER_STACK_DEFER && !r->opts->stitch && !ret)
		recorder_file__account(recorder__place(r), r->result->output, &r->result->account);
	return ret ?: named;
}

/* Asks it to end, and waits until it has; with a signal that comes then, it is left as it is. */
static void end_workload(struct recorder *r)
{
	struct pollfd fd = { .fd = r->signal_fd, .events = POLLIN };
	int signal = r->signal;

	if (!r->has_workload)
		return;
	if (workload__ended(&r->workload))
		r->result->exit_status = workload__exit_status(&r->workload);
	if (r->workload.go_fd >= 0) /* it was never started, and ends by itself */
		workload__finish(&r->workload, SIGTERM);
	if (workload__ended(&r->workload))
		return;
	r->signal = 0;
	kill(r->workload.pid, SIGTERM);
	while (!workload__ended(&r->workload) && !r->signal) {
		if (poll(&fd, 1, -1) < 0 && errno != EINTR)
			break;
		recorder__read_signals(r);
	}
	if (r->signal) {
		r->result->left_pid = r->workload.pid;
		workload__leave(&r->workload);
	}
	r->signal = signal ?: r->signal;
}

static void free_all(struct recorder *r)
{
	workload__finish(&r->workload, SIGTERM);
	writer__abort(r->writer);
	pipeline__free(r->pipeline); /* puts chunks of the rings */
	if (r->has_place) {
		jit_dir__close(&r->jit_dir);
		out_place__close(&r->place);
	}
	rings__free(r->rings);
	recorder_parts__close(r);
	file_sink__free(&r->sink);
	id_cache__close(&r->cache);
	recorder__forget_files(r);
	event_set__close(&r->set);
	recording__free(r->live);
	recording__free(r->written);
	arena__free(r->synth_bytes);
	map64__free(&r->lost_written);
	if (r->signal_fd >= 0)
		close(r->signal_fd);
	if (r->ready_fd >= 0)
		close(r->ready_fd);
}

int recorder__run(const struct recorder_opts *opts, struct recorder_result *result,
		  struct error *err)
{
	const struct recorder_callbacks *cb = &opts->callbacks;
	/* Not on the stack, of which perf may be recording copies. */
	struct recorder *r = xmalloc(sizeof(*r));
	int ret;

	*r = (struct recorder){
		.opts = opts,
		.result = result,
		.target = opts->target,
		.sampling = opts->sampling,
		.workload = { .go_fd = -1, .failed_fd = -1 },
		.trigger = { .fd = -1 },
		.signal_fd = -1,
		.ready_fd = -1,
		.cache.fd = -1,
		.synth_bytes = arena__new(),
		.push = push,
		.emit = push_synthesized,
	};
	*result = (struct recorder_result){ .late_cpu = -1 };
	if (opts->switch_output.on)
		mem__give_back_large();
	file_sink__init(&r->sink);
	ret = prepare(r, err);
	if (!ret && cb->ready)
		cb->ready(cb->ctx, &r->set);
	if (!ret)
		ret = record(r, err);
	end_workload(r);
	if (r->signal)
		result->exit_status = 128 + r->signal;
	free_all(r);
	free(r);
	return ret;
}
