// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "byte-swap.h"
#include "record.h"

#define IS_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

static void swap16(void *p)
{
	u16 v;

	memcpy(&v, p, sizeof(v));
	v = __builtin_bswap16(v);
	memcpy(p, &v, sizeof(v));
}

static u32 swap32(void *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	v = __builtin_bswap32(v);
	memcpy(p, &v, sizeof(v));
	return v;
}

static void swap64(void *p)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	v = __builtin_bswap64(v);
	memcpy(p, &v, sizeof(v));
}

static void swap_words(void *p, size_t size)
{
	for (size_t at = 0; at + sizeof(u64) <= size; at += sizeof(u64))
		swap64((u8 *)p + at);
}

/*
 * Layouts are written as strings:
 *
 *	2 4 8	a number of so many bytes
 *	n	a u32 that says how often the next (...) is there
 *	N	the same, and it is the number of CPUs of the recording, which is not in the bytes
 *	(...)	so many of these
 *	[...]	these, up to the end
 *	S	a string: a u32 that says how many bytes follow it
 *	z A	a u32; so many bytes that are left alone
 *	_ x	one byte, 8 bytes that are left alone
 *
 * What is behind the layout is left alone, too.
 */
struct swapper {
	u8 *p;
	size_t left;
	u32 count, size, nr_cpus;
};

static u8 *swapper__take(struct swapper *s, size_t size)
{
	u8 *p = s->p;

	if (!s->left || size > s->left) {
		s->left = 0;
		return NULL;
	}
	s->p += size;
	s->left -= size;
	return p;
}

static u32 swapper__u32(struct swapper *s)
{
	u8 *p = swapper__take(s, sizeof(u32));

	return p ? swap32(p) : 0;
}

static void swapper__item(struct swapper *s, char item)
{
	u8 *p;

	switch (item) {
	case '_': swapper__take(s, 1); break;
	case 'x': swapper__take(s, 8); break;
	case 'A': swapper__take(s, s->size); break;
	case 'S': swapper__take(s, swapper__u32(s)); break;
	case '4': swapper__u32(s); break;
	case 'n': s->count = swapper__u32(s); break;
	case 'N': s->count = s->nr_cpus; break;
	case 'z': s->size = swapper__u32(s); break;
	case '2':
		p = swapper__take(s, 2);
		if (p)
			swap16(p);
		break;
	case '8':
		p = swapper__take(s, 8);
		if (p)
			swap64(p);
		break;
	}
}

static const char *swapper__run(struct swapper *s, const char *layout);

/* Swaps by @layout, up to its closing bracket, @times over. Returns the place of the bracket. */
static const char *swapper__repeat(struct swapper *s, const char *layout, u64 times)
{
	struct swapper nothing = {};
	const char *end = swapper__run(&nothing, layout);

	for (; times && s->left; times--)
		swapper__run(s, layout);
	return end;
}

static const char *swapper__run(struct swapper *s, const char *layout)
{
	for (; *layout && *layout != ')' && *layout != ']'; layout++) {
		if (*layout == '(')
			layout = swapper__repeat(s, layout + 1, s->count);
		else if (*layout == '[')
			layout = swapper__repeat(s, layout + 1, ~0ULL);
		else
			swapper__item(s, *layout);
	}
	return layout;
}

static void swap_by_layout(void *data, size_t size, const char *layout)
{
	swapper__run(&(struct swapper){ .p = data, .left = size }, layout);
}

struct bit_field {
	u8 pos, width; /* in bits; little endian: from the lowest one */
};

static u64 reverse_bits(u64 v, u32 nr)
{
	u64 r = 0;

	for (u32 i = 0; i < nr; i++)
		r |= (v >> i & 1) << (nr - 1 - i);
	return r;
}

/*
 * Bit fields are laid out from the lowest bit on little-endian machines and from the highest on
 * others. @wide: those of more than one bit, whose own bits keep their order.
 */
