// SPDX-License-Identifier: GPL-2.0-only
#include "broker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parcel.h"
#include "privileges.h"
#include "sandbox.h"

/* Its socket belongs to the process, as what the process may do; threads take turns. */
static struct {
	int state; /* enum below */
	int fd;
	u32 nr_given_up;
	pthread_mutex_t lock;
} broker = { .lock = PTHREAD_MUTEX_INITIALIZER };

enum { NOT_CONFINED, HAS_BROKER, HAS_NONE };

static const char own_fds[] = "/proc/self/fd/";

#define SOCKET 3 /* of the broker */

/*
 * Something has happened to the socket. When it is the reader's end the broker ends by itself,
 * unless it waits for a file: a FIFO that nobody writes, a file system that does not answer.
 * (PR_SET_PDEATHSIG would be a signal from the reader, which Landlock refuses.)
 */
static void look_for_end(int sig __unused_arg)
{
	struct pollfd p = { .fd = SOCKET };
	int saved = errno;

	if (poll(&p, 1, 0) == 1 && p.revents & POLLHUP) {
		signal(SIGALRM, SIG_DFL);
		alarm(1);
	}
	errno = saved;
}

static void watch_for_end(void)
{
	const struct sigaction act = { .sa_handler = look_for_end, .sa_flags = SA_RESTART };

	sigaction(SIGIO, &act, NULL);
	fcntl(SOCKET, F_SETOWN, getpid());
	fcntl(SOCKET, F_SETFL, O_RDWR | O_ASYNC);
	look_for_end(SIGIO); /* it may have been before */
}

/*
 * It lives as long as the reader, whose end it sees, and whatever keys were pressed: the reader may
 * have to write its output nevertheless. Nobody may wait for it at the other end of a pipe.
 */
static int become_broker(int from)
{
	static const int ignored[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGTSTP,
				       SIGWINCH };
	int socket = fcntl(from, F_DUPFD, SOCKET), null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (size_t i = 0; i < ARRAY_SIZE(ignored); i++)
		signal(ignored[i], SIG_IGN);
	for (int fd = 0; fd < 3; fd++)
		if (null < 0 || dup2(null, fd) < 0)
			close(fd);
	if (socket != SOCKET)
		dup2(socket, SOCKET);
	sandbox__close_from(SOCKET + 1);
	watch_for_end();
	return SOCKET;
}

_Noreturn static void serve_all(int socket, pid_t reader, broker_fn serve, void *ctx)
{
	struct broker_request r;
	struct broker_answer a;
	int passed, fd;
	bool sent;

	do {
		if (!parcel__receive(socket, &r, sizeof(r), &passed))
			break;
		r.name[sizeof(r.name) - 1] = r.path[sizeof(r.path) - 1] = '\0';
		r.reader = reader;
		memset(&a, 0, sizeof(a));
		fd = serve(ctx, &r, passed, &a);
		sent = parcel__send(socket, &a, sizeof(a), fd);
		if (fd >= 0)
			close(fd);
		if (passed >= 0)
			close(passed);
	} while (sent);
	serve(ctx, NULL, -1, NULL);
	_exit(0);
}

bool broker__confine(broker_fn serve, void *ctx)
{
	int ends[2];
	pid_t pid;

	if (broker.state != NOT_CONFINED || !sandbox__can_confine() ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return broker.state == HAS_BROKER;
	pid = fork();
	if (!pid)
		serve_all(become_broker(ends[1]), getppid(), serve, ctx);
	close(ends[1]);
	if (pid > 0 && sandbox__confine()) {
		broker.fd = ends[0];
		broker.state = HAS_BROKER;
		return true;
	}
	close(ends[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return false;
}

bool broker__is_there(void)
{
	return broker.state == HAS_BROKER;
}

void broker__leave(void)
{
	broker.state = HAS_NONE;
}

int broker__ask(const struct broker_request *request, int passed, struct broker_answer *answer)
{
	struct broker_answer own;
	int fd = -1;
	bool ok;

	if (broker.state != HAS_BROKER)
		return -EPERM;
	answer = answer ?: &own;
	pthread_mutex_lock(&broker.lock);
	ok = parcel__send(broker.fd, request, sizeof(*request), passed) &&
	     parcel__receive(broker.fd, answer, sizeof(*answer), &fd);
	broker.nr_given_up += ok && answer->err == -ETIMEDOUT;
	pthread_mutex_unlock(&broker.lock);
	if (!ok)
		return -EPERM;
	return answer->err ? answer->err : max_of(fd, 0);
}

u32 broker__nr_given_up(void)
{
	return broker.nr_given_up;
}

int broker__open(const char *path, int flags)
{
	struct broker_request r = { .what = BROKER_OPEN, .flags = flags | O_CLOEXEC };
	int fd;

	/* Another name of what is open, by which it is passed around. */
	if (broker.state == HAS_BROKER && !strncmp(path, own_fds, strlen(own_fds)) &&
	    sscanf(path + strlen(own_fds), "%d", &fd) == 1) {
		fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
		if (fd >= 0)
			lseek(fd, 0, SEEK_SET);
		return fd < 0 ? -errno : fd;
	}
	if (broker.state == HAS_BROKER)
		return snprintf(r.path, sizeof(r.path), "%s", path) < (int)sizeof(r.path) ?
		       broker__ask(&r, -1, NULL) : -ENAMETOOLONG;
	fd = open(path, flags | O_CLOEXEC, 0600);
	return fd < 0 ? -errno : fd;
}

void broker__kill(pid_t pid)
{
	const struct broker_request r = { .what = BROKER_KILL, .number = pid };

	if (broker.state == HAS_BROKER)
		broker__ask(&r, -1, NULL);
	else
		kill(pid, SIGKILL);
}
