// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../util/binary/build-id.h"
#include "../../util/live/cgroup.h"
#include "../../util/live/synthesize.h"
#include "../test.h"

/* What the records of one process say. */
struct seen {
	struct recording *recording;
	u64 forks, comms, mappings, with_build_id;
	u64 data;
	bool own_code, odd_name;
	u32 last_tid;
};

static int take(void *ctx, const struct perf_event_header *hdr)
{
	struct seen *seen = ctx;
	struct record rec = { .hdr = hdr };
	struct mmap_record map;
	struct comm_record comm;
	struct task_record task;

	TEST_EQ(hdr->size % 8, 0);
	TEST_EQ(record__identify(&rec, seen->recording), 0);
	TEST_TRUE(rec.time == NO_TIME || !rec.time); /* in front of all that has one */
	TEST_TRUE(rec.event);
	switch (hdr->type) {
	case PERF_RECORD_FORK:
		TEST_EQ(record__task(&rec, &task), 0);
		TEST_TRUE(hdr->misc & ABI_MISC_FORK_EXEC);
		TEST_EQ(rec.tid, task.tid);
		seen->forks++;
		break;
	case PERF_RECORD_COMM:
		TEST_EQ(record__comm(&rec, &comm), 0);
		seen->comms++;
		seen->last_tid = comm.tid;
		break;
	case PERF_RECORD_MMAP2:
		TEST_EQ(record__mmap(&rec, &map), 0);
		TEST_TRUE(map.prot & PROT_EXEC || map.is_data);
		seen->data += map.is_data;
		seen->mappings++;
		seen->with_build_id += map.build_id.size > 0;
		if ((u64)take >= map.start && (u64)take < map.start + map.len)
			seen->own_code = true;
		if (strstr(map.filename, "odd\nname"))
			seen->odd_name = true;
		break;
	default:
		TEST_FAIL("record of type %u", hdr->type);
	}
	return 0;
}

static struct recording *make_recording(u64 sample_type, bool mmap_data)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.sample_type = sample_type,
		.sample_id_all = 1,
		.mmap_data = mmap_data,
	};
	struct recording *r = recording__new();
	struct evsel *ev = recording__add_event(r, &attr, sizeof(attr), NULL, NULL);

	TEST_TRUE(ev);
	recording__add_id(r, ev, 77);
	return r;
}

static void synthesize_data(struct seen *seen, struct synthesize *s, u32 pid, u64 sample_type,
			    bool mmap_data)
{
	struct target target = {};

	*seen = (struct seen){ .recording = make_recording(sample_type, mmap_data) };
	*s = (struct synthesize){ .emit = take, .ctx = seen, .build_id = build_id__read_fd };
	s->event = seen->recording->events.v[0];
	synthesize__init(s);
	*vec__push(&target.pids) = pid;
	TEST_EQ(synthesize__processes(s, &target), 0);
	vec__free(&target.pids);
	synthesize__done(s);
	recording__free(seen->recording);
}

static void synthesize(struct seen *seen, struct synthesize *s, u32 pid, u64 sample_type)
{
	synthesize_data(seen, s, pid, sample_type, false);
	TEST_EQ(seen->data, 0);
}

static void *wait_for_byte(void *fd)
{
	char c;

	if (read(*(int *)fd, &c, 1) < 0)
		abort();
	return NULL;
}

TEST(synthesize_self, "synthesize: a process with threads, told as records")
{
	static const u64 types[] = {
		PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER,
		PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
			PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER,
	};
	struct synthesize s;
	struct seen seen;
	pthread_t thread;
	int fds[2];

	TEST_EQ(pipe(fds), 0);
	TEST_EQ(pthread_create(&thread, NULL, wait_for_byte, &fds[0]), 0);
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		synthesize(&seen, &s, getpid(), types[i]);
		TEST_EQ(seen.forks, 2);
		TEST_EQ(seen.comms, 2);
		TEST_TRUE(seen.last_tid != (u32)getpid());
		TEST_TRUE(seen.own_code);
		TEST_TRUE(seen.with_build_id > 0);
		TEST_EQ(seen.mappings, s.mappings);
		TEST_EQ(s.skipped, 0);
	}
	synthesize_data(&seen, &s, getpid(), types[0], true);
	TEST_TRUE(seen.data > 0);
	TEST_EQ(write(fds[1], "x", 1), 1);
	pthread_join(thread, NULL);
}

TEST(synthesize_names, "synthesize: deleted files and names with a newline")
{
	struct synthesize s;
	struct seen seen;
	int fd = open("odd\nname", O_RDWR | O_CREAT, 0700);

	TEST_EQ(ftruncate(fd, 8192), 0);
	if (mmap(NULL, 8192, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		TEST_SKIP("files here cannot be mapped executable");
	synthesize(&seen, &s, getpid(), PERF_SAMPLE_TID | PERF_SAMPLE_TIME);
	TEST_TRUE(seen.odd_name);
	TEST_EQ(unlink("odd\nname"), 0);
	synthesize(&seen, &s, getpid(), PERF_SAMPLE_TID | PERF_SAMPLE_TIME);
	TEST_TRUE(seen.odd_name);
}

TEST(synthesize_gone, "synthesize: a process that is gone is skipped and counted")
{
	struct synthesize s;
	struct seen seen;
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	/* First as a zombie, without mappings; then gone. */
	TEST_EQ(waitid(P_PID, pid, &(siginfo_t){}, WEXITED | WNOWAIT), 0);
	synthesize(&seen, &s, pid, PERF_SAMPLE_TID | PERF_SAMPLE_TIME);
	TEST_EQ(seen.mappings, 0);
	TEST_EQ(waitpid(pid, NULL, 0), pid);
	synthesize(&seen, &s, pid, PERF_SAMPLE_TID | PERF_SAMPLE_TIME);
	TEST_EQ(seen.comms, 0);
	TEST_EQ(s.skipped, 1);
}

TEST(synthesize_cgroup_mount, "synthesize: the hierarchy of cgroups that perf events know")
{
	static const struct { const char *mounts, *want; } cases[] = {
		{ "proc /proc proc rw 0 0\n", NULL },
		{ "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n", "/sys/fs/cgroup" },
		{ "c /v2 cgroup2 rw 0 0\nc /pe cgroup rw,perf_event 0 0\n", "/pe" },
		{ "c /cpu cgroup rw,perf_events,cpu 0 0\nc /a\\040b cgroup2 rw 0 0\n", "/a b" },
		{ "broken\n\nc /x\n", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		FILE *f = fopen("mounts", "w");
		char *got;

		TEST_TRUE(f);
		fputs(cases[i].mounts, f);
		fclose(f);
		got = cgroup__mount("mounts");
		TEST_EQ(!got, !cases[i].want);
		if (got)
			TEST_STR(got, cases[i].want);
		free(got);
	}
}
