// SPDX-License-Identifier: GPL-2.0-only
/*
 * What process_event() gets: a dictionary about the sample, and in it one of its fields.
 *
 * Of one sample and the next most is equal, so the dictionaries are used again, and only what
 * differs is put into them; not so those that the script has kept or changed. A sample that has
 * other keys than the one before gets a new dictionary, so that their order is always the same.
 */
#include "../../activity/activity.h"
#include "../../text/mem-text.h"
#include "../../text/regs.h"
#include "../lines.h"
#include "../../text/textbuf.h"
#include "interpreter.h"

#define ATTR_SIZE 144 /* of struct perf_event_attr in Linux 7.2 */

struct dict {
	PyObject *object;      /* NULL: none */
	u64 stamp;
	u32 shape;             /* which of the keys that not all samples have are in it */
	bool fresh, failed;    /* while it is filled */
	u64 last[KEY_NR];      /* what was put there, as a number that stands for it */
};

/* In which of them a sample is, and what its fields depend on. */
#define WHOLES 4
#define SHAPE_OF_WHOLE (SHAPE_DSO | SHAPE_SYMBOL)
#define SHAPE_OF_FIELDS (SHAPE_ADDR | SHAPE_ADDR_DSO | SHAPE_ADDR_SYMBOL | SHAPE_ENABLED | \
			 SHAPE_RUNNING)

/* Parts that a sample has or has not. */
enum shape {
	SHAPE_DSO = 1, SHAPE_SYMBOL = 2, SHAPE_ADDR = 4, SHAPE_ADDR_DSO = 8, SHAPE_ADDR_SYMBOL = 16,
	SHAPE_ENABLED = 32, SHAPE_RUNNING = 64, SHAPE_IREGS = 128, SHAPE_UREGS = 256,
	SHAPE_ACTIVITY = 512,
};

struct sample_dict {
	const struct evsel *event;
	PyObject *name, *attr;
	struct dict wholes[WHOLES]; /* by the part of the shape that changes often */
	struct dict *whole;         /* the present one */
	struct dict fields;
	struct textbuf text;
};

/* In the byte order of this machine, and as long as that of 7.2; what is not known of is zero. */
static PyObject *attr_bytes(const struct interpreter *py, const struct evsel *ev)
{
	u8 bytes[ATTR_SIZE] = {};

	if (!py->source.recording->swapped)
		memcpy(bytes, ev->raw, min_of(ev->raw_size, (u32)sizeof(bytes)));
	memcpy(bytes, &ev->attr, min_of(sizeof(ev->attr), sizeof(bytes)));
	return PyBytes_FromStringAndSize((const char *)bytes, sizeof(bytes));
}

struct sample_dict *sample_dict__new(struct interpreter *py, const struct evsel *ev)
{
	struct sample_dict *s = xzalloc(sizeof(*s));

	s->event = ev;
	s->whole = s->wholes;
	textbuf__init(&s->text, -1);
	s->name = py_str(ev->name);
	s->attr = attr_bytes(py, ev);
	if (!s->name || !s->attr) {
		sample_dict__free(s);
		return NULL;
	}
	return s;
}

void sample_dict__free(struct sample_dict *s)
{
	if (!s)
		return;
	Py_XDECREF(s->name);
	Py_XDECREF(s->attr);
	for (u32 i = 0; i < WHOLES; i++)
		Py_XDECREF(s->wholes[i].object);
	Py_XDECREF(s->fields.object);
	textbuf__free(&s->text);
	free(s);
}

/* @held: references that are ours. */
static void dict__begin(struct dict *d, u32 shape, Py_ssize_t held)
{
	d->fresh = !d->object || d->shape != shape || Py_REFCNT(d->object) != held ||
		   dict_stamp__of(d->object) != d->stamp;
	d->failed = false;
	d->shape = shape;
	if (!d->fresh)
		return;
	Py_XDECREF(d->object);
	d->object = PyDict_New();
	d->failed = !d->object || dict_stamp__watch(d->object);
}

static void dict__end(struct dict *d)
{
	if (!d->failed)
		d->stamp = dict_stamp__of(d->object);
}

/* Does @key need another value than the last time? @what stands for it. */
static bool dict__wants(struct dict *d, enum key key, u64 what)
{
	if (d->failed || (!d->fresh && d->last[key] == what))
		return false;
	d->last[key] = what;
	return true;
}

static void dict__put(struct dict *d, struct interpreter *py, enum key key, PyObject *borrowed)
{
	if (!d->failed && py_put(py, d->object, key, borrowed))
		d->failed = true;
}

