// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "../../util/activity/activity.h"
#include "../../util/live/ring-side.h"
#include "../../util/record/activity-reader.h"
#include "../../util/tls/otel-context.h"
#include "../../util/tls/tls-file.h"
#include "../test.h"

static struct bytes text(const char *s)
{
	return (struct bytes){ (const u8 *)s, strlen(s) };
}

/* @aux: room for ACTIVITY_PAYLOAD_MAX + SIDE_ITEM_HEADER bytes. Returns the sample that has it. */
static struct sample sample_of(const struct activity *a, u8 *aux)
{
	u32 kind = SIDE_DATA_MAGIC << 16 | SIDE_ACTIVITY, size;

	size = activity__encode(a, aux + SIDE_ITEM_HEADER);
	memcpy(aux, &kind, sizeof(kind));
	memcpy(aux + 4, &size, sizeof(size));
	return (struct sample){ .aux = aux, .aux_size = SIDE_ITEM_HEADER + size };
}

TEST(activity_otel, "activity: trace, span and attributes are kept, printed and matched")
{
	struct activity a = {
		.source = ACTIVITY_BY_BPF, .kind = ACTIVITY_OTEL, .flags = 1,
		.trace = { 0x4b, 0xf9 }, .span = { [7] = 0xb7 }, .nr_attributes = 2,
		.attributes = { { text("user"), text("b\nb") }, { text("empty"), text("") } },
	}, b;
	u8 aux[ACTIVITY_PAYLOAD_MAX + SIDE_ITEM_HEADER];
	struct sample s = sample_of(&a, aux);
	char out[ACTIVITY_TEXT_MAX];

	TEST_TRUE(activity__of_sample(&b, &s));
	activity__text(&b, out);
	TEST_STR(out, "4bf90000000000000000000000000000/00000000000000b7 {user=b?b, empty=}");
	activity__group(&b, out);
	TEST_STR(out, "4bf90000000000000000000000000000");
	TEST_TRUE(activity__is(&b, "4BF90000000000000000000000000000"));
	TEST_TRUE(activity__is(&b, "00000000000000b7"));
	TEST_TRUE(activity__is(&b, "4bf90000000000000000000000000000/00000000000000b7"));
	TEST_TRUE(activity__is(&b, "user=b\nb") && activity__is(&b, "empty="));
	TEST_TRUE(!activity__is(&b, "user=b") && !activity__is(&b, "4bf9"));
	TEST_TRUE(!activity__is(&b, ""));
	for (s.aux_size = 0; s.aux_size < SIDE_ITEM_HEADER + 32; s.aux_size++)
		TEST_TRUE(!activity__of_sample(&b, &s));
}

TEST(activity_value, "activity: values are numbers where they have the size of one, else bytes")
{
	static const struct {
		u32 size;
		const char *text;
	} cases[] = {
		{ 1, "0x88" }, { 2, "0x7788" }, { 3, "887766" }, { 4, "0x55667788" },
		{ 8, "0x1122334455667788" },
	};
	u8 aux[ACTIVITY_PAYLOAD_MAX + SIDE_ITEM_HEADER];
	u64 v = 0x1122334455667788;
	char out[ACTIVITY_TEXT_MAX];
	struct activity b;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct activity a = { .kind = ACTIVITY_VALUE, .source = ACTIVITY_BY_COPY,
				      .value = { (const u8 *)&v, cases[i].size } };
		struct sample s = sample_of(&a, aux);

		TEST_TRUE(activity__of_sample(&b, &s));
		activity__text(&b, out);
		TEST_STR(out, cases[i].text);
		TEST_TRUE(activity__is(&b, cases[i].text));
		TEST_TRUE(!activity__is(&b, "00000000000000000000000000000000"));
	}
}

