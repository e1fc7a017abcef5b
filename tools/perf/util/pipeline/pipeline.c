// SPDX-License-Identifier: GPL-2.0-only
#include "pipeline.h"

#include "../base/clock.h"
#include "../callchain-deferred/stream.h"
#include "../complete/complete.h"
#include "../complete/future-maps.h"
#include "../complete/leaf.h"
#include "../data/record-pool.h"
#include "../off-cpu/off-cpu.h"
#include "../order/horizon.h"
#include "../order/order.h"
#include "../sample/user-stack.h"
#include "ahead.h"
#include "code-gate.h"
#include "code-lines.h"
#include "early-map.h"
#include "made-code.h"
#include "read-values.h"
#include "slept-threads.h"
#include "soon.h"
#include "work.h"

#define PROGRESS_EVERY 4096
#define RECORD_MAX 65536 /* bytes */
#define CODE_ROUNDS 256   /* walks of one sample */
#define DEFAULT_PENDING (64ULL << 20)

/* Of a stream: bytes that wait to be put in order: the rings of many CPUs, twice. */
#define STREAM_HOLD_MAX (512ULL << 20)

/*
 * Of a file: records that wait for older ones, 80 bytes each. Far more than are in the rings of a
 * large machine together; that many wait only for one whose time is wrong.
 */
#define FILE_HOLD_MAX (8 << 20)

struct pipeline {
	struct pipeline_opts opts;
	const struct recording *recording;
	struct machine *machine;
	struct symbols *symbols;
	struct jit_dumps *jit;
	struct code_lines *code_lines;
	struct made_code made_code; /* live */
	struct code_gate code_gate;
	struct order *order;
	struct complete *complete;
	struct walk_queue *queue; /* of a file with stack copies */
	bool tells_soon;          /* of a file without, to sinks that want it */
	struct ahead *ahead;      /* of a file */
	/* One of these, by the source of records; none: chains are left as recorded. */
	struct deferred *deferred; /* of a file */
	struct future_maps *future; /* used with .deferred */
	struct deferred_stream *stream; /* of a source that is read only once */
	struct record_pool waiting; /* live: copies of records that wait in .stream */
	struct waiting_stacks *waiting_stacks; /* live; NULL: not asked for */
	struct off_cpu *off_cpu; /* of a recording with the event offcpu-time */
	struct slept_threads *slept; /* live, at the end; NULL: not asked for */
	struct read_values read_values;
	struct pipeline_account account;
	struct map64 runtimes; /* see runtimes__of_end() */
	void (*release)(void *ctx, struct record *rec);
	void *release_ctx;
};

/* The user part is younger than the sample: its code may be mapped only after the sample. */
static int pipeline__map_ahead(struct pipeline *p, const struct whole_sample *ws)
{
	const struct thread *t = ws->thread;
	struct record rec;
	u64 ip;

	if (!p->future || p->queue)
		return 0;
	if (ws->deferred != DEFERRED_MATCHED || !ws->nr_user || !t->nr_exec)
		return 0;
	ip = ws->user[0];
	if (machine__find_map(p->machine, t, PERF_RECORD_MISC_USER, ip) ||
	    future_maps__find(p->future, t->pid, ws->rec->time, ip, &rec))
		return 0;
	/* It is processed again at its own time, which changes nothing. */
	if (machine__process(p->machine, &rec))
		p->account.malformed++;
	return early_map__emit(&p->opts.sink, p->recording, &rec, ws->rec->time);
}

static int pipeline__emit_sample(void *ctx, const struct whole_sample *ws)
{
	struct pipeline *p = ctx;
	bool counts = ws->s->read && ws->rec->event->attr.read_format & PERF_FORMAT_ID;
	bool splits = false;
	int ret = 0;

	if (!off_cpu__is_wake_event(p->off_cpu, ws->rec->event)) {
		pipeline_account__add(&p->account, ws);
		pipeline_account__add_cut(&p->account,
					  runtimes__of_end(&p->runtimes, p->machine, ws));
	}
	sink__for_each(&p->opts.sink, s) {
		if (s->sample && s->split_reads && counts)
			splits = true;
		else if (s->sample)
			ret = s->sample(s->ctx, ws);
		if (ret)
			return ret;
	}
	if (splits)
		ret = read_values__deliver(&p->read_values, p->recording, ws, &p->opts.sink);
	return ret;
}

