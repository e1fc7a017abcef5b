// SPDX-License-Identifier: GPL-2.0-only
#include "activity-reader.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/log.h"
#include "../bpf/ring.h"
#include "../io/privileges.h"
#include "../live/probe.h"
#include "../tls/otel-context.h"
#include "../tls/tls-program.h"
#include "bpf-attach.h"

#define QUESTION_RING 65536 /* bytes; as tls_program__load() has made it */
#define FIRST_WAIT_NS NSEC_PER_MSEC
#define MAX_WAIT_SHIFT 10   /* ld.so may bind a variable late, or never: at most a second */
#define NAMES_BYTES (64u << 20) /* of all processes */
#define WATCHED_MAX 65536
#define ANSWER_NICE -15

/* The names of the attributes of a process, and how often it was found to have no variable yet. */
struct known_process {
	struct otel_names names;
	u32 names_wanted; /* attributes have numbers below this */
	u32 tries;
	bool watched;     /* it may map a file with the variable */
	bool queued;
	/* By agent: */
	u32 generation;   /* of programs in it */
	bool asked;
	u64 ask_at;       /* CLOCK_MONOTONIC; 0: when it maps a file */
	struct activity_place place;
};

struct activity_reader {
	const struct activity_wish *wish;
	struct tls_program program;
	struct bpf_ring questions;
	struct tls_processes *processes; /* of the thread */
	pthread_t thread;
	bool thread_runs, by_agent;
	int wake_fd;

	pthread_mutex_t lock; /* for what follows */
	struct map64 known;   /* pid -> struct known_process */
	u64 names_bytes;
	VEC(u32) todo;        /* processes to be looked at again */
	bool stopping;
	struct activity_stats stats;
};

static int parse_tls(struct tls_wanted *w, char *arg, struct error *err)
{
	char *size = strchr(arg, ',');

	*w = (struct tls_wanted){ .symbol = arg, .kind = ACTIVITY_VALUE };
	if (size) {
		char *end;

		*size++ = 0;
		w->size = strtoul(size, &end, 0);
		if (!*size || *end || !w->size || w->size > ACTIVITY_VALUE_MAX)
			return error__set(err, -EINVAL, "--activity=tls:%s,%s: the size must be "
					  "from 1 to %d bytes", arg, size, ACTIVITY_VALUE_MAX);
	}
	return *arg ? 0 : error__set(err, -EINVAL, "--activity=tls: needs the name of a "
				     "thread-local variable: tls:SYMBOL[,SIZE]");
}

static int parse_one(struct tls_wanted *w, char *arg, struct error *err)
{
	if (!strcmp(arg, "otel")) {
		*w = (struct tls_wanted){ "otel_thread_ctx_v1", ACTIVITY_OTEL, 0 };
		return 0;
	}
	if (!strcmp(arg, "labels")) {
		*w = (struct tls_wanted){ "custom_labels_current_set", ACTIVITY_LABELS, 0 };
		return 0;
	}
	if (!strncmp(arg, "tls:", 4))
		return parse_tls(w, arg + 4, err);
	return error__set(err, -EINVAL, "--activity=%s: must be otel, labels, or "
					"tls:SYMBOL[,SIZE], with copy+ before them if wanted", arg);
}

int activity_wish__parse(struct activity_wish *w, char *arg, struct error *err)
{
	static char both[] = "otel+labels";
	char all[sizeof(both)], *one;
	int ret = 0;

	*w = (struct activity_wish){ .on = true };
	memcpy(all, both, sizeof(all));
	if (arg && !strncmp(arg, "copy", 4) && (!arg[4] || arg[4] == '+')) {
		w->by_copy = true;
		arg += arg[4] ? 5 : 4;
	}
	if (!arg || !*arg)
		arg = all;
	while (!ret && (one = strsep(&arg, "+"))) {
		if (w->nr == TLS_WANTED_MAX)
			return error__set(err, -EINVAL, "--activity: at most %d variables",
					  TLS_WANTED_MAX);
		ret = parse_one(&w->v[w->nr++], one, err);
	}
	return ret;
}

