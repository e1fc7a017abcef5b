// SPDX-License-Identifier: GPL-2.0-only
/*
 * Callchains as lists of dictionaries, one for each frame.
 *
 * To make a dictionary takes a hundred times as long as to hand one out again, and most frames of
 * a chain were in the chain before. So they are kept, by the number that the resolver gives to
 * their place, as long as the script leaves them alone: one that it keeps or changes is its own,
 * and the next sample gets a new one.
 */
#include "interpreter.h"

#define KEPT_MAX 65536 /* dictionaries: some 50 MB; then all are forgotten */

struct slot {
	u64 ip;               /* a place has several where programs lie at random addresses */
	u64 sample;           /* that has it in its list */
	PyObject *dict, *sym_dict; /* NULL: none */
	u64 stamp, sym_stamp;
};

struct frame_dicts {
	VEC(struct slot) slots; /* by frame.place */
	u64 epoch;            /* of the resolver, whose places these are */
	u32 nr_kept;
	struct frames frames; /* of the present sample */
	VEC(u32) used;        /* their places */
	u64 sample;           /* number of the present one */
};

struct frame_dicts *frame_dicts__new(void)
{
	return xzalloc(sizeof(struct frame_dicts));
}

static void slot__clear(struct frame_dicts *f, struct slot *s)
{
	f->nr_kept -= !!s->dict;
	Py_CLEAR(s->dict);
	s->sym_dict = NULL; /* the frame's dictionary held it */
}

static void forget_all(struct frame_dicts *f)
{
	for (size_t i = 0; i < f->slots.nr; i++)
		slot__clear(f, &f->slots.v[i]);
	f->slots.nr = 0;
}

void frame_dicts__free(struct frame_dicts *f)
{
	if (!f)
		return;
	forget_all(f);
	vec__free(&f->slots);
	vec__free(&f->used);
	free(f);
}

static PyObject *symbol_dict(struct interpreter *py, const struct symbol *sym)
{
	PyObject *d = PyDict_New();

	if (!d || py_put_new(py, d, KEY_start, PyLong_FromUnsignedLongLong(sym->start)) ||
	    py_put_new(py, d, KEY_end, PyLong_FromUnsignedLongLong(sym->end)) ||
	    py_put_new(py, d, KEY_binding, PyLong_FromLong(sym->binding)) ||
	    py_put(py, d, KEY_name, interpreter__str(py, sym->name)) || dict_stamp__watch(d))
		Py_CLEAR(d);
	return d;
}

static int put_srcline(struct interpreter *py, PyObject *dict, const struct location *loc)
{
	const char *line = NULL;

	if (py->opts.srclines && loc->dso)
		line = symbols__srcline(py->source.symbols, loc->dso, loc->addr);
	return line ? py_put_new(py, dict, KEY_sym_srcline, py_str(line)) : 0;
}

static PyObject *frame_dict(struct interpreter *py, const struct frame *f, PyObject **sym_dict)
{
	const struct location *loc = &f->loc;
	PyObject *d = PyDict_New();

	*sym_dict = NULL;
	if (!d || py_put_new(py, d, KEY_ip, PyLong_FromUnsignedLongLong(f->ip)))
		goto failed;
	if (f->is_cookie)
		return d;
	if (loc->sym) {
		*sym_dict = symbol_dict(py, loc->sym);
		if (py_put_new(py, d, KEY_sym, *sym_dict) ||
		    py_put_new(py, d, KEY_sym_off,
			    PyLong_FromUnsignedLongLong(loc->addr - loc->sym->start)) ||
		    put_srcline(py, d, loc))
			goto failed;
	}
	if (loc->dso && py_put(py, d, KEY_dso, interpreter__str(py, loc->dso->name)))
		goto failed;
	if (!dict_stamp__watch(d))
		return d;
failed:
	Py_XDECREF(d);
	return NULL;
}

