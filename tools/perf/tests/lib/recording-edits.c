// SPDX-License-Identifier: GPL-2.0-only
#include "recording-edits.h"

#include <string.h>

#include "../../util/base/mem.h"
#include "../../util/base/vec.h"
#include "../../util/data/abi.h"

#define RECORDS_MAX 65536

/* Of the file's header: where its parts are, each by offset and size. */
enum { HEADER_SIZE = 104, ATTR_SIZE_AT = 16, ATTRS_AT = 24, DATA_AT = 40, FEATURES_AT = 72 };

struct section {
	u64 offset, size;
};

/* The recording while it is changed: its records are pieces of memory, in their order. */
struct edited {
	const u8 *data;
	size_t size;
	u8 *head;            /* a copy of the bytes up to the records */
	struct section attrs, records;
	u64 attr_size;
	VEC(u8 *) list;      /* copies of the records */
	VEC(u8 *) owned;     /* all copies, to be freed */
	size_t bytes;        /* of .list */
};

static u64 get64(const u8 *p)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static void put64(u8 *p, u64 v)
{
	memcpy(p, &v, sizeof(v));
}

static u32 get32(const u8 *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static void put32(u8 *p, u32 v)
{
	memcpy(p, &v, sizeof(v));
}

static u32 type_of(const u8 *rec)
{
	return get32(rec);
}

static u16 size_of(const u8 *rec)
{
	u16 v;

	memcpy(&v, rec + 6, sizeof(v));
	return v;
}

static u8 *copy_of(struct edited *e, const u8 *rec)
{
	u8 *copy = xmalloc(size_of(rec));

	memcpy(copy, rec, size_of(rec));
	*vec__push(&e->owned) = copy;
	return copy;
}

/* The attr of an event; NULL when there is none. */
static u8 *attr_of(struct edited *e, u32 n)
{
	u64 nr = e->attr_size ? e->attrs.size / e->attr_size : 0;

	return nr ? e->head + e->attrs.offset + n % nr * e->attr_size : NULL;
}

/* The ids of an event, and how many; NULL when they are not in front of the records. */
static u8 *ids_of(struct edited *e, u32 n, u64 *nr)
{
	u8 *attr = attr_of(e, n);
	u64 at, size;

	if (!attr)
		return NULL;
	at = get64(attr + e->attr_size - 16);
	size = get64(attr + e->attr_size - 8);
	if (size < 8 || at > e->records.offset || size > e->records.offset - at)
		return NULL;
	*nr = size / 8;
	return e->head + at;
}

static u64 sample_type_of(struct edited *e)
{
	u8 *attr = attr_of(e, 0);

	return attr ? get64(attr + 24) : 0;
}

/* Where a part of a sample begins whose place follows from its type; 0: it has none. */
static u32 sample_part(u64 type, u64 part)
{
	static const u64 order[] = {
		PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
		PERF_SAMPLE_ADDR, PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU,
		PERF_SAMPLE_PERIOD, PERF_SAMPLE_READ, PERF_SAMPLE_CALLCHAIN,
	};
	u32 at = 8;

	if (!(type & part))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(order) && order[i] != part; i++)
		at += type & order[i] ? 8 : 0;
	return at;
}

/* The same in the sample_id behind other records: it is at their end, in this order. */
static u32 trailer_part(u64 type, u64 part, u32 size)
{
	static const u64 order[] = {
		PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_CPU, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_ID,
		PERF_SAMPLE_TIME, PERF_SAMPLE_TID,
	};
	u32 back = 0;

	if (!(type & part))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		back += type & order[i] ? 8 : 0;
		if (order[i] == part)
			break;
	}
	return size >= 8 + back ? size - back : 0;
}

/* A field of 8 bytes in a record, or NULL where it does not have it. */
static u8 *field_of(struct edited *e, u8 *rec, u64 part)
{
	u64 type = sample_type_of(e);
	u32 at;

	if (type_of(rec) >= USER_RECORD_FIRST)
		return NULL;
	at = type_of(rec) == PERF_RECORD_SAMPLE ? sample_part(type, part) :
						  trailer_part(type, part, size_of(rec));
	return at && at + 8 <= size_of(rec) ? rec + at : NULL;
}

