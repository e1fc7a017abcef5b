// SPDX-License-Identifier: GPL-2.0-only
#include "side-process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/mem.h"
#include "broker.h"
#include "parcel.h"
#include "privileges.h"
#include "procfile.h"

#define MIN_LIMIT_MS 20
#define MAX_PATIENCE 20 /* times the time limit, for a process that gets no CPU */
#define TICK_MS 100
#define SMALL_NS NSEC_PER_MSEC /* CPU time of a request that does not count */

struct ready_process {
	int fd;
	pid_t pid;
};

struct side_process {
	struct side_process_opts opts;
	int fd;    /* the socket to it; -1: the next request needs a new one */
	pid_t pid;
	clockid_t cpu; /* its CPU time */
	u32 nr_unanswered;
	struct ready_process ready[SIDE_PROCESS_READY]; /* forked before they are needed */
	u32 nr_ready;
	u64 last_ns, all_ns; /* CPU time of the last request, and of all that are not small */
};

struct side_process *side_process__new(const struct side_process_opts *opts)
{
	struct side_process *p = xzalloc(sizeof(*p));

	p->opts = *opts;
	p->fd = -1;
	return p;
}

/*
 * Closes inherited descriptors, which a process that is left behind would keep open: events, pipes
 * whose readers wait for the end, the socket of the previous process.
 */
static int close_inherited(int socket, int null)
{
	setrlimit(RLIMIT_CORE, &(struct rlimit){}); /* a crash of it may have been provoked */

	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	dup2(socket, 3);
	sandbox__close_from(4);
	return 3;
}

_Noreturn static void serve(const struct side_process_opts *opts, int socket, int null,
			    const struct sandbox_limits *sandbox)
{
	void *request = xzalloc(opts->request_size), *answer = xzalloc(opts->answer_size);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	socket = close_inherited(socket, null);
	broker__leave();
	privileges__keep(opts->privileges);
	if (opts->sandbox)
		sandbox__enter(sandbox);
	while (recv(socket, request, opts->request_size, 0) == (ssize_t)opts->request_size) {
		int fd;

		memset(answer, 0, opts->answer_size);
		fd = opts->serve(opts->ctx, request, answer);
		if (!parcel__send(socket, answer, opts->answer_size, fd))
			break;
		if (fd >= 0)
			close(fd);
	}
	_exit(0);
}

/* Its process ends when it can. @wait: which it can at once. */
static void side_process__leave(struct side_process *p, bool wait)
{
	close(p->fd);
	p->fd = -1;
	if (p->pid <= 0)
		return;
	broker__kill(p->pid);
	waitpid(p->pid, NULL, wait ? 0 : WNOHANG);
}

static int fork_process(const struct side_process *p, struct ready_process *out)
{
	struct sandbox_limits sandbox = {};
	int ends[2], ret, null;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return -errno;
	/* What a process that is confined could not do any more, once it is a fork. */
	null = broker__open("/dev/null", O_RDWR);
	if (p->opts.sandbox)
		sandbox = *p->opts.sandbox;
	if (sandbox.memory)
		sandbox.has = procfile__own_memory();
	out->pid = fork();
	if (!out->pid)
		serve(&p->opts, ends[1], null, &sandbox);
	ret = out->pid < 0 ? -errno : 0;
	if (null >= 0)
		close(null);
	close(ends[1]);
	out->fd = ends[0];
	if (ret)
		close(ends[0]);
	return ret;
}

void side_process__prepare(struct side_process *p, u32 nr)
{
	while (p->nr_ready < min_of(nr, (u32)SIDE_PROCESS_READY) &&
	       !fork_process(p, &p->ready[p->nr_ready]))
		p->nr_ready++;
}

static int side_process__start(struct side_process *p)
{
	struct ready_process new;
	int ret = 0;

	if (p->nr_ready)
		new = p->ready[--p->nr_ready];
	else
		ret = fork_process(p, &new);
	if (ret)
		return ret;
	p->fd = new.fd;
	p->pid = new.pid;
	ret = -clock_getcpuclockid(p->pid, &p->cpu);
	if (ret)
		side_process__leave(p, false);
	return ret;
}

/* A process that is runnable does not hang: the machine is busy. */
static bool side_process__is_runnable(const struct side_process *p)
{
	char path[32], state = 0, *text;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)p->pid);
	if (procfile__read(path, &text, NULL))
		return false;
	if (strrchr(text, ')'))
		sscanf(strrchr(text, ')'), ") %c", &state);
	free(text);
	return state == 'R';
}