TEST(activity_many, "activity: endless attributes are left out where there is no room")
{
	static const u8 bytes[255];
	u8 aux[ACTIVITY_PAYLOAD_MAX + SIDE_ITEM_HEADER];
	char out[ACTIVITY_TEXT_MAX];
	struct activity a = { .kind = ACTIVITY_LABELS }, b;
	struct sample s;

	a.nr_attributes = ACTIVITY_ATTRIBUTES_MAX;
	for (u32 i = 0; i < a.nr_attributes; i++)
		a.attributes[i] = (struct activity_attribute){ { bytes, 255 }, { bytes, i * 4 } };
	s = sample_of(&a, aux);
	TEST_TRUE(s.aux_size <= sizeof(aux) && activity__of_sample(&b, &s));
	TEST_TRUE(b.nr_attributes > 5 && b.nr_attributes < ACTIVITY_ATTRIBUTES_MAX);
	TEST_TRUE(activity__text(&b, out) < ACTIVITY_TEXT_MAX);
}

TEST(activity_wishes, "activity: what --activity takes, and what it refuses")
{
	char good[] = "tls:a,16+labels+tls:b", *bad[] = {
		(char[]){ "x" }, (char[]){ "tls:" }, (char[]){ "tls:a,0" }, (char[]){ "tls:a,65" },
		(char[]){ "tls:a,b" }, (char[]){ "tls:a," }, (char[]){ "otel+" },
		(char[]){ "otel+otel+otel+otel+otel" },
	};
	struct activity_wish w;
	struct error err;

	TEST_EQ(activity_wish__parse(&w, NULL, &err), 0);
	TEST_EQ(w.nr, 2);
	TEST_EQ(activity_wish__parse(&w, good, &err), 0);
	TEST_EQ(w.nr, 3);
	TEST_STR(w.v[0].symbol, "a");
	TEST_EQ(w.v[0].size, 16);
	TEST_EQ(w.v[1].kind, ACTIVITY_LABELS);
	TEST_EQ(w.v[2].size, 0);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		TEST_EQ(activity_wish__parse(&w, bad[i], &err), -EINVAL);
}

/* Records of a ring: a BPF program's and those of an event with side data. */
struct ring_fixture {
	struct recording *recording;
	struct ring_side *side;
	u64 words[128];
};

static u32 take_ip(void *ctx, const struct sample *output, u64 *ip, u8 *payload)
{
	memcpy(ip, output->raw, sizeof(*ip));
	memcpy(payload, "payload", 7);
	return 7;
}

static void begin(struct ring_fixture *f)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID,
	};
	struct ring_side_opts opts = { .kind = SIDE_ACTIVITY, .make = take_ip };
	struct evsel *ev;

	f->recording = recording__new();
	ev = recording__add_event(f->recording, &attr, sizeof(attr), "side", NULL);
	ev->attr.sample_type |= PERF_SAMPLE_RAW;
	opts.event = ev;
	recording__add_id(f->recording, ev, 1);
	attr__add_side_data(&attr);
	ev = recording__add_event(f->recording, &attr, sizeof(attr), "event", NULL);
	recording__add_id(f->recording, ev, 2);
	f->side = ring_side__new(&opts, 2);
}

/* Returns the size that the sample got; 0: it was a program's. */
static u32 pass(struct ring_fixture *f, u32 ring, u64 id, u32 tid, u64 ip)
{
	struct perf_event_header hdr = { .type = PERF_RECORD_SAMPLE, .size = id == 1 ? 48 : 32 };
	const u64 body[] = { id, ip, 7 | (u64)tid << 32, 12, ip };
	struct record rec = { .hdr = (const void *)f->words };
	u64 copy[128];

	memcpy(f->words, &hdr, sizeof(hdr));
	memcpy(f->words + 1, body, sizeof(body));
	if (id == 1) { /* u32 size in front of the payload */
		u32 size = 12;

		memcpy((u8 *)f->words + 32, &size, sizeof(size));
		memcpy((u8 *)f->words + 36, &ip, sizeof(ip));
	}
	TEST_EQ(record__identify(&rec, f->recording), 0);
	if (ring_side__take(f->side, ring, &rec))
		return 0;
	memcpy(copy, f->words, hdr.size);
	return ring_side__complete(f->side, ring, &rec, (void *)copy, sizeof(copy));
}

