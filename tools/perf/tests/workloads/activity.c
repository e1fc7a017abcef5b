// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../util/base/clock.h"
#include "activity.h"

#define ATTRIBUTE_BYTES 600
#define THREADS_MAX 64

/* A record of OTEP 4947. */
struct otel_record {
	u64 trace[2], span;
	u8 valid, flags;
	u16 size;
	u8 attributes[ATTRIBUTE_BYTES];
} __attribute__((packed, aligned(8)));

struct label_string {
	u64 len;
	const void *bytes;
};

struct label {
	struct label_string key, value;
};

struct label_set {
	struct label *labels;
	u64 nr, max;
};

/* What others look for, by these names; other programs' readers, too. */
__thread volatile u64 perf_test_activity;
__thread struct otel_record *volatile otel_thread_ctx_v1;
__thread struct label_set *volatile custom_labels_current_set;

struct worker {
	const char *mode;
	double sec;
	u64 number;
	pthread_t thread;
};

/* Returns its bytes. */
static u8 put_field(u8 *out, int number, const void *bytes, u8 size)
{
	out[0] = number << 3 | 2;
	out[1] = size;
	memcpy(out + 2, bytes, size);
	return size + 2;
}

/* The names of attributes 0 and 1, in a message of OTEP 4719. */
static void publish_names(void)
{
	static const char key[] = "threadlocal.attribute_key_map";
	static u8 message[256];
	struct {
		char signature[8];
		u32 version, size;
		u64 at;
		const u8 *payload;
	} *head;
	static const char *const names[] = { "route", "user" };
	u8 text[32], values[64], array[80], pair[160], n = 0;
	int fd = memfd_create("OTEL_CTX", MFD_CLOEXEC);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		u8 size = put_field(text, 1, names[i], strlen(names[i]));

		n += put_field(values + n, 1, text, size);
	}
	n = put_field(array, 5, values, n);
	n = put_field(pair + put_field(pair, 1, key, strlen(key)), 2, array, n);
	n = put_field(message, 2, pair, n + strlen(key) + 2);
	if (fd < 0 || ftruncate(fd, sizeof(*head)))
		return;
	head = mmap(NULL, sizeof(*head), PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	close(fd);
	if (head == MAP_FAILED)
		return;
	head->version = 2;
	head->size = n;
	head->payload = message;
	head->at = 1;
	memcpy(head->signature, "OTEL_CTX", sizeof(head->signature));
}

/* @r15: the truth is in the register from a moment before it is in memory */
static void spin(volatile u64 *id, u64 v)
{
#ifdef __x86_64__
	__asm__ volatile("mov %0, %%r15" : : "r"(v) : "r15");
#endif
	*id = v;
	for (int i = 0; i < 300; i++)
		__asm__ volatile("" : : : "memory");
}

static void run(const struct worker *w, volatile u64 *id)
{
	u64 end = clock__now(CLOCK_THREAD_CPUTIME_ID) + w->sec * NSEC_PER_SEC, n = 0;

	while (n % 1024 || clock__now(CLOCK_THREAD_CPUTIME_ID) < end)
		spin(id, 0xa5ULL << 56 | w->number << 48 | ++n);
}

static void run_otel(const struct worker *w)
{
	static const u8 attributes[] = { 0, 3, 'o', 'l', 'd', 1, 3, 'b', 'o', 'b', 9, 1, 'x',
					 0, 4, '/', 'a', 'p', 'i', 1, 200, 'c' };
	struct otel_record r = { .span = w->number, .valid = 1, .flags = 1,
				 .size = sizeof(attributes) };

	memcpy(r.attributes, attributes, sizeof(attributes));
	otel_thread_ctx_v1 = &r;
	run(w, &r.trace[0]);
	otel_thread_ctx_v1 = NULL;
}

/* The id is the value of a label, eight bytes as they are in memory. */
static void run_labels(const struct worker *w)
{
	/* On the stack: programs read only what is in memory, and nothing else touches it. */
	char key[] = "iduserlong", value[100] = "xsecondbob", *volatile text = value;
	u64 id = 0;
	struct label labels[] = {
		{ { 2, key }, { sizeof(id), &id } },
		{ { 0, NULL }, { 1, text } },
		{ { 2, key }, { 6, text + 1 } },
		{ { 4, key + 2 }, { 3, text + 7 } },
		{ { 4, key + 6 }, { sizeof(value), text } },
	};
	struct label_set set = { labels, ARRAY_SIZE(labels), ARRAY_SIZE(labels) };

	custom_labels_current_set = &set;
	run(w, &id);
	custom_labels_current_set = NULL;
}

/* Records that lie, one after the other. */
static void run_hostile(struct worker *w)
{
	double sec = w->sec / 8;
	static struct otel_record r = { .valid = 1, .size = UINT16_MAX };
	struct otel_record *const bad[] = {
		&r, (void *)1, (void *)-1L, (void *)(1UL << 47), (void *)0xffffffff81000000UL,
		mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
	};
	struct label *all = (void *)&r;
	struct label_set sets[] = { { all, -1, -1 }, { (void *)-8L, 10, 10 } };

	memset(r.attributes, 0xff, sizeof(r.attributes));
	w->sec = sec;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		otel_thread_ctx_v1 = bad[i];
		custom_labels_current_set = (void *)bad[i];
		run(w, &perf_test_activity);
	}
	otel_thread_ctx_v1 = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++) {
		custom_labels_current_set = &sets[i];
		run(w, &perf_test_activity);
	}
	custom_labels_current_set = NULL;
}

/* A fault that does not come again; where nobody knows better, it ends the program. */
static void report_fault(void)
{
	siginfo_t info = { .si_signo = SIGSEGV, .si_code = SEGV_MAPERR };

	syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGSEGV, &info);
}

static void *work(void *arg)
{
	struct worker *w = arg;

	if (!strcmp(w->mode, "faulty"))
		report_fault();
	if (!strcmp(w->mode, "otel"))
		run_otel(w);
	else if (!strcmp(w->mode, "labels"))
		run_labels(w);
	else if (!strcmp(w->mode, "hostile") || !strcmp(w->mode, "faulty"))
		run_hostile(w);
	else
		run(w, &perf_test_activity);
	return NULL;
}

int workload_activity(int argc, const char **argv)
{
	double sec = argc > 1 ? atof(argv[1]) : 1;
	int nr = argc > 2 ? atoi(argv[2]) : 2;
	struct worker workers[THREADS_MAX + 1];

	nr = min_of(max_of(nr, 0), THREADS_MAX);
	publish_names();
	for (int i = 0; i <= nr; i++) {
		workers[i] = (struct worker){ argc ? argv[0] : "value", sec, i + 1, 0 };
		if (i && pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			return 1;
	}
	work(&workers[0]);
	for (int i = 1; i <= nr; i++)
		pthread_join(workers[i].thread, NULL);
	return 0;
}