/* @answer and @walked as of complete__sample(). */
static int pipeline__deliver_sample(struct pipeline *p, struct whole_sample *ws,
				    const struct deferred_answer *answer,
				    const struct unwind_chain *walked)
{
	int ret = 0;

	complete__sample(p->complete, ws, answer, walked);
	/* Each walk comes to the next piece of code. */
	for (u32 i = 0; i < CODE_ROUNDS && (ret = made_code__behind(&p->made_code, ws)) == 1; i++)
		complete__sample(p->complete, ws, answer, NULL);
	ret = ret < 0 ? ret : made_code__name(&p->made_code, ws);
	if (ret)
		return ret;
	ws->ends_early = user_stack__ends_early(p->machine, ws);
	return pipeline__map_ahead(p, ws) ?:
	       p->off_cpu ? off_cpu__sample(p->off_cpu, ws) : pipeline__emit_sample(p, ws);
}

static bool pipeline__parse(struct pipeline *p, const struct record *rec, struct sample *s)
{
	bool fits = rec->event && !sample__parse(s, rec);

	p->account.malformed += !fits;
	return fits;
}

static int pipeline__sample(struct pipeline *p, const struct record *rec,
			    const struct deferred_answer *answer)
{
	struct sample s;
	struct whole_sample ws = { .rec = rec, .s = &s };
	int ret;

	if (!pipeline__parse(p, rec, &s))
		return 0;
	ws.thread = machine__thread(p->machine, s.pid, s.tid);
	ret = made_code__before(&p->made_code, ws.thread, rec->time) ?:
	      jit_dumps__advance(p->jit, ws.thread->pid, rec->time);
	if (ret)
		return ret;
	return pipeline__deliver_sample(p, &ws, answer, NULL);
}

static int pipeline__deliver_other(struct pipeline *p, const struct record *rec,
				   const struct deferred_answer *answer)
{
	struct lost_record lost;
	u32 type = rec->hdr->type;
	bool merged;
	int ret;

	if (off_cpu__is_behind(p->off_cpu, rec))
		return 0;
	if (machine__process(p->machine, rec))
		p->account.malformed++;
	jit_dumps__record(p->jit, rec);
	code_gate__record(&p->code_gate, rec);
	kernel_walk__record(&p->opts.kernel_walk, p->machine, rec);
	made_code__record(&p->made_code, rec);
	if (type == PERF_RECORD_LOST && !record__lost(rec, &lost))
		p->account.lost += lost.lost;
	else if (type == PERF_RECORD_LOST_SAMPLES && !record__lost(rec, &lost) &&
		 !(rec->hdr->misc & ABI_MISC_LOST_SAMPLES_BPF))
		p->account.lost_samples += lost.lost;
	merged = type == ABI_RECORD_CALLCHAIN_DEFERRED &&
		 !(answer && answer->result == DEFERRED_PASSED);
	ret = p->off_cpu ? off_cpu__record(p->off_cpu, rec) : 0;
	sink__for_each(&p->opts.sink, s)
		if (!ret && s->record && !(merged && s->drop_merged))
			ret = s->record(s->ctx, rec);
	return ret ?: made_code__turn(&p->made_code, rec);
}

int pipeline__insert(struct pipeline *p, const struct perf_event_header *hdr)
{
	struct record rec = { .hdr = hdr };

	(void)record__identify(&rec, p->recording);
	return pipeline__deliver_other(p, &rec, NULL);
}

/* Delivers any record, in the order of time. @answer: of a stream's matcher; or NULL. */
static int pipeline__deliver_record(struct pipeline *p, const struct record *rec,
				    const struct deferred_answer *answer)
{
	int ret = p->opts.on_code && rec->time != NO_TIME ?
		  jit_dumps__advance_all(p->jit, rec->time) : 0;

	if (ret)
		return ret;
	return rec->hdr->type == PERF_RECORD_SAMPLE ? pipeline__sample(p, rec, answer) :
						      pipeline__deliver_other(p, rec, answer);
}

