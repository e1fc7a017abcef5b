// SPDX-License-Identifier: GPL-2.0-only
#include "objdump.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/vec.h"
#include "../io/broker.h"
#include "../io/privileges.h"

#define FILE_FD 3 /* of the new program */
#define NOT_RUN 127
#define CHUNK 65536

typedef VEC(char) bytes_vec;

static void limit(int resource, rlim_t value)
{
	struct rlimit l = { value, value };

	setrlimit(resource, &l);
}

/* In the new process: it reads somebody else's file, and must neither stay nor ask the network. */
static void become(const struct objdump_opts *o, int in, int out, u64 start, u64 stop)
{
	char from[40], to[40], style[256];
	const char *argv[10], **arg = argv;

	snprintf(from, sizeof(from), "--start-address=0x%" PRIx64, start);
	snprintf(to, sizeof(to), "--stop-address=0x%" PRIx64, stop);
	snprintf(style, sizeof(style), "-M%s", o->style ?: "");
	*arg++ = o->program ?: "objdump";
	*arg++ = "-d";
	*arg++ = "-C";
	if (!o->raw)
		*arg++ = "--no-show-raw-insn";
	if (o->style)
		*arg++ = style;
	*arg++ = from;
	*arg++ = to;
	*arg++ = "/dev/fd/3";
	*arg = NULL;
	limit(RLIMIT_CPU, OBJDUMP_SECONDS);
	limit(RLIMIT_CORE, 0);
	unsetenv("DEBUGINFOD_URLS");
	/* It opens the file once more, by the name of the descriptor. */
	privileges__keep(PRIVILEGE(CAP_DAC_READ_SEARCH));
	/* The broker ignores them. */
	signal(SIGPIPE, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	/* The descriptors may have each other's numbers. */
	in = fcntl(in, F_DUPFD, FILE_FD + 1);
	out = fcntl(out, F_DUPFD, FILE_FD + 1);
	if (dup2(in, FILE_FD) < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0)
		_exit(NOT_RUN);
	close(in);
	close(out);
	close(STDIN_FILENO);
	execvp(argv[0], (char *const *)argv);
	_exit(NOT_RUN);
}

static void read_output(int fd, bytes_vec *out)
{
	ssize_t n;

	do {
		vec__reserve(out, out->nr + CHUNK + 1);
		n = read(fd, out->v + out->nr, CHUNK);
		out->nr += max_of(n, (ssize_t)0);
	} while ((n > 0 || (n < 0 && errno == EINTR)) && out->nr < OBJDUMP_OUTPUT_MAX);
	out->v[out->nr] = '\0';
}

/* Returns 0, or -errno with words. */
static int judge(const struct objdump_opts *o, int status, bytes_vec *out, struct error *err)
{
	const char *name = o->program ?: "objdump";
	const char *newline = strchr(out->v, '\n');

	/* Cut, or its time is over: what there is can be shown. */
	if (WIFSIGNALED(status) && out->nr >= CHUNK)
		return 0;
	if (WIFSIGNALED(status))
		return error__set(err, -EIO, "%s was ended by signal %d", name, WTERMSIG(status));
	if (WEXITSTATUS(status) == NOT_RUN) {
		error__set(err, -ENOENT, "cannot run %s, which disassembles the code", name);
		error__hint(err, "Hint: install the package binutils, or name the program with "
			    "--objdump");
		return -ENOENT;
	}
	if (WEXITSTATUS(status))
		return error__set(err, -EIO, "%.*s", newline ? (int)(newline - out->v) : 200,
				  out->nr ? out->v : name);
	return 0;
}

pid_t objdump__start(const void *ctx, int fd, u64 start, u64 stop, int out)
{
	pid_t pid = fork();

	if (!pid)
		become(ctx, fd, out, start, stop);
	return pid < 0 ? -errno : pid;
}

/* Returns the end of a pipe with what it writes, or -errno. */
static int start_here(const struct objdump_opts *opts, int fd, u64 start, u64 stop, pid_t *pid)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	*pid = objdump__start(opts, fd, start, stop, ends[1]);
	close(ends[1]);
	if (*pid >= 0)
		return ends[0];
	close(ends[0]);
	return *pid;
}

static int start_by_broker(int fd, u64 start, u64 stop, pid_t *pid)
{
	const struct broker_request r = { .what = BROKER_RUN, .range = { start, stop } };
	struct broker_answer a = {};
	int from = broker__ask(&r, fd, &a);

	*pid = a.number;
	return from;
}

static int wait_for(pid_t pid)
{
	const struct broker_request r = { .what = BROKER_WAIT, .number = pid };
	struct broker_answer a = {};
	int status = 0;

	if (broker__is_there())
		return broker__ask(&r, -1, &a) < 0 ? SIGKILL : (int)a.number;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

int objdump__run(const struct objdump_opts *opts, int fd, u64 start, u64 stop, char **text,
		 struct error *err)
{
	int status = 0, ret, from;
	bytes_vec out = {};
	pid_t pid;

	from = broker__is_there() ? start_by_broker(fd, start, stop, &pid) :
				    start_here(opts, fd, start, stop, &pid);
	if (from < 0)
		return error__set(err, from, "no process: %s", strerror(-from));
	read_output(from, &out);
	close(from);
	status = wait_for(pid);
	ret = judge(opts, status, &out, err);
	if (ret)
		vec__free(&out);
	*text = out.v;
	return ret;
}
