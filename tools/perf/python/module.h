/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The extension module behind Python's `import perf`: perf._perf. Only the limited API of Python
 * 3.11 is used, so that one binary serves all later versions.
 *
 * Nothing here ends the process or prints: struct error becomes perf.error, and what cannot go on
 * is trapped (base/fatal.h).
 */
#ifndef PERF_PYTHON_MODULE_H
#define PERF_PYTHON_MODULE_H

#include <setjmp.h>

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include "../util/base/fatal.h"
#include "../util/binary/bundle.h"
#include "../util/data/tracepoint.h"
#include "../util/pipeline/pull.h"
#include "../util/stack/frames.h"

#define FRAME_SLOTS (1 << 17)

/* Objects that were made of places, to be handed out again. */
struct frame_slot {
	u64 ip, epoch;
	u32 place;
	PyObject *frame;
};

/* The tuple that was made of the last chain of an address space: see struct frames. */
struct chain_slot {
	u64 serial;
	PyObject *tuple;
};

/* What is open. Recordings, samples and frames hold references; the GIL protects them. */
struct source {
	size_t refs;
	struct reader *reader;
	struct bundle *bundle; /* NULL: the file is a recording */
	int bundle_fd;         /* of the recording in it */
	struct pull *pull;
	struct symbols *symbols;
	struct resolver *resolver;
	struct tracepoints *traces;    /* made when it is needed */
	struct map64 traced_events;    /* attr.config -> struct traced_event of traces */
	struct map64 strings;          /* C string -> str */
	PyThread_type_lock lock;       /* of all above, where the GIL is released */
	unsigned long locked_by;       /* 0: nobody */
	int depth;
	bool broken;                   /* by what could not go on */
};

typedef struct recording_object {
	PyObject_HEAD
	struct source *source;
	struct pulled_sample *batch;
	size_t at, nr;                 /* in the batch */
	bool finished;                 /* nothing follows behind the batch */
	bool ended;                    /* and that was said */
	unsigned long thread;          /* that iterates; 0: none yet */
	struct frames frames;
	/* Objects that may be handed out again. They hold the source, not the recording. */
	struct frame_slot *frame_slots;
	struct chain_slot chains[CHAIN_MEMORIES];
	u32 max_stack;
	PyObject *path;
} recording_object;

typedef struct sample_object {
	PyObject_HEAD
	recording_object *recording;
	struct pulled_sample s;
	PyObject *frames;              /* tuple, once resolved */
} sample_object;

struct module_state {
	PyTypeObject *recording, *sample, *frame;
	PyObject *error;
};

/* The only one: a process has the module once. */
extern struct module_state module_state;

/* Raises perf.error with the code and words of @err. Returns NULL. */
PyObject *raise_error(const struct error *err);

/* Raises what @trap says; NULL: that memory was lacking. Returns NULL. */
PyObject *raise_broken(const struct fatal_trap *trap);

/* Returns: a new str of @s; bytes that are not UTF-8 become surrogates, as in names of files. */
PyObject *new_str(const char *s);

/* Takes a reference. Returns @s. */
struct source *source__get(struct source *s);

/* Drops a reference; the last one closes the recording. */
void source__put(struct source *s);

/* Returns: a borrowed str of @text, a string that lives as long as the source. */
PyObject *source__str(struct source *s, const char *text);

/*
 * Takes the lock, as often as the thread likes, and lets other threads run while it waits: objects
 * may be freed wherever one is made.
 */
void source__lock(struct source *s);
void source__unlock(struct source *s);

/*
 * Calls @fn with @ctx under the lock, and traps what cannot go on. After that nothing of the source
 * is used any more.
 * Returns: false with an exception when it could not.
 */
bool source__call(struct source *s, void (*fn)(void *ctx), void *ctx);

/* Returns: a new tuple of the frames of @s. */
PyObject *recording__frames(recording_object *r, const struct pulled_sample *s);

/* Returns: a new sample, which takes @s over. */
PyObject *sample__new(recording_object *r, struct pulled_sample *s);

/*
 * Returns: a new str of the fields of @s, as `perf script` prints them; None when it is of no
 *          tracepoint, or of one that is unknown or whose payload is too short.
 */
PyObject *sample__trace(struct source *source, const struct pulled_sample *s);

/*
 * Returns: a new dictionary of the fields of @s in the order of their format: numbers, str of
 *          characters, bytes of all else; None as of sample__trace().
 */
PyObject *sample__fields(struct source *source, const struct pulled_sample *s);

/* Returns: the type, ready; NULL with an exception. */
PyTypeObject *recording_type__new(PyObject *module);
PyTypeObject *sample_type__new(PyObject *module);
PyTypeObject *frame_type__new(PyObject *module);

/* Returns: a new frame, a copy of @f. */
PyObject *frame__new(struct source *s, const struct frame *f);

#endif
