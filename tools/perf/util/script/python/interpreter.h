/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interpreter of Python, as the files of this folder see it. They are a shared object of their
 * own (engine.h), the only one that is linked with libpython, and call perf's functions.
 *
 * Python's objects are reference counted: a function here returns a new reference or NULL with an
 * exception set, and takes none over, unless it says otherwise.
 *
 * Names in recordings need not be UTF-8: other bytes become lone surrogates, as Python does with
 * names of files ("surrogateescape"), and printing makes the same bytes of them.
 */
#ifndef PERF_SCRIPT_PYTHON_INTERPRETER_H
#define PERF_SCRIPT_PYTHON_INTERPRETER_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "../../base/hash.h"
#include "../../base/vec.h"
#include "../engine.h"
#include "keys.h"

#define EXIT_INTERRUPTED 130 /* as shells say of SIGINT */

struct frame_dicts;
struct sources;
struct sample_dict;
struct event_calls;

/* What an event has counted in an interval, on one CPU or of one thread (-1: of all). */
struct stat_count {
	u32 event;
	s32 cpu, thread;
	u64 value, enabled, running;
};

struct interpreter {
	struct engine_opts opts;
	struct script_source source;
	PyObject *globals;          /* of __main__ */
	PyObject *context;          /* the capsule that handlers get */
	PyObject *key[KEY_NR];      /* names in dictionaries, interned */
	PyObject *process_event, *unhandled; /* functions of the script; NULL: it has none */
	PyObject *on_switch, *on_throttle, *on_unthrottle, *on_auxtrace_error;
	PyObject *empty_bytes, *no_values; /* b"", (0, 0, 0) */
	VEC(PyObject *) refused;    /* folders that nothing is imported from */
	PyObject *blind_finder;     /* what looks there; NULL: all are trusted */
	u32 trusted_uid;            /* the owner of perf's own file, who is trusted like root */

	struct map64 strings;       /* char * that lives as long as the source -> str */
	struct map64 dsos;          /* dso id + 1 -> str of its build-id */
	struct frame_dicts *frames;
	struct event_calls **events; /* by evsel.idx */
	u32 nr_events;
	VEC(s32) stat_threads;      /* their tids */
	VEC(struct stat_count) stat_counts; /* of the present interval */
	struct map64 stat_last;     /* event, CPU and thread -> struct stat_count */
	u64 unheard;                /* samples of tracepoints that no function takes */
	u64 unreadable;             /* those whose payload does not fit their format */

	const struct whole_sample *now; /* NULL: not in a call with a sample */
	struct location leaf;           /* of .now; see interpreter__leaf() */
	bool has_leaf;
	struct sources *sources;        /* of perf_sample_srccode(); NULL: not asked for so far */
	bool began;                 /* trace_begin() has returned */
	bool ended, interrupted;
	int status;
};

/* ---- finish.c ---- */

/*
 * Waits for the script's threads but daemons. While some are left, calls what it gave to atexit and
 * writes its output; what fails sets .status.
 * Returns: whether Python can be finalized; false: threads are left, which no longer run.
 */
bool interpreter__finish_script(struct interpreter *py);

/* ---- errors.c ---- */

/* Ends the script by the exception that is set: prints it, and the sample, if there is one. */
void interpreter__fail(struct interpreter *py);

/* Looks for ^C. Returns: 0, or -ECANCELED: the script has ended. */
int interpreter__check(struct interpreter *py);

/*
 * Calls @fn, a function of the script; what it returns is dropped.
 * @args: a tuple; NULL: it could not be made, which is a failure
 * Returns: 0, or -ECANCELED when it has ended the script.
 */
int interpreter__call(struct interpreter *py, PyObject *fn, PyObject *args);

/* The same, and takes @args over. Returns: as interpreter__call() of @fn. */
int interpreter__call_new(struct interpreter *py, PyObject *fn, PyObject *args);

/*
 * The same without a tuple.
 * @args: @nr arguments; there must be room for one more in front of them
 * Returns: as interpreter__call() of @fn.
 */
int interpreter__vectorcall(struct interpreter *py, PyObject *fn, PyObject **args, size_t nr);

/* Returns: the script's function of that @name, borrowed; NULL: it has none. */
PyObject *interpreter__function(const struct interpreter *py, const char *name);

/* Returns: how many positional arguments @fn is declared with; -1: it does not say. */
int function__nr_args(PyObject *fn);

/* ---- values.c ---- */

/* Returns: a new str of @s. */
PyObject *py_str(const char *s);

/* Returns: a borrowed str of @s, which must live as long as the source, so that it is made once. */
PyObject *interpreter__str(struct interpreter *py, const char *s);

/* Returns: the build-id of @dso in hexadecimal digits, borrowed; "" when it is unknown. */
PyObject *interpreter__build_id(struct interpreter *py, const struct dso *dso);

/*
 * Puts @borrowed into @dict under @key.
 * Returns: 0; -1 with an exception, as when @borrowed is NULL.
 */
int py_put(const struct interpreter *py, PyObject *dict, enum key key, PyObject *borrowed);

