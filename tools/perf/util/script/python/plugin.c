// SPDX-License-Identifier: GPL-2.0-only
/* The interpreter's beginning and end. */
#include <signal.h>
#include <sys/stat.h>

#include "../../annotate/sources.h"
#include "../../base/log.h"
#include "../plugin.h"
#include "interpreter.h"
#include "perf-version.h" /* generated */

/* Interned names; and the two values that stand for much that is not there. */
static int make_constants(struct interpreter *py)
{
	static const char *const names[KEY_NR] = {
#define X(name) #name,
		PYTHON_KEYS(X)
#undef X
	};

	for (u32 i = 0; i < KEY_NR; i++) {
		py->key[i] = PyUnicode_InternFromString(names[i]);
		if (!py->key[i])
			return -1;
	}
	py->empty_bytes = PyBytes_FromStringAndSize(NULL, 0);
	py->no_values = Py_BuildValue("(iii)", 0, 0, 0);
	return py->empty_bytes && py->no_values ? 0 : -1;
}

static int status_error(struct error *err, PyStatus status)
{
	return error__set(err, -EINVAL, "cannot start Python: %s",
			  status.err_msg ? status.err_msg : "it gives no reason");
}

static PyStatus set_arguments(PyConfig *config, const struct engine_opts *opts)
{
	VEC(char *) argv = {};
	PyStatus status;

	*vec__push(&argv) = (char *)opts->path;
	for (const char *const *a = opts->args; *a; a++)
		*vec__push(&argv) = (char *)*a;
	status = PyConfig_SetBytesArgv(config, argv.nr, argv.v);
	vec__free(&argv);
	return status;
}

/*
 * For root Python is as if alone: no environment, no folder of the user, and its own modules from
 * where they were when perf was built, not from beside the first python3 in PATH. Text is UTF-8
 * whatever the locale, and what is not UTF-8 is printed as it came.
 */
static int start(const struct engine_opts *opts, struct error *err)
{
	PyPreConfig pre;
	PyConfig config;
	PyStatus status;

	if (opts->careful)
		PyPreConfig_InitIsolatedConfig(&pre);
	else
		PyPreConfig_InitPythonConfig(&pre);
	pre.utf8_mode = 1;
	pre.parse_argv = 0;
	status = Py_PreInitialize(&pre);
	if (PyStatus_Exception(status))
		return status_error(err, status);
	if (opts->careful)
		PyConfig_InitIsolatedConfig(&config);
	else
		PyConfig_InitPythonConfig(&config);
	config.parse_argv = 0;
	config.install_signal_handlers = 1;
	status = set_arguments(&config, opts);
	if (opts->careful && !PyStatus_Exception(status))
		status = PyConfig_SetBytesString(&config, &config.home, PYTHON_PREFIX);
	if (!PyStatus_Exception(status))
		status = Py_InitializeFromConfig(&config);
	PyConfig_Clear(&config);
	return PyStatus_Exception(status) ? status_error(err, status) : 0;
}

/* The folder of the script comes first in sys.path, as python3 FILE has it. */
static int add_folder(struct interpreter *py)
{
	const char *slash = strrchr(py->opts.path, '/');
	int len = slash ? (int)(slash - py->opts.path) + 1 : 0;
	char *folder = slash ? xasprintf("%.*s", len, py->opts.path) : xstrdup(".");
	char *real = realpath(folder, NULL);
	PyObject *path = PySys_GetObject("path"); /* borrowed */
	PyObject *str = PyUnicode_DecodeFSDefault(real ? real : folder);
	int ret = path && str ? PyList_Insert(path, 0, str) : -1;

	Py_XDECREF(str);
	free(folder);
	free(real);
	return ret;
}

static int set_file(struct interpreter *py)
{
	PyObject *str = PyUnicode_DecodeFSDefault(py->opts.path);
	int ret = str ? PyDict_SetItemString(py->globals, "__file__", str) : -1;

	Py_XDECREF(str);
	return ret;
}

/* Things that a script may use from its first line. */
static int prepare(struct interpreter *py)
{
	PyObject *main = PyImport_AddModule("__main__"); /* borrowed */
	struct stat st;

	py->trusted_uid = stat("/proc/self/exe", &st) ? 0 : st.st_uid;
	py->globals = main ? PyModule_GetDict(main) : NULL;
	Py_XINCREF(py->globals);
	if (!py->globals || make_constants(py) || context_module__bind(py) ||
	    (py->opts.careful && import_guard__install(py)) || add_folder(py) || set_file(py))
		return -1;
	return 0;
}

/* What the script has functions for. */
static void look_up(struct interpreter *py)
{
	py->process_event = interpreter__function(py, "process_event");
	py->unhandled = interpreter__function(py, "trace_unhandled");
	py->on_switch = interpreter__function(py, "context_switch");
	py->on_throttle = interpreter__function(py, "throttle");
	py->on_unthrottle = interpreter__function(py, "unthrottle");
	py->on_auxtrace_error = interpreter__function(py, "auxtrace_error");
}

static void call_by_name(struct interpreter *py, const char *name)
{
	PyObject *fn = interpreter__function(py, name), *args;

	if (!fn)
		return;
	args = PyTuple_New(0);
	Py_INCREF(fn); /* it may be redefined by what it does */
	interpreter__call_new(py, fn, args);
	Py_DECREF(fn);
}