static bool begins_with_pid(u32 type)
{
	return type == PERF_RECORD_COMM || type == PERF_RECORD_MMAP ||
	       type == PERF_RECORD_MMAP2 || type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT ||
	       type == PERF_RECORD_NAMESPACES;
}

/* pid and tid: of a record that says something of a process, or of whom it interrupted. */
static u8 *task_of(struct edited *e, u8 *rec)
{
	return begins_with_pid(type_of(rec)) && size_of(rec) >= 16 ? rec + 8 :
								  field_of(e, rec, PERF_SAMPLE_TID);
}

static u64 strange(u8 value, u64 old)
{
	const u64 values[] = {
		0, 1, UINT64_MAX, INT64_MAX, 1ULL << 63, UINT32_MAX, 1ULL << 32, old + 1, old - 1,
		-old, old * 2, old << 32, old >> 1, old ^ 4096, 0x7ffffffff000, 0xffffffff81000000,
	};

	return values[value % ARRAY_SIZE(values)];
}

static void swap_bytes_of(u8 *a, u8 *b, size_t size)
{
	for (size_t i = 0; a && b && a != b && i < size; i++) {
		u8 c = a[i];

		a[i] = b[i];
		b[i] = c;
	}
}

/* Two records change places; or all of one process do with all of another. */
static void swap_records(struct edited *e, const struct recording_edit *edit, u8 **a, u8 **b)
{
	u8 *c = *a;
	u64 ours, theirs;

	if (!(edit->value & 1)) {
		*a = *b;
		*b = c;
		return;
	}
	if (!task_of(e, *a) || !task_of(e, *b))
		return;
	ours = get64(task_of(e, *a));
	theirs = get64(task_of(e, *b));
	for (size_t i = 0; i < e->list.nr; i++) {
		u8 *task = task_of(e, e->list.v[i]);

		if (task && (get64(task) == ours || get64(task) == theirs))
			put64(task, get64(task) == ours ? theirs : ours);
	}
}

static void swap_tasks(struct edited *e, const struct recording_edit *edit, u8 **a, u8 **b)
{
	swap_bytes_of(task_of(e, *a), task_of(e, *b), edit->value & 1 ? 4 : 8);
}

static void change_task(struct edited *e, const struct recording_edit *edit, u8 **a, u8 **b)
{
	u8 *task = task_of(e, *a);

	(void)b;
	if (task)
		put32(task + (edit->part & 4), strange(edit->value, get32(task)));
}

/* A copy of one in front of another. */
static void repeat(struct edited *e, const struct recording_edit *edit, u8 **a, u8 **b)
{
	size_t at = b - e->list.v, times = edit->part % 8 ? 1 : edit->value;
	u8 *rec = *a;

	for (size_t i = 0; i < times && e->list.nr < RECORDS_MAX; i++) {
		u8 *copy = copy_of(e, rec);

		*vec__push(&e->list) = copy;
		memmove(e->list.v + at + 1, e->list.v + at, (e->list.nr - 1 - at) * sizeof(u8 *));
		e->list.v[at] = copy;
	}
}

static void leave_out(struct edited *e, const struct recording_edit *edit, u8 **a, u8 **b)
{
	size_t at = a - e->list.v, nr = edit->part % 8 ? 1 : edit->value;

	(void)b;
	if (nr >= e->list.nr - at)
		nr = e->list.nr - at - 1;
	memmove(a, a + nr, (e->list.nr - at - nr) * sizeof(u8 *));
	e->list.nr -= nr;
}

static void swap_times(struct edited *e, const struct recording_edit *edit, u8 **a, u8 **b)
{
	(void)edit;
	swap_bytes_of(field_of(e, *a, PERF_SAMPLE_TIME), field_of(e, *b, PERF_SAMPLE_TIME), 8);
}

/* Of one, or from there on of all. */
static void change_times(struct edited *e, const struct recording_edit *edit, u8 **a, u8 **b)
{
	size_t end = edit->part % 4 ? (size_t)(a - e->list.v) + 1 : e->list.nr;

	(void)b;
	for (size_t i = a - e->list.v; i < end; i++) {
		u8 *time = field_of(e, e->list.v[i], PERF_SAMPLE_TIME);

		if (time)
			put64(time, strange(edit->value, get64(time)));
	}
}