static int prepare_program(struct activity_reader *r, struct error *err)
{
	int ret;

	if (!probe__first_pid_namespace())
		return error__set(err, -EOPNOTSUPP, "in a PID namespace, BPF programs see other "
				  "pids than perf");
	ret = tls_program__prepare(&r->program, err);
	if (!ret)
		ret = bpf_ring__open(&r->questions, r->program.questions, QUESTION_RING);
	return ret;
}

static void explain(struct error *err)
{
	error__prefix(err, "--activity");
	error__hint(err, "Without BPF: --agent --activity, or, for all threads except the first, "
			 "--activity=copy --defer=copy.");
}

int activity_reader__new(struct activity_reader **out, const struct activity_wish *wish,
			 bool by_agent, struct error *err)
{
	struct activity_reader *r = xzalloc(sizeof(*r));
	int ret = 0;

	*out = NULL;
	r->wish = wish;
	r->by_agent = by_agent;
	r->wake_fd = -1;
	r->program = (struct tls_program){ -1, -1, -1, -1, -1, {} };
	pthread_mutex_init(&r->lock, NULL);
	if (!by_agent)
		ret = prepare_program(r, err);
	if (ret) {
		explain(err);
		activity_reader__free(r);
		return ret;
	}
	r->processes = tls_processes__new(wish->v, wish->nr);
	*out = r;
	return 0;
}

int activity_reader__load(struct activity_reader *r, struct error *err)
{
	int ret = tls_program__load(&r->program, sysconf(_SC_NPROCESSORS_CONF), err);

	if (ret)
		explain(err);
	return ret;
}

void activity_reader__append(const struct activity_reader *r, struct bpf_asm *a, int label)
{
	tls_program__append(&r->program, a, label);
}

int activity_reader__attach(struct activity_reader *r, const struct event_set *set,
			    struct error *err)
{
	const struct bpf_attach a = {
		.set = set, .program = r->program.program, .outputs = r->program.outputs,
	};
	int ret = bpf_attach__run(&a, err);

	if (ret)
		error__prefix(err, "--activity");
	return ret;
}

static struct known_process *known__get(struct activity_reader *r, u32 pid)
{
	struct known_process *k = map64__get(&r->known, pid);

	if (!k) {
		k = xzalloc(sizeof(*k));
		map64__set(&r->known, pid, k);
	}
	return k;
}

static void forget_all(struct activity_reader *r)
{
	map64__for_each(&r->known, s) {
		struct known_process *k = s->value;

		otel_names__free(&k->names);
		free(k);
	}
	map64__free(&r->known);
	r->names_bytes = 0;
}

/* Reads them outside the lock: it may take long. */
static void read_names(struct activity_reader *r, u32 pid)
{
	struct otel_names names;
	struct known_process *k;
	u64 bytes = 0;

	if (otel_names__read(&names, r->processes, pid))
		otel_names__free(&names);
	for (u32 i = 0; i < names.nr; i++)
		bytes += names.v[i].len;
	pthread_mutex_lock(&r->lock);
	if (r->names_bytes + bytes > NAMES_BYTES)
		forget_all(r);
	r->names_bytes += bytes;
	k = known__get(r, pid);
	otel_names__free(&k->names);
	k->names = names;
	k->names_wanted = names.nr;
	pthread_mutex_unlock(&r->lock);
}

/* Before the process is looked at, so that no mapping is missed; returns how often it was. */
static u32 watch(struct activity_reader *r, u32 pid, u32 *generation)
{
	struct known_process *k;
	u32 tries;

	pthread_mutex_lock(&r->lock);
	if (r->known.nr > WATCHED_MAX)
		forget_all(r);
	k = known__get(r, pid);
	k->watched = true;
	k->queued = false;
	tries = k->tries++;
	*generation = k->generation;
	pthread_mutex_unlock(&r->lock);
	return tries;
}

static void unwatch(struct activity_reader *r, u32 pid)
{
	struct known_process *k;

	pthread_mutex_lock(&r->lock);
	k = known__get(r, pid);
	k->watched = false;
	k->tries = 0;
	pthread_mutex_unlock(&r->lock);
}

static u32 size_of(const struct tls_wanted *w, const struct tls_place *place)
{
	u32 size = w->size ?: place->size;

	return w->kind == ACTIVITY_VALUE ? min_of(size ?: 8, (u32)ACTIVITY_VALUE_MAX) : 0;
}