static void swap_bit_fields(void *p, const struct bit_field *wide, size_t nr)
{
	u64 v, mask;

	memcpy(&v, p, sizeof(v));
	v = reverse_bits(__builtin_bswap64(v), 64);
	for (size_t i = 0; i < nr; i++) {
		u32 pos = IS_BIG_ENDIAN ? 64 - wide[i].pos - wide[i].width : wide[i].pos;

		mask = (BIT_ULL(wide[i].width) - 1) << pos;
		v = (v & ~mask) | reverse_bits((v & mask) >> pos, wide[i].width) << pos;
	}
	memcpy(p, &v, sizeof(v));
}

#define ATTR_LAYOUT "44888884488884484224" "4[8]"
#define ATTR_FLAGS_AT 40
#define ATTR_AUX_ACTION_AT 116 /* three bits of a u32 */

void attr_bytes__swap(void *attr, size_t size)
{
	static const struct bit_field wide[] = { { 15, 2 } }; /* precise_ip */
	u8 *flags = (u8 *)attr + ATTR_FLAGS_AT, *aux = (u8 *)attr + ATTR_AUX_ACTION_AT;
	u32 v;

	swap_by_layout(attr, size, ATTR_LAYOUT);
	if (size >= ATTR_FLAGS_AT + sizeof(u64)) {
		swap64(flags);
		swap_bit_fields(flags, wide, ARRAY_SIZE(wide));
	}
	if (size >= ATTR_AUX_ACTION_AT + sizeof(u32)) {
		memcpy(&v, aux, sizeof(v));
		v = reverse_bits(v, 32);
		memcpy(aux, &v, sizeof(v));
	}
}

static const char *const feature_layouts[FEAT_LAST] = {
	[FEAT_TRACING_DATA] = "", /* says its byte order itself */
	[FEAT_HOSTNAME] = "S",
	[FEAT_OSRELEASE] = "S",
	[FEAT_VERSION] = "S",
	[FEAT_ARCH] = "S",
	[FEAT_NRCPUS] = "44",
	[FEAT_CPUDESC] = "S",
	[FEAT_CPUID] = "S",
	[FEAT_TOTAL_MEM] = "8",
	[FEAT_CMDLINE] = "n(S)",
	[FEAT_EVENT_DESC] = "nz(AnS(8))",
	[FEAT_CPU_TOPOLOGY] = "n(S)n(S)N(44)n(S)N(4)",
	[FEAT_NUMA_TOPOLOGY] = "n(488S)",
	[FEAT_BRANCH_STACK] = "",
	[FEAT_PMU_MAPPINGS] = "n(4S)",
	[FEAT_GROUP_DESC] = "n(S44)",
	[FEAT_AUXTRACE] = "[8]",
	[FEAT_STAT] = "",
	[FEAT_CACHE] = "4n(4444SSS)",
	[FEAT_SAMPLE_TIME] = "88",
	[FEAT_MEM_TOPOLOGY] = "[8]",
	[FEAT_CLOCKID] = "8",
	[FEAT_DIR_FORMAT] = "8",
	[FEAT_BPF_BTF] = "n(4S)",
	[FEAT_COMPRESSED] = "44444",
	[FEAT_CPU_PMU_CAPS] = "n(SS)",
	[FEAT_CLOCK_DATA] = "4488",
	[FEAT_HYBRID_TOPOLOGY] = "n(SS)",
	[FEAT_PMU_CAPS] = "n(n(SS)S)",
	[FEAT_CPU_DOMAIN_INFO] = "44[4n(4SSS)]",
	[FEAT_E_MACHINE] = "44",
	[FEAT_CLN_SIZE] = "4",
};

bool feature__is_swappable(u32 feat)
{
	return feat == FEAT_BUILD_ID || (feat < FEAT_LAST && feature_layouts[feat]);
}

