// SPDX-License-Identifier: GPL-2.0-only
/* Formats of tracepoints: collected from a made-up tracefs, read back, used, and damaged. */
#include <sys/stat.h>
#include <unistd.h>

#include "../../util/base/mem.h"
#include "../../util/data/tracepoint-fields.h"
#include "../../util/data/tracing-data.h"
#include "../../util/io/side-process.h"
#include "../test.h"

static const char header_page[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";

#define COMMON                                                                          \
	"format:\n"                                                                     \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"          \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"          \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"  \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

#define WAKEUP                                                                          \
	"name: wakeup\nID: 301\n" COMMON                                                \
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"                       \
	"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"                           \
	"\tfield:u32 cpu;\toffset:28;\tsize:4;\tsigned:0;\n\n"

static const char wakeup[] = WAKEUP
	"print fmt: \"comm=%s pid=%d cpu=%03d\", REC->comm, REC->pid, REC->cpu\n";

static const char opened[] =
	"name: opened\nID: 302\n" COMMON
	"\tfield:__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:u32 flags;\toffset:12;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"name=%s flags=%s\", __get_str(name), "
	"__print_flags(REC->flags, \"|\", { 1, \"READ\" }, { 2, \"WRITE\" })\n";

static const char called[] =
	"name: called\nID: 303\n" COMMON
	"\tfield:unsigned long call_site;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:void * function;\toffset:16;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"call_site=%pS function=%ps\", (void *)REC->call_site, REC->function\n";

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	TEST_TRUE(f && fputs(text, f) >= 0 && !fclose(f));
}

static struct recording *collect_with(const char *wakeup_format)
{
	static const char *const dirs[] = {
		"t", "t/events", "t/events/demo", "t/events/demo/wakeup", "t/events/file",
		"t/events/file/opened", "t/events/demo/called",
	};
	static const char *const names[] = { "demo:wakeup", "file:opened", "demo:called" };
	struct recording *r = recording__new();
	struct error err = {};

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		TEST_TRUE(!mkdir(dirs[i], 0700) || errno == EEXIST);
	put("t/events/header_page", header_page);
	put("t/events/header_event", "# compressed entry header\n");
	put("t/events/demo/wakeup/format", wakeup_format);
	put("t/events/file/opened/format", opened);
	put("t/events/demo/called/format", called);
	put("t/printk_formats", "0xffffffff81000000 : \"hello %s\"\n");
	put("t/saved_cmdlines", "1 init\n2 kthreadd\n");
	if (tracing_data__collect(r, "t", names, ARRAY_SIZE(names), &err))
		TEST_FAIL("%s", err.text);
	return r;
}

static struct recording *collect(void)
{
	return collect_with(wakeup);
}

struct wakeup_raw {
	u16 type;
	u8 flags, preempt;
	s32 common_pid;
	char comm[16];
	s32 pid;
	u32 cpu;
};

struct opened_raw {
	u16 type;
	u8 flags, preempt;
	s32 common_pid;
	u32 loc, open_flags;
	char name[16];
};

TEST(tracepoint_fields, "data: tracing data collected, read back, and payloads printed by it")
{
	struct recording *r = collect();
	struct tracepoints *t = tracepoints__new(r);
	struct wakeup_raw w = { .type = 301, .comm = "bash", .pid = 4711, .cpu = 3 };
	struct opened_raw o = {
		.type = 302, .loc = 9 << 16 | 16, .open_flags = 3, .name = "/etc/fst",
	};

	TEST_EQ(tracepoints__error(t, NULL), 0);
	TEST_STR(tracepoints__name(t, 301), "demo:wakeup");
	TEST_STR(tracepoints__name(t, 302), "file:opened");
	TEST_TRUE(!tracepoints__name(t, 304) && !tracepoints__name(t, ~0ULL));
	TEST_STR(tracepoints__fields(t, 301, &w, sizeof(w)), "comm=bash pid=4711 cpu=003");
	TEST_STR(tracepoints__fields(t, 302, &o, sizeof(o)), "name=/etc/fst flags=READ|WRITE");
	/* Numbers are printed in different ways by different libraries. */
	TEST_TRUE(strstr(tracepoints__raw_fields(t, 301, &w, sizeof(w)), " comm=bash pid=4711 "));
	TEST_TRUE(strstr(tracepoints__raw_fields(t, 302, &o, sizeof(o)), " name=/etc/fst flags="));
	TEST_TRUE(!strstr(tracepoints__raw_fields(t, 302, &o, sizeof(o)), "READ"));
	/* Too short for the format; a string that would lie outside. */
	TEST_TRUE(!tracepoints__fields(t, 301, &w, sizeof(w) - 1));
	TEST_TRUE(!tracepoints__raw_fields(t, 301, &w, sizeof(w) - 1));
	o.loc = 200 << 16 | 16;
	TEST_TRUE(!tracepoints__fields(t, 302, &o, sizeof(o)));
	TEST_TRUE(!tracepoints__raw_fields(t, 302, &o, sizeof(o)));
	o.loc = 9 << 16 | 60000;
	TEST_TRUE(!tracepoints__fields(t, 302, &o, sizeof(o)));
	TEST_TRUE(!tracepoints__fields(t, 999, &o, sizeof(o)));
	w.type = 302; /* the payload of another event than the attr says */
	TEST_TRUE(!tracepoints__fields(t, 301, &w, sizeof(w)));
	tracepoints__free(t);
	recording__free(r);
}

