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

#define KEPT_MAX 131072 /* dictionaries: some 100 MB; then all are forgotten */

/* A dictionary that is ours as long as it has these stamps, and nobody else has it. */
struct frame_dict {
	PyObject *dict, *sym_dict; /* NULL: none; the first holds the second */
	u64 stamp, sym_stamp;
};

struct slot {
	u64 ip;               /* a place has several where programs lie at random addresses */
	struct frame_dict of; /* held */
};

/* A dictionary in the list. */
struct given {
	struct frame_dict of; /* held by the list */
	u32 place;            /* whose slot holds it, too; 0: none */
};

struct frame_dicts {
	VEC(struct slot) slots; /* by frame.place */
	u64 epoch;            /* of the resolver, whose places these are */
	u32 nr_kept;
	struct frames frames; /* of the present sample */
	PyObject *list;       /* of the last sample; NULL: the script took it, or parts of it */
	VEC(struct given) given; /* what is in it, outermost first */
	u64 serial;           /* of its chain */
	u32 memory;
	u32 nr_held;          /* how many dictionaries of samples hold the list, too */
};

struct frame_dicts *frame_dicts__new(void)
{
	return xzalloc(sizeof(struct frame_dicts));
}

static void slot__clear(struct frame_dicts *f, struct slot *s)
{
	f->nr_kept -= !!s->of.dict;
	Py_CLEAR(s->of.dict);
	s->of.sym_dict = NULL; /* the frame's dictionary held it */
}

/* The list is handed out no more. */
static void drop_list(struct frame_dicts *f)
{
	f->nr_held = 0;
	f->given.nr = 0;
	Py_CLEAR(f->list);
}

static void forget_all(struct frame_dicts *f)
{
	drop_list(f);
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
	vec__free(&f->given);
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

	/* As in perf: those of inlined functions are known anyway. */
	if (py->opts.srclines || loc->depth || loc->sym->inlined)
		line = symbols__line_of(py->source.symbols, loc);
	return line ? py_put_new(py, dict, KEY_sym_srcline, py_str(line)) : 0;
}

static PyObject *new_dict(struct interpreter *py, const struct frame *f, PyObject **sym_dict)
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

/* Returns false with an exception. */
static bool frame_dict__make(struct frame_dict *d, struct interpreter *py, const struct frame *f)
{
	d->dict = new_dict(py, f, &d->sym_dict);
	if (!d->dict)
		return false;
	d->stamp = dict_stamp__of(d->dict);
	d->sym_stamp = d->sym_dict ? dict_stamp__of(d->sym_dict) : 0;
	return true;
}