TEST(ring_side_pairs, "ring side: what lies before a sample of its thread and ip is its own")
{
	const u32 bare = 32 + 8, whole = bare + 16;
	struct ring_fixture f;

	begin(&f);
	TEST_EQ(pass(&f, 0, 1, 8, 0x400), 0);
	TEST_EQ(pass(&f, 1, 2, 8, 0x400), bare); /* of another ring */
	TEST_EQ(pass(&f, 0, 2, 8, 0x400), whole);
	TEST_EQ(pass(&f, 0, 2, 8, 0x400), bare); /* it is used once */
	TEST_EQ(pass(&f, 0, 1, 8, 0x400), 0);
	TEST_EQ(pass(&f, 0, 2, 9, 0x400), bare); /* another thread: its sample was lost */
	TEST_EQ(pass(&f, 0, 2, 8, 0x400), bare);
	TEST_EQ(pass(&f, 0, 1, 8, 0x400), 0);
	TEST_EQ(pass(&f, 0, 2, 8, 0x404), bare); /* another ip */
	TEST_EQ(pass(&f, 0, 1, 8, 0x400), 0);
	TEST_EQ(pass(&f, 0, 1, 8, 0x404), 0);    /* the first sample was interrupted */
	TEST_EQ(pass(&f, 0, 2, 8, 0x404), whole);
	TEST_EQ(pass(&f, 0, 2, 8, 0x400), bare);
	TEST_EQ(ring_side__stats(f.side)->paired, 2);
	TEST_EQ(ring_side__stats(f.side)->unpaired, 3);

	/* A CPU comes online, while a sample is awaited in another ring. */
	TEST_EQ(pass(&f, 1, 1, 8, 0x400), 0);
	ring_side__resize(f.side, 40);
	TEST_EQ(pass(&f, 39, 2, 8, 0x400), bare);
	TEST_EQ(pass(&f, 39, 1, 8, 0x400), 0);
	TEST_EQ(pass(&f, 39, 2, 8, 0x400), whole);
	TEST_EQ(pass(&f, 1, 2, 8, 0x400), whole);
	ring_side__free(f.side);
	recording__free(f.recording);
}

TEST(otel_names_decode, "otel names: the map of attributes is found; damage ends it")
{
	/* attributes: { key: "x" }, { key map: array { "route", no string, "user" } } */
	static const char message[] =
		"\x0a\x02\x08\x01" "\x12\x03\x0a\x01x"
		"\x12\x38\x0a\x1dthreadlocal.attribute_key_map"
		"\x12\x17\x2a\x15\x0a\x07\x0a\x05route\x0a\x02\x10\x01\x0a\x06\x0a\x04user";
	struct otel_names n = {};

	otel_names__decode(&n, (const u8 *)message, sizeof(message) - 1);
	TEST_EQ(n.nr, 3);
	TEST_TRUE(n.v[0].len == 5 && !memcmp(n.v[0].data, "route", 5));
	TEST_EQ(n.v[1].len, 0);
	TEST_TRUE(n.v[2].len == 4 && !memcmp(n.v[2].data, "user", 4));
	for (size_t size = 0; size < sizeof(message) - 1; size++) {
		otel_names__decode(&n, (const u8 *)message, size);
		TEST_EQ(n.nr, 0);
	}
}

TEST(tls_program_offset, "tls: a program's variables lie in front of the thread pointer")
{
	struct tls_file f = { .tls_size = 0x14, .tls_align = 8, .tls_vaddr = 0x1000 };
	struct tls_symbol s = { .value = 0x10 };

	TEST_EQ(tls_file__program_offset(&f, &s), -8);
	f.tls_align = 64;
	TEST_EQ(tls_file__program_offset(&f, &s), -0x30);
	f.tls_vaddr = 0x1020; /* begins 32 bytes behind a multiple of 64 */
	TEST_EQ(tls_file__program_offset(&f, &s), -0x10);
	f = (struct tls_file){ .tls_size = UINT64_MAX, .tls_align = 1ULL << 63 };
	s.value = UINT64_MAX;
	(void)tls_file__program_offset(&f, &s); /* wraps around; refused elsewhere */
}