static u64 ask_at(const struct tls_place *place, int ret, u32 tries)
{
	u64 wait = FIRST_WAIT_NS << min_of(tries, (u32)MAX_WAIT_SHIFT);

	if (!ret && place->where == TLS_NOWHERE)
		return 0; /* until it maps something */
	return clock__now(CLOCK_MONOTONIC) + wait;
}

static bool is_found(const struct tls_place *place)
{
	return place->where == TLS_STATIC || place->where == TLS_DYNAMIC;
}

/* Tells the program, or who asks for an agent. Returns 0 or -errno. */
static int tell(struct activity_reader *r, u32 pid, u32 generation, const struct tls_target *t,
		const struct tls_place *place, u64 since)
{
	struct known_process *k;

	if (!r->by_agent)
		return bpf_map__set(r->program.targets, &pid, t, BPF_ANY);
	pthread_mutex_lock(&r->lock);
	k = known__get(r, pid);
	if (k->generation == generation) {
		k->place = (struct activity_place){ *place, t->kind, t->size, since };
		k->ask_at = t->ask_at;
	}
	pthread_mutex_unlock(&r->lock);
	return 0;
}

/*
 * Looks for the variable, and tells where it is.
 * @identity: of the process; NULL: it has an agent
 */
static void answer(struct activity_reader *r, u32 pid, const struct tls_identity *identity)
{
	u32 generation, tries = watch(r, pid, &generation);
	u64 since = clock__now(CLOCK_MONOTONIC);
	struct tls_place place;
	int ret = tls_processes__find(r->processes, pid, &place);
	const struct tls_wanted *w = &r->wish->v[place.wanted];
	struct tls_target t = {
		.where = place.where, .offset = place.offset,
		.module = place.module, .stride = place.stride, .kind = w->kind,
		.size = size_of(w, &place),
	};
	bool found = is_found(&place);
	int refused;

	if (identity)
		t.identity = *identity;
	if (found && w->kind == ACTIVITY_OTEL)
		read_names(r, pid);
	if (found)
		unwatch(r, pid);
	else
		t.ask_at = ask_at(&place, ret, tries);
	refused = tell(r, pid, generation, &t, &place, since);
	pr_debug2("activity: process %u: %s\n", pid, ret ? strerror(-ret) : found ? w->symbol :
		  place.where == TLS_NOT_YET ? "not bound yet" : "nothing");
	pthread_mutex_lock(&r->lock);
	r->stats.processes += !tries;
	r->stats.found += found;
	r->stats.unreadable += !tries && ret;
	r->stats.refused = r->stats.refused ?: refused;
	pthread_mutex_unlock(&r->lock);
}

/* Processes that have mapped files, and those with names that are not known. */
static void look_again(struct activity_reader *r)
{
	struct tls_target t;
	struct known_process *k;
	bool wanted, more;
	u32 pid;

	for (;;) {
		pthread_mutex_lock(&r->lock);
		more = r->todo.nr;
		pid = more ? r->todo.v[--r->todo.nr] : 0;
		k = more ? known__get(r, pid) : NULL;
		wanted = k && (k->watched || (r->by_agent && !is_found(&k->place.tls)));
		if (k)
			k->queued = false;
		if (k && k->watched && !r->by_agent)
			k->tries = 1; /* it was counted */
		pthread_mutex_unlock(&r->lock);
		if (!more)
			return;
		if (!wanted)
			read_names(r, pid);
		else if (r->by_agent)
			answer(r, pid, NULL);
		else if (!bpf_map__get(r->program.targets, &pid, &t))
			answer(r, pid, &t.identity);
	}
}

static bool is_stopping(struct activity_reader *r)
{
	bool stopping;

	pthread_mutex_lock(&r->lock);
	stopping = r->stopping;
	pthread_mutex_unlock(&r->lock);
	return stopping;
}

/* A process asks again when it waits for long, though the answer may be on its way. */
static bool is_answered(struct activity_reader *r, const struct tls_question *q)
{
	struct tls_target t;

	return !bpf_map__get(r->program.targets, &q->pid, &t) &&
	       t.identity.start == q->identity.start && t.identity.nr_exec == q->identity.nr_exec &&
	       (t.where == TLS_STATIC || t.where == TLS_DYNAMIC);
}