/* A list of BUILD_ID records. */
static void swap_build_ids(u8 *p, size_t left)
{
	struct perf_event_header hdr;

	while (left >= sizeof(hdr)) {
		memcpy(&hdr, p, sizeof(hdr));
		record_header__swap(&hdr);
		memcpy(p, &hdr, sizeof(hdr));
		if (hdr.size < sizeof(hdr) || hdr.size > left)
			return;
		swap_by_layout(p + sizeof(hdr), hdr.size - sizeof(hdr), "4");
		p += hdr.size;
		left -= hdr.size;
	}
}

bool feature__swap(const struct recording *r, u32 feat, void *data, size_t size)
{
	struct swapper sw = { .p = data, .left = size, .nr_cpus = r->nr_cpus_avail };

	if (!feature__is_swappable(feat))
		return false;
	if (feat == FEAT_BUILD_ID)
		swap_build_ids(data, size);
	else
		swapper__run(&sw, feature_layouts[feat]);
	return true;
}

static const char *const record_layouts[] = {
	[PERF_RECORD_MMAP] = "44888",
	[PERF_RECORD_LOST] = "88",
	[PERF_RECORD_COMM] = "44",
	[PERF_RECORD_EXIT] = "44448",
	[PERF_RECORD_THROTTLE] = "888",
	[PERF_RECORD_UNTHROTTLE] = "888",
	[PERF_RECORD_FORK] = "44448",
	[PERF_RECORD_READ] = "44[8]",
	[PERF_RECORD_MMAP2] = "44888448844",
	[PERF_RECORD_AUX] = "888",
	[PERF_RECORD_ITRACE_START] = "44",
	[PERF_RECORD_LOST_SAMPLES] = "8",
	[PERF_RECORD_SWITCH_CPU_WIDE] = "44",
	[PERF_RECORD_NAMESPACES] = "44[8]",
	[PERF_RECORD_KSYMBOL] = "8422",
	[PERF_RECORD_BPF_EVENT] = "224",
	[PERF_RECORD_CGROUP] = "8",
	[PERF_RECORD_TEXT_POKE] = "822",
	[ABI_RECORD_AUX_OUTPUT_HW_ID] = "8",
	[ABI_RECORD_CALLCHAIN_DEFERRED] = "[8]",
	[USER_RECORD_EVENT_TYPE] = "8",
	[USER_RECORD_TRACING_DATA] = "4",
	[USER_RECORD_BUILD_ID] = "4",
	[USER_RECORD_ID_INDEX] = "[8]",
	[USER_RECORD_AUXTRACE_INFO] = "44[8]",
	[USER_RECORD_AUXTRACE] = "8884444",
	[USER_RECORD_AUXTRACE_ERROR] = "44444488xxxxxxxx44",
	[USER_RECORD_THREAD_MAP] = "8[8xx]",
	[USER_RECORD_STAT_CONFIG] = "[8]",
	[USER_RECORD_STAT] = "844888",
	[USER_RECORD_STAT_ROUND] = "88",
	[USER_RECORD_TIME_CONV] = "88888",
	[USER_RECORD_COMPRESSED2] = "8",
	[USER_RECORD_BPF_METADATA] = "xx8",
};

/* Numbers of CPUs (type 0), a bit mask of them (1), or a range (2). */
static void swap_cpu_map(u8 *p, size_t size)
{
	u16 type = 0, long_size = 0;

	if (size >= 3 * sizeof(u16)) {
		memcpy(&type, p, sizeof(type));
		memcpy(&long_size, p + 2 * sizeof(u16), sizeof(long_size));
	}
	type = __builtin_bswap16(type);
	long_size = __builtin_bswap16(long_size);
	if (type == 0)
		swap_by_layout(p, size, "[2]");
	else if (type == 1)
		swap_by_layout(p, size, long_size == 8 ? "2224[8]" : "222[4]");
	else
		swap_by_layout(p, size, "2__22");
}

