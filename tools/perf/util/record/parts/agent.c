// SPDX-License-Identifier: GPL-2.0-only
/*
 * --agent: programs of the command load an agent, which connects; then the process gets an event
 * that sends it a signal with each sample. What has no agent is sampled without.
 */
#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/agent-stage.h"
#include "../../base/clock.h"
#include "../../io/secure-env.h"
#include "../../live/task-events.h"
#include "../../tls/tls-program.h"
#include "../agent-attach.h"
#include "../agent-server.h"
#include "../recorder-priv.h"


/* A program that has not connected after so long has no agent: it is static, or another user's. */
#define AGENT_PATIENCE (200 * NSEC_PER_MSEC)
/* A ring of an agent holds what a deep stack of Python makes at 10 kHz in 15 ms. */
#define READ_MS 10
#define EXECS_MAX 4096 /* that are waited for at a time */

/* A process that is sampled: with its agent, or without one. */
struct agent_process {
	u32 pid;
	bool has_agent;
	VEC(struct task_events) events; /* parallel to those that take samples */
	struct agent_memory memory; /* until the stage has it */
	u64 range_start, range_size;
	u64 since;
};

struct recent_exec {
	u32 pid;
	u64 time;
};

/* An event that takes samples. */
struct agent_event {
	size_t at;   /* index in the recorder's set */
	bool on;     /* it is enabled, now and in processes that come later */
};

struct recorder_agent {
	struct recorder *r;
	bool attaches;              /* to processes; the command, if any, is not recorded */
	VEC(struct agent_event) events;
	struct map64 event_of_id;   /* index in .events + 1, of events that were opened later */
	struct agent_server server;
	struct agent_stage *stage;
	struct map64 processes;     /* struct agent_process by pid */
	VEC(struct recent_exec) execs;
};

static void process__free(struct agent_process *p)
{
	for (size_t i = 0; i < p->events.nr; i++)
		task_events__close(&p->events.v[i]);
	vec__free(&p->events);
	if (p->memory.base)
		agent_memory__free(&p->memory);
	free(p);
}

static void forget(struct recorder_agent *a, u32 pid)
{
	struct agent_process *p = map64__del(&a->processes, pid);

	if (p)
		process__free(p);
}

static struct agent_process *begin(struct recorder_agent *a, u32 pid)
{
	struct agent_process *p = xzalloc(sizeof(*p));

	forget(a, pid);
	p->pid = pid;
	p->since = clock__now(CLOCK_MONOTONIC);
	map64__set(&a->processes, pid, p);
	return p;
}

/*
 * The event as it was opened for the command, which is never enabled: what sends signals must end
 * with an exec, and so cannot be opened before it. Children of a process with an agent have one of
 * their own.
 */
static int open_event(struct recorder_agent *a, struct agent_process *p, size_t event, bool sigtrap)
{
	size_t at = a->events.v[event].at;
	struct perf_event_attr attr = a->r->set.list->specs.v[at].attr;
	struct task_events *t = vec__push(&p->events);
	struct error err = {};
	int ret;

	attr.disabled = 1;
	attr.enable_on_exec = 0;
	attr.inherit = 1;
	attr.inherit_thread = sigtrap;
	attr.remove_on_exec = 1;
	attr.sigtrap = sigtrap;
	attr.sig_data = sigtrap ? AGENT_SIG_DATA : 0;
	ret = task_events__open(t, &a->r->set, at, &attr, p->pid, &err);
	for (size_t i = 0; i < t->ids.nr; i++)
		map64__set(&a->event_of_id, t->ids.v[i], (void *)(event + 1));
	if (ret && ret != -ESRCH && !a->r->result->agent_err.code)
		a->r->result->agent_err = err;
	return ret;
}

static int open_events(struct recorder_agent *a, struct agent_process *p, bool sigtrap)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < a->events.nr; i++)
		ret = open_event(a, p, i, sigtrap);
	p->has_agent = !ret && sigtrap;
	return ret;
}