static void run(struct interpreter *py, FILE *file)
{
	PyObject *result = PyRun_FileExFlags(file, py->opts.path, Py_file_input, py->globals,
					     py->globals, 1, NULL);

	if (!result) {
		interpreter__fail(py);
		return;
	}
	Py_DECREF(result);
	call_by_name(py, "trace_begin");
	py->began = !py->ended;
	look_up(py);
}

static FILE *open_script(const char *path, struct error *err)
{
	FILE *file = fopen(path, "re");
	struct stat st;

	if (file && !fstat(fileno(file), &st) && S_ISDIR(st.st_mode)) {
		fclose(file);
		error__set(err, -EISDIR, "'%s' is a folder, not a script", path);
		return NULL;
	}
	if (!file)
		error__set(err, -errno, "cannot open the script '%s': %s", path, strerror(errno));
	return file;
}

static void drop_references(struct interpreter *py);

static void *interpreter__open(const struct engine_opts *opts, struct error *err)
{
	FILE *file = open_script(opts->path, err);
	struct sigaction pipe;
	struct interpreter *py;

	if (!file)
		return NULL;
	setenv("PERF_EXEC_PATH", opts->exec_path, 1);
	sigaction(SIGPIPE, NULL, &pipe);
	if (PyImport_AppendInittab("perf_trace_context", context_module__init) ||
	    start(opts, err)) {
		fclose(file);
		return NULL;
	}
	sigaction(SIGPIPE, &pipe, NULL); /* the reader of our output may go away, as of any perf */
	py = xzalloc(sizeof(*py));
	py->opts = *opts;
	py->frames = frame_dicts__new();
	if (prepare(py)) {
		PyErr_Print();
		fclose(file);
		drop_references(py);
		Py_FinalizeEx();
		free(py);
		error__set(err, -EINVAL, "cannot start Python");
		return NULL;
	}
	run(py, file);
	return py;
}

static void interpreter__source(void *ctx, const struct script_source *source)
{
	struct interpreter *py = ctx;

	py->source = *source;
	resolver__on_soon(source->resolver, frame_dicts__soon, py->frames);
}

static void map64__drop(struct map64 *m)
{
	map64__for_each(m, slot)
		Py_DECREF((PyObject *)slot->value);
	map64__free(m);
	memset(m, 0, sizeof(*m));
}

/* All that belongs to the source. */
static void forget_source(struct interpreter *py)
{
	for (u32 i = 0; i < py->nr_events; i++)
		event_calls__free(py->events[i]);
	zfree(&py->events);
	py->nr_events = 0;
	frame_dicts__free(py->frames);
	py->frames = NULL;
	sources__free(py->sources);
	py->sources = NULL;
	map64__drop(&py->strings);
	map64__drop(&py->dsos);
}

static void say_left_out(const struct interpreter *py)
{
	if (py->unheard)
		pr_warn("%llu samples of tracepoints were not passed on: the script has neither a "
			"function for them nor trace_unhandled()\n",
			(unsigned long long)py->unheard);
	if (py->unreadable)
		pr_warn("%llu samples of tracepoints do not fit the format of their event\n",
			(unsigned long long)py->unreadable);
}

static void drop_references(struct interpreter *py)
{
	forget_source(py);
	for (u32 i = 0; i < KEY_NR; i++)
		Py_CLEAR(py->key[i]);
	for (size_t i = 0; i < py->refused.nr; i++)
		Py_DECREF(py->refused.v[i]);
	vec__free(&py->refused);
	Py_CLEAR(py->blind_finder);
	vec__free(&py->stat_threads);
	vec__free(&py->stat_counts);
	map64__for_each(&py->stat_last, slot)
		free(slot->value);
	map64__free(&py->stat_last);
	memset(&py->stat_last, 0, sizeof(py->stat_last));
	Py_CLEAR(py->empty_bytes);
	Py_CLEAR(py->no_values);
	Py_CLEAR(py->context);
	Py_CLEAR(py->globals);
}

static void interpreter__end(void *ctx)
{
	struct interpreter *py = ctx;
	bool can_finalize;

	if (py->began && (!py->ended || py->interrupted)) {
		py->ended = false; /* ^C ends the samples; what was summed up is shown */
		call_by_name(py, "trace_end");
	}
	py->ended = true;
	can_finalize = interpreter__finish_script(py);
	drop_references(py);
	/* Writes what is left of the script's output. */
	if (can_finalize && Py_FinalizeEx() && !py->status)
		py->status = 1;
	say_left_out(py);
}

static void interpreter__free(void *ctx)
{
	free(ctx);
}

static bool interpreter__ended(const void *ctx)
{
	return ((const struct interpreter *)ctx)->ended;
}

static int interpreter__status(const void *ctx)
{
	return ((const struct interpreter *)ctx)->status;
}

static int plugin_check(void *ctx)
{
	return interpreter__check(ctx);
}

static int plugin_sample(void *ctx, const struct whole_sample *ws)
{
	return interpreter__sample(ctx, ws);
}

static int plugin_record(void *ctx, const struct record *rec)
{
	return interpreter__record(ctx, rec);
}

extern const struct script_plugin perf_script_plugin;
__attribute__((visibility("default"))) const struct script_plugin perf_script_plugin = {
	.version = PERF_VERSION,
	.open = interpreter__open,
	.ended = interpreter__ended,
	.status = interpreter__status,
	.source = interpreter__source,
	.check = plugin_check,
	.sample = plugin_sample,
	.record = plugin_record,
	.end = interpreter__end,
	.free = interpreter__free,
};
