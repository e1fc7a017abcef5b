// SPDX-License-Identifier: GPL-2.0-only
#include "deferred-file.h"

#include <string.h>

#include "../../lib/unwind/core/bytes.h"
#include "../util/data/bytes-out.h"

#define NR_CPUS 4
#define BUSY_PID 100
#define SLEEPER_PID 1000
#define ROUND_SAMPLES 4000
#define EVENT_ID 11
#define KERNEL_FRAMES 8
#define USER_FRAMES 12
#define STEP_NS 1000

struct maker {
	const struct deferred_file *f;
	struct writer *w;
	struct bytes_out cpu[NR_CPUS]; /* the contents of the buffers */
	u64 time;
	u64 counter[NR_CPUS];          /* of cookies */
	u64 *cookies;                  /* of the sleepers; 0: not asleep yet */
};

static u64 new_cookie(struct maker *m, u32 cpu)
{
	m->counter[cpu] += 2;
	return (m->counter[cpu] | 1) << 32 | (cpu + 1);
}

static void put_task(struct bytes_out *out, u32 pid, u32 tid)
{
	bytes_out__u32(out, pid);
	bytes_out__u32(out, tid);
}

static void put_sample(struct maker *m, u32 cpu, u32 pid, u32 tid, u64 cookie)
{
	struct bytes_out *out = &m->cpu[cpu];
	u64 nr = 1 + KERNEL_FRAMES + 2;
	struct perf_event_header hdr = {
		.type = PERF_RECORD_SAMPLE,
		.misc = PERF_RECORD_MISC_KERNEL,
		.size = sizeof(hdr) + (6 + 1 + nr) * sizeof(u64),
	};

	m->time += STEP_NS;
	bytes_out__put(out, &hdr, sizeof(hdr));
	bytes_out__u64(out, EVENT_ID);
	bytes_out__u64(out, 0xffffffff81000000 + tid);
	put_task(out, pid, tid);
	bytes_out__u64(out, m->time);
	bytes_out__u64(out, cpu);
	bytes_out__u64(out, 1);
	bytes_out__u64(out, nr);
	bytes_out__u64(out, ABI_CONTEXT_KERNEL);
	for (u64 i = 0; i < KERNEL_FRAMES; i++)
		bytes_out__u64(out, 0xffffffff81000000 + tid + i * 0x1000);
	bytes_out__u64(out, ABI_CONTEXT_USER_DEFERRED);
	bytes_out__u64(out, cookie);
}

static void put_deferred(struct maker *m, u32 cpu, u32 pid, u32 tid, u64 cookie)
{
	struct bytes_out *out = &m->cpu[cpu];
	struct perf_event_header hdr = {
		.type = ABI_RECORD_CALLCHAIN_DEFERRED,
		.misc = PERF_RECORD_MISC_USER,
		.size = sizeof(hdr) + (2 + USER_FRAMES + 4) * sizeof(u64),
	};

	m->time += STEP_NS;
	bytes_out__put(out, &hdr, sizeof(hdr));
	bytes_out__u64(out, cookie);
	bytes_out__u64(out, USER_FRAMES);
	for (u64 i = 0; i < USER_FRAMES; i++)
		bytes_out__u64(out, 0x400000 + tid + i * 0x100);
	put_task(out, pid, tid);
	bytes_out__u64(out, m->time);
	bytes_out__u64(out, cpu);
	bytes_out__u64(out, EVENT_ID);
}

/* A round of the recorder: writes buffer after buffer. */
static int drain(struct maker *m, struct error *err)
{
	int ret = 0;

	for (u32 cpu = 0; cpu < NR_CPUS && !ret; cpu++) {
		ret = writer__write(m->w, m->cpu[cpu].buf.v, m->cpu[cpu].buf.nr, err);
		m->cpu[cpu].buf.nr = 0;
	}
	return ret ? ret : writer__finished_round(m->w, err);
}

/* A sleeper wakes on a CPU, brings its record, and goes to sleep with another sample. */
static void wake(struct maker *m, u32 i, u32 cpu)
{
	u32 tid = SLEEPER_PID + i;

	if (m->cookies[i])
		put_deferred(m, cpu, tid, tid, m->cookies[i]);
	m->cookies[i] = new_cookie(m, cpu);
	put_sample(m, cpu, tid, tid, m->cookies[i]);
}

static int make_records(struct maker *m, struct error *err)
{
	u32 every = m->f->wake_every ?: 16, sleeper = 0;
	u64 nr = 0;
	int ret = 0;

	for (u32 i = 0; i < m->f->sleepers; i++, nr++)
		wake(m, i, i % NR_CPUS);
	for (; nr < m->f->samples && !ret; nr++) {
		u32 cpu = nr % NR_CPUS;
		u64 cookie = new_cookie(m, cpu);

		put_sample(m, cpu, BUSY_PID + cpu, BUSY_PID + cpu, cookie);
		put_deferred(m, cpu, BUSY_PID + cpu, BUSY_PID + cpu, cookie);
		if (m->f->sleepers && nr % every == 0) {
			wake(m, sleeper++ % m->f->sleepers, (nr / every) % NR_CPUS);
			nr++;
		}
		if (nr % ROUND_SAMPLES < 2)
			ret = drain(m, err);
	}
	return ret ? ret : drain(m, err);
}

static struct recording *describe(void)
{
	struct recording *r = recording__new();
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = PERF_ATTR_SIZE_VER7,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1,
		.sample_id_all = 1,
		.comm = 1,
		.task = 1,
		.mmap = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
			       PERF_SAMPLE_CALLCHAIN,
	};
	struct evsel *ev;

	attr__set_bit(&attr, ATTR_BIT_DEFER_CALLCHAIN, true);
	attr__set_bit(&attr, ATTR_BIT_DEFER_OUTPUT, true);
	ev = recording__add_event(r, &attr, sizeof(attr), "cpu-clock", NULL);
	recording__add_id(r, ev, EVENT_ID);
	return r;
}

int deferred_file__write(const struct deferred_file *f, const char *path, struct error *err)
{
	struct writer_opts opts = { .path = path };
	struct maker m = { .f = f, .time = 1000000000 };
	struct recording *rec = describe();
	int ret = writer__open(&m.w, &opts, rec, err);

	if (!ret) {
		m.cookies = xcalloc(f->sleepers + 1, sizeof(*m.cookies));
		ret = make_records(&m, err);
		if (ret)
			writer__abort(m.w);
		else
			ret = writer__finish(m.w, err);
	}
	for (u32 cpu = 0; cpu < NR_CPUS; cpu++)
		vec__free(&m.cpu[cpu].buf);
	free(m.cookies);
	recording__free(rec);
	return ret;
}