/* Samples wait for it; an ordinary priority would be a turn behind all others on busy CPUs. */
static void raise_priority(void)
{
	(void)setpriority(PRIO_PROCESS, gettid(), ANSWER_NICE);
}

static void *answer_questions(void *arg)
{
	struct activity_reader *r = arg;
	struct pollfd fds[] = { /* without a program there are no questions: -1 */
		{ .fd = r->program.questions, .events = POLLIN },
		{ .fd = r->wake_fd, .events = POLLIN },
	};
	struct tls_question q;
	eventfd_t value;

	raise_priority();
	privileges__keep(privileges__of_looking());
	while (!is_stopping(r)) {
		if (poll(fds, ARRAY_SIZE(fds), -1) < 0 && errno != EINTR)
			break;
		eventfd_read(r->wake_fd, &value);
		while (!r->by_agent && !is_stopping(r) &&
		       bpf_ring__next(&r->questions, &q, sizeof(q)))
			if (!is_answered(r, &q))
				answer(r, q.pid, &q.identity);
		look_again(r);
	}
	return NULL;
}

int activity_reader__start(struct activity_reader *r, struct error *err)
{
	int ret;

	r->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	ret = r->wake_fd < 0 ? -errno : -pthread_create(&r->thread, NULL, answer_questions, r);
	r->thread_runs = !ret;
	return ret ? error__set(err, ret, "--activity: cannot start a thread: %s", strerror(-ret)) :
		     0;
}

/* Called with the lock. */
static void queue(struct activity_reader *r, u32 pid, struct known_process *k)
{
	if (k->queued)
		return;
	k->queued = true;
	*vec__push(&r->todo) = pid;
	eventfd_write(r->wake_fd, 1);
}

void activity_reader__mapped(struct activity_reader *r, u32 pid)
{
	struct known_process *k;

	pthread_mutex_lock(&r->lock);
	k = map64__get(&r->known, pid);
	if (k && k->watched)
		queue(r, pid, k);
	pthread_mutex_unlock(&r->lock);
}

/* Called with the lock. The last of several values of a key counts. */
static void add_attribute(struct activity *a, struct bytes key, struct bytes value)
{
	u32 i = 0;

	while (i < a->nr_attributes && a->attributes[i].key.data != key.data)
		i++;
	if (i == ACTIVITY_ATTRIBUTES_MAX)
		return;
	a->attributes[i] = (struct activity_attribute){ key, value };
	a->nr_attributes = max_of(a->nr_attributes, i + 1);
}

/* Called with the lock. */
static void name_attributes(struct activity_reader *r, u32 pid, struct activity *a,
			    struct cursor *c)
{
	struct known_process *k = known__get(r, pid);

	while (cursor__left(c) >= 2) {
		u8 number = cursor__u8(c), size = cursor__u8(c);
		struct bytes value = { cursor__take(c, size), size };

		if (c->bad)
			return;
		if (number < k->names.nr) {
			add_attribute(a, k->names.v[number], value);
		} else if (number >= k->names_wanted) {
			k->names_wanted = number + 1;
			queue(r, pid, k);
		}
	}
}

static void from_otel(struct activity *a, struct cursor *c)
{
	const u8 *head = cursor__take(c, TLS_OTEL_HEAD);
	u16 size;

	if (!head)
		return;
	memcpy(a->trace, head, sizeof(a->trace));
	memcpy(a->span, head + sizeof(a->trace), sizeof(a->span));
	a->flags = head[25];
	memcpy(&size, head + 26, sizeof(size));
	c->len = min_of(c->len, c->pos + size);
}

static void from_labels(struct activity *a, const struct cursor *c)
{
	for (u32 i = 0; i < c->len / sizeof(struct tls_label); i++) {
		const struct tls_label *l = (const struct tls_label *)c->data + i;
		struct bytes key = { l->key, min_of(l->key_size, (u32)TLS_LABEL_KEY_MAX) };
		bool known = false;

		for (u32 k = 0; k < a->nr_attributes; k++) {
			struct bytes other = a->attributes[k].key;

			known |= other.len == key.len && !memcmp(other.data, key.data, key.len);
		}
		if (key.len && !known) /* the first of several counts */
			a->attributes[a->nr_attributes++] = (struct activity_attribute){
				key, { l->value, min_of(l->value_size, (u32)TLS_LABEL_VALUE_MAX) },
			};
	}
}