static void enable(const struct recorder_agent *a, const struct agent_process *p)
{
	for (size_t i = 0; i < p->events.nr && !a->r->stopping; i++)
		if (a->events.v[i].on)
			task_events__enable(&p->events.v[i]);
}

static void sample_without(struct recorder_agent *a, u32 pid)
{
	struct agent_process *p = begin(a, pid);

	a->r->result->without_agent++;
	if (!a->r->clock && !open_events(a, p, false))
		enable(a, p);
}

/* What the program cannot do is said once. */
static void note_python(struct recorder_result *res, const struct agent_hello *hello)
{
	res->agent_go += hello->able == AGENT_UNABLE_GO;
	if (hello->python != AGENT_PYTHON_UNKNOWN && hello->python != AGENT_PYTHON_FREE)
		return;
	res->agent_python = hello->python_version;
	res->agent_python_free = hello->python == AGENT_PYTHON_FREE;
}

_Static_assert(sizeof(struct agent_label) == sizeof(struct tls_label), "as the BPF program does");
_Static_assert((int)AGENT_IDS_OTEL == ACTIVITY_OTEL && (int)AGENT_IDS_VALUE == ACTIVITY_VALUE &&
	       (int)AGENT_IDS_LABELS == ACTIVITY_LABELS, "the numbers are the same");

/* What the program's ids become. */
static u32 make_ids(void *ctx, u32 pid, u32 kind, const u8 *data, u32 size, u8 *out)
{
	struct recorder *r = ctx;

	if (kind != AGENT_IDS_OTEL && kind != AGENT_IDS_LABELS && kind != AGENT_IDS_VALUE)
		return 0;
	return activity_reader__payload(r->activity, ACTIVITY_BY_AGENT, pid, kind,
					(struct bytes){ data, size }, out);
}

/* Tells a process where its ids are, as soon as that is known. */
static void look_for_ids(void *ctx, u32 pid, struct agent_memory *m)
{
	struct recorder *r = ctx;
	struct activity_place place;

	if (m->told_ids || !activity_reader__place(r->activity, pid, &place))
		return;
	m->told_ids = true;
	agent_memory__tell_ids(m, &(struct agent_ids){
		.where = place.tls.where == TLS_STATIC ? AGENT_STATIC : AGENT_DYNAMIC,
		.kind = place.kind, .module = place.tls.module, .stride = place.tls.stride,
		.offset = place.tls.offset, .size = place.size,
	});
}

static int on_hello(void *ctx, u32 pid, const struct agent_hello *hello)
{
	struct recorder_agent *a = ctx;
	struct agent_process *p;

	note_python(a->r->result, hello);
	if (hello->able != AGENT_ABLE) {
		sample_without(a, pid);
		return -1;
	}
	p = begin(a, pid);
	p->range_start = hello->range_start;
	p->range_size = hello->range_size;
	p->has_agent = a->r->clock;
	if (!agent_memory__new(&p->memory, &a->r->result->agent_err) &&
	    (a->r->clock || !open_events(a, p, true))) {
		p->memory.python = hello->python == AGENT_PYTHON_KNOWN;
		return p->memory.fd;
	}
	sample_without(a, pid);
	return -1;
}

static bool is_there(u32 pid)
{
	return !kill(pid, 0) || errno == EPERM;
}

/* An agent does not hold up its program: when we are late, it goes on without us. */
static void leave(struct recorder_agent *a, u32 pid)
{
	agent_stage__end_process(a->stage, pid, clock__now(CLOCK_MONOTONIC));
	if (is_there(pid))
		sample_without(a, pid);
	else
		forget(a, pid);
}

static void on_sent(void *ctx, u32 pid, bool sent)
{
	struct recorder_agent *a = ctx;
	struct agent_process *p = map64__get(&a->processes, pid);

	if (!p)
		return;
	if (!sent) {
		leave(a, pid);
		return;
	}
	/* What the program before it in this process wrote has its time still. */
	if (a->r->clock)
		agent_stage__read(a->stage);
	agent_memory__close_fd(&p->memory);
	agent_memory__want_clock(&p->memory, a->events.v[0].on);
	agent_stage__begin_process(a->stage, pid, p->since, &p->memory, p->range_start,
				   p->range_size);
	p->memory = (struct agent_memory){ .fd = -1 };
	if (a->r->clock)
		recorder_clock__begin_process(a->r, pid, p->since, p->range_start);
	if (a->r->activity)
		activity_reader__begin_process(a->r->activity, pid);
}