/* The same, and takes @value over. Returns: as py_put() into @dict under @key. */
int py_put_new(const struct interpreter *py, PyObject *dict, enum key key, PyObject *value);

/* ---- import-guard.c: what "careful" means ---- */

/* Puts the guard in front of all that Python imports by. Returns: 0; -1 with an exception. */
int import_guard__install(struct interpreter *py);

/* Says which folders were left out, if any, when an import failed. */
void import_guard__say(const struct interpreter *py);

/* ---- context-module.c: the module perf_trace_context ---- */

/* For PyImport_AppendInittab(). Returns: the module. */
PyObject *context_module__init(void);

/* Gives the module the context that stands for @py. Returns: 0; -1 with an exception. */
int context_module__bind(struct interpreter *py);

/* ---- frame-dicts.c: callchains ---- */

/*
 * For resolver__on_soon(): prefetches what is kept for places.
 * @dicts: struct frame_dicts
 * @v, @nr: the places
 */
void frame_dicts__soon(void *dicts, const struct soon_place *v, size_t nr);

/* Returns: what frame_dicts__free() frees; never NULL. */
struct frame_dicts *frame_dicts__new(void);

/* @f may be NULL. */
void frame_dicts__free(struct frame_dicts *f);

/* Returns: a list of dictionaries, of the frames of @ws. */
PyObject *frame_dicts__chain(struct interpreter *py, const struct whole_sample *ws);

/* Returns: where the present sample's own address lies, which is looked up when first asked for. */
const struct location *interpreter__leaf(struct interpreter *py);

/*
 * To be told which dictionaries that are ours hold a list.
 * @list: its address; any other one than of the present list is of no interest
 * @change: 1: one more; -1: one less
 */
void frame_dicts__held(struct frame_dicts *f, u64 list, int change);

/* To be called when the script is done with that; no reference to the list is left but of these. */
void frame_dicts__settle(struct frame_dicts *f);

/* ---- dict-stamp.c: whether the script changed a dictionary that it was given ---- */

/* To be called once for each @dict. Returns: 0; -1 with an exception. */
int dict_stamp__watch(PyObject *dict);

#if PY_VERSION_HEX >= 0x030c0000
/* Internal. Returns: how many changes the script has made. */
u64 dict_stamp__changes(void);
#endif

/* Returns: a number that is another one after the script has changed @dict. */
static inline u64 dict_stamp__of(PyObject *dict)
{
#if PY_VERSION_HEX < 0x030c0000
	return ((PyDictObject *)dict)->ma_version_tag;
#else
	return dict_stamp__changes();
#endif
}

/* From now on dictionaries are changed by the script (@runs), or by the interpreter itself. */
void dict_stamp__script_runs(bool runs);

/* ---- sample-dict.c: what process_event() gets ---- */

/* For samples of @ev. Returns: what sample_dict__free() frees; NULL with an exception. */
struct sample_dict *sample_dict__new(struct interpreter *py, const struct evsel *ev);

/* @s may be NULL. */
void sample_dict__free(struct sample_dict *s);

/*
 * @chain: as of frame_dicts__chain()
 * Returns: the dictionary of @ws, borrowed, until sample_dict__settle(); NULL with an exception.
 */
PyObject *sample_dict__fill(struct sample_dict *s, struct interpreter *py,
			    const struct whole_sample *ws, PyObject *chain);

/* To be called when the script is done with that. */
void sample_dict__settle(struct sample_dict *s, struct interpreter *py);

/* ---- branches.c ---- */

/* Returns: the list brstack of @ws. */
PyObject *branches__list(struct interpreter *py, const struct whole_sample *ws);

/* Returns: the list brstacksym of @ws. */
PyObject *branches__symbols(struct interpreter *py, const struct whole_sample *ws);

/* ---- events.c: from a sample to the function that takes it ---- */

/* @e may be NULL. */
void event_calls__free(struct event_calls *e);

/* Hands @ws to the script. Returns: 0, or -ECANCELED: the script has ended. */
int interpreter__sample(struct interpreter *py, const struct whole_sample *ws);

/* ---- tracepoints.c ---- */

struct tracepoint_call;

/* For samples of @ev. Returns: what tracepoint_call__free() frees; NULL with an exception. */
struct tracepoint_call *tracepoint_call__new(struct interpreter *py, const struct evsel *ev);

/* @c may be NULL. */
void tracepoint_call__free(struct tracepoint_call *c);

/*
 * Hands @ws to the function of its tracepoint, or to trace_unhandled().
 * @dict: of this event
 * Returns: 0, or -ECANCELED: the script has ended.
 */
int tracepoint_call__sample(struct tracepoint_call *c, struct interpreter *py,
			    const struct whole_sample *ws, struct sample_dict *dict);

/* ---- stats.c ---- */

/* Takes @rec, a record of `perf stat`. Returns: 0, or -ECANCELED: the script has ended. */
int interpreter__stat(struct interpreter *py, const struct record *rec);

/* ---- records.c ---- */

/* Hands over a record that is not a sample. Returns: 0, or -ECANCELED: the script has ended. */
int interpreter__record(struct interpreter *py, const struct record *rec);

#endif