static void change_id(struct edited *e, const struct recording_edit *edit, u8 **a, u8 **b)
{
	u64 part = sample_type_of(e) & PERF_SAMPLE_IDENTIFIER ?: PERF_SAMPLE_ID;
	u8 *id = field_of(e, *a, part), *other = field_of(e, *b, part);

	if (edit->value & 1)
		swap_bytes_of(id, other, 8);
	else if (id)
		put64(id, strange(edit->value >> 1, get64(id)));
}

/* Two events with the same id, or one with an id that nobody has. */
static void change_id_table(struct edited *e, const struct recording_edit *edit, u8 **a, u8 **b)
{
	u64 nr = 0, nr_from = 0;
	u8 *ids = ids_of(e, edit->a, &nr), *from = ids_of(e, edit->b, &nr_from);

	(void)a;
	(void)b;
	if (!ids || !from)
		return;
	ids += edit->part % nr * 8;
	put64(ids, edit->value & 1 ? get64(from + edit->part / nr % nr_from * 8) :
				     strange(edit->value >> 1, get64(ids)));
}

/* Where an event's ids are: those of another one, more than there are, or those of two at once. */
static void change_id_place(struct edited *e, const struct recording_edit *edit, u8 **a, u8 **b)
{
	u8 *attr = attr_of(e, edit->a), *other = attr_of(e, edit->b);

	(void)a;
	(void)b;
	if (!attr)
		return;
	attr += e->attr_size - 16;
	if (edit->value & 1)
		memcpy(attr, other + e->attr_size - 16, edit->value & 2 ? 8 : 16);
	else
		put64(attr + (edit->part & 8), strange(edit->value >> 1, get64(attr)));
}

/* What an event says of its samples: another sample_type, read_format, flags; another event's. */
static void change_attr(struct edited *e, const struct recording_edit *edit, u8 **a, u8 **b)
{
	static const u8 places[] = { 0, 8, 16, 24, 32, 40, 40, 24, 72, 80, 88 };
	u8 *attr = attr_of(e, edit->a), *other = attr_of(e, edit->b), at;

	(void)a;
	(void)b;
	if (!attr || e->attr_size < 112)
		return;
	at = places[edit->part % ARRAY_SIZE(places)];
	if (edit->value & 64)
		swap_bytes_of(attr + at, other + at, 8);
	else
		attr[at + edit->value / 8 % 8] ^= 1 << edit->value % 8;
}

/* Counts in front of what is counted: of a callchain, or any word of a record. */
static void change_count(struct edited *e, const struct recording_edit *edit, u8 **a, u8 **b)
{
	u8 *count = field_of(e, *a, PERF_SAMPLE_CALLCHAIN);
	u32 words = size_of(*a) / 8 - 1;

	(void)b;
	if (edit->part & 1)
		count = words ? *a + 8 + edit->part / 2 % words * 8 : NULL;
	if (count)
		put64(count, strange(edit->value, get64(count)));
}

/* Ends of one record become those of another of its type: mappings that overlap, cookies twice. */
static void take_word(struct edited *e, const struct recording_edit *edit, u8 **a, u8 **b)
{
	u32 words = size_of(*a) / 8 - 1, theirs = size_of(*b) / 8 - 1;

	(void)e;
	if (words && theirs)
		memcpy(*a + 8 + edit->part % words * 8,
		       *b + 8 + (edit->part + edit->value) % theirs * 8, 8);
}

static void change_misc(struct edited *e, const struct recording_edit *edit, u8 **a, u8 **b)
{
	(void)e;
	(void)b;
	(*a)[4 + edit->value / 8 % 2] ^= 1 << edit->value % 8;
}

/* A record that says something else by the same bytes. */
static void change_type(struct edited *e, const struct recording_edit *edit, u8 **a, u8 **b)
{
	(void)e;
	put32(*a, edit->value & 1 ? type_of(*b) : edit->value / 2 % 96u);
}

