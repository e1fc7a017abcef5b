// SPDX-License-Identifier: GPL-2.0-only
/* Features, from their bytes into a struct recording: see feature.h. */
#include <string.h>

#include "byte-swap.h"
#include "feature.h"

/* A string is a u32 size (perf writes multiples of 64), and that many bytes. */
static const char *take_string(struct recording *r, struct cursor *c)
{
	u32 room = cursor__u32(c);
	const char *s = cursor__take(c, room);

	return s ? arena__intern_n(r->arena, s, room) : NULL;
}

static int decode_string(struct recording *r, struct cursor *c, const char **field)
{
	const char *s = take_string(r, c);

	if (!s)
		return -EINVAL;
	*field = s;
	return 0;
}

static int decode_nrcpus(struct recording *r, struct cursor *c)
{
	u32 avail = cursor__u32(c), online = cursor__u32(c);

	if (c->bad)
		return -EINVAL;
	r->nr_cpus_avail = avail;
	r->nr_cpus_online = online;
	return 0;
}

static int decode_cmdline(struct recording *r, struct cursor *c)
{
	u32 nr = cursor__u32(c);

	r->cmdline.nr = 0;
	for (u32 i = 0; i < nr && !c->bad; i++) {
		const char *s = take_string(r, c);

		if (s)
			*vec__push(&r->cmdline) = s;
	}
	return c->bad ? -EINVAL : 0;
}

/*
 * The event that entry @idx of EVENT_DESC describes: the one with the same index, or with one of
 * its ids.
 */
static struct evsel *described_event(struct recording *r, u32 idx, u32 nr, const u8 *ids,
				     u32 nr_ids)
{
	u64 id;

	if (nr == r->events.nr)
		return r->events.v[idx];
	if (!nr_ids)
		return NULL;
	memcpy(&id, ids, sizeof(id));
	return map64__get(&r->event_by_id, id);
}

static int decode_event_desc(struct recording *r, struct cursor *c)
{
	u32 nr = cursor__u32(c), attr_size = cursor__u32(c);

	for (u32 i = 0; i < nr && !c->bad; i++) {
		const void *attr = cursor__take(c, attr_size);
		u32 nr_ids = cursor__u32(c);
		const char *name = take_string(r, c);
		const u8 *ids = nr_ids <= cursor__left(c) / sizeof(u64) ?
				cursor__take(c, nr_ids * sizeof(u64)) : NULL;
		struct evsel *ev;

		if (!attr || !name || !ids)
			return -EINVAL;
		ev = described_event(r, i, nr, ids, nr_ids);
		if (ev && *name)
			ev->name = name;
	}
	return c->bad ? -EINVAL : 0;
}

int feature__decode_build_id(struct recording *r, const struct perf_event_header *hdr)
{
	struct cursor c = cursor__init(hdr + 1, hdr->size - sizeof(*hdr), false);
	s32 pid = cursor__u32(&c);
	const u8 *id = cursor__take(&c, 24);
	const char *path = cursor__str(&c);
	struct data_build_id *b;

	if (c.bad)
		return -EINVAL;
	b = vec__push(&r->build_ids);
	*b = (struct data_build_id){
		.misc = hdr->misc & ABI_MISC_CPUMODE_MASK,
		.pid = pid,
		.id.size = BUILD_ID_MAX,
		.path = arena__intern(r->arena, path),
	};
	memcpy(b->id.data, id, BUILD_ID_MAX);
	if (hdr->misc & ABI_MISC_BUILD_ID_SIZE && id[BUILD_ID_MAX] <= BUILD_ID_MAX)
		b->id.size = id[BUILD_ID_MAX];
	recording__set(r, FEAT_BUILD_ID);
	return 0;
}

static int decode_build_ids(struct recording *r, struct cursor *c)
{
	while (cursor__left(c)) {
		const u8 *p = c->data + c->pos;
		_Alignas(8) u8 copy[8192];
		struct perf_event_header hdr;

		if (cursor__left(c) < sizeof(hdr))
			return -EINVAL;
		memcpy(&hdr, p, sizeof(hdr));
		if (hdr.size < sizeof(hdr) || hdr.size > sizeof(copy) ||
		    !cursor__take(c, hdr.size))
			return -EINVAL;
		memcpy(copy, p, hdr.size);
		if (feature__decode_build_id(r, (void *)copy))
			return -EINVAL;
	}
	return 0;
}

static int decode_sample_time(struct recording *r, struct cursor *c)
{
	u64 first = cursor__u64(c), last = cursor__u64(c);

	if (c->bad)
		return -EINVAL;
	r->first_sample_time = first;
	r->last_sample_time = last;
	return 0;
}

static int decode_u64(struct cursor *c, u64 *field)
{
	u64 v = cursor__u64(c);

	if (c->bad)
		return -EINVAL;
	*field = v;
	return 0;
}

static int decode_compressed(struct recording *r, struct cursor *c)
{
	cursor__u32(c); /* version: there is only one */
	r->comp_type = cursor__u32(c);
	r->comp_level = cursor__u32(c);
	r->comp_ratio = cursor__u32(c);
	r->comp_mmap_len = cursor__u32(c);
	return c->bad ? -EINVAL : 0;
}

static int keep_tracing_data(struct recording *r, struct cursor *c)
{
	free(r->tracing_data);
	r->tracing_data = xmemdup(c->data, c->len);
	r->tracing_data_size = c->len;
	return 0;
}

static int keep_opaque(struct recording *r, u32 feat, struct cursor *c)
{
	free(r->opaque[feat].data);
	r->opaque[feat].data = xmemdup(c->data, c->len);
	r->opaque[feat].size = c->len;
	return 0;
}

static int decode(struct recording *r, u32 feat, struct cursor *c)
{
	switch (feat) {
	case FEAT_TRACING_DATA: return keep_tracing_data(r, c);
	case FEAT_BUILD_ID:     return decode_build_ids(r, c);
	case FEAT_HOSTNAME:     return decode_string(r, c, &r->hostname);
	case FEAT_OSRELEASE:    return decode_string(r, c, &r->osrelease);
	case FEAT_VERSION:      return decode_string(r, c, &r->version);
	case FEAT_ARCH:         return decode_string(r, c, &r->arch);
	case FEAT_NRCPUS:       return decode_nrcpus(r, c);
	case FEAT_CPUDESC:      return decode_string(r, c, &r->cpudesc);
	case FEAT_CPUID:        return decode_string(r, c, &r->cpuid);
	case FEAT_TOTAL_MEM:    return decode_u64(c, &r->total_mem_kb);
	case FEAT_CMDLINE:      return decode_cmdline(r, c);
	case FEAT_EVENT_DESC:   return decode_event_desc(r, c);
	case FEAT_SAMPLE_TIME:  return decode_sample_time(r, c);
	case FEAT_CLOCKID:      return decode_u64(c, &r->clockid_res_ns);
	case FEAT_COMPRESSED:   return decode_compressed(r, c);
	default:                return keep_opaque(r, feat, c);
	}
}

int feature__decode(struct recording *r, u32 feat, const void *data, size_t size)
{
	struct cursor c = cursor__init(data, size, false);
	int err;

	if (feat >= FEAT_LAST)
		return -EINVAL;
	if (r->swapped && !feature__is_swappable(feat))
		return 0; /* it cannot be swapped */
	err = decode(r, feat, &c);
	if (!err)
		recording__set(r, feat);
	return err;
}
