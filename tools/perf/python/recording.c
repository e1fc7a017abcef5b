// SPDX-License-Identifier: GPL-2.0-only
/* perf.recording: a perf.data file, and its samples one by one. */
#include "module.h"

static void drop_batch(recording_object *r)
{
	while (r->at < r->nr)
		pulled_sample__release(&r->batch[r->at++]);
}

static void drop_objects(recording_object *r)
{
	for (size_t i = 0; r->frame_slots && i < FRAME_SLOTS; i++)
		Py_XDECREF(r->frame_slots[i].frame);
	zfree(&r->frame_slots);
	for (size_t i = 0; i < CHAIN_MEMORIES; i++)
		Py_CLEAR(r->chains[i].tuple);
}

static void recording__dealloc(PyObject *o)
{
	recording_object *r = (recording_object *)o;
	PyTypeObject *type = Py_TYPE(o);

	if (r->source) {
		source__lock(r->source);
		drop_batch(r);
		drop_objects(r);
		source__unlock(r->source);
		source__put(r->source);
	}
	Py_XDECREF(r->path);
	PyObject_Free(o);
	Py_DECREF((PyObject *)type);
}

/* The next batch. Returns: 0; -1 with an exception, after which it goes on if that was ^C. */
static int fetch(recording_object *r)
{
	struct source *s = r->source;
	struct error err = {};
	int ret;

	source__lock(s);
	Py_BEGIN_ALLOW_THREADS
	ret = pull__next(s->pull, &r->batch, &r->nr, &err);
	Py_END_ALLOW_THREADS
	r->at = 0;
	source__unlock(s);
	if (ret < 0) {
		s->broken = ret == -ENOTRECOVERABLE || ret == -ENOMEM;
		r->ended = true;
		if (ret == -ENOMEM)
			PyErr_NoMemory();
		else
			raise_error(&err);
		return -1;
	}
	r->finished = !ret;
	return PyErr_CheckSignals() ? -1 : 0;
}

/* What was damaged is an error, once all that could be read was handed out. */
static PyObject *end(recording_object *r)
{
	const struct reader_account *a = reader__account(r->source->reader);
	struct error err = {};

	r->ended = true;
	if (a->damage.code)
		return raise_error(&a->damage);
	if (a->malformed) {
		error__set(&err, -EBADMSG, "%s: %llu malformed records were skipped, the first at "
			   "offset %#llx", reader__path(r->source->reader),
			   (unsigned long long)a->malformed,
			   (unsigned long long)a->first_malformed_offset);
		return raise_error(&err);
	}
	return NULL; /* StopIteration */
}

static PyObject *recording__next(PyObject *o)
{
	recording_object *r = (recording_object *)o;
	unsigned long me = PyThread_get_thread_ident();

	if (unlikely(r->thread != me)) {
		if (r->thread)
			return PyErr_Format(PyExc_RuntimeError,
					    "another thread iterates over the recording");
		r->thread = me;
	}
	while (r->at == r->nr) {
		if (r->ended)
			return NULL;
		if (r->finished)
			return end(r);
		if (fetch(r))
			return NULL;
	}
	return sample__new(r, &r->batch[r->at++]);
}

static PyObject *close_recording(PyObject *o, PyObject *unused)
{
	recording_object *r = (recording_object *)o;

	if (r->thread && r->thread != PyThread_get_thread_ident())
		return PyErr_Format(PyExc_RuntimeError,
				    "another thread iterates over the recording");
	source__lock(r->source);
	drop_batch(r);
	source__unlock(r->source);
	r->ended = true;
	Py_RETURN_NONE;
}

static PyObject *enter(PyObject *o, PyObject *unused)
{
	return Py_NewRef(o);
}

static PyObject *leave(PyObject *o, PyObject *args)
{
	return close_recording(o, NULL);
}

static const struct recording *recording_of(PyObject *o)
{
	return reader__recording(((recording_object *)o)->source->reader);
}

static PyObject *str_or_none(const char *s)
{
	if (!s)
		Py_RETURN_NONE;
	return new_str(s);
}

static PyObject *get_path(PyObject *o, void *unused)
{
	return Py_NewRef(((recording_object *)o)->path);
}

static PyObject *get_hostname(PyObject *o, void *unused)
{
	return str_or_none(recording_of(o)->hostname);
}

static PyObject *get_os_release(PyObject *o, void *unused)
{
	return str_or_none(recording_of(o)->osrelease);
}

static PyObject *get_arch(PyObject *o, void *unused)
{
	return str_or_none(recording_of(o)->arch);
}

static PyObject *list_of(size_t nr, const char *(*at)(const struct recording *r, size_t i),
			 const struct recording *r)
{
	PyObject *list = PyList_New(nr);

	for (size_t i = 0; list && i < nr; i++) {
		PyObject *str = new_str(at(r, i));

		if (!str || PyList_SetItem(list, i, str))
			Py_CLEAR(list);
	}
	return list;
}

static const char *event_at(const struct recording *r, size_t i)
{
	return r->events.v[i]->name;
}

static PyObject *get_events(PyObject *o, void *unused)
{
	return list_of(recording_of(o)->events.nr, event_at, recording_of(o));
}

static const char *word_at(const struct recording *r, size_t i)
{
	return r->cmdline.v[i];
}

static PyObject *get_command(PyObject *o, void *unused)
{
	return list_of(recording_of(o)->cmdline.nr, word_at, recording_of(o));
}

