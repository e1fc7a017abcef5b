/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A command that reads what others made has no rights over files while it does: from
 * broker__confine() on, this process can neither open a file nor connect to anything, run a program
 * or signal another process, nor can any thread or process that it makes. What it needs of files is
 * done by another process, the broker, which is asked by messages and hands over descriptors. The
 * broker reads nothing of what is in the files but their first bytes, and follows rules
 * (broker-files.h). Design: Documentation/design/reader.md
 *
 * Whether a process is confined belongs to it as a whole, as its system calls do: so the functions
 * of this room that open files ask here by themselves, and their callers need not know.
 */
#ifndef PERF_IO_BROKER_H
#define PERF_IO_BROKER_H

#include <limits.h>
#include <sys/types.h>

#include "../base/error.h"

enum broker_what {
	BROKER_OPEN,         /* .path, with .flags of open(2) */
	BROKER_OPEN_REGULAR, /* the same, if it is a regular file: regular_file__open() */
	BROKER_TEMPORARY,    /* a file without a name: tempfile__open() */
	BROKER_PRIVATE_DIR,  /* .name in .path: private_dir__open() */
	BROKER_BENEATH,      /* .name in a private folder, which is passed, with .flags */
	BROKER_RENAME,       /* .name becomes .path, in a private folder, which is passed */
	BROKER_REMOVE,       /* .name in a private folder, which is passed */
	BROKER_REPLACE,      /* .path: replace_file__open(); .number is 1 when it is not direct */
	BROKER_REPLACED,     /* .path: replace_file__commit(), with .keep from .number, .program
				from .flags */
	BROKER_DROP,         /* .path: replace_file__abort() */
	BROKER_MAKE,         /* .path: output_file__open(), .flags is how, .number the mode */
	BROKER_UNMAKE,       /* .path: output_file__remove() */
	BROKER_RUN,          /* the one program that the command may run, on a file that is passed,
				for the addresses .range: hands over what it writes, .number is
				its process */
	BROKER_WAIT,         /* for that process, .number: becomes its status of waitpid(2) */
	BROKER_KILL,         /* SIGKILL for .number, a child of the process that asks */
};

struct broker_request {
	enum broker_what what;
	int flags;
	s64 number;
	u64 range[2];
	pid_t reader;            /* filled by the broker: who asks */
	char name[NAME_MAX + 1], path[PATH_MAX];
};

struct broker_answer {
	int err;                 /* 0 or -errno */
	u64 number;
	char name[PATH_MAX];
	struct error words;
};

/*
 * What the broker does with a request: strings of it are terminated. Called with no request when
 * the reader has ended.
 * @passed: a descriptor that came with it; -1: none. The broker closes it.
 * @answer: zeroed, to be filled
 * Returns: a descriptor that is handed over and then closed; -1: none.
 */
typedef int (*broker_fn)(void *ctx, const struct broker_request *request, int passed,
			 struct broker_answer *answer);

/*
 * Forks the broker, which keeps the rights of this process, and gives these up. Once, before there
 * are threads. Where the kernel cannot confine a process nothing changes.
 * @serve, @ctx: what the broker does; of @ctx it has what that is now
 * Returns: whether this process is confined.
 */
bool broker__confine(broker_fn serve, void *ctx);

/* Returns: whether this process is confined, and files are opened by the broker. */
bool broker__is_there(void);

/*
 * From now on this process has no broker, and is not confined if it is not yet: it was forked from
 * a confined one, and opens nothing, or runs several commands, one after the other.
 */
void broker__leave(void);

/*
 * Sends a request and waits for the answer.
 * @passed: a descriptor that goes with it; -1: none
 * @answer: filled; NULL: only the result matters
 * Returns: a descriptor, the caller's; 0 when none was asked for; -EPERM also when the broker is
 *         gone; another -errno.
 */
int broker__ask(const struct broker_request *request, int passed, struct broker_answer *answer);

/* Returns: the number of files that could not be opened in time. */
u32 broker__nr_given_up(void);

/*
 * open(2): by the broker in a process that is confined.
 * @path: of the file; /proc/self/fd/N is what this process has open as N
 * @flags: without O_CREAT; O_CLOEXEC is added
 * Returns: a descriptor, the caller's; -errno.
 */
int broker__open(const char *path, int flags);

/* Ends the child @pid of this process by SIGKILL. */
void broker__kill(pid_t pid);

#endif