static void on_ready(void *ctx, u32 pid)
{
	struct recorder_agent *a = ctx;
	struct agent_process *p = map64__get(&a->processes, pid);

	if (p)
		enable(a, p);
}

static bool is_thread(void *ctx, u32 tid)
{
	const struct agent_process *p = ctx;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/task/%u", p->pid, tid);
	return tid && !access(path, F_OK);
}

/*
 * Opens what the agent of the process @dir waits for. Its number may be that of another process by
 * now, who would be killed by the first signal; the files of @dir never are another's.
 */
static int open_attached(struct recorder_agent *a, struct agent_process *p, int dir)
{
	int ret = open_events(a, p, true);

	if (!ret && faccessat(dir, "status", F_OK, 0))
		ret = -ESRCH;
	return ret;
}

/* As attach(), where @dir is the process in /proc. */
static int attach_to(struct recorder_agent *a, u32 pid, int dir)
{
	struct agent_memory memory;
	struct agent_hello hello;
	struct agent_process *p;
	int ret = agent_attach__open(&memory, pid, &hello);

	if (ret)
		return ret;
	note_python(a->r->result, &hello);
	p = begin(a, pid);
	p->range_start = hello.range_start;
	p->range_size = hello.range_size;
	p->memory = memory;
	p->memory.python = hello.python == AGENT_PYTHON_KNOWN;
	agent_memory__reset(&p->memory, is_thread, p);
	ret = open_attached(a, p, dir);
	if (ret) {
		forget(a, pid);
		return ret;
	}
	on_sent(a, pid, true);
	on_ready(a, pid);
	return 0;
}

/* Returns 0 when the process has an agent that waits, and is sampled with it. */
static int attach(struct recorder_agent *a, u32 pid)
{
	char path[32];
	int dir, ret;

	snprintf(path, sizeof(path), "/proc/%u", pid);
	dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -errno;
	ret = attach_to(a, pid, dir);
	close(dir);
	return ret;
}

static void begin_target(struct recorder_agent *a, u32 pid)
{
	int ret = attach(a, pid);

	if (!ret)
		return;
	if (ret == -EBUSY)
		a->r->result->agent_busy++;
	sample_without(a, pid);
}

static void start(struct recorder *r)
{
	id_vec pids = {};

	if (!r->agent || !r->agent->attaches)
		return;
	if (!target__processes(&r->target, &pids))
		for (size_t i = 0; i < pids.nr; i++)
			begin_target(r->agent, pids.v[i]);
	vec__free(&pids);
}

int recorder_agent__open(struct recorder *r, struct error *err)
{
	struct recorder_agent *a;
	int ret;

	if (!r->opts->agent)
		return 0;
	a = xzalloc(sizeof(*a));
	a->r = r;
	a->attaches = target__has_tasks(&r->opts->target);
	a->server.hello = on_hello;
	a->server.sent = on_sent;
	a->server.ready = on_ready;
	a->server.ctx = a;
	ret = agent_server__open(&a->server, err);
	if (ret) {
		free(a);
		return ret;
	}
	a->stage = agent_stage__new(0);
	agent_stage__on_range(a->stage, recorder_agent__map_codes, r);
	agent_stage__on_ids(a->stage, make_ids, r);
	if (r->opts->clock_ns)
		agent_stage__on_stop(a->stage, recorder_clock__stop, recorder_clock__end_thread, r);
	a->server.clock_ns = r->opts->clock_ns;
	a->server.wants_ids = r->opts->activity.on;
	for (size_t i = 0; i < r->opts->events->specs.nr; i++)
		*vec__push(&a->events) = (struct agent_event){
			.at = i, .on = !r->opts->start_disabled && !r->opts->toggles.nr,
		};
	r->agent = a;
	return 0;
}

