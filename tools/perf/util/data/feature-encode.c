// SPDX-License-Identifier: GPL-2.0-only
/* Features, from a struct recording into bytes: see feature.h. */
#include <string.h>

#include "feature.h"

/* Strings take a multiple of this, as perf writes them. */
#define STRING_ALIGN 64

void feature__encode_string(struct bytes_out *out, const char *s)
{
	if (!s)
		return;
	bytes_out__u32(out, align_up(strlen(s) + 1, STRING_ALIGN));
	bytes_out__str(out, s, STRING_ALIGN);
}

static void put_cmdline(const struct recording *r, struct bytes_out *out)
{
	bytes_out__u32(out, r->cmdline.nr);
	for (size_t i = 0; i < r->cmdline.nr; i++)
		feature__encode_string(out, r->cmdline.v[i]);
}

u32 recording__attr_size(const struct recording *r)
{
	u32 size = PERF_ATTR_SIZE_VER0;

	for (size_t i = 0; i < r->events.nr; i++) {
		const struct evsel *ev = r->events.v[i];

		size = max_of(size, attr_bytes__min_size(ev->raw, ev->raw_size));
	}
	return size;
}

void evsel__encode_attr(const struct evsel *ev, u32 size, struct bytes_out *out)
{
	size_t at = out->buf.nr, have = min_of(ev->raw_size, size);

	bytes_out__put(out, ev->raw, have);
	bytes_out__zeros(out, size - have);
	memcpy(out->buf.v + at + offsetof(struct perf_event_attr, size), &size, sizeof(size));
}

static void put_event_desc(const struct recording *r, struct bytes_out *out)
{
	u32 attr_size = recording__attr_size(r);

	bytes_out__u32(out, r->events.nr);
	bytes_out__u32(out, attr_size);
	for (size_t i = 0; i < r->events.nr; i++) {
		const struct evsel *ev = r->events.v[i];

		evsel__encode_attr(ev, attr_size, out);
		bytes_out__u32(out, ev->ids.nr);
		feature__encode_string(out, ev->name);
		bytes_out__put(out, ev->ids.v, ev->ids.nr * sizeof(u64));
	}
}

void feature__encode_build_id(const struct data_build_id *b, u32 type, struct bytes_out *out)
{
	/*
	 * With four bytes more the size of the record is a multiple of 8, which newer readers
	 * require.
	 */
	size_t room = align_up(strlen(b->path) + 1, STRING_ALIGN) + 4;
	struct perf_event_header hdr = {
		.type = type,
		.misc = b->misc | ABI_MISC_BUILD_ID_SIZE,
		.size = sizeof(hdr) + 4 + 24 + room,
	};

	if (sizeof(hdr) + 28 + room > UINT16_MAX)
		return;
	bytes_out__put(out, &hdr, sizeof(hdr));
	bytes_out__u32(out, b->pid);
	bytes_out__put(out, b->id.data, BUILD_ID_MAX);
	bytes_out__u32(out, b->id.size); /* one byte, and three of padding */
	bytes_out__str(out, b->path, STRING_ALIGN);
	bytes_out__zeros(out, 4);
}

static void put_build_ids(const struct recording *r, struct bytes_out *out)
{
	for (size_t i = 0; i < r->build_ids.nr; i++)
		feature__encode_build_id(&r->build_ids.v[i], 0, out);
}

static void put_compressed(const struct recording *r, struct bytes_out *out)
{
	bytes_out__u32(out, 0); /* version */
	bytes_out__u32(out, r->comp_type);
	bytes_out__u32(out, r->comp_level);
	bytes_out__u32(out, r->comp_ratio);
	bytes_out__u32(out, r->comp_mmap_len);
}

static void put_pair_u32(struct bytes_out *out, u32 a, u32 b)
{
	bytes_out__u32(out, a);
	bytes_out__u32(out, b);
}

static void put_pair_u64(struct bytes_out *out, u64 a, u64 b)
{
	bytes_out__u64(out, a);
	bytes_out__u64(out, b);
}

void feature__encode(const struct recording *r, u32 feat, struct bytes_out *out)
{
	switch (feat) {
	case FEAT_TRACING_DATA: return bytes_out__put(out, r->tracing_data, r->tracing_data_size);
	case FEAT_BUILD_ID:     return put_build_ids(r, out);
	case FEAT_HOSTNAME:     return feature__encode_string(out, r->hostname);
	case FEAT_OSRELEASE:    return feature__encode_string(out, r->osrelease);
	case FEAT_VERSION:      return feature__encode_string(out, r->version);
	case FEAT_ARCH:         return feature__encode_string(out, r->arch);
	case FEAT_NRCPUS:       return put_pair_u32(out, r->nr_cpus_avail, r->nr_cpus_online);
	case FEAT_CPUDESC:      return feature__encode_string(out, r->cpudesc);
	case FEAT_CPUID:        return feature__encode_string(out, r->cpuid);
	case FEAT_TOTAL_MEM:    return bytes_out__u64(out, r->total_mem_kb);
	case FEAT_CMDLINE:      return put_cmdline(r, out);
	case FEAT_EVENT_DESC:   return put_event_desc(r, out);
	case FEAT_SAMPLE_TIME:
		return put_pair_u64(out, r->first_sample_time, r->last_sample_time);
	case FEAT_CLOCKID:      return bytes_out__u64(out, r->clockid_res_ns);
	case FEAT_COMPRESSED:   return put_compressed(r, out);
	default:
		return bytes_out__put(out, r->opaque[feat].data, r->opaque[feat].size);
	}
}