static void slot__fill(struct frame_dicts *fd, struct slot *s, u64 ip, PyObject *dict,
		       PyObject *sym_dict)
{
	slot__clear(fd, s);
	*s = (struct slot){
		.ip = ip, .dict = Py_NewRef(dict), .sym_dict = sym_dict,
		.stamp = dict_stamp__of(dict),
		.sym_stamp = sym_dict ? dict_stamp__of(sym_dict) : 0,
	};
	fd->nr_kept++;
}

static struct slot *slot_at(struct frame_dicts *fd, u32 place)
{
	size_t nr = fd->slots.nr;

	if (place >= nr) {
		vec__reserve(&fd->slots, place + 1);
		memset(fd->slots.v + nr, 0, (place + 1 - nr) * sizeof(*fd->slots.v));
		fd->slots.nr = place + 1;
	}
	return &fd->slots.v[place];
}

/* A function that calls itself has two dictionaries in one list: the slot's, and one more. */
static PyObject *frame_dicts__get(struct frame_dicts *fd, struct interpreter *py,
				  const struct frame *f)
{
	struct slot *s = slot_at(fd, f->place);
	PyObject *dict, *sym_dict;
	bool taken = !f->place || (s->dict && s->sample == fd->sample);

	if (s->dict && s->ip == f->ip && !taken) {
		dict = Py_NewRef(s->dict);
	} else {
		dict = frame_dict(py, f, &sym_dict);
		if (!dict || taken)
			return dict;
		slot__fill(fd, s, f->ip, dict, sym_dict);
	}
	s->sample = fd->sample;
	*vec__push(&fd->used) = f->place;
	return dict;
}

static void resolve(struct frame_dicts *fd, struct interpreter *py, const struct whole_sample *ws)
{
	u64 epoch;

	fd->sample++;
	fd->used.nr = 0;
	fd->frames.f.nr = 0;
	if (!py->opts.no_chains && ws->rec->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
		resolver__chain(py->source.resolver, ws, py->opts.max_stack, &fd->frames);
	epoch = resolver__epoch(py->source.resolver);
	if (epoch != fd->epoch || fd->nr_kept > KEPT_MAX)
		forget_all(fd);
	fd->epoch = epoch;
}

/* Of the present sample's chain, if that was made. */
static const struct frame *first_frame(const struct frame_dicts *f)
{
	return f->frames.f.nr ? &f->frames.f.v[0] : NULL;
}

const struct location *interpreter__leaf(struct interpreter *py)
{
	const struct sample *s = py->now->s;
	const struct frame *first = first_frame(py->frames);

	if (py->has_leaf)
		return &py->leaf;
	py->has_leaf = true;
	/* Mostly it is the first of the callchain, and that is known. */
	if (first && first->ip == s->ip && first->cpumode == s->cpumode && !first->is_cookie)
		py->leaf = first->loc;
	else
		resolver__address(py->source.resolver, py->now->thread, s->cpumode, s->ip, false,
				  &py->leaf);
	return &py->leaf;
}

PyObject *frame_dicts__chain(struct interpreter *py, const struct whole_sample *ws)
{
	struct frame_dicts *fd = py->frames;
	PyObject *list, *dict;

	resolve(fd, py, ws);
	list = PyList_New(fd->frames.f.nr);
	for (size_t i = 0; list && i < fd->frames.f.nr; i++) {
		dict = frame_dicts__get(fd, py, &fd->frames.f.v[i]);
		if (!dict) {
			Py_CLEAR(list);
			break;
		}
		PyList_SET_ITEM(list, i, dict);
	}
	return list;
}

static bool is_untouched(PyObject *dict, u64 stamp)
{
	return !dict || (Py_REFCNT(dict) == 1 && dict_stamp__of(dict) == stamp);
}

void frame_dicts__settle(struct frame_dicts *f)
{
	for (size_t i = 0; i < f->used.nr; i++) {
		struct slot *s = &f->slots.v[f->used.v[i]];

		if (!is_untouched(s->dict, s->stamp) || !is_untouched(s->sym_dict, s->sym_stamp))
			slot__clear(f, s);
	}
	f->used.nr = 0;
	f->frames.f.nr = 0;
}