static void join(struct recorder *r, struct pipeline_opts *opts)
{
	if (!r->agent)
		return;
	opts->sink = agent_stage__sink(r->agent->stage, &opts->sink, r->opts->max_pending);
	opts->want_sps = true;
}

int recorder_agent__fd(const struct recorder *r)
{
	return r->agent ? r->agent->server.epoll_fd : -1;
}

int recorder_agent__prepare(struct recorder *r, const char *const argv[], bool to_stderr,
			    struct error *err)
{
	const char *old = secure_env__harmless("LD_PRELOAD");
	char *before = old ? xstrdup(old) : NULL, *preload;
	int ret;

	if (!r->agent || r->agent->attaches)
		return workload__prepare(&r->workload, argv, to_stderr, err);
	preload = before && *before ? xasprintf("%s:%s", r->opts->agent, before)
				    : xstrdup(r->opts->agent);
	setenv("LD_PRELOAD", preload, 1);
	setenv(AGENT_ENV, r->agent->server.path, 1);
	ret = workload__prepare(&r->workload, argv, to_stderr, err);
	if (before)
		setenv("LD_PRELOAD", before, 1);
	else
		unsetenv("LD_PRELOAD");
	unsetenv(AGENT_ENV);
	free(preload);
	free(before);
	return ret;
}

static u64 adopted_id(const void *ctx, u64 id)
{
	const struct recorder *r = ctx;
	const struct recorder_agent *a = r->agent;
	const struct evsel *event;
	uintptr_t index;

	if (!id || recording__event_by_id(r->live, id))
		return id;
	index = (uintptr_t)map64__get(&a->event_of_id, id);
	event = r->live->events.v[index ? a->events.v[index - 1].at : 0];
	return event->ids.nr ? event->ids.v[0] : id;
}

/*
 * A record may be of an event that was opened later, and is not in the header of the file: it gets
 * the id of the first one.
 */
static void adopt(struct recorder *r, struct perf_event_header *hdr)
{
	if (r->agent && r->live->events.nr > 1)
		record__replace_ids(hdr, &r->live->events.v[0]->layout, adopted_id, r);
}

int recorder_agent__wait(const struct recorder *r, int ms)
{
	return r->agent && (ms < 0 || ms > READ_MS) ? READ_MS : ms;
}

/* Answers the programs that have connected, and reads what agents have written. */
static void run(struct recorder *r, u64 now_ms __unused_arg)
{
	if (!r->agent)
		return;
	agent_server__run(&r->agent->server);
	recorder_clock__turn(r);
	agent_stage__read(r->agent->stage);
	recorder_clock__end_turn(r);
	if (r->activity)
		agent_stage__each_memory(r->agent->stage, look_for_ids, r);
}

static void note_exec(struct recorder_agent *a, u32 pid, u64 time)
{
	if (a->execs.nr < EXECS_MAX)
		*vec__push(&a->execs) = (struct recent_exec){ pid, time };
}

/*
 * The events of a process that was attached to are not inherited by its children, nor does an agent
 * in them connect. Returns the child's pid; 0: the record tells of none.
 */
static u32 forked(const struct recorder_agent *a, const struct record *rec)
{
	const struct agent_process *parent;
	struct task_record fork;

	if (!a->attaches || rec->hdr->type != PERF_RECORD_FORK || record__task(rec, &fork) ||
	    fork.pid == fork.ppid)
		return 0;
	parent = map64__get(&a->processes, fork.ppid);
	return parent && parent->has_agent ? fork.pid : 0;
}

/* Other threads may go on when the first one has ended. */
static bool has_ended(u32 pid)
{
	char path[64];
	u32 nr = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	dir = opendir(path);
	if (!dir)
		return true;
	while (readdir(dir))
		nr++;
	closedir(dir);
	return nr <= 3; /* ".", ".." and the first */
}