struct names_seen {
	u32 nr_fields, nr_values;
	char text[128];
};

static void see_field(void *ctx, const char *field, const char *delim)
{
	struct names_seen *s = ctx;

	s->nr_fields++;
	TEST_STR(field, "flags");
	TEST_STR(delim, "|");
}

static void see_value(void *ctx, const char *field, bool is_flag, u64 value, const char *name)
{
	struct names_seen *s = ctx;

	TEST_TRUE(is_flag && !strcmp(field, "flags"));
	snprintf(s->text + strlen(s->text), sizeof(s->text) - strlen(s->text), "%d=%s ",
		 (int)value, name);
	s->nr_values++;
}

TEST(tracepoint_field_values, "data: fields of a payload one by one, within it; names of values")
{
	struct recording *r = collect();
	struct tracepoints *t = tracepoints__new(r);
	struct wakeup_raw w = { .type = 301, .common_pid = -7, .comm = "bash", .pid = -4711,
				.cpu = -3 };
	struct opened_raw o = { .type = 302, .loc = 9 << 16 | 16, .name = "/etc/fst" };
	struct traced_event *wakeup = traced_event__new(t, 301), *open = traced_event__new(t, 302);
	struct names_seen seen = {};
	struct traced_names names = { .ctx = &seen, .field = see_field, .value = see_value };
	const char *bytes;
	u32 len;

	TEST_TRUE(!traced_event__new(t, 304) && !traced_event__new(t, ~0ULL));
	TEST_STR(wakeup->system, "demo");
	TEST_STR(wakeup->name, "wakeup");
	TEST_EQ(wakeup->nr, 3);
	TEST_STR(wakeup->fields[0].name, "comm");
	TEST_TRUE(wakeup->fields[0].is_string && wakeup->fields[0].is_array);
	bytes = traced_field__bytes(&wakeup->fields[0], false, &w, &len);
	TEST_EQ(len, 16);
	TEST_STR(bytes, "bash");
	TEST_EQ((s64)traced_field__number(&wakeup->fields[1], false, &w), -4711);
	TEST_EQ(traced_field__number(&wakeup->fields[2], false, &w), 0xfffffffd);
	TEST_EQ((s64)traced_field__number(&wakeup->pid, false, &w), -7);
	TEST_EQ(wakeup->lock_depth.size, 0);
	TEST_EQ(traced_field__number(&wakeup->lock_depth, false, &w), 0);
	TEST_TRUE(traced_event__fits(t, 301, &w, sizeof(w)));
	TEST_TRUE(!traced_event__fits(t, 301, &w, sizeof(w) - 1));
	bytes = traced_field__bytes(&open->fields[0], false, &o, &len);
	TEST_EQ(len, 9);
	TEST_STR(bytes, "/etc/fst");
	TEST_TRUE(traced_event__fits(t, 302, &o, sizeof(o)));
	o.loc = 200 << 16 | 16;
	TEST_TRUE(!traced_event__fits(t, 302, &o, sizeof(o)));
	traced_event__names(t, 302, &names);
	TEST_EQ(seen.nr_fields, 1);
	TEST_EQ(seen.nr_values, 2);
	TEST_STR(seen.text, "1=READ 2=WRITE ");
	free(wakeup);
	free(open);
	tracepoints__free(t);
	recording__free(r);
}