static int pipeline__on_walked(void *ctx, const struct walk_queue_item *it,
			       const struct unwind_chain *chain)
{
	struct whole_sample ws = { .rec = &it->rec, .s = &it->s, .thread = it->thread };

	if (it->rec.hdr->type != PERF_RECORD_SAMPLE)
		return pipeline__deliver_other(ctx, &it->rec, NULL);
	return pipeline__deliver_sample(ctx, &ws, NULL, chain);
}

/*
 * Whether the sample can be queued: its thread exists unchanged, and no address space is evicted.
 */
static bool pipeline__is_steady(struct pipeline *p, const struct record *rec)
{
	const struct thread *t = machine__find_thread(p->machine, rec->tid);

	return t && (t->pid == rec->pid || rec->pid == NO_ID) &&
	       !complete__evicts(p->complete, t) && !jit_dumps__is_due(p->jit, t->pid, rec->time);
}

/*
 * Adds the record to the walk queue. Records that change the state wait until the queue is empty.
 */
static int pipeline__queue(struct pipeline *p, const struct record *rec)
{
	bool is_sample = rec->hdr->type == PERF_RECORD_SAMPLE;
	bool flush = is_sample ? !pipeline__is_steady(p, rec) : machine__uses(rec->hdr->type);
	int ret = flush ? walk_queue__flush(p->queue) : 0;
	struct walk_queue_item *it;

	if (ret)
		return ret;
	if (!is_sample && flush)
		return pipeline__deliver_other(p, rec, NULL);
	it = walk_queue__room(p->queue);
	it->rec = *rec;
	it->space = NULL;
	if (is_sample) {
		if (!pipeline__parse(p, rec, &it->s))
			return 0;
		it->thread = machine__thread(p->machine, it->s.pid, it->s.tid);
		ret = jit_dumps__advance(p->jit, it->thread->pid, rec->time);
		if (ret)
			return ret;
		it->space = complete__space(p->complete, &it->s, it->thread);
	}
	return walk_queue__add(p->queue);
}

static int pipeline__on_answer(void *ctx, const struct record *rec,
			       const struct deferred_answer *answer)
{
	return pipeline__deliver_record(ctx, rec, answer);
}

static void pipeline__on_soon(void *ctx, const struct walk_queue_item *it)
{
	soon__tell(&((struct pipeline *)ctx)->opts.sink, it);
}

static int pipeline__emit(void *ctx, struct record *rec)
{
	struct pipeline *p = ctx;

	if (p->tells_soon)
		soon__tell_ordered(&p->opts.sink, p->order, p->machine);
	if (p->queue)
		return pipeline__queue(p, rec);
	return p->stream ? deferred_stream__push(p->stream, rec)
			 : pipeline__deliver_record(p, rec, NULL);
}

static void pipeline__release(void *ctx, struct record *rec)
{
	struct pipeline *p = ctx;

	if (p->release)
		p->release(p->release_ctx, rec);
}

static void pipeline__open_early(struct pipeline *p, const struct dso *dso, u32 pid, u64 start,
				 u64 end)
{
	made_code__note(&p->made_code, dso, pid);
	if (dso->kind == DSO_USER)
		binaries__open_early(symbols__binaries(p->symbols), dso, pid, start, end);
}

static void pipeline__on_map(void *ctx, const struct thread *t, const struct map *map)
{
	struct pipeline *p = ctx;

	pipeline__open_early(p, map->dso, t->pid, map->start, map->end);
}

static void pipeline__on_forget(void *ctx, const struct dso *dso)
{
	struct pipeline *p = ctx;

	sink__for_each(&p->opts.sink, s)
		if (s->forget)
			s->forget(s->ctx, dso);
	made_code__forget(&p->made_code, dso);
	complete__forget(p->complete, dso);
	symbols__forget(p->symbols, dso);
}

