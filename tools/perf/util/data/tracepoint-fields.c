// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "../../../lib/unwind/core/bytes.h"
#include "tracepoint-fields.h"
#include "tracepoint-priv.h"

#define MAX_DEPTH 64        /* of expressions in a format */
#define MAX_NAMES 4096      /* of the values of one event */

static struct traced_field field_of(const struct tep_format_field *f)
{
	return (struct traced_field){
		.name = f->name,
		.offset = f->offset,
		.size = f->size,
		.is_array = f->flags & TEP_FIELD_IS_ARRAY,
		.is_string = f->flags & TEP_FIELD_IS_STRING,
		.is_dynamic = f->flags & TEP_FIELD_IS_DYNAMIC,
		.is_relative = f->flags & TEP_FIELD_IS_RELATIVE,
		.is_signed = f->flags & TEP_FIELD_IS_SIGNED,
	};
}

static void take_common(struct traced_event *e, const struct tep_format_field *f)
{
	const struct {
		const char *name;
		struct traced_field *to;
	} wanted[] = {
		{ "common_pid", &e->pid }, { "common_flags", &e->flags },
		{ "common_preempt_count", &e->preempt_count },
		{ "common_lock_depth", &e->lock_depth },
	};

	for (; f; f = f->next)
		for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
			if (f->name && !strcmp(f->name, wanted[i].name))
				*wanted[i].to = field_of(f);
}

struct traced_event *traced_event__new(const struct tracepoints *t, u64 id)
{
	struct tep_event *event = tracepoints__find(t, id);
	struct traced_event *e;
	u32 nr = 0, i = 0;

	if (!event || !event->name || !event->system)
		return NULL;
	for (const struct tep_format_field *f = event->format.fields; f; f = f->next)
		nr++;
	e = xzalloc(sizeof(*e) + nr * sizeof(*e->fields));
	e->fields = (struct traced_field *)(e + 1);
	e->system = event->system;
	e->name = event->name;
	e->swapped = tep_is_file_bigendian(event->tep) != tep_is_local_bigendian(event->tep);
	for (const struct tep_format_field *f = event->format.fields; f; f = f->next)
		e->fields[i++] = field_of(f);
	e->nr = nr;
	take_common(e, event->format.common_fields);
	return e;
}

bool traced_event__fits(const struct tracepoints *t, u64 id, const void *raw, u32 raw_size)
{
	return tracepoints__event(t, id, raw, raw_size);
}

u64 traced_field__number(const struct traced_field *f, bool swapped, const void *raw)
{
	struct cursor c = cursor__init((const u8 *)raw + f->offset, f->size, swapped);

	switch (f->size) {
	case 1:
		return f->is_signed ? (u64)(s8)cursor__u8(&c) : cursor__u8(&c);
	case 2:
		return f->is_signed ? (u64)(s16)cursor__u16(&c) : cursor__u16(&c);
	case 4:
		return f->is_signed ? (u64)(s32)cursor__u32(&c) : cursor__u32(&c);
	case 8:
		return cursor__u64(&c);
	default:
		return 0;
	}
}

const void *traced_field__bytes(const struct traced_field *f, bool swapped, const void *raw,
				u32 *len)
{
	struct cursor c = cursor__init((const u8 *)raw + f->offset, f->size, swapped);
	u32 where = f->offset, word;

	*len = f->size;
	if (f->is_dynamic) {
		word = cursor__u32(&c);
		where = (word & 0xffff) + (f->is_relative ? f->offset + f->size : 0);
		*len = word >> 16;
	}
	return (const u8 *)raw + where;
}

/* The field whose values an expression is about: REC->prev_state & 0xff. */
static const char *field_in(const struct tep_print_arg *arg, u32 depth)
{
	const char *name;

	if (!arg || depth > MAX_DEPTH)
		return NULL;
	switch (arg->type) {
	case TEP_PRINT_FIELD:
		return arg->field.name;
	case TEP_PRINT_TYPE:
		return field_in(arg->typecast.item, depth + 1);
	case TEP_PRINT_OP:
		name = field_in(arg->op.left, depth + 1);
		return name ? name : field_in(arg->op.right, depth + 1);
	default:
		return NULL;
	}
}

static void tell_values(const struct traced_names *names, const char *field, bool is_flag,
			const struct tep_print_flag_sym *v)
{
	for (u32 nr = 0; v && nr < MAX_NAMES; v = v->next, nr++)
		if (v->value && v->str)
			names->value(names->ctx, field, is_flag, strtoull(v->value, NULL, 0),
				     v->str);
}

static void tell_names(const struct traced_names *names, const struct tep_print_arg *arg, u32 depth)
{
	const char *field;

	for (; arg && depth <= MAX_DEPTH; arg = arg->next) {
		switch (arg->type) {
		case TEP_PRINT_FLAGS:
			field = field_in(arg->flags.field, depth);
			if (!field)
				break;
			names->field(names->ctx, field, arg->flags.delim ? arg->flags.delim : "");
			tell_values(names, field, true, arg->flags.flags);
			break;
		case TEP_PRINT_SYMBOL:
			field = field_in(arg->symbol.field, depth);
			if (!field)
				break;
			names->field(names->ctx, field, NULL);
			tell_values(names, field, false, arg->symbol.symbols);
			break;
		case TEP_PRINT_OP: /* a choice of two: their own .next is not set */
			tell_names(names, arg->op.left, depth + 1);
			tell_names(names, arg->op.right, depth + 1);
			break;
		default:
			break;
		}
	}
}

void traced_event__names(const struct tracepoints *t, u64 id, const struct traced_names *names)
{
	struct tep_event *event = tracepoints__find(t, id);

	if (event)
		tell_names(names, event->print_fmt.args, 0);
}