static int side_process__wait_once(const struct side_process *p, u32 limit_ms)
{
	u64 until = clock__now(CLOCK_MONOTONIC) + limit_ms * NSEC_PER_MSEC, now;
	struct pollfd ready = { .fd = p->fd, .events = POLLIN };
	int ret;

	do {
		now = clock__now(CLOCK_MONOTONIC);
		ret = poll(&ready, 1, now < until ? (until - now) / NSEC_PER_MSEC + 1 : 0);
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret ? 0 : -ETIMEDOUT;
}

/* A request, from when it was sent. */
struct waiting {
	u64 began_ns;       /* the process's CPU time then */
	u32 limit_ms, cpu_ms;
};

/* CPU time of the process; 0: it is gone. */
static u64 side_process__cpu_now(const struct side_process *p)
{
	struct timespec ts;

	return clock_gettime(p->cpu, &ts) ? 0 : ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

static u64 waiting__cpu_ns(const struct waiting *w, const struct side_process *p)
{
	u64 now = side_process__cpu_now(p);

	return now > w->began_ns ? now - w->began_ns : 0;
}

static bool waiting__is_over(const struct waiting *w, const struct side_process *p, u64 waited_ms)
{
	if (w->cpu_ms && waiting__cpu_ns(w, p) >= w->cpu_ms * NSEC_PER_MSEC)
		return true;
	return waited_ms >= w->limit_ms &&
	       (waited_ms > (u64)MAX_PATIENCE * w->limit_ms || !side_process__is_runnable(p));
}

static int side_process__wait(const struct side_process *p, const struct waiting *w)
{
	u32 step_ms = w->cpu_ms ? min_of(w->limit_ms, (u32)MIN_LIMIT_MS) : w->limit_ms;
	u64 waited_ms = 0;
	bool goes_on;
	int ret;

	if (p->opts.tick)
		step_ms = min_of(step_ms, (u32)TICK_MS);
	do {
		ret = side_process__wait_once(p, step_ms);
		waited_ms += step_ms;
		goes_on = !p->opts.tick || p->opts.tick(p->opts.ctx);
	} while (ret == -ETIMEDOUT && goes_on && !waiting__is_over(w, p, waited_ms));
	return ret;
}

/* Reading the other process's clock takes a call: not for an answer that came at once. */
static void side_process__count(struct side_process *p, const struct waiting *w, u64 took_ns)
{
	p->last_ns = took_ns > SMALL_NS ? waiting__cpu_ns(w, p) : 0;
	if (p->last_ns > SMALL_NS)
		p->all_ns += p->last_ns;
}

static u32 side_process__limit(const struct side_process *p, u32 ms)
{
	return ms ? max_of(ms >> p->nr_unanswered, (u32)MIN_LIMIT_MS) : 0;
}

static bool side_process__is_given_up(const struct side_process *p)
{
	return p->nr_unanswered >= SIDE_PROCESS_MAX_UNANSWERED ||
	       (p->opts.all_cpu_ms && p->all_ns >= p->opts.all_cpu_ms * NSEC_PER_MSEC);
}

static int side_process__request(struct side_process *p, const void *request)
{
	u64 start = clock__now(CLOCK_MONOTONIC);
	struct waiting w = {
		.began_ns = side_process__cpu_now(p),
		.limit_ms = side_process__limit(p, p->opts.limit_ms),
		.cpu_ms = side_process__limit(p, p->opts.cpu_ms),
	};
	int ret;

	if (send(p->fd, request, p->opts.request_size, MSG_NOSIGNAL) < 0)
		return -errno;
	ret = side_process__wait(p, &w);
	side_process__count(p, &w, clock__now(CLOCK_MONOTONIC) - start);
	return ret;
}

int side_process__ask(struct side_process *p, const void *request, void *answer, int *fd)
{
	int ret = 0;

	*fd = -1;
	p->last_ns = 0;
	if (side_process__is_given_up(p))
		return -EDQUOT;
	if (p->fd < 0)
		ret = side_process__start(p);
	if (ret)
		return ret;
	ret = side_process__request(p, request);
	if (!ret && !parcel__receive(p->fd, answer, p->opts.answer_size, fd))
		ret = -EPIPE; /* it was killed */
	if (ret) /* what only computes ends when it is killed */
		side_process__leave(p, p->opts.cpu_ms);
	p->nr_unanswered += ret == -ETIMEDOUT || ret == -EPIPE;
	return ret;
}

u32 side_process__nr_unanswered(const struct side_process *p)
{
	return p->nr_unanswered;
}

u64 side_process__cpu_ns(const struct side_process *p)
{
	return p->last_ns;
}

void side_process__free(struct side_process *p)
{
	if (!p)
		return;
	if (p->fd >= 0)
		side_process__leave(p, true);
	while (p->nr_ready && !side_process__start(p))
		side_process__leave(p, true);
	free(p);
}