static void swap_attr_record(u8 *p, size_t size)
{
	u32 attr_size = 0;

	if (size >= PERF_ATTR_SIZE_VER0)
		memcpy(&attr_size, p + offsetof(struct perf_event_attr, size), sizeof(attr_size));
	attr_size = __builtin_bswap32(attr_size);
	attr_size = min_of(attr_size ? attr_size : PERF_ATTR_SIZE_VER0, size);
	attr_bytes__swap(p, attr_size);
	swap_words(p + attr_size, size - attr_size); /* ids */
}

static void swap_event_update(u8 *p, size_t size)
{
	u64 type = 0;

	swap_by_layout(p, size, "88");
	if (size < 2 * sizeof(u64))
		return;
	memcpy(&type, p, sizeof(type));
	if (type == EVENT_UPDATE_SCALE)
		swap_by_layout(p + 16, size - 16, "8");
	else if (type == EVENT_UPDATE_CPUS)
		swap_cpu_map(p + 16, size - 16);
}

static void swap_feature_record(const struct recording *r, u8 *p, size_t size)
{
	u64 feat;

	if (size < sizeof(feat))
		return;
	swap64(p);
	memcpy(&feat, p, sizeof(feat));
	if (feat < FEAT_LAST)
		feature__swap(r, feat, p + sizeof(feat), size - sizeof(feat));
}

static const struct perf_event_attr *asked_build_ids(const struct recording *r)
{
	for (size_t i = 0; i < r->events.nr; i++)
		if (attr__test_bit(&r->events.v[i]->attr, ATTR_BIT_BUILD_ID))
			return &r->events.v[i]->attr;
	return NULL;
}

static void swap_body(struct perf_event_header *hdr, const struct recording *r, size_t size)
{
	u8 *p = (u8 *)(hdr + 1);

	if (hdr->type == USER_RECORD_ATTR)
		swap_attr_record(p, size);
	else if (hdr->type == USER_RECORD_EVENT_UPDATE)
		swap_event_update(p, size);
	else if (hdr->type == USER_RECORD_CPU_MAP)
		swap_cpu_map(p, size);
	else if (hdr->type == USER_RECORD_HEADER_FEATURE)
		swap_feature_record(r, p, size);
	else if (hdr->type == PERF_RECORD_MMAP2 && mmap2__has_build_id(hdr, asked_build_ids(r)))
		swap_by_layout(p, size, "44888xxx44");
	else if (hdr->type < ARRAY_SIZE(record_layouts) && record_layouts[hdr->type])
		swap_by_layout(p, size, record_layouts[hdr->type]);
}

/* For two u32s that were swapped as one u64. */
static void part_word(struct perf_event_header *hdr, size_t at)
{
	u64 v;

	if (at + sizeof(v) > hdr->size)
		return;
	memcpy(&v, (u8 *)hdr + at, sizeof(v));
	v = v >> 32 | v << 32;
	memcpy((u8 *)hdr + at, &v, sizeof(v));
}

/* The layout of the sample_id behind records other than samples; NULL when that is not known. */
static const struct event_layout *trailer_layout(const struct perf_event_header *hdr,
						 const struct recording *r)
{
	const struct event_layout *first = &r->events.v[0]->layout;
	size_t id_at = hdr->size - first->trailer_id * sizeof(u64);
	const struct evsel *ev;
	u64 id;

	if (r->same_trailer || first->trailer_id < 0 ||
	    hdr->size < sizeof(*hdr) + first->trailer_size)
		return first;
	memcpy(&id, (u8 *)hdr + id_at, sizeof(id));
	id = __builtin_bswap64(id);
	ev = id ? map64__get(&r->event_by_id, id) : r->events.v[0];
	return ev ? &ev->layout : NULL;
}

/* Swaps the fields of a sample_id, which ends at @end, that are not a single u64. */
static void part_trailer(struct perf_event_header *hdr, const struct event_layout *l, size_t end)
{
	if (l->trailer_tid > 0)
		part_word(hdr, end - l->trailer_tid * sizeof(u64));
	if (l->trailer_cpu > 0)
		part_word(hdr, end - l->trailer_cpu * sizeof(u64));
}