/*
 * Opens the file of a mapping before the record's turn comes, some tenths of a second later: the
 * file may be deleted by then.
 */
static void pipeline__open_ahead(struct pipeline *p, const struct record *rec)
{
	const struct dso *dso;
	struct mmap_record mmap;

	if ((rec->hdr->type != PERF_RECORD_MMAP && rec->hdr->type != PERF_RECORD_MMAP2) ||
	    record__mmap(rec, &mmap))
		return;
	dso = machine__dso_ahead(p->machine, &mmap);
	if (!dso)
		return;
	pipeline__open_early(p, dso, mmap.pid, mmap.start, mmap.start + mmap.len);
	if (p->made_code.moved_text)
		moved_text__arrives(p->made_code.moved_text, &mmap, dso, rec->time);
}

/*
 * Copies the record, since the pushed bytes are needed only for a short time. When much is waiting,
 * the copies of stacks are what takes the room.
 */
static void copy_record(void *ctx, struct record *rec)
{
	struct pipeline *p = ctx;
	struct record_block *owner;
	u64 shorter[RECORD_MAX / sizeof(u64)];

	if (deferred_stream__pending(p->stream) > p->opts.max_pending / 2 &&
	    leaf__shorten(rec, shorter))
		rec->hdr = (const void *)shorter;
	rec->hdr = record_pool__add(&p->waiting, rec->hdr, &owner);
	rec->owner = owner;
}

static void release_copy(void *ctx, const struct record *rec)
{
	record_block__put(rec->owner);
}

static u64 now(void)
{
	return clock__now(CLOCK_MONOTONIC);
}

static void pipeline__begin_live(struct pipeline *p)
{
	struct deferred_stream_ops ops = {
		pipeline__on_answer, copy_record, release_copy, p,
	};

	if (!p->opts.snapshots)
		order__by_rounds(p->order, now);
	machine__on_map(p->machine, pipeline__on_map, p);
	machine__on_forget(p->machine, pipeline__on_forget, p);
	if (!p->opts.keep_deferred)
		p->stream = deferred_stream__new(&ops, p->opts.max_pending);
}

static int pipeline__make_complete(struct pipeline *p, struct error *err)
{
	struct complete_opts opts = {
		.machine = p->machine,
		.binaries = symbols__binaries(p->symbols),
		.binary_opts = &p->opts.symbols.binary,
		.recording = p->recording,
		.deferred = p->deferred,
		.keep_copies = p->opts.keep_copies,
		.backlogged = p->opts.backlogged, .backlogged_ctx = p->opts.backlogged_ctx,
		.awaits_code = p->opts.symbols.binary.live ? made_code__awaits : NULL,
		.awaits_code_ctx = &p->made_code,
		.kernel_walk = p->opts.kernel_walk,
		.live_stack = p->opts.live_stack,
		.live_code = code_gate__open(&p->code_gate, &p->opts.live_code,
					     p->made_code.moved_text),
		.unwind = p->opts.unwind, .observer = p->opts.observer,
		.want_sps = p->opts.want_sps || p->made_code.runtimes,
		.prefer_copy = p->opts.want_sps, .max_stack = p->opts.max_stack,
	};

	return complete__new(&p->complete, &opts, err);
}

static void pipeline__begin_jit(struct pipeline *p)
{
	const struct jit_dumps_opts opts = {
		.machine = p->machine, .binaries = symbols__binaries(p->symbols),
		.recording = p->recording, .live = p->opts.symbols.binary.live,
		.on_load = p->opts.on_code, .ctx = p->opts.on_code_ctx,
	};
	struct own_dumps own = {
		.dir = p->opts.jit_dir, .on_file = p->opts.on_jit_file,
		.ctx = p->opts.on_jit_file_ctx,
	};

	p->jit = own.dumps = jit_dumps__new(&opts);
	p->code_lines = code_lines__new(p->recording, p->jit, p->symbols);
	p->made_code.dumps = p->jit;
	p->made_code.walk = p->opts.kernel_walk;
	if (p->opts.on_moved_text)
		p->made_code.moved_text = moved_text__new(&(struct moved_text_opts){
			.machine = p->machine, .binaries = opts.binaries,
			.on_text = p->opts.on_moved_text, .ctx = p->opts.on_jit_file_ctx });
	if (!p->opts.jit_dir)
		return;
	if (p->opts.now)
		p->made_code.gdb_jit = gdb_jit__new(&(struct gdb_jit_opts){
			.machine = p->machine, .binaries = opts.binaries, .own = own,
			.now = p->opts.now, .ctx = p->opts.on_jit_file_ctx });
	if (opts.live)
		p->made_code.runtimes = runtime_names__new(p->opts.runtimes, opts.binaries, &own);
	p->made_code.map_copies = map_copies__new(&(struct map_copies_opts){
		.dir = p->opts.jit_dir, .on_file = p->opts.on_map_copy,
		.ctx = p->opts.on_jit_file_ctx });
}