static void dict__put_new(struct dict *d, struct interpreter *py, enum key key, PyObject *value)
{
	dict__put(d, py, key, value);
	Py_XDECREF(value);
}

static void dict__number(struct dict *d, struct interpreter *py, enum key key, u64 value)
{
	if (dict__wants(d, key, value))
		dict__put_new(d, py, key, PyLong_FromUnsignedLongLong(value));
}

/* @s lives as long as the source. */
static void dict__str(struct dict *d, struct interpreter *py, enum key key, const char *s)
{
	if (dict__wants(d, key, (uintptr_t)s))
		dict__put(d, py, key, interpreter__str(py, s));
}

static void dict__bytes(struct dict *d, struct interpreter *py, enum key key, const void *p,
			u32 size)
{
	if (!size) {
		if (dict__wants(d, key, 0))
			dict__put(d, py, key, py->empty_bytes);
		return;
	}
	d->last[key] = 1;
	dict__put_new(d, py, key, PyBytes_FromStringAndSize(p, size));
}

/* Remembers a new list, which is taken over, so that an untouched one can stay. */
static void dict__list(struct dict *d, struct interpreter *py, enum key key, PyObject *list)
{
	d->last[key] = (uintptr_t)list;
	dict__put_new(d, py, key, list);
}

/* Is the list of the last sample there, with @nr times @item, and nobody else has it? */
static bool dict__has_list(const struct dict *d, enum key key, Py_ssize_t nr, PyObject *item)
{
	PyObject *list = d->fresh || d->failed ? NULL : (PyObject *)(uintptr_t)d->last[key];

	return list && Py_REFCNT(list) == 1 && PyList_GET_SIZE(list) == nr &&
	       (!nr || PyList_GET_ITEM(list, 0) == item);
}

/* Keys of a place: those of the sample's own, or of the address that it tells. */
static const enum key own_keys[] = {
	KEY_dso, KEY_dso_bid, KEY_dso_map_start, KEY_dso_map_end, KEY_map_pgoff, KEY_symbol,
	KEY_symoff,
};
static const enum key addr_keys[] = {
	KEY_addr_dso, KEY_addr_dso_bid, KEY_addr_dso_map_start, KEY_addr_dso_map_end,
	KEY_addr_map_pgoff, KEY_addr_symbol, KEY_addr_symoff,
};

static void dict__place(struct dict *d, struct interpreter *py, const enum key *key,
			const struct location *loc)
{
	const struct map *map = loc->map;

	if (loc->dso) {
		dict__str(d, py, key[0], loc->dso->name);
		if (dict__wants(d, key[1], (uintptr_t)loc->dso))
			dict__put(d, py, key[1], interpreter__build_id(py, loc->dso));
	}
	if (map) {
		dict__number(d, py, key[2], map->start);
		dict__number(d, py, key[3], map->end);
		/* That of the kernel is not an offset in a file. */
		dict__number(d, py, key[4], map->dso->kind == DSO_KERNEL ? 0 : map->pgoff);
	}
	if (loc->sym) {
		dict__str(d, py, key[5], loc->sym->name);
		dict__number(d, py, key[6], loc->addr - loc->sym->start);
	}
}

/* A list of (id, value, lost) for each event of the group that was read. */
static PyObject *values_list(struct interpreter *py, const struct whole_sample *ws)
{
	u64 format = ws->rec->event->attr.read_format;
	bool group = format & PERF_FORMAT_GROUP, has_id = format & PERF_FORMAT_ID;
	bool has_lost = format & PERF_FORMAT_LOST;
	u32 nr_times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		       !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	u32 words = ws->s->read_size / sizeof(u64), each = 1 + has_id + has_lost;
	u32 at = group ? 1 + nr_times : 0, nr;
	const u64 *v = ws->s->read;
	PyObject *list, *tuple;

	if (!v || words < each + (group ? at : nr_times)) {
		list = PyList_New(1);
		if (list)
			PyList_SET_ITEM(list, 0, Py_NewRef(py->no_values));
		return list;
	}
	nr = group ? min_of(v[0], (u64)(words - at) / each) : 1;
	list = PyList_New(nr);
	for (u32 i = 0; list && i < nr; i++, at += each) {
		u32 behind = group ? at + 1 : at + 1 + nr_times;

		tuple = Py_BuildValue("(KKK)", has_id ? v[behind] : 0, v[at],
				      has_lost ? v[behind + has_id] : 0);
		if (!tuple) {
			Py_CLEAR(list);
			break;
		}
		PyList_SET_ITEM(list, i, tuple);
	}
	return list;
}

