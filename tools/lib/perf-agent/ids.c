// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * What a thread works on, read by the thread itself: a thread-local variable that the recorder has
 * found. The writers' formats are those of OTEP 4947 and custom-labels v1, which promise that the
 * interrupted thread's own record can be read at any moment.
 */
#include "priv.h"

struct label_string {
	uint64_t size, bytes;
};

struct label {
	struct label_string key, value;
};

static uint64_t thread_pointer(void)
{
	uint64_t tp = 0;

#if defined(__x86_64__)
	asm("mov %%fs:0, %0" : "=r"(tp));
#endif
	return tp;
}

static bool find_variable(const struct agent_ids *ids, uint64_t *at)
{
	uint64_t tp = thread_pointer(), dtv, block;

	*at = tp + ids->offset;
	if (ids->where == AGENT_STATIC)
		return true;
	/* The DTV's address is the second word of a thread's control block. */
	if (!agent__copy(&dtv, tp + 8, sizeof(dtv)) ||
	    !agent__copy(&block, dtv + (uint64_t)ids->module * ids->stride, sizeof(block)))
		return false;
	*at = block + ids->offset;
	return block && block != UINT64_MAX; /* this thread has not used it yet */
}

static uint32_t copy_otel(uint8_t *out, uint64_t at)
{
	uint16_t size;

	if (!agent__copy(out, at, AGENT_OTEL_HEAD) || out[AGENT_OTEL_VALID] != 1)
		return 0;
	memcpy(&size, out + AGENT_OTEL_SIZE, sizeof(size));
	if (size > AGENT_OTEL_ATTRIBUTES)
		size = AGENT_OTEL_ATTRIBUTES;
	/* Where there are fewer, the ids are right nevertheless. */
	if (!agent__copy(out + AGENT_OTEL_HEAD, at + AGENT_OTEL_HEAD, size))
		size = 0;
	return AGENT_OTEL_HEAD + size;
}

static bool copy_string(uint32_t *size, uint8_t *out, uint32_t max, const struct label_string *s)
{
	*size = s->size < max ? s->size : max;
	return agent__copy(out, s->bytes, *size);
}

static uint32_t copy_labels(struct agent_label *out, uint64_t at)
{
	uint64_t set[2]; /* labels, their number */
	uint32_t nr = 0;

	if (!agent__copy(set, at, sizeof(set)))
		return 0;
	for (uint64_t i = 0; i < set[1] && i < AGENT_LABELS_MAX; i++) {
		struct label l;

		if (!agent__copy(&l, set[0] + i * sizeof(l), sizeof(l)))
			break;
		if (l.key.bytes &&
		    copy_string(&out[nr].key_size, out[nr].key, AGENT_LABEL_KEY_MAX, &l.key) &&
		    copy_string(&out[nr].value_size, out[nr].value, AGENT_LABEL_VALUE_MAX,
				&l.value))
			nr++;
	}
	return nr * sizeof(*out);
}

uint32_t agent__read_ids(void *out, uint32_t *kind)
{
	const struct agent_ids *ids = &((const struct agent_header *)agent.memory)->ids;
	uint64_t at, record;

	if (__atomic_load_n(&ids->where, __ATOMIC_ACQUIRE) == AGENT_NOWHERE ||
	    !find_variable(ids, &at))
		return 0;
	*kind = ids->kind;
	if (ids->kind == AGENT_IDS_VALUE)
		return ids->size <= AGENT_VALUE_MAX && agent__copy(out, at, ids->size) ?
		       ids->size : 0;
	if (!agent__copy(&record, at, sizeof(record)) || !record)
		return 0;
	return ids->kind == AGENT_IDS_OTEL ? copy_otel(out, record) : copy_labels(out, record);
}