/* Formats that make libtraceevent believe numbers of the payload, with what they print of 3. */
static const struct {
	const char *format, *expected; /* NULL: whatever that version says */
} trusting[] = {
	{ "\"%s\", __print_hex(REC->comm, REC->pid)", "62 61 73" },
	{ "\"%s\", __print_hex_str(REC->comm, REC->pid)", "626173" },
	{ "\"%s\", __print_array(REC->comm, REC->pid, 8)", NULL },
	{ "\"%s\", __print_array(REC->comm, REC->pid, REC->cpu)", NULL },
	{ "\"%.*s\", REC->pid, REC->comm", NULL },
	{ "\"%*s\", REC->pid, REC->comm", NULL },
	{ "\"%*pb\", REC->pid, REC->comm", NULL },
	{ "\"%s\", __get_bitmask(comm)", NULL },
	{ "\"%d\", REC->cpu / (REC->pid - 3)", NULL },
	{ "\"%d\", REC->cpu % (REC->pid - 3)", NULL },
	{ "\"%d\", REC->comm[REC->pid]", NULL },
	{ "\"%d\", REC->comm[1000000]", NULL },
	{ "\"%d\", REC->comm[3]", "104" },
	{ "\"%99999999d\", REC->pid", NULL },
	{ "\"%pM %pI6c %pUb\", REC->pid, REC->cpu, REC->comm", NULL },
	{ "\"%s\", (char *)REC->pid", NULL },
	{ "\"%llx\", *(unsigned long long *)REC->pid", NULL },
};

TEST_LIMIT(tracepoint_trusting, "data: payloads that crash libtraceevent do not end us", 120)
{
	static const s32 values[] = { 0x7fffffff, -1 };

	for (size_t i = 0; i < ARRAY_SIZE(trusting); i++) {
		char *format = xasprintf(WAKEUP "print fmt: %s\n", trusting[i].format);
		struct recording *r = collect_with(format);
		struct tracepoints *t = tracepoints__new(r);
		struct wakeup_raw w = { .type = 301, .comm = "bash", .pid = 3, .cpu = 1 };
		const char *text = tracepoints__fields(t, 301, &w, sizeof(w));

		if (trusting[i].expected)
			TEST_STR(text, trusting[i].expected);
		for (size_t v = 0; v < ARRAY_SIZE(values); v++) {
			w.pid = w.cpu = values[v];
			tracepoints__fields(t, 301, &w, sizeof(w));
		}
		tracepoints__free(t);
		recording__free(r);
		free(format);
	}
}

TEST(tracepoint_others, "data: a format that nothing can print does not take the others along")
{
	struct recording *r = collect_with(WAKEUP "print fmt: \"%99999999d%99999999d\", "
					   "REC->pid, REC->cpu\n");
	struct tracepoints *t = tracepoints__new(r);
	struct opened_raw o = { .type = 302, .loc = 2 << 16 | 16, .open_flags = 3,
				.name = "x" };

	TEST_EQ(tracepoints__error(t, NULL), 0);
	TEST_STR(tracepoints__fields(t, 302, &o, sizeof(o)), "name=x flags=READ|WRITE");
	tracepoints__free(t);
	recording__free(r);
}

/* n, 2n and 4n that are never done: what is asked for does not grow with them. */
TEST(tracepoint_busy, "data: payloads that take libtraceevent for ever are given up, with words")
{
	struct recording *r = collect_with(WAKEUP "print fmt: \"%*s\", REC->pid, REC->comm\n");
	struct wakeup_raw w = { .type = 301, .comm = "bash", .pid = 0x7fffffff, .cpu = 1 };
	struct tracepoints *t = tracepoints__new(r);
	struct error err = {};
	u32 asked = 0;

	TEST_EQ(tracepoints__error(t, &err), 0);
	for (u32 i = 0; i < 80; i++) {
		const char *text = tracepoints__fields(t, 301, &w, sizeof(w));

		asked += strcmp(text, "(not printed, because others took too long)") != 0;
	}
	TEST_EQ(asked, SIDE_PROCESS_MAX_UNANSWERED);
	TEST_EQ(tracepoints__error(t, &err), -ETIMEDOUT);
	TEST_TRUE(strstr(err.text, "tracepoint samples are not printed"));
	tracepoints__free(t);
	recording__free(r);
}

struct called_raw {
	u16 type;
	u8 flags, preempt;
	s32 common_pid;
	u64 call_site, function;
};

static bool function_at(void *ctx, u64 addr, struct traced_function *out)
{
	*out = (struct traced_function){ .start = addr & ~0xfffULL, .name = ctx };
	return addr >> 63;
}

TEST(tracepoint_functions, "data: addresses of functions in payloads have their names")
{
	struct recording *r = collect();
	struct tracepoints *t = tracepoints__new(r);
	struct called_raw c = { .type = 303, .call_site = 0xffffffff81002024ULL,
				.function = 0xffffffff81003000ULL };

	TEST_STR(tracepoints__fields(t, 303, &c, sizeof(c)),
		 "call_site=0xffffffff81002024 function=0xffffffff81003000");
	tracepoints__name_functions(t, function_at, "do_it");
	TEST_STR(tracepoints__fields(t, 303, &c, sizeof(c)), "call_site=do_it+0x24 function=do_it");
	c.function = 0x1234;
	TEST_STR(tracepoints__fields(t, 303, &c, sizeof(c)),
		 "call_site=do_it+0x24 function=0x1234");
	tracepoints__free(t);
	recording__free(r);
}