static PyObject *get_account(PyObject *o, void *unused)
{
	struct source *s = ((recording_object *)o)->source;
	const struct pipeline_account *a;
	char line[ACCOUNT_LINE_MAX];

	if (s->broken)
		return raise_broken(NULL);
	a = pipeline__account(pull__pipeline(s->pull));
	pipeline_account__line(a, line, sizeof(line));
	return Py_BuildValue("{s:K,s:K,s:K,s:K,s:s}", "samples", a->samples,
			     "user_stacks", pipeline_account__wanted(a),
			     "whole_user_stacks", pipeline_account__whole(a),
			     "lost", pipeline_account__lost(a), "text", line);
}

struct open_query {
	struct source *source;
	const char *path;
	int force, ret;
	const struct pipeline_opts *opts;
	struct error err;
};

/* A recording, or a bundle with one. */
static int open_reader(struct source *s, const char *path, int force, struct error *err)
{
	int ret = bundle__open(&s->bundle, path, force, err);

	if (ret == -ENOEXEC)
		return reader__open(&s->reader, path, force, err);
	if (ret)
		return ret;
	s->bundle_fd = bundle__member(s->bundle, BUNDLE_RECORDING);
	if (s->bundle_fd < 0)
		return error__set(err, s->bundle_fd, "cannot unpack '%s': %s", path,
				  strerror(-s->bundle_fd));
	return reader__open_fd(&s->reader, s->bundle_fd, path, err);
}

static void open_source(void *ctx)
{
	struct open_query *q = ctx;
	struct source *s = q->source;

	struct pipeline_opts opts = *q->opts;

	q->ret = open_reader(s, q->path, q->force, &q->err);
	opts.symbols.binary.bundle = s->bundle;
	if (!q->ret)
		q->ret = pull__new(&s->pull, s->reader, &opts, &q->err);
	if (q->ret)
		return;
	s->symbols = pipeline__symbols(pull__pipeline(s->pull));
	s->resolver = resolver__new(s->symbols);
}

static bool recording__open(recording_object *r, const char *path, int force,
			    const struct pipeline_opts *opts)
{
	struct open_query q = { .source = r->source, .path = path, .force = force, .opts = opts };

	if (!source__call(r->source, open_source, &q))
		return false;
	if (q.ret)
		raise_error(&q.err);
	return !q.ret;
}

static PyObject *recording__make(PyTypeObject *type, const char *path, int force,
				 const struct pipeline_opts *opts, unsigned int max_stack)
{
	recording_object *r = PyObject_New(recording_object, type);

	if (!r)
		return NULL;
	memset((char *)r + sizeof(PyObject), 0, sizeof(*r) - sizeof(PyObject));
	r->max_stack = max_stack;
	r->frame_slots = calloc(FRAME_SLOTS, sizeof(*r->frame_slots));
	r->source = calloc(1, sizeof(*r->source));
	r->path = new_str(path);
	if (r->source) {
		r->source->refs = 1;
		r->source->lock = PyThread_allocate_lock();
	}
	if (!r->frame_slots || !r->source || !r->path || !r->source->lock) {
		PyErr_NoMemory();
	} else if (recording__open(r, path, force, opts)) {
		return (PyObject *)r;
	}
	Py_DECREF((PyObject *)r);
	return NULL;
}

static PyObject *recording_object__new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "path", "force", "symfs", "kallsyms", "vmlinux", "demangle",
				 "unwind_cache", "inlines", "max_stack", NULL };
	struct pipeline_opts opts = {};
	int force = 0, demangle = 1, cache = 1, inlines = 1;
	int max_stack = 0;
	PyObject *path = NULL, *ret = NULL;
	const char *bytes = "perf.data";

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O&$pzzzpppi:recording", names,
					 PyUnicode_FSConverter, &path, &force,
					 &opts.symbols.binary.symfs, &opts.symbols.kallsyms,
					 &opts.symbols.vmlinux, &demangle, &cache, &inlines,
					 &max_stack))
		return NULL;
	if (path)
		bytes = PyBytes_AsString(path);
	opts.symbols.no_demangle = !demangle;
	opts.symbols.binary.no_unwind_cache = !cache;
	opts.symbols.inlines = inlines;
	if (bytes && max_stack < 0)
		PyErr_SetString(PyExc_ValueError, "max_stack is less than 0");
	else if (bytes)
		ret = recording__make(type, bytes, force, &opts, max_stack);
	Py_XDECREF(path);
	return ret;
}

static PyMethodDef recording_methods[] = {
	{ "close", close_recording, METH_NOARGS, "Ends the iteration." },
	{ "__enter__", enter, METH_NOARGS, NULL },
	{ "__exit__", leave, METH_VARARGS, NULL },
	{},
};

static PyGetSetDef recording_getset[] = {
	{ "path", get_path, NULL, "the file", NULL },
	{ "hostname", get_hostname, NULL, "where it was recorded, or None", NULL },
	{ "os_release", get_os_release, NULL, "the kernel's version, or None", NULL },
	{ "arch", get_arch, NULL, "the machine's architecture, or None", NULL },
	{ "events", get_events, NULL, "names of the events", NULL },
	{ "command", get_command, NULL, "the command line of the recorder", NULL },
	{ "account", get_account, NULL, "counts of the samples so far", NULL },
	{},
};

PyTypeObject *recording_type__new(PyObject *module)
{
	PyType_Slot slots[] = {
		{ Py_tp_new, recording_object__new }, { Py_tp_dealloc, recording__dealloc },
		{ Py_tp_iter, PyObject_SelfIter }, { Py_tp_iternext, recording__next },
		{ Py_tp_methods, recording_methods }, { Py_tp_getset, recording_getset },
		{ Py_tp_doc, "Samples of a perf.data file, in the order of time." }, {},
	};
	PyType_Spec spec = {
		.name = "perf.recording", .basicsize = sizeof(recording_object), .slots = slots,
		.flags = Py_TPFLAGS_DEFAULT,
	};

	return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}