static void pipeline__make_off_cpu(struct pipeline *p)
{
	struct off_cpu_opts opts = {
		.recording = p->recording,
		.machine = p->machine, .live = p->opts.symbols.binary.live,
		.keep = p->opts.keep_switches, .within = p->opts.times_within,
		.emit = pipeline__emit_sample,
		.ctx = p,
	};

	p->off_cpu = off_cpu__new(&opts);
}

int pipeline__new(struct pipeline **out, const struct recording *rec,
		  const struct pipeline_opts *opts, struct error *err)
{
	struct pipeline *p = xzalloc(sizeof(*p));
	struct machine_opts machine = { .recording = rec, .forget = opts->symbols.binary.live };
	struct order_ops ops = { pipeline__emit, pipeline__release, p };
	int ret;

	*out = NULL;
	p->opts = *opts;
	p->opts.max_pending = p->opts.max_pending ?: DEFAULT_PENDING;
	p->recording = rec;
	p->machine = machine__new(&machine);
	p->symbols = symbols__new(&opts->symbols, p->machine);
	p->order = order__new(&ops);
	pipeline__begin_jit(p);
	if (opts->symbols.binary.live) {
		pipeline__begin_live(p);
	} else if (!opts->keep_deferred) {
		p->deferred = deferred__new();
		p->future = future_maps__new();
	}
	pipeline__make_off_cpu(p);
	ret = pipeline__make_complete(p, err);
	if (ret) {
		pipeline__free(p);
		return ret;
	}
	sink__for_each(&p->opts.sink, s)
		if (s->begin)
			s->begin(s->ctx, p->machine, p->symbols);
	*out = p;
	return 0;
}

void pipeline__free(struct pipeline *p)
{
	if (!p)
		return;
	walk_queue__free(p->queue);
	ahead__free(p->ahead);
	order__free(p->order);
	complete__free(p->complete);
	deferred__free(p->deferred);
	future_maps__free(p->future);
	off_cpu__free(p->off_cpu);
	slept_threads__free(p->slept);
	read_values__free(&p->read_values);
	deferred_stream__free(p->stream);
	waiting_stacks__free(p->waiting_stacks);
	record_pool__close(&p->waiting);
	made_code__close(&p->made_code);
	map64__free(&p->runtimes);
	jit_dumps__free(p->jit);
	symbols__free(p->symbols);
	code_lines__free(p->code_lines);
	machine__free(p->machine);
	free(p);
}

static int pipeline__report_progress(const struct pipeline *p, const struct reader *r,
				     const struct record *rec, u64 nr, int pass)
{
	u64 size;

	if (!p->opts.progress || nr % PROGRESS_EVERY)
		return 0;
	size = reader__size(r);
	return p->opts.progress(p->opts.progress_ctx, min_of(rec->offset, size) + pass * size,
				2 * size);
}

