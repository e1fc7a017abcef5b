/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * For runtimes of languages whose functions are no machine code: by this they tell `perf record
 * --agent` which functions run in a thread, at the moment of each sample. The manual page is
 * perf-agent(3).
 *
 * What is called is in libperf-agent.so, which perf loads into the program, or its owner: nothing
 * is linked with it. In programs without it perf_agent_follow() does nothing.
 */
#ifndef PERF_AGENT_H
#define PERF_AGENT_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A function of the runtime. Two with the same contents are the same. */
struct perf_agent_function {
	const char *name;         /* UTF-8, up to 1,023 bytes; what is behind is cut off */
	const char *file;         /* its source; the same; NULL: not known */
	unsigned int first_line, last_line; /* in it: of the function */
};

/* A walk over the frames of one thread, at one sample. Valid while the walker runs. */
struct perf_agent_walk {
	/* See perf_agent_frame() and perf_agent_read(), which call these. */
	bool (*frame)(struct perf_agent_walk *w, const struct perf_agent_function *f,
		      unsigned int line, const void *entry);
	bool (*read)(void *to, const void *from, size_t size);
};

/*
 * Tells the frames of the calling thread, innermost first, by perf_agent_frame().
 *
 * It is called by a signal handler, between any two instructions of the thread: it must not lock,
 * allocate, make system calls or change anything, and what it reads may be in the middle of a
 * change. A load that faults (SIGSEGV, SIGBUS) ends the walk; what was told until then counts.
 * Threads that run nothing of the runtime are asked, too.
 * @context: ucontext_t of the interrupted code
 * @ctx: as registered
 */
typedef void (*perf_agent_walker)(struct perf_agent_walk *w, const void *context, void *ctx);

/*
 * What perf_agent_follow() calls: registers a walker, for as long as the process lives, and in
 * children that are forked.
 * Returns: 0; -1 when there are 8 already, or nobody can record this process.
 */
int perf_agent_register(perf_agent_walker walk, void *ctx);

/*
 * Tells a frame, in a walker.
 * @w: the walk
 * @f: its function; copied
 * @line: where it is in @f's file; of callers, that of the call
 * @entry: of the outermost frame of those that one native call of the runtime runs: an address in
 *         that call's frame on the C stack, such as that of a local variable; by it the place among
 *         the native frames is found. NULL: the next frame is run by the same call.
 * Returns: false when no more can be told.
 */
static inline bool perf_agent_frame(struct perf_agent_walk *w, const struct perf_agent_function *f,
				    unsigned int line, const void *entry)
{
	return w->frame(w, f, line, entry);
}

/*
 * Reads memory that may not be there, in a walker, which goes on where it is not: copies @size
 * bytes from @from to @to.
 * @w: the walk
 * Returns: false when it could not be read.
 */
static inline bool perf_agent_read(const struct perf_agent_walk *w, void *to, const void *from,
				   size_t size)
{
	return w->read(to, from, size);
}

/*
 * Registers a walker, if the agent is there.
 * @walk, @ctx: as of perf_agent_register()
 * Returns: 0; -1 when there is no agent, or as perf_agent_register().
 */
static inline int perf_agent_follow(perf_agent_walker walk, void *ctx)
{
	int (*agent)(perf_agent_walker walk, void *ctx);

	*(void **)&agent = dlsym((void *)0 /* RTLD_DEFAULT */, "perf_agent_register");
	return agent ? agent(walk, ctx) : -1;
}

#ifdef __cplusplus
}
#endif

#endif
