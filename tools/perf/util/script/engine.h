/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A script of the user, which is handed each sample: `perf script -s FILE.py`.
 *
 * The interpreter is in a shared object of its own, which is loaded when a script is to be run, so
 * that perf does not need it, and does not wait for it, for anything else. The object belongs to
 * the perf that it was built with, and calls functions of it: see tools/build/probe and the
 * Makefile for how it finds them.
 *
 * A script is the user's program. It is started, with what trace_begin() does, before anything of
 * the recording is read and before capabilities are given up: Documentation/design/security.md.
 */
#ifndef PERF_SCRIPT_ENGINE_H
#define PERF_SCRIPT_ENGINE_H

#include "../data/tracepoint.h"
#include "../sample/whole-sample.h"
#include "../stack/frames.h"
#include "../symbol/symbols.h"

struct engine_opts {
	const char *path;          /* the script; .py */
	const char *const *args;   /* its arguments; ends with NULL */
	const char *exec_path;     /* where scripts/python is: $PERF_EXEC_PATH of the script */
	/*
	 * Modules come only from folders that nobody can write to but root and the owner of perf:
	 * for users with more rights than others.
	 */
	bool careful;
	bool srclines;             /* each frame of a callchain with its source line */
	bool no_chains;            /* callchains are left out */
	u32 max_stack;             /* frames of a callchain; 0: all */
	/* A setting of the user, or NULL. */
	const char *(*config)(void *ctx, const char *name);
	void *config_ctx;
};

/* What a script is shown; all borrowed, until script_engine__end(). */
struct script_source {
	const struct recording *recording;
	struct machine *machine;
	struct symbols *symbols;
	struct resolver *resolver;
	struct tracepoints *traces;
};

struct script_engine;

/*
 * Loads the interpreter, runs the file, and calls its trace_begin().
 * @out: what script_engine__free() frees
 * @plugin: path of the shared object
 * @opts: copied, but its strings are borrowed until the end
 * Returns: 0; or -errno with words: there is no interpreter, or no such file. What the script
 *         itself does wrong is no error here: see script_engine__ended().
 */
int script_engine__open(struct script_engine **out, const char *plugin,
			const struct engine_opts *opts, struct error *err);

/* @e may be NULL. */
void script_engine__free(struct script_engine *e);

/*
 * Returns: whether it has ended by itself: by sys.exit(), by an exception that it did not catch
 *         (which is on stderr by now, with the sample), or by ^C. It gets nothing more then.
 */
bool script_engine__ended(const struct script_engine *e);

/* Returns: the exit status of the command, 0 to 255. */
int script_engine__status(const struct script_engine *e);

/* Says what the samples are from, before the first one. */
void script_engine__source(struct script_engine *e, const struct script_source *source);

/* For times without samples. Returns: 0, or -ECANCELED when the script has ended, as by ^C. */
int script_engine__check(struct script_engine *e);

/* Hands over a sample. Returns: 0, or -ECANCELED when the script has ended. */
int script_engine__sample(struct script_engine *e, const struct whole_sample *ws);

/* The same with a record that is not a sample. Returns: as script_engine__sample(). */
int script_engine__record(struct script_engine *e, const struct record *rec);

/*
 * No more samples: calls trace_end() unless it ended by itself, and ends the interpreter. Must be
 * called once before script_engine__free(); the status is final then.
 */
void script_engine__end(struct script_engine *e);

#endif