/* Pass 1: when each record may leave, and which deferred user chains there are. */
static int pipeline__scan(struct pipeline *p, struct reader *r, struct horizon *h)
{
	struct prefault *prefault = p->opts.jobs > 1 ? reader__prefault(r) : NULL;
	struct record rec;
	int ret = 0;

	for (u64 nr = 1; !ret && reader__next(r, &rec); nr++) {
		prefault__note(prefault, rec.offset);
		record__place(&rec);
		horizon__note(h, rec.time);
		/* Malformed records are ignored here; pass 2 counts them. */
		if (p->deferred) {
			(void)deferred__note(p->deferred, &rec);
			future_maps__note(p->future, &rec);
		}
		ret = pipeline__report_progress(p, r, &rec, nr, 0);
	}
	prefault__stop(prefault);
	horizon__seal(h);
	if (p->deferred) {
		deferred__seal(p->deferred);
		future_maps__seal(p->future);
	}
	return ret;
}

static int pipeline__end_sinks(struct pipeline *p)
{
	int ret;

	work__say(p->order, p->machine, p->complete, p->made_code.gdb_jit);
	slept_threads__tell(p->slept, p->off_cpu);
	ret = p->off_cpu ? off_cpu__finish(p->off_cpu) : 0;
	sink__for_each(&p->opts.sink, s)
		if (!ret && s->end)
			ret = s->end(s->ctx);
	return ret;
}

static int pipeline__deliver(struct pipeline *p, struct reader *r, const struct horizon *h)
{
	struct record *rec;
	u64 until;
	int ret;

	p->ahead = ahead__new(r, p->machine);
	symbols__on_ahead(p->symbols, ahead__visit, p->ahead);
	for (u64 nr = 1; (rec = ahead__next(p->ahead)); nr++) {
		record__place(rec);
		ret = order__push(p->order, rec);
		if (!ret && horizon__at(h, nr, &until))
			ret = order__advance(p->order, until);
		if (!ret)
			ret = pipeline__report_progress(p, r, rec, nr, 1);
		if (ret)
			return ret;
	}
	ret = order__flush(p->order);
	return ret || !p->queue ? ret : walk_queue__flush(p->queue);
}

/* With deferred chains each sample may change the state for the next: pipeline__map_ahead(). */
static bool pipeline__can_walk_ahead(const struct pipeline *p)
{
	return recording__any_samples(p->recording, PERF_SAMPLE_STACK_USER) &&
	       !recording__any_bit(p->recording, ATTR_BIT_DEFER_CALLCHAIN) && !p->opts.on_code;
}

static int pipeline__run_file(struct pipeline *p, struct reader *r)
{
	struct walk_queue_opts opts = {
		.jobs = p->opts.jobs, .deliver = pipeline__on_walked, .ctx = p,
	};
	struct horizon *h = horizon__new();
	int ret;

	order__hold_at_most(p->order, FILE_HOLD_MAX);
	ret = pipeline__scan(p, r, h);
	reader__rewind(r);
	opts.soon = soon__is_wanted(&p->opts.sink) ? pipeline__on_soon : NULL;
	if (pipeline__can_walk_ahead(p))
		p->queue = complete__new_walk_queue(p->complete, &opts);
	p->tells_soon = opts.soon && !p->queue;
	if (!ret)
		ret = pipeline__deliver(p, r, h);
	horizon__free(h);
	return ret ? ret : pipeline__end_sinks(p);
}

static void hold_record(void *ctx, struct record *rec)
{
	reader__hold(rec);
}

static void release_held(void *ctx, const struct record *rec)
{
	reader__release(rec);
}

static void release_read(void *ctx, struct record *rec)
{
	reader__release(rec);
}

static void pipeline__begin_stream(struct pipeline *p)
{
	struct deferred_stream_ops ops = {
		pipeline__on_answer, hold_record, release_held, p,
	};

	p->release = release_read;
	order__by_rounds(p->order, now);
	if (!p->opts.keep_deferred)
		p->stream = deferred_stream__new(&ops, p->opts.max_pending);
}

/*
 * The records that are read but not yet in order are limited, too: for a stream without rounds, or
 * with a wrong time in the future.
 */
static int pipeline__end_round(struct pipeline *p, const struct reader *r, const struct record *rec,
			       u64 *unbounded)
{
	int ret = 0;

	if (rec->hdr->type == USER_RECORD_FINISHED_ROUND) {
		*unbounded = reader__held(r);
		return order__round(p->order);
	}
	if (reader__held(r) > *unbounded + STREAM_HOLD_MAX + p->opts.max_pending) {
		order__expire_doubted(p->order);
		ret = order__round(p->order);
		if (!ret)
			ret = order__round(p->order);
		*unbounded = reader__held(r);
	}
	return ret;
}

