// SPDX-License-Identifier: GPL-2.0-only
/* perf script and perf report as commands: made-up recordings in, their output out. */
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../builtin.h"
#include "../../util/io/mapfile.h"
#include "../lib/builder.h"
#include "../test.h"

#define COOKIE 0x300000001ULL
#define MAX_ARGS 16

struct output {
	char text[16384];
	char errors[4096];
	int status;
};

static void read_file(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY);
	ssize_t n = read(fd, buf, size - 1);

	close(fd);
	TEST_TRUE(n >= 0);
	buf[n] = '\0';
}

/* Runs a command on perf.data in a child; @words are its arguments, divided by blanks. */
static struct output *run(int (*cmd)(int argc, const char **argv), const char *words)
{
	static struct output out;
	const char *argv[MAX_ARGS + 1] = { "perf" };
	char *copy = strdup(words), *rest = copy, *word;
	int argc = 1, status;
	pid_t pid;

	while ((word = strsep(&rest, " "))) {
		TEST_TRUE(argc < MAX_ARGS);
		argv[argc++] = word;
	}
	pid = fork();
	if (!pid) {
		dup2(open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
		dup2(open("err", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
		mapfile__init();
		status = cmd(argc, argv);
		fflush(NULL);
		_exit(status);
	}
	TEST_EQ(waitpid(pid, &status, 0), pid);
	TEST_TRUE(WIFEXITED(status));
	out.status = WEXITSTATUS(status);
	read_file("out", out.text, sizeof(out.text));
	read_file("err", out.errors, sizeof(out.errors));
	free(copy);
	return &out;
}

static void expect(const struct output *out, const char *text)
{
	if (out->status)
		TEST_FAIL("status %d: %s", out->status, out->errors);
	TEST_STR(out->text, text);
}

static void write_kallsyms(void)
{
	FILE *f = fopen("kallsyms", "w");

	fputs("ffffffff81000000 T _text\nffffffff81001000 T do_work\nffffffff81002000 T entry\n"
	      "ffffffff81003000 T _etext\n", f);
	fclose(f);
}

static void add_sample(struct builder *b, u32 ev, u64 time, u64 ip, const u64 *chain, u64 nr)
{
	builder__at(b, 100, 101, 2, time);
	builder__sample(b, ev, &(struct sample){
		.ip = ip,
		.period = 1000,
		.chain = chain,
		.nr_chain = nr,
		.misc = ip >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
		.cpumode = ip >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
	});
}

/* One event with chains; one thread; a mapped binary that is not there; a known kernel. */
static struct builder *begin(u32 *ev)
{
	struct mmap_record kernel = {
		.start = 0xffffffff81000000ULL, .len = 0x3000, .prot = 4,
		.filename = "[kernel.kallsyms]_text", .cpumode = PERF_RECORD_MISC_KERNEL,
	};
	struct builder *b = builder__new();
	struct perf_event_attr attr = BUILDER_ATTR;

	write_kallsyms();
	*ev = builder__event(b, &attr, "cpu-clock", (u64[]){ 11 }, 1);
	builder__at(b, (u32)-1, 0, 0, 0);
	builder__mmap2(b, &kernel);
	builder__at(b, 100, 101, 2, 1000);
	builder__comm(b, "demo", true);
	builder__mmap(b, 0x400000, 0x10000, 0, "/none/demo");
	return b;
}

static const u64 user_chain[] = { ABI_CONTEXT_USER, 0x401010, 0x402020 };
static const u64 both_chain[] = { ABI_CONTEXT_KERNEL, 0xffffffff81001010ULL,
				  0xffffffff81002020ULL, ABI_CONTEXT_USER, 0x401010 };

/* As before Linux 2.6.38: attrs of 64 bytes, no sample_id behind records, MMAP, ID in samples. */
static struct builder *old_recording(void)
{
	struct builder *b = builder__new();
	struct perf_event_attr attr = BUILDER_ATTR;

	attr.size = PERF_ATTR_SIZE_VER0;
	attr.sample_id_all = 0;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
			   PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN;
	builder__event(b, &attr, NULL, (u64[]){ 11 }, 1);
	attr.config = PERF_COUNT_SW_PAGE_FAULTS;
	builder__event(b, &attr, NULL, (u64[]){ 12 }, 1);
	builder__at(b, 100, 101, 2, 0);
	builder__comm(b, "old", false);
	builder__mmap(b, 0x400000, 0x10000, 0, "/none/old");
	add_sample(b, 1, 3000000, 0x401010, user_chain, 3);
	add_sample(b, 0, 2000000, 0x402020, user_chain, 3);
	builder__at(b, 100, 102, 2, 0);
	builder__fork(b, 100, 101);
	add_sample(b, 0, 4000000, 0x401010, user_chain, 3);
	return b;
}

TEST(script_old, "script: a recording as the first kernels and perfs made it, and stitched")
{
	const char *text = "old     101     0.002000:   cpu-clock: \n"
			   "\t          401010 [unknown] (/none/old)\n"
			   "\t          402020 [unknown] (/none/old)\n\n"
			   "old     101     0.003000: page-faults: \n"
			   "\t          401010 [unknown] (/none/old)\n"
			   "\t          402020 [unknown] (/none/old)\n\n"
			   "old     101     0.004000:   cpu-clock: \n"
			   "\t          401010 [unknown] (/none/old)\n"
			   "\t          402020 [unknown] (/none/old)\n\n";
	struct builder *b = old_recording();

	builder__save(b, "perf.data");
	expect(run(cmd_script, "-F comm,tid,time,event,ip,sym,dso"), text);
	expect(run(cmd_stitch, "-q"), "");
	expect(run(cmd_script, "-F comm,tid,time,event,ip,sym,dso"), text);
	builder__save_pipe(b, "perf.data");
	expect(run(cmd_script, "-F comm,tid,time,event,ip,sym,dso"), text);
	builder__free(b);
}

TEST(script_golden, "script: the lines of samples with callchains, one by one")
{
	u32 ev;
	struct builder *b = begin(&ev);

	add_sample(b, ev, 1234567890123ULL, 0xffffffff81001010ULL, both_chain, 5);
	add_sample(b, ev, 1234567891000ULL, 0x401010, user_chain, 3);
	builder__save(b, "perf.data");
	builder__free(b);

	expect(run(cmd_script, "--kallsyms kallsyms"),
	       "demo     101 [002]  1234.567890:       1000 cpu-clock: \n"
	       "\tffffffff81001010 do_work+0x10 ([kernel.kallsyms])\n"
	       "\tffffffff81002020 entry+0x20 ([kernel.kallsyms])\n"
	       "\t          401010 [unknown] (/none/demo)\n"
	       "\n"
	       "demo     101 [002]  1234.567891:       1000 cpu-clock: \n"
	       "\t          401010 [unknown] (/none/demo)\n"
	       "\t          402020 [unknown] (/none/demo)\n"
	       "\n");
	expect(run(cmd_script, "--kallsyms kallsyms -G -F +pid,-period --ns"),
	       "            demo     100/101     [002]  1234.567890123: cpu-clock:  "
	       "ffffffff81001010 do_work+0x10 ([kernel.kallsyms])\n"
	       "            demo     100/101     [002]  1234.567891000: cpu-clock:  "
	       "          401010 [unknown] (/none/demo)\n");
	expect(run(cmd_script, "--kallsyms kallsyms --max-stack 1 --time ,1234.5678905 -F ip,sym"),
	       "\n\tffffffff81001010 do_work\n\n");
	expect(run(cmd_script, "--kallsyms kallsyms -S do_work -F comm,misc,time,event"),
	       "            demo K      1234.567890: cpu-clock: \n");
	expect(run(cmd_script, "--comms nobody"), "");
	expect(run(cmd_script, "--cpu 0-1"), "");
}

TEST(script_order, "script: samples of several buffers in order of time, with their own comm")
{
	u32 ev;
	static const char want[] = "            demo     0.004000: \n"
				   "           later     0.009000: \n";
	struct builder *b = begin(&ev);

	add_sample(b, ev, 9000000, 0x401010, user_chain, 3);
	builder__at(b, 100, 101, 1, 5000000);
	builder__comm(b, "later", false);
	add_sample(b, ev, 4000000, 0x401010, user_chain, 3);
	builder__save(b, "perf.data");
	builder__save_pipe(b, "pipe.data");
	builder__free(b);

	expect(run(cmd_script, "-F comm,time"), want);
	expect(run(cmd_script, "-F comm,time -i pipe.data"), want);
}

static struct builder *deferred_recording(void)
{
	static const u64 chain[] = { ABI_CONTEXT_KERNEL, 0xffffffff81001010ULL,
				     ABI_CONTEXT_USER_DEFERRED, COOKIE };
	static const u64 lost_chain[] = { ABI_CONTEXT_KERNEL, 0xffffffff81002020ULL,
					  ABI_CONTEXT_USER_DEFERRED, COOKIE + 0x200000000ULL };
	static const u64 ips[] = { 0x401010, 0x402020 };
	u32 ev;
	struct builder *b = begin(&ev);

	add_sample(b, ev, 2000000, 0xffffffff81001010ULL, chain, 4);
	builder__at(b, 100, 101, 0, 3000000);
	builder__deferred(b, COOKIE, ips, 2);
	add_sample(b, ev, 4000000, 0xffffffff81002020ULL, lost_chain, 4);
	return b;
}

TEST(script_deferred, "script: deferred callchains joined, or as the file has them")
{
	struct builder *b = deferred_recording();

	builder__save(b, "perf.data");
	builder__free(b);
	expect(run(cmd_script, "--kallsyms kallsyms -F comm,ip,sym"),
	       "demo \n\tffffffff81001010 do_work\n\t          401010 [unknown]\n"
	       "\t          402020 [unknown]\n\n"
	       "demo \n\tffffffff81002020 entry\n\n");
	expect(run(cmd_script, "--kallsyms kallsyms --no-merge-callchains -F comm,ip,sym,dso"),
	       "demo \n\tffffffff81001010 do_work ([kernel.kallsyms])\n"
	       "\t       300000001 (cookie) ([unknown])\n\n"
	       "demo DEFERRED CALLCHAIN [cookie: 300000001]\n"
	       "\t          401010 [unknown] (/none/demo)\n"
	       "\t          402020 [unknown] (/none/demo)\n\n"
	       "demo \n\tffffffff81002020 entry ([kernel.kallsyms])\n"
	       "\t       500000001 (cookie) ([unknown])\n\n");
}

TEST(report_deferred, "report: says in its header which user stacks are missing")
{
	struct builder *b = deferred_recording();
	struct output *out;

	builder__save(b, "perf.data");
	builder__free(b);
	out = run(cmd_report, "--kallsyms kallsyms --no-children -g none");
	TEST_EQ(out->status, 0);
	TEST_TRUE(strstr(out->text, "\n# User stacks: 2 samples, 1 whole user stack"));
	TEST_TRUE(strstr(out->text, "# Samples: 2  of event 'cpu-clock'\n"
			 "# Event count (approx.): 2000\n"));
	TEST_TRUE(strstr(out->text, "    50.00%  demo     [kernel.kallsyms]  [k] do_work\n"
			 "    50.00%  demo     [kernel.kallsyms]  [k] entry\n"));
	TEST_TRUE(!strstr(out->text, "300000001"));
	out = run(cmd_report, "--no-children -g none --time 0.0035, --comms demo");
	TEST_TRUE(strstr(out->text, "# comm: demo\n"));
	TEST_TRUE(strstr(out->text, "# Samples: 1  of event 'cpu-clock' (time slices: 0.0035,)\n"));
	TEST_TRUE(strstr(out->text, "# Overhead  Shared Object      Symbol"));
	out = run(cmd_report, "--time 1,2");
	TEST_TRUE(strstr(out->errors, "perf.data has no samples in this time"));
	out = run(cmd_report, "--no-children -g none -s dso --comms nobody --percentage relative");
	TEST_TRUE(!strstr(out->text, "# comm:"));
	TEST_TRUE(strstr(out->text, "# Samples: 0  of event 'cpu-clock'\n"));
}

static u32 nr_of(const char *text, const char *what)
{
	u32 nr = 0;

	for (const char *at = text; (at = strstr(at, what)); at++)
		nr++;
	return nr;
}

TEST(report_graph_frames, "report: graphs show 127 frames of a stack, and what is left out is said")
{
	static const struct { const char *args; u32 frames; bool said; } all[] = {
		{ "-s comm", 127, true },
		{ "-s comm -g callee", 127, true },
		{ "-s comm -g folded", 127, true },
		{ "-s comm --no-children", 127, true },
		{ "-s comm --no-children -g fractal", 127, true },
		{ "-s comm --no-children -g folded", 200, false },
		{ "-s comm --no-children -g flat", 200, false },
		{ "-s comm --max-stack 0", 200, false },
		{ "-s comm --max-stack 199", 199, false },
		/* Shares are of the whole stacks. */
		{ "-s sym -g none --percent-limit 100", 200, false },
	};
	u64 chain[201] = { ABI_CONTEXT_USER };
	u32 ev;
	struct builder *b = begin(&ev);

	for (u32 i = 1; i <= 200; i++)
		chain[i] = 0x401000 + i;
	for (u32 i = 0; i < 3; i++)
		add_sample(b, ev, 5000000 + i, chain[1], chain, 201);
	builder__save(b, "perf.data");
	builder__free(b);
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		const char *text = run(cmd_report, all[i].args)->text;
		u32 nr = nr_of(text, strstr(all[i].args, "sym") ? "[.]" : "4010");

		if (nr != all[i].frames)
			TEST_FAIL("%s: %u frames", all[i].args, nr);
		if (!strstr(text, "; 3 samples have more (see --max-stack)\n") == all[i].said)
			TEST_FAIL("%s: %s", all[i].args, text);
	}
	TEST_TRUE(!strstr(run(cmd_report, "-q -s comm")->text, "--max-stack"));
}

TEST(script_records, "script: records beside samples")
{
	u32 ev;
	struct builder *b = begin(&ev);

	builder__at(b, 200, 200, 1, 2000000);
	builder__fork(b, 100, 101);
	builder__at(b, 100, 101, 1, 3000000);
	builder__lost(b, 7);
	builder__at(b, 200, 200, 1, 4000000);
	builder__exit(b);
	builder__save(b, "perf.data");
	builder__free(b);
	expect(run(cmd_script, "-q --show-task-events --show-lost-events -F comm,tid,time"),
	       "            demo     101     0.000001: PERF_RECORD_COMM exec: demo:100/101\n"
	       "            demo     200     0.002000: PERF_RECORD_FORK(200:200):(100:101)\n"
	       "            demo     101     0.003000: PERF_RECORD_LOST lost 7\n"
	       "            demo     200     0.004000: PERF_RECORD_EXIT(200:200):(200:200)\n");
}

TEST(report_tasks_many, "report: --tasks has the name of each of several hundred tasks")
{
	u32 ev, nr = 400;
	struct builder *b = begin(&ev);
	const struct output *out;
	char want[32];

	for (u32 tid = 1000; tid < 1000 + nr; tid++) {
		snprintf(want, sizeof(want), "t%u", tid);
		builder__at(b, tid, tid, 0, 1000 + tid);
		builder__comm(b, want, false);
	}
	builder__save(b, "perf.data");
	builder__free(b);
	out = run(cmd_report, "--tasks");
	for (u32 tid = 1000; tid < 1000 + nr; tid++) {
		snprintf(want, sizeof(want), "| t%u\n", tid);
		if (!strstr(out->text, want))
			TEST_FAIL("'%s' is not in: %s", want, out->text);
	}
}

TEST(script_dump, "script: -D shows every record's place, bytes and contents")
{
	u32 ev;
	struct builder *b = begin(&ev);
	struct output *out;

	add_sample(b, ev, 5000000, 0x401010, user_chain, 3);
	builder__save(b, "perf.data");
	builder__free(b);
	out = run(cmd_script, "-D");
	TEST_EQ(out->status, 0);
	TEST_TRUE(strstr(out->text, "@perf.data [0x"));
	TEST_TRUE(strstr(out->text, ". ... raw event: size "));
	TEST_TRUE(strstr(out->text, "PERF_RECORD_COMM exec: demo:100/101\n"));
	TEST_TRUE(strstr(out->text, "2 5000000 0x"));
	TEST_TRUE(strstr(out->text, ": PERF_RECORD_SAMPLE(IP, 0x2): 100/101: 0x401010 period: 1000 "
			 "addr: 0\n... FP chain: nr:3\n"
			 ".....  0: fffffffffffffe00 (PERF_CONTEXT_USER)\n"
			 ".....  1: 0000000000401010\n"));
	TEST_STR(run(cmd_report, "-D")->text, out->text);
}

TEST(script_damage, "script: what is left of a damaged file is shown, and the damage is told")
{
	u32 ev;
	struct builder *b = begin(&ev);
	struct output *out;
	size_t size;
	char *image;
	int fd;

	add_sample(b, ev, 5000000, 0x401010, user_chain, 3);
	builder__lost(b, 1);
	builder__data(b, &size);
	builder__bytes(b, (u8[8]){ 9, 0, 0, 0, 0, 0, 4, 0 }, 8); /* a record of 4 bytes */
	add_sample(b, ev, 6000000, 0x401010, user_chain, 3);
	image = builder__image(b, false, &size);
	fd = open("perf.data", O_WRONLY | O_CREAT, 0600);
	TEST_EQ(write(fd, image, size), size);
	close(fd);
	free(image);
	builder__free(b);

	out = run(cmd_script, "-F comm,time");
	TEST_EQ(out->status, 1);
	TEST_STR(out->text, "            demo     0.005000: \n            demo     0.006000: \n");
	TEST_TRUE(strstr(out->errors, "Error: perf.data: a record of impossible size or type is "
			 "at offset "));
	TEST_TRUE(strstr(out->errors, "; 8 bytes were skipped there"));
	out = run(cmd_report, "--stdio");
	TEST_EQ(out->status, 1);
	TEST_TRUE(strstr(out->text, "# Samples: 2  of event 'cpu-clock'\n"));
}

TEST(script_refusals, "script, report: options that perf has and we do not; mistakes")
{
	u32 ev;
	struct builder *b = begin(&ev);

	builder__save(b, "perf.data");
	builder__free(b);
	TEST_EQ(run(cmd_script, "-s x.py")->status, 1);
	TEST_EQ(run(cmd_script, "-F callindent")->status, 129);
	TEST_EQ(run(cmd_script, "-F weight")->status, 1);
	TEST_EQ(run(cmd_script, "--time x")->status, 1);
	TEST_EQ(run(cmd_script, "-i none.data")->status, 1);
	TEST_EQ(run(cmd_report, "--branch-stack")->status, 129);
	TEST_EQ(run(cmd_report, "--sort dcacheline")->status, 1);
	TEST_EQ(run(cmd_report, "-g sideways")->status, 129);
	TEST_EQ(run(cmd_report, "--percent-limit 101")->status, 1);
}

TEST(script_interrupted, "script: behind an interrupt's entry stands where the kernel was, no call")
{
	/* do_work() and entry() begin at these addresses. */
	static const u64 chain[] = { ABI_CONTEXT_KERNEL, 0xffffffff81002010ULL,
				     0xffffffff81001000ULL, 0xffffffff81002000ULL };
	u32 ev;
	struct builder *b = begin(&ev);
	FILE *f = fopen("kallsyms", "w");

	fputs("ffffffff81000000 T _text\nffffffff81001000 T do_work\nffffffff81002000 T asm_irq\n"
	      "ffffffff81003000 T _etext\n", f);
	fclose(f);
	add_sample(b, ev, 5000000, 0xffffffff81002010ULL, chain, 4);
	builder__save(b, "perf.data");
	builder__free(b);
	expect(run(cmd_script, "--kallsyms kallsyms -F ip,sym,symoff"),
	       "\n\tffffffff81002010 asm_irq+0x10\n"
	       "\tffffffff81001000 do_work+0x0\n"
	       "\tffffffff81002000 do_work+0x1000\n\n");
}

TEST(script_misc, "script: -F misc tells modes, data, exec, and who was switched out how")
{
	struct mmap_record data = { .start = 0x500000, .len = 0x1000, .prot = 2, .filename = "/d",
				    .cpumode = PERF_RECORD_MISC_USER, .is_data = true };
	static const struct { u32 type; u16 misc; u64 body; size_t size; } switches[] = {
		{ .type = PERF_RECORD_SWITCH },
		{ .type = PERF_RECORD_SWITCH, .misc = ABI_MISC_SWITCH_OUT },
		{ .type = PERF_RECORD_SWITCH_CPU_WIDE,
		  .misc = ABI_MISC_SWITCH_OUT | ABI_MISC_SWITCH_OUT_PREEMPT, .body = 0x700000007,
		  .size = 8 },
	};
	/* The kernel numbers the modes; perf takes them for bits, and the last of these has two. */
	static const u16 modes[] = { PERF_RECORD_MISC_GUEST_KERNEL, PERF_RECORD_MISC_GUEST_USER };
	u32 ev;
	struct builder *b = begin(&ev);

	builder__at(b, 100, 101, 2, 2000);
	builder__mmap2(b, &data);
	builder__comm(b, "renamed", false);
	for (size_t i = 0; i < ARRAY_SIZE(switches); i++)
		builder__record(b, switches[i].type, switches[i].misc, &switches[i].body,
				switches[i].size);
	add_sample(b, ev, 3000, 0x401010, user_chain, 3);
	add_sample(b, ev, 3000, 0xffffffff81001010ULL, both_chain, 5);
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		builder__sample(b, ev, &(struct sample){ .ip = 0x1000, .misc = modes[i],
							 .cpumode = modes[i], .period = 1 });
	builder__save(b, "perf.data");
	builder__free(b);
	expect(run(cmd_script, "--kallsyms kallsyms -G --show-task-events --show-mmap-events "
				"--show-switch-events -F misc,event"),
	       "K     PERF_RECORD_MMAP2 -1/0: [0xffffffff81000000(0x3000) @ 0 00:00 0 0]: --xp "
	       "[kernel.kallsyms]_text\n"
	       "E     PERF_RECORD_COMM exec: demo:100/101\n"
	       "U     PERF_RECORD_MMAP 100/101: [0x400000(0x10000) @ 0]: x /none/demo\n"
	       "UM    PERF_RECORD_MMAP2 100/101: [0x500000(0x1000) @ 0 00:00 0 0]: -w-p /d\n"
	       "      PERF_RECORD_COMM: renamed:100/101\n"
	       "      PERF_RECORD_SWITCH IN         \n"
	       "S     PERF_RECORD_SWITCH OUT        \n"
	       "Sp    PERF_RECORD_SWITCH_CPU_WIDE OUT preempt  next pid/tid:     7/7    \n"
	       "U     cpu-clock: \nK     cpu-clock: \nG     cpu-clock: \nKGg   cpu-clock: \n");
}

TEST(script_data, "script: -F addr, phys_addr, page sizes and raw are those of the sample")
{
	struct perf_event_attr attr = BUILDER_ATTR;
	struct builder *b = builder__new();
	u32 ev;

	attr.config = PERF_COUNT_SW_TASK_CLOCK;
	attr.sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_RAW |
			    PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE;
	ev = builder__event(b, &attr, "task-clock", (u64[]){ 11 }, 1);
	builder__at(b, 100, 101, 2, 1000);
	for (int i = 0; i < 2; i++)
		builder__sample(b, ev, &(struct sample){
			.ip = 0x401010, .period = 1, .misc = PERF_RECORD_MISC_USER,
			.cpumode = PERF_RECORD_MISC_USER, .addr = 0x7f1234, .phys_addr = 0xabc000,
			.data_page_size = i ? 2 << 20 : 4096, .code_page_size = 0,
			.raw = "\x01\xff\x7f\x00", .raw_size = 4,
		});
	builder__save(b, "perf.data");
	builder__free(b);
	expect(run(cmd_script, "-F addr"), "          7f1234\n          7f1234\n");
	expect(run(cmd_script, "-F phys_addr"), "          abc000\n          abc000\n");
	expect(run(cmd_script, "-F data_page_size,code_page_size,raw"),
	       " 4K N/A raw: 01 ff 7f 00\n 2M N/A raw: 01 ff 7f 00\n");
}
