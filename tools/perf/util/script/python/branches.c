// SPDX-License-Identifier: GPL-2.0-only
/* Branch stacks (LBR), which are recorded by `perf record -b`. */
#include "../lines.h"
#include "interpreter.h"

static void resolve(struct interpreter *py, const struct whole_sample *ws, u64 addr,
		    struct location *out)
{
	resolver__address(py->source.resolver, ws->thread, script_line__mode_of(addr), addr, false,
			  out);
}

static int put_bool(struct interpreter *py, PyObject *d, enum key key, bool on)
{
	return py_put(py, d, key, on ? Py_True : Py_False);
}

static int put_dso(struct interpreter *py, PyObject *d, enum key key,
		   const struct whole_sample *ws, u64 addr)
{
	struct location loc;

	resolve(py, ws, addr, &loc);
	return py_put(py, d, key, interpreter__str(py, loc.dso ? loc.dso->name : ""));
}

static PyObject *branch_dict(struct interpreter *py, const struct whole_sample *ws,
			     const struct perf_branch_entry *b)
{
	PyObject *d = PyDict_New();

	if (!d || py_put_new(py, d, KEY_from, PyLong_FromUnsignedLongLong(b->from)) ||
	    py_put_new(py, d, KEY_to, PyLong_FromUnsignedLongLong(b->to)) ||
	    put_bool(py, d, KEY_mispred, b->mispred) ||
	    put_bool(py, d, KEY_predicted, b->predicted) ||
	    put_bool(py, d, KEY_in_tx, b->in_tx) || put_bool(py, d, KEY_abort, b->abort) ||
	    py_put_new(py, d, KEY_cycles, PyLong_FromLong(b->cycles)) ||
	    put_dso(py, d, KEY_from_dsoname, ws, b->from) ||
	    put_dso(py, d, KEY_to_dsoname, ws, b->to))
		Py_CLEAR(d);
	return d;
}

static PyObject *place_str(struct interpreter *py, const struct whole_sample *ws, u64 addr)
{
	struct location loc;
	char offset[24] = "";
	PyObject *name;

	resolve(py, ws, addr, &loc);
	if (!loc.sym)
		return PyUnicode_FromFormat("%s", "[unknown]");
	name = interpreter__str(py, loc.sym->name);
	snprintf(offset, sizeof(offset), "+0x%llx",
		 (unsigned long long)(loc.addr - loc.sym->start));
	return name ? PyUnicode_FromFormat("%U%s", name, offset) : NULL;
}

static int put_letter(struct interpreter *py, PyObject *d, enum key key, char letter)
{
	return py_put_new(py, d, key, PyUnicode_FromStringAndSize(&letter, 1));
}

static PyObject *symbols_dict(struct interpreter *py, const struct whole_sample *ws,
			      const struct perf_branch_entry *b)
{
	char pred = b->mispred || b->predicted ? b->predicted ? 'P' : 'M' : '-';
	PyObject *d = PyDict_New();

	if (!d || py_put_new(py, d, KEY_from, place_str(py, ws, b->from)) ||
	    py_put_new(py, d, KEY_to, place_str(py, ws, b->to)) ||
	    put_letter(py, d, KEY_pred, pred) ||
	    put_letter(py, d, KEY_in_tx, b->in_tx ? 'X' : '-') ||
	    put_letter(py, d, KEY_abort, b->abort ? 'A' : '-'))
		Py_CLEAR(d);
	return d;
}

typedef PyObject *(*branch_fn)(struct interpreter *py, const struct whole_sample *ws,
			       const struct perf_branch_entry *b);

static PyObject *list_of(struct interpreter *py, const struct whole_sample *ws, branch_fn make)
{
	PyObject *list = PyList_New(ws->s->nr_branches), *d;

	for (u64 i = 0; list && i < ws->s->nr_branches; i++) {
		d = make(py, ws, &ws->s->branches[i]);
		if (!d) {
			Py_CLEAR(list);
			break;
		}
		PyList_SET_ITEM(list, i, d);
	}
	return list;
}

PyObject *branches__list(struct interpreter *py, const struct whole_sample *ws)
{
	return list_of(py, ws, branch_dict);
}

PyObject *branches__symbols(struct interpreter *py, const struct whole_sample *ws)
{
	return list_of(py, ws, symbols_dict);
}