/* As one that looks into files, which the process that prints such payloads cannot open. */
static bool function_at_once_opened(void *ctx, u64 addr, struct traced_function *out)
{
	bool *opened = ctx;

	if (!addr)
		*opened = true;
	*out = (struct traced_function){ .start = addr, .name = "do_it" };
	return *opened && addr >> 63;
}

TEST(tracepoint_functions_apart, "data: functions have names in payloads printed elsewhere, too")
{
	struct recording *r = collect_with(WAKEUP "print fmt: \"%s by %ps\", "
					   "__print_hex(REC->comm, REC->pid), "
					   "(void *)0xffffffff81003000\n");
	struct tracepoints *t = tracepoints__new(r);
	struct wakeup_raw w = { .type = 301, .comm = "bash", .pid = 3, .cpu = 1 };
	bool opened = false;

	tracepoints__name_functions(t, function_at_once_opened, &opened);
	TEST_STR(tracepoints__fields(t, 301, &w, sizeof(w)), "62 61 73 by do_it");
	tracepoints__free(t);
	recording__free(r);
}

TEST(tracepoint_names, "data: a tracepoint event that no feature names gets its name")
{
	struct perf_event_attr a = { .type = PERF_TYPE_TRACEPOINT, .size = 64, .config = 302 };
	struct recording *r = collect();

	TEST_TRUE(recording__add_event(r, &a, 64, NULL, NULL));
	a.config = 5;
	TEST_TRUE(recording__add_event(r, &a, 64, NULL, NULL));
	recording__name_tracepoints(r);
	TEST_STR(r->events.v[0]->name, "file:opened");
	TEST_STR(r->events.v[1]->name, "tracepoint:5");
	recording__free(r);
}

TEST(tracepoint_missing, "data: an event that tracefs does not have is refused by name")
{
	struct recording *r = recording__new(), *whole = collect();
	const char *names[] = { "demo:nosuch" };
	struct error err = {};

	TEST_EQ(tracing_data__collect(r, "t", names, 1, &err), -ENOENT);
	TEST_TRUE(strstr(err.text, "demo/nosuch"));
	names[0] = "nocolon";
	TEST_EQ(tracing_data__collect(r, "t", names, 1, &err), -EINVAL);
	TEST_TRUE(!recording__has(r, FEAT_TRACING_DATA));
	recording__free(r);
	recording__free(whole);
}

static void use(struct recording *r)
{
	struct tracepoints *t = tracepoints__new(r);
	struct wakeup_raw w = { .type = 301, .comm = "bash", .pid = 4711, .cpu = 3 };
	struct opened_raw o = {
		.type = 302, .loc = 9 << 16 | 16, .open_flags = 3, .name = "/etc/fst",
	};

	tracepoints__fields(t, 301, &w, sizeof(w));
	tracepoints__fields(t, 302, &o, sizeof(o));
	tracepoints__free(t);
}

TEST(tracepoint_said, "data: of tracing data that ends early it is said that fields may be missing")
{
	struct recording *r = collect();
	struct tracepoints *t;
	struct error err = {};

	r->tracing_data_size /= 2;
	t = tracepoints__new(r);
	TEST_EQ(tracepoints__error(t, &err), -EBADMSG);
	TEST_TRUE(strstr(err.text, "formats of tracepoints are damaged"));
	tracepoints__free(t);
	recording__free(r);
}

/* Each takes a process, which is dear under the sanitizers: fuzz_tracepoint does the most of it. */
TEST(tracepoint_damaged, "data: tracing data cut anywhere, and with bits flipped")
{
	struct recording *r = collect();
	u8 *data = r->tracing_data;
	size_t size = r->tracing_data_size;

	for (size_t cut = 0; cut < size; cut += 7 * test__share(23)) {
		r->tracing_data = xmemdup(data, cut);
		r->tracing_data_size = cut;
		use(r);
		free(r->tracing_data);
	}
	r->tracing_data = data;
	r->tracing_data_size = size;
	for (size_t bit = 0; bit < size * 8; bit += 17 * test__share(23)) {
		data[bit / 8] ^= 1 << bit % 8;
		use(r);
		data[bit / 8] ^= 1 << bit % 8;
	}
	recording__free(r);
	_exit(TEST_EXIT_PASS); /* libtraceevent leaks what it cannot parse: ask no leak checker */
}