static void (*const kinds[EDIT_NR])(struct edited *e, const struct recording_edit *edit, u8 **a,
				    u8 **b) = {
	[EDIT_SWAP_RECORDS] = swap_records,
	[EDIT_SWAP_TASKS] = swap_tasks,
	[EDIT_TASK] = change_task,
	[EDIT_REPEAT] = repeat,
	[EDIT_LEAVE_OUT] = leave_out,
	[EDIT_SWAP_TIMES] = swap_times,
	[EDIT_TIMES] = change_times,
	[EDIT_ID] = change_id,
	[EDIT_ID_TABLE] = change_id_table,
	[EDIT_ID_PLACE] = change_id_place,
	[EDIT_ATTR] = change_attr,
	[EDIT_COUNT] = change_count,
	[EDIT_WORD] = take_word,
	[EDIT_MISC] = change_misc,
	[EDIT_TYPE] = change_type,
};

static bool lies_in(const struct section *s, size_t size)
{
	return s->offset >= HEADER_SIZE && s->offset <= size && s->size <= size - s->offset;
}

/* False when it is no file that can be changed. */
static bool edited__open(struct edited *e, const u8 *data, size_t size)
{
	*e = (struct edited){ .data = data, .size = size };
	if (size < HEADER_SIZE || get64(data) != ABI_FILE_MAGIC || get64(data + 8) != HEADER_SIZE)
		return false;
	e->attr_size = get64(data + ATTR_SIZE_AT);
	e->attrs = (struct section){ get64(data + ATTRS_AT), get64(data + ATTRS_AT + 8) };
	e->records = (struct section){ get64(data + DATA_AT), get64(data + DATA_AT + 8) };
	if (!lies_in(&e->records, size) || !lies_in(&e->attrs, e->records.offset) ||
	    e->attr_size < 80 || e->attr_size > 4096)
		return false;
	for (u64 at = 0; e->records.size - at >= 8 && e->list.nr < RECORDS_MAX;) {
		const u8 *rec = data + e->records.offset + at;

		if (size_of(rec) < 8 || size_of(rec) > e->records.size - at)
			break;
		*vec__push(&e->list) = copy_of(e, rec);
		at += size_of(rec);
	}
	e->head = xmalloc(e->records.offset);
	memcpy(e->head, data, e->records.offset);
	return e->list.nr;
}

/* Features are behind the records, below a table that says where: they move by @by bytes. */
static void move_features(const u8 *header, u8 *table, size_t size, u64 by)
{
	u64 nr = 0;

	for (u32 i = 0; i < 4; i++)
		nr += __builtin_popcountll(get64(header + FEATURES_AT + i * 8));
	for (u64 i = 0; i < nr && (i + 1) * 16 <= size; i++)
		put64(table + i * 16, get64(table + i * 16) + by);
}

static u8 *edited__write(struct edited *e, size_t *out_size)
{
	size_t end = e->records.offset + e->records.size, at = e->records.offset;
	size_t tail = e->size - end, room = e->size * 16 + (1 << 20);
	u8 *out = xmalloc(room);

	memcpy(out, e->head, at);
	for (size_t i = 0; i < e->list.nr; i++) {
		const u8 *rec = e->list.v[i];

		if (at + size_of(rec) + tail > room)
			break;
		memcpy(out + at, rec, size_of(rec));
		at += size_of(rec);
	}
	put64(out + DATA_AT + 8, at - e->records.offset);
	memcpy(out + at, e->data + end, tail);
	move_features(e->data, out + at, tail, at - end);
	*out_size = at + tail;
	return out;
}

static void edited__free(struct edited *e)
{
	for (size_t i = 0; i < e->owned.nr; i++)
		free(e->owned.v[i]);
	vec__free(&e->owned);
	vec__free(&e->list);
	free(e->head);
}

u8 *recording__edit(const u8 *data, size_t size, const void *edits, size_t nr, size_t *out_size)
{
	struct edited e;
	u8 *out;

	if (edited__open(&e, data, size)) {
		for (size_t i = 0; i < nr; i++) {
			struct recording_edit edit;

			memcpy(&edit, (const u8 *)edits + i * sizeof(edit), sizeof(edit));
			kinds[edit.kind % EDIT_NR](&e, &edit,
							     &e.list.v[edit.a % e.list.nr],
							     &e.list.v[edit.b % e.list.nr]);
		}
		out = edited__write(&e, out_size);
	} else {
		out = xmalloc(size ?: 1);
		memcpy(out, data, size);
		*out_size = size;
	}
	edited__free(&e);
	return out;
}
