// SPDX-License-Identifier: GPL-2.0-only
/* Callchains as tuples of frames. */
#include "module.h"

/* A frame as an object, perhaps one that there is. Returns: a new reference. */
static PyObject *frame_object_of(recording_object *r, const struct frame *f, u64 epoch)
{
	struct frame_slot *slot = &r->frame_slots[hash_u64(f->ip ^ (u64)f->place << 40) %
						  FRAME_SLOTS];
	PyObject *frame;

	if (!f->place)
		return frame__new(r->source, f);
	if (slot->frame && slot->ip == f->ip && slot->place == f->place && slot->epoch == epoch)
		return Py_NewRef(slot->frame);
	frame = frame__new(r->source, f);
	if (!frame)
		return NULL;
	Py_XDECREF(slot->frame);
	*slot = (struct frame_slot){ f->ip, epoch, f->place, Py_NewRef(frame) };
	return frame;
}

static PyObject *tuple_of(recording_object *r)
{
	const struct frames *f = &r->frames;
	struct chain_slot *chain = &r->chains[f->memory];
	u64 epoch = resolver__epoch(r->source->resolver);
	size_t nr = f->f.nr, same = 0, before = 0;
	PyObject *tuple = PyTuple_New(nr);

	if (chain->tuple && chain->serial + 1 == f->serial) {
		before = PyTuple_Size(chain->tuple);
		same = min_of(f->nr_same, before);
	}
	for (size_t i = 0; tuple && i < nr; i++) {
		PyObject *frame = i < nr - same ? frame_object_of(r, &f->f.v[i], epoch) :
				  Py_NewRef(PyTuple_GetItem(chain->tuple, before - (nr - i)));

		if (!frame || PyTuple_SetItem(tuple, i, frame))
			Py_CLEAR(tuple);
	}
	if (tuple) {
		PyObject *old = chain->tuple;

		chain->tuple = Py_NewRef(tuple);
		chain->serial = f->serial;
		Py_XDECREF(old);
	}
	return tuple;
}

struct chain_query {
	recording_object *r;
	const struct pulled_sample *s;
};

static void resolve_chain(void *ctx)
{
	struct chain_query *q = ctx;
	const struct pulled_sample *s = q->s;
	struct thread thread = { .pid = s->rec.pid, .tid = s->rec.tid, .maps = s->maps };
	struct whole_sample ws = {
		.rec = &s->rec, .thread = &thread, .chain = s->chain, .nr_chain = s->nr_chain,
		.user = s->user, .nr_user = s->nr_user,
	};

	resolver__chain(q->r->source->resolver, &ws, q->r->max_stack, &q->r->frames);
}

PyObject *recording__frames(recording_object *r, const struct pulled_sample *s)
{
	struct chain_query q = { r, s };
	PyObject *tuple = NULL;

	source__lock(r->source);
	if (source__call(r->source, resolve_chain, &q))
		tuple = tuple_of(r);
	source__unlock(r->source);
	return tuple;
}