u32 activity_reader__payload(struct activity_reader *r, enum activity_source source, u32 pid,
			     u32 kind, struct bytes data, u8 *out)
{
	struct activity a = { .source = source, .kind = kind };
	struct cursor c = cursor__init(data.data, data.len, false);
	u32 size;

	if (a.kind == ACTIVITY_VALUE)
		a.value = data;
	else if (a.kind == ACTIVITY_LABELS)
		from_labels(&a, &c);
	else
		from_otel(&a, &c);
	/* Names are the other thread's to change. */
	pthread_mutex_lock(&r->lock);
	if (a.kind == ACTIVITY_OTEL)
		name_attributes(r, pid, &a, &c);
	size = activity__encode(&a, out);
	pthread_mutex_unlock(&r->lock);
	return size;
}

u32 activity_reader__make(struct activity_reader *r, u32 pid, struct bytes output, u8 *out)
{
	struct tls_output head;
	struct bytes data;

	if (output.len < sizeof(head))
		return 0;
	memcpy(&head, output.data, sizeof(head));
	if (head.size > output.len - sizeof(head))
		return 0;
	data = (struct bytes){ output.data + sizeof(head), head.size };
	return activity_reader__payload(r, ACTIVITY_BY_BPF, pid, head.kind, data, out);
}

static u32 make_payload(void *ctx, const struct sample *output, u64 *ip, u8 *payload)
{
	const struct bytes bytes = { output->raw, output->raw_size };

	if (bytes.len < sizeof(struct tls_output))
		return 0;
	memcpy(ip, bytes.data + offsetof(struct tls_output, ip), sizeof(*ip));
	return activity_reader__make(ctx, output->pid, bytes, payload);
}

static void on_mapped(void *ctx, u32 pid)
{
	activity_reader__mapped(ctx, pid);
}

void activity_reader__begin_process(struct activity_reader *r, u32 pid)
{
	struct known_process *k;

	pthread_mutex_lock(&r->lock);
	k = known__get(r, pid);
	k->generation++;
	k->tries = 0;
	k->asked = false;
	k->place = (struct activity_place){};
	pthread_mutex_unlock(&r->lock);
}

bool activity_reader__place(struct activity_reader *r, u32 pid, struct activity_place *out)
{
	u64 now = clock__now(CLOCK_MONOTONIC);
	struct known_process *k;
	bool found;

	pthread_mutex_lock(&r->lock);
	k = known__get(r, pid);
	*out = k->place;
	found = is_found(&out->tls);
	if (!found && (!k->asked || (k->ask_at && now >= k->ask_at))) {
		k->asked = true;
		k->ask_at = 0;
		queue(r, pid, k);
	}
	pthread_mutex_unlock(&r->lock);
	return found;
}

struct ring_side_opts activity_reader__side(struct activity_reader *r, const struct evsel *event)
{
	return (struct ring_side_opts){
		.event = event, .kind = SIDE_ACTIVITY, .make = make_payload, .mapped = on_mapped,
		.ctx = r,
	};
}

void activity_reader__stats(struct activity_reader *r, struct activity_stats *out)
{
	pthread_mutex_lock(&r->lock);
	*out = r->stats;
	pthread_mutex_unlock(&r->lock);
	if (r->program.program >= 0)
		bpf_prog__cost(r->program.program, &out->runs, &out->ns);
}

void activity_reader__free(struct activity_reader *r)
{
	if (!r)
		return;
	if (r->thread_runs) {
		pthread_mutex_lock(&r->lock);
		r->stopping = true;
		pthread_mutex_unlock(&r->lock);
		eventfd_write(r->wake_fd, 1);
		pthread_join(r->thread, NULL);
	}
	if (r->wake_fd >= 0)
		close(r->wake_fd);
	bpf_ring__close(&r->questions);
	tls_program__close(&r->program);
	tls_processes__free(r->processes);
	forget_all(r);
	vec__free(&r->todo);
	pthread_mutex_destroy(&r->lock);
	free(r);
}