/* @held: references that are ours. */
static bool is_untouched(const struct frame_dict *d, Py_ssize_t held)
{
	return Py_REFCNT(d->dict) == held && dict_stamp__of(d->dict) == d->stamp &&
	       (!d->sym_dict || (Py_REFCNT(d->sym_dict) == 1 &&
				 dict_stamp__of(d->sym_dict) == d->sym_stamp));
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

/*
 * A function that calls itself has several dictionaries in one list: one of the slot, and others.
 * Returns: false with an exception.
 */
static bool give(struct frame_dicts *fd, struct interpreter *py, const struct frame *f,
		 struct given *out)
{
	struct slot *s = slot_at(fd, f->place);
	bool taken = !f->place || (s->of.dict && Py_REFCNT(s->of.dict) > 1);

	out->place = taken ? 0 : f->place;
	if (s->of.dict && s->ip == f->ip && !taken) {
		out->of = s->of;
		Py_INCREF(s->of.dict);
		return true;
	}
	if (!frame_dict__make(&out->of, py, f))
		return false;
	if (taken)
		return true;
	slot__clear(fd, s);
	*s = (struct slot){ .ip = f->ip, .of = out->of };
	Py_INCREF(out->of.dict);
	fd->nr_kept++;
	return true;
}

static void resolve(struct frame_dicts *fd, struct interpreter *py, const struct whole_sample *ws)
{
	u64 epoch;

	fd->frames = (struct frames){};
	if (!py->opts.no_chains && ws->rec->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
		resolver__chain(py->source.resolver, ws, py->opts.max_stack, &fd->frames);
	epoch = resolver__epoch(py->source.resolver);
	if (epoch != fd->epoch || fd->nr_kept > KEPT_MAX)
		forget_all(fd);
	fd->epoch = epoch;
}

/* Of the present sample's chain, if that was made: of an address, so nothing that was inlined. */
static const struct frame *first_frame(const struct frame_dicts *f)
{
	const struct frame *first = f->frames.f.v;

	if (!f->frames.f.nr)
		return NULL;
	while (first->inlined)
		first++;
	return first;
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
	py->leaf.depth = 0; /* its line is that of what was inlined there */
	return &py->leaf;
}

/* Returns the number of outermost frames that the list has already. */
static size_t nr_there(const struct frame_dicts *fd)
{
	const struct frames *f = &fd->frames;

	if (!fd->list || f->memory != fd->memory || f->serial != fd->serial + 1)
		return 0;
	return min_of(f->nr_same, fd->given.nr);
}

/*
 * Makes a list of @nr items, the last @same of which are those of the list before. The others are
 * to be put. It is the same list, unless it lacks the room.
 */
static bool renew_list(struct frame_dicts *fd, size_t same, size_t nr)
{
	PyListObject *old = (PyListObject *)fd->list, *list = old;
	size_t nr_old = old ? PyList_GET_SIZE(old) : 0, gone = nr_old - same;
	PyObject **items;

	if (!old || (size_t)old->allocated < nr) {
		list = (PyListObject *)PyList_New(nr + 32);
		if (!list)
			return false;
	}
	items = list->ob_item;
	for (size_t i = 0; i < gone; i++)
		Py_CLEAR(old->ob_item[i]);
	if (same)
		memmove(items + nr - same, old->ob_item + gone, same * sizeof(*items));
	memset(items, 0, (nr - same) * sizeof(*items));
	Py_SET_SIZE(list, nr);
	if (list == old)
		return true;
	if (old)
		Py_SET_SIZE(old, 0);
	drop_list(fd);
	fd->list = (PyObject *)list;
	return true;
}

/* Prefetches the dictionaries of @nr frames, which are in different cache lines. */
static void fetch_dicts(const struct frame_dicts *fd, const struct frame *f, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (f[i].place < fd->slots.nr)
			__builtin_prefetch(&fd->slots.v[f[i].place]);
	for (size_t i = 0; i < nr; i++)
		if (f[i].place < fd->slots.nr)
			__builtin_prefetch(fd->slots.v[f[i].place].of.dict);
}

void frame_dicts__soon(void *dicts, const struct soon_place *v, size_t nr)
{
	const struct frame_dicts *fd = dicts;

	for (size_t i = 0; i < nr; i++)
		if (v[i].place < fd->slots.nr)
			__builtin_prefetch(&fd->slots.v[v[i].place]);
}

PyObject *frame_dicts__chain(struct interpreter *py, const struct whole_sample *ws)
{
	struct frame_dicts *fd = py->frames;
	size_t same, nr;

	resolve(fd, py, ws);
	same = nr_there(fd);
	nr = fd->frames.f.nr;
	if (!renew_list(fd, same, nr))
		return NULL;
	fetch_dicts(fd, fd->frames.f.v, nr - same);
	vec__reserve(&fd->given, nr);
	fd->given.nr = nr;
	for (size_t i = 0; i < nr - same; i++) {
		struct given *g = &fd->given.v[nr - 1 - i];

		if (!give(fd, py, &fd->frames.f.v[i], g)) {
			drop_list(fd);
			return NULL;
		}
		PyList_SET_ITEM(fd->list, i, g->of.dict);
	}
	fd->memory = fd->frames.memory;
	fd->serial = fd->frames.serial;
	return Py_NewRef(fd->list);
}

void frame_dicts__held(struct frame_dicts *fd, u64 list, int change)
{
	if (list && list == (uintptr_t)fd->list)
		fd->nr_held += change;
}

static bool is_ours(const struct frame_dicts *fd)
{
	return Py_REFCNT(fd->list) == 1 + (Py_ssize_t)fd->nr_held;
}

/* Is the list as it was handed out, with all that is in it, and has nobody else any of this? */
static bool is_list_untouched(const struct frame_dicts *fd)
{
	size_t nr = fd->given.nr;

	if (!is_ours(fd) || (size_t)PyList_GET_SIZE(fd->list) != nr)
		return false;
	for (size_t i = 0; i < nr; i++) {
		const struct given *g = &fd->given.v[nr - 1 - i];

		if (PyList_GET_ITEM(fd->list, i) != g->of.dict ||
		    !is_untouched(&g->of, g->place ? 2 : 1))
			return false;
	}
	return true;
}

/* What the script keeps or has changed is its own from now on. */
static void give_away(struct frame_dicts *fd)
{
	size_t nr = fd->given.nr;

	/* A dictionary may still hold it, which the script does not see before it has another. */
	if (is_ours(fd) && PyList_SetSlice(fd->list, 0, PyList_GET_SIZE(fd->list), NULL))
		PyErr_Clear();
	drop_list(fd);
	for (size_t i = 0; i < nr; i++) {
		struct slot *s = &fd->slots.v[fd->given.v[i].place];

		if (s->of.dict && !is_untouched(&s->of, 1))
			slot__clear(fd, s);
	}
}

void frame_dicts__settle(struct frame_dicts *fd)
{
	if (fd->list && !is_list_untouched(fd))
		give_away(fd);
	fd->frames.f.nr = 0;
}