static void swap_trailer(struct perf_event_header *hdr, const struct event_layout *l)
{
	swap_words((u8 *)hdr + hdr->size - l->trailer_size, l->trailer_size);
	part_trailer(hdr, l, hdr->size);
}

static void swap_branches(const struct sample *s)
{
	/* cycles, type, spec, new_type, priv */
	static const struct bit_field wide[] = {
		{ 4, 16 }, { 20, 4 }, { 24, 2 }, { 26, 4 }, { 30, 3 },
	};

	for (u64 i = 0; i < s->nr_branches; i++) {
		u8 *flags = (u8 *)&s->branches[i] + 2 * sizeof(u64);

		swap64(flags); /* back */
		swap_bit_fields(flags, wide, ARRAY_SIZE(wide));
	}
}

/*
 * A sample consists of u64s nearly everywhere, so all of it is swapped as such. Then the other
 * fields are corrected, from front to back, so that each part tells where the next one is.
 */
static void swap_sample(struct perf_event_header *hdr, const struct recording *r)
{
	struct record rec = { .hdr = hdr };
	const struct event_layout *l;
	struct sample s;
	size_t raw;
	u32 size;

	swap_words(hdr + 1, hdr->size - sizeof(*hdr));
	if (record__identify(&rec, r) || !rec.event)
		return;
	l = &rec.event->layout;
	if (l->tid >= 0)
		part_word(hdr, sizeof(*hdr) + l->tid * sizeof(u64));
	if (l->cpu >= 0)
		part_word(hdr, sizeof(*hdr) + l->cpu * sizeof(u64));
	raw = sample__raw_at(&rec);
	if (rec.event->attr.sample_type & PERF_SAMPLE_RAW && raw + sizeof(u64) <= hdr->size) {
		swap64((u8 *)hdr + raw);
		size = swap32((u8 *)hdr + raw);
		raw += sizeof(u64);
		if (size >= sizeof(u32))
			swap_words((u8 *)hdr + raw,
				   min_of(size - sizeof(u32), (size_t)hdr->size - raw));
	}
	if (sample__parse(&s, &rec))
		return;
	swap_branches(&s);
	swap_words((void *)s.stack, s.stack_room);
	swap_words((void *)s.aux, s.aux_size);
	swap_words((void *)s.rest, s.rest_size); /* bytes of a stack note */
}

/*
 * Swaps a record with stale bytes behind its sample_id, which shows once it is swapped. Returns
 * false when it is none; it is unchanged then.
 */
static bool swap_oversized(struct perf_event_header *hdr, const struct recording *r)
{
	size_t size = hdr->size, body;
	struct record rec = { .hdr = hdr };

	swap_body(hdr, r, size - sizeof(*hdr));
	body = record__body_end(hdr, size);
	if (!body || body + r->events.v[0]->layout.trailer_size >= size) {
		swap_body(hdr, r, size - sizeof(*hdr));
		return false;
	}
	swap_words((u8 *)hdr + body, size - body);
	if (!record__identify(&rec, r) && rec.event)
		part_trailer(hdr, &rec.event->layout, size - rec.stale);
	return true;
}

void record_header__swap(struct perf_event_header *hdr)
{
	swap_by_layout(hdr, sizeof(*hdr), "422");
}

void record__swap(struct perf_event_header *hdr, const struct recording *r)
{
	size_t size = hdr->size - sizeof(*hdr);
	const struct event_layout *trailer = NULL;

	if (hdr->type < USER_RECORD_FIRST && r->events.nr) {
		if (hdr->type == PERF_RECORD_SAMPLE) {
			swap_sample(hdr, r);
			return;
		}
		if (record__may_be_oversized(hdr->type) && swap_oversized(hdr, r))
			return;
		trailer = trailer_layout(hdr, r);
	}
	if (trailer && trailer->trailer_size <= size) {
		swap_trailer(hdr, trailer);
		size -= trailer->trailer_size;
	}
	swap_body(hdr, r, size);
}