static void note(struct recorder *r, const struct record *rec)
{
	struct recorder_agent *a = r->agent;
	struct agent_process *p;
	struct comm_record comm;
	u32 child;

	if (!a || rec->time == NO_TIME)
		return;
	child = forked(a, rec);
	if (child)
		note_exec(a, child, rec->time);
	if (rec->hdr->type == PERF_RECORD_COMM && !record__comm(rec, &comm) && comm.exec) {
		note_exec(a, comm.pid, rec->time);
	} else if (rec->hdr->type == PERF_RECORD_EXIT && rec->pid == rec->tid) {
		p = map64__get(&a->processes, rec->pid);
		if (p && p->since < rec->time && has_ended(rec->pid))
			forget(a, rec->pid);
	}
}

/* Programs that were started some time ago, and have no agent, are sampled as they are. */
static void look_at_execs(struct recorder_agent *a)
{
	u64 now = clock__now(CLOCK_MONOTONIC);
	size_t kept = 0;

	for (size_t i = 0; i < a->execs.nr; i++) {
		struct recent_exec e = a->execs.v[i];
		struct agent_process *p = map64__get(&a->processes, e.pid);

		if (p && p->since >= e.time)
			continue;
		if (a->attaches && !attach(a, e.pid))
			continue;
		if (now < e.time + AGENT_PATIENCE)
			a->execs.v[kept++] = e;
		else if (is_there(e.pid))
			sample_without(a, e.pid);
	}
	a->execs.nr = kept;
}

static void end_round(struct recorder *r, u64 pass __unused_arg)
{
	if (!r->agent)
		return;
	if (!r->stopping)
		look_at_execs(r->agent);
	agent_stage__read(r->agent->stage);
}

static void disable_process(const struct agent_process *p)
{
	for (size_t i = 0; i < p->events.nr; i++)
		task_events__disable(&p->events.v[i]);
}

static void want_clock(void *ctx, u32 pid, struct agent_memory *m)
{
	const bool *on = ctx;

	agent_memory__want_clock(m, *on);
}

bool recorder_agent__toggle(struct recorder *r, const char *name, bool on)
{
	struct recorder_agent *a = r->agent;
	bool found = false;

	for (size_t i = 0; i < a->events.nr; i++) {
		const struct event_spec *spec = &r->set.list->specs.v[a->events.v[i].at];

		if (*name && !event_spec__is_called(spec, name))
			continue;
		found = true;
		a->events.v[i].on = on;
		agent_stage__each_memory(a->stage, want_clock, &on);
		map64__for_each(&a->processes, s) {
			const struct agent_process *p = s->value;

			if (i < p->events.nr && on)
				task_events__enable(&p->events.v[i]);
			else if (i < p->events.nr)
				task_events__disable(&p->events.v[i]);
		}
	}
	return found;
}

static void disable(struct recorder *r)
{
	bool off = false;

	if (!r->agent)
		return;
	agent_stage__each_memory(r->agent->stage, want_clock, &off);
	map64__for_each(&r->agent->processes, s)
		disable_process(s->value);
}

static void finish(struct recorder *r)
{
	if (!r->agent)
		return;
	(void)agent_stage__each_codes(r->agent->stage, recorder_agent__write_codes, r);
	r->result->agent = agent_stage__account(r->agent->stage);
	r->result->agent_refused = r->agent->server.refused;
}

static void close_agent(struct recorder *r)
{
	struct recorder_agent *a = r->agent;

	if (!a)
		return;
	agent_server__close(&a->server);
	map64__for_each(&a->processes, s)
		process__free(s->value);
	map64__free(&a->processes);
	agent_stage__free(a->stage);
	vec__free(&a->execs);
	vec__free(&a->events);
	map64__free(&a->event_of_id);
	free(a);
	r->agent = NULL;
}

const struct recorder_part recorder_part__agent = {
	.join = join, .started = start, .taken = adopt, .record = note, .round = end_round,
	.look = run, .disable = disable, .end = finish, .close = close_agent,
};