static bool is_unread(const struct whole_sample *ws)
{
	return !(ws->rec->event->attr.sample_type & PERF_SAMPLE_READ);
}

static void fill_times(struct dict *d, struct interpreter *py, const struct whole_sample *ws)
{
	u32 at = 1; /* behind the value, or the number of values */

	if (d->shape & SHAPE_ENABLED)
		dict__number(d, py, KEY_time_enabled, ws->s->read[at++]);
	if (d->shape & SHAPE_RUNNING)
		dict__number(d, py, KEY_time_running, ws->s->read[at]);
	if (!(is_unread(ws) && dict__has_list(d, KEY_values, 1, py->no_values)))
		dict__list(d, py, KEY_values, values_list(py, ws));
}

static void fill_memory(struct dict *d, struct interpreter *py, const struct whole_sample *ws)
{
	const struct perf_event_attr *attr = &ws->rec->event->attr;
	struct sample_weights w = sample__weights(ws->s, attr->sample_type);
	bool has_source = attr->sample_type & PERF_SAMPLE_DATA_SRC;
	u64 source = has_source ? ws->s->data_src : ABI_MEM_NA;
	char text[MEM_TEXT_MAX];

	dict__number(d, py, KEY_weight, w.weight);
	dict__number(d, py, KEY_ins_lat, w.ins_lat);
	dict__number(d, py, KEY_transaction, ws->s->transaction);
	dict__number(d, py, KEY_datasrc, source);
	if (dict__wants(d, KEY_datasrc_decode, source)) {
		mem_text__all(source, text, sizeof(text));
		dict__put_new(d, py, KEY_datasrc_decode, PyUnicode_FromString(text));
	}
}

/* The fields as recorded; what is not recorded is 0, or all ones. */
static void fill_fields(struct dict *d, struct interpreter *py, const struct whole_sample *ws,
			const struct location *addr)
{
	const struct sample *s = ws->s;
	u64 type = ws->rec->event->attr.sample_type;

	dict__number(d, py, KEY_id, type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER) ? s->id
										     : NO_TIME);
	dict__number(d, py, KEY_stream_id, type & PERF_SAMPLE_STREAM_ID ? s->stream_id : NO_TIME);
	dict__number(d, py, KEY_pid, s->pid);
	dict__number(d, py, KEY_tid, s->tid);
	dict__number(d, py, KEY_cpu, s->cpu);
	dict__number(d, py, KEY_ip, s->ip);
	dict__number(d, py, KEY_time, s->time);
	dict__number(d, py, KEY_period, s->period);
	dict__number(d, py, KEY_phys_addr, s->phys_addr);
	dict__number(d, py, KEY_addr, s->addr);
	fill_times(d, py, ws);
	fill_memory(d, py, ws);
	dict__number(d, py, KEY_cpumode, s->cpumode);
	if (!(d->shape & SHAPE_ADDR))
		return;
	if (dict__wants(d, KEY_addr_correlates_sym, 1))
		dict__put(d, py, KEY_addr_correlates_sym, Py_True);
	dict__place(d, py, addr_keys, addr);
}

static void fill_regs(struct sample_dict *sd, struct interpreter *py, enum key key,
		      const struct sample_regs *regs)
{
	sd->text.len = 0;
	textbuf__reg_values(&sd->text, regs, py->source.recording->arch);
	dict__put_new(sd->whole, py, key, py_str(textbuf__str(&sd->text)));
}

static void fill_activity(struct sample_dict *sd, struct interpreter *py,
			  const struct whole_sample *ws)
{
	char text[ACTIVITY_TEXT_MAX];
	struct activity a;

	if (!activity__of_sample(&a, ws->s))
		return;
	activity__text(&a, text);
	dict__put_new(sd->whole, py, KEY_activity, py_str(text));
}

static void fill_branches(struct dict *d, struct interpreter *py, const struct whole_sample *ws)
{
	bool none = !ws->s->nr_branches;

	if (!(none && dict__has_list(d, KEY_brstack, 0, NULL)))
		dict__list(d, py, KEY_brstack, branches__list(py, ws));
	if (!(none && dict__has_list(d, KEY_brstacksym, 0, NULL)))
		dict__list(d, py, KEY_brstacksym, branches__symbols(py, ws));
}