static int pipeline__run_stream(struct pipeline *p, struct reader *r)
{
	u64 held_at_round = 0;
	struct record rec;
	int ret = 0;

	pipeline__begin_stream(p);
	while (!ret && reader__next(r, &rec)) {
		if (p->stream)
			deferred_stream__observe(p->stream, &rec);
		ret = order__push(p->order, &rec);
		if (!ret)
			ret = pipeline__end_round(p, r, &rec, &held_at_round);
	}
	return ret ? ret : pipeline__finish(p);
}

int pipeline__run(struct pipeline *p, struct reader *r, struct error *err)
{
	int ret = reader__is_stream(r) ? pipeline__run_stream(p, r) : pipeline__run_file(p, r);

	if (ret < 0 && err && !err->code)
		error__set(err, ret, "'%s': reading ended early", reader__path(r));
	return ret;
}

void pipeline__on_release(struct pipeline *p, void (*release)(void *ctx, struct record *rec),
			  void *ctx)
{
	p->release = release;
	p->release_ctx = ctx;
}

int pipeline__push(struct pipeline *p, const struct record *rec)
{
	pipeline__open_ahead(p, rec);
	if (p->stream)
		deferred_stream__observe(p->stream, rec);
	return order__push(p->order, rec);
}

int pipeline__round(struct pipeline *p)
{
	return order__round(p->order);
}

void pipeline__expire_doubted(struct pipeline *p)
{
	order__expire_doubted(p->order);
}

void pipeline__forget_waiting(struct pipeline *p)
{
	waiting_stacks__free(p->waiting_stacks);
	p->waiting_stacks = NULL;
}

int pipeline__flush_waiting(struct pipeline *p)
{
	int ret = 0;

	if (!p->stream)
		return 0;
	if (p->waiting_stacks)
		ret = waiting_stacks__answer(p->waiting_stacks, p->stream);
	if (!ret)
		ret = deferred_stream__finish(p->stream);
	pipeline__forget_waiting(p);
	return ret;
}

void pipeline__read_waiting(struct pipeline *p, const struct stack_reader *reader)
{
	if (!p->stream)
		return;
	pipeline__forget_waiting(p);
	p->waiting_stacks = waiting_stacks__new();
	waiting_stacks__read(p->waiting_stacks, p->stream, p->machine, p->complete, reader);
}

void pipeline__read_slept(struct pipeline *p, const struct stack_reader *reader)
{
	if (!p->off_cpu || p->slept)
		return;
	p->slept = slept_threads__read(p->machine, p->complete, p->off_cpu, reader);
}

u64 pipeline__pending(const struct pipeline *p)
{
	return p->stream ? deferred_stream__pending(p->stream) : 0;
}

int pipeline__finish(struct pipeline *p)
{
	return order__flush(p->order) ?: pipeline__flush_waiting(p) ?: pipeline__end_sinks(p);
}

struct machine *pipeline__machine(struct pipeline *p)
{
	return p->machine;
}

struct symbols *pipeline__symbols(struct pipeline *p)
{
	return p->symbols;
}

struct jit_dumps *pipeline__jit(struct pipeline *p)
{
	return p->jit;
}

struct off_cpu *pipeline__off_cpu(const struct pipeline *p)
{
	return p->off_cpu;
}

const struct pipeline_account *pipeline__account(struct pipeline *p)
{
	const struct order_counts counts = order__counts(p->order);

	p->account.late = counts.late;
	p->account.odd = counts.odd;
	if (p->stream)
		p->account.deferred_stats = deferred_stream__stats(p->stream);
	else if (p->deferred)
		p->account.deferred_stats = deferred__stats(p->deferred);
	return &p->account;
}

struct map_copies *pipeline__map_copies(struct pipeline *p)
{
	return p->made_code.map_copies;
}