static void fill_whole(struct sample_dict *sd, struct interpreter *py,
		       const struct whole_sample *ws, PyObject *chain)
{
	struct dict *d = sd->whole;

	if (dict__wants(d, KEY_ev_name, 1))
		dict__put(d, py, KEY_ev_name, sd->name);
	if (dict__wants(d, KEY_attr, 1))
		dict__put(d, py, KEY_attr, sd->attr);
	if (dict__wants(d, KEY_sample, (uintptr_t)sd->fields.object) && !sd->fields.failed)
		dict__put(d, py, KEY_sample, sd->fields.object);
	dict__bytes(d, py, KEY_raw_buf, ws->s->raw, ws->s->raw ? ws->s->raw_size : 0);
	dict__str(d, py, KEY_comm, ws->thread->comm);
	dict__place(d, py, own_keys, interpreter__leaf(py));
	if (dict__wants(d, KEY_callchain, (uintptr_t)chain))
		dict__put(d, py, KEY_callchain, chain);
	fill_branches(d, py, ws);
	if (d->shape & SHAPE_IREGS)
		fill_regs(sd, py, KEY_iregs, &ws->s->intr_regs);
	if (d->shape & SHAPE_UREGS)
		fill_regs(sd, py, KEY_uregs, &ws->s->user_regs);
	if (d->shape & SHAPE_ACTIVITY)
		fill_activity(sd, py, ws);
}

static u32 shape_of(const struct whole_sample *ws, const struct location *own,
		    const struct location *addr)
{
	const struct perf_event_attr *attr = &ws->rec->event->attr;
	u32 words = ws->s->read ? ws->s->read_size / sizeof(u64) : 0, shape = 0;
	struct cursor c;

	shape |= own->dso ? SHAPE_DSO : 0;
	shape |= own->sym ? SHAPE_SYMBOL : 0;
	if (script_line__has_place(attr)) {
		shape |= SHAPE_ADDR;
		shape |= addr->dso ? SHAPE_ADDR_DSO : 0;
		shape |= addr->sym ? SHAPE_ADDR_SYMBOL : 0;
	}
	if (attr->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED && words > 2)
		shape |= SHAPE_ENABLED;
	if (attr->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING && words > 2)
		shape |= SHAPE_RUNNING;
	shape |= attr->sample_type & PERF_SAMPLE_REGS_INTR ? SHAPE_IREGS : 0;
	shape |= attr->sample_type & PERF_SAMPLE_REGS_USER ? SHAPE_UREGS : 0;
	shape |= ws->s->aux_size && side_data__find(ws->s, SIDE_ACTIVITY, &c) ? SHAPE_ACTIVITY : 0;
	return shape;
}

/* Returns how many references to the fields are ours. */
static Py_ssize_t fields_held(const struct sample_dict *sd)
{
	Py_ssize_t nr = 1;

	for (u32 i = 0; i < WHOLES; i++)
		nr += sd->wholes[i].object &&
		      sd->wholes[i].last[KEY_sample] == (uintptr_t)sd->fields.object;
	return nr;
}

PyObject *sample_dict__fill(struct sample_dict *sd, struct interpreter *py,
			    const struct whole_sample *ws, PyObject *chain)
{
	struct location addr = {};
	u64 before;
	u32 shape;

	script_line__locate_addr(py->source.symbols, ws, &addr);
	shape = shape_of(ws, interpreter__leaf(py), &addr);
	/* The fields first: whether they are kept shows only as long as the whole is ours. */
	dict__begin(&sd->fields, shape & SHAPE_OF_FIELDS, fields_held(sd));
	fill_fields(&sd->fields, py, ws, &addr);
	dict__end(&sd->fields);
	sd->whole = &sd->wholes[shape & SHAPE_OF_WHOLE];
	before = sd->whole->object ? sd->whole->last[KEY_callchain] : 0;
	dict__begin(sd->whole, shape, 1);
	fill_whole(sd, py, ws, chain);
	dict__end(sd->whole);
	frame_dicts__held(py->frames, before, -1);
	frame_dicts__held(py->frames, (uintptr_t)chain, 1);
	return sd->fields.failed || sd->whole->failed ? NULL : sd->whole->object;
}

void sample_dict__settle(struct sample_dict *sd, struct interpreter *py)
{
	struct dict *d = sd->whole;

	if (!d->object || (Py_REFCNT(d->object) == 1 && dict_stamp__of(d->object) == d->stamp))
		return;
	Py_CLEAR(d->object); /* the script's own now */
	frame_dicts__held(py->frames, d->last[KEY_callchain], -1);
}
