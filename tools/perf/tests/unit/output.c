// SPDX-License-Identifier: GPL-2.0-only
/* The small parts below script and report: text buffer, filters, times, lists of fields. */
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include "../../util/base/clock.h"
#include "../../util/base/text.h"
#include "../../util/text/bpf-output.h"
#include "../../util/text/regs.h"
#include "../../util/script/fields.h"
#include "../../util/stack/filter.h"
#include "../test.h"

TEST(textbuf_shapes, "output: numbers and strings as printf would pad them")
{
	struct textbuf tb;

	textbuf__init(&tb, -1);
	textbuf__dec(&tb, 0, 0);
	textbuf__dec(&tb, ~0ULL, 3);
	textbuf__dec(&tb, 42, 7);
	textbuf__dec0(&tb, 42, 6);
	textbuf__hex(&tb, 0xffffffff81000000ULL, 16);
	textbuf__hex(&tb, 0x1f, 4);
	textbuf__str_right(&tb, "ab", 4);
	textbuf__str_left(&tb, "ab", 4);
	textbuf__str_left(&tb, "abcde", 4);
	textbuf__printf(&tb, "|%s", "x");
	TEST_STR(textbuf__str(&tb),
		 "018446744073709551615     42000042ffffffff81000000  1f  abab  abcde|x");
	textbuf__free(&tb);
}

static void check_percent(double v)
{
	struct textbuf fast, slow;

	textbuf__init(&fast, -1);
	textbuf__init(&slow, -1);
	textbuf__percent(&fast, v, 7);
	textbuf__percent(&fast, v, 0);
	textbuf__printf(&slow, "%7.2f%%%.2f%%", v, v);
	TEST_STR(textbuf__str(&fast), textbuf__str(&slow));
	textbuf__free(&slow);
	textbuf__free(&fast);
}

TEST(textbuf_percent, "output: shares are rounded as printf rounds them, also ties")
{
	static const double odd[] = {
		0, 0.004, 0.005, 0.015, 0.025, 0.125, 0.375, 1.005, 2.675, 99.994, 99.995, 99.999,
		100, 100.5, 12345.678, 1e9, 1e11, 1e300, 1.0 / 3,
	};

	for (size_t i = 0; i < ARRAY_SIZE(odd); i++)
		check_percent(odd[i]);
	for (int i = 0; i <= 20000; i++)
		check_percent(i / 200.0);
	for (int i = 1; i <= 3000; i++)
		check_percent(100.0 * i / 3001);
}

TEST(textbuf_file, "output: more than the buffer holds arrives whole; a full disk is told")
{
	struct textbuf tb;
	static char line[5000];
	int fd = open("out", O_RDWR | O_CREAT, 0600);

	memset(line, 'x', sizeof(line));
	textbuf__init(&tb, fd);
	for (int i = 0; i < 200; i++)
		textbuf__put(&tb, line, sizeof(line));
	textbuf__make_room(&tb, 400 * 1000); /* more than the buffer */
	TEST_EQ(textbuf__flush(&tb), 0);
	TEST_EQ(lseek(fd, 0, SEEK_END), 200 * sizeof(line));
	textbuf__free(&tb);
	close(fd);

	fd = open("/dev/full", O_WRONLY);
	textbuf__init(&tb, fd);
	textbuf__puts(&tb, "lost");
	TEST_EQ(textbuf__flush(&tb), -ENOSPC);
	textbuf__puts(&tb, "lost, too");
	TEST_EQ(textbuf__flush(&tb), -ENOSPC);
	textbuf__free(&tb);
	close(fd);
}

TEST(textbuf_large, "output: what is larger than the buffer is where it was put")
{
	size_t size = 600 * 1000;
	char *large = xmalloc(size), *got = xmalloc(size + 2);
	struct textbuf tb;
	int fd = open("out", O_RDWR | O_CREAT | O_TRUNC, 0600);

	memset(large, 'x', size);
	textbuf__init(&tb, fd);
	textbuf__putc(&tb, '<');
	textbuf__put(&tb, large, size);
	TEST_TRUE(tb.max < size);
	textbuf__putc(&tb, '>');
	TEST_EQ(textbuf__flush(&tb), 0);
	TEST_EQ(pread(fd, got, size + 2, 0), size + 2);
	TEST_TRUE(got[0] == '<' && !memcmp(got + 1, large, size) && got[size + 1] == '>');
	textbuf__free(&tb);
	close(fd);
	free(large);
	free(got);
}

TEST(textbuf_terminal, "output: what names would command a terminal is taken from them")
{
	static const char name[] = "a\033[2Jb\a\r\x7f\t\xc2\x9b" "c\xc3\xa4\xc2\xa0\n";
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave;
	struct termios raw = {};
	struct textbuf tb;
	char got[64] = "";

	if (master < 0)
		TEST_SKIP("there are no pseudo-terminals");
	TEST_TRUE(!grantpt(master) && !unlockpt(master));
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	cfmakeraw(&raw);
	TEST_TRUE(slave >= 0 && !tcsetattr(slave, TCSANOW, &raw));
	textbuf__init(&tb, slave);
	textbuf__puts(&tb, name);
	TEST_EQ(textbuf__flush(&tb), 0);
	textbuf__free(&tb);
	TEST_EQ(read(master, got, sizeof(got) - 1), sizeof(name) - 1);
	TEST_STR(got, "a?[2Jb???\t??c\xc3\xa4\xc2\xa0\n");
	close(slave);
	close(master);
}

/* Appends the line @text, of @nr cells, so often that the buffer is written meanwhile. */
static void put_lines(struct textbuf *tb, const char *text, u32 nr)
{
	while (nr--)
		textbuf__puts(tb, text);
}

TEST(textbuf_cells, "output: with separators, no cell of a line is a formula for spreadsheets")
{
	static const char *const lines[][2] = {
		{ "1,=2, @3 ,+4x\n", "1,'=2, '@3 ,'+4x\n" },
		{ "-1,+2.50%,-003 \n", "-1,+2.50%,-003 \n" },
		{ "\"=1\",a=b,-,--1\n", "'\"=1\",a=b,'-,'--1\n" }, { ",,\n \n", ",,\n \n" },
		{ "\xef\xbc\x9d" "1,-%,+.\n", "'\xef\xbc\x9d" "1,'-%,'+.\n" },
		{ "a;=1;-2;-\n", "a;=1;-2;-\n" }, { "-2x", "'-2x" },
	};
	const u32 nr = 100000;
	size_t size, len = 0;
	struct textbuf tb;
	char *got;
	int fd = open("out", O_RDWR | O_CREAT | O_TRUNC, 0600);

	textbuf__init(&tb, fd);
	tb.separators = ",";
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		put_lines(&tb, lines[i][0], i ? 1 : nr);
	TEST_EQ(textbuf__flush(&tb), 0);
	TEST_TRUE(tb.nr_flushed > 1);
	textbuf__free(&tb);
	size = lseek(fd, 0, SEEK_END);
	got = calloc(1, size + 1);
	TEST_EQ(pread(fd, got, size, 0), size);
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		for (u32 k = 0; k < (i ? 1 : nr); k++, len += strlen(lines[i][1]))
			TEST_TRUE(!strncmp(got + len, lines[i][1], strlen(lines[i][1])));
	TEST_EQ(len, size);
	free(got);
	close(fd);
}

TEST(text_names, "text: a name stays on its line, commands nothing and turns nothing around")
{
	static const char *const names[][2] = {
		{ "", "" }, { "plain name, longer than a word", "plain name, longer than a word" },
		{ "two\nlines", "two?lines" }, { "\t\r\033[2J\x7f", "???[2J?" },
		{ "\xc3\xb6\xe2\x82\xac\xf0\x9f\x98\x80\xc2\xa0",
		  "\xc3\xb6\xe2\x82\xac\xf0\x9f\x98\x80\xc2\xa0" },
		{ "c\xc2\x85\xc2\x9b", "c????" }, { "\x80\x9f\xa0\xff", "??\xa0\xff" },
		{ "cut \xe2\x82", "cut \xe2?" }, { "\xd8\x9c\xd8\x9d", "??\xd8\x9d" },
		{ "\xe2\x80\x8d\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\x90",
		  "\xe2\x80\x8d??????\xe2\x80\x90" },
		{ "\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xae\xe2\x80\xaf",
		  "\xe2\x80\xa7??????\xe2\x80\xaf" },
		{ "\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xaf\xe2\x81\xb0",
		  "\xe2\x81\xa5??????\xe2\x81\xb0" },
	};
	char buf[64];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(buf, sizeof(buf), "%s", names[i][0]);
		TEST_EQ(name__is_harmless(buf, strlen(buf)), !strcmp(names[i][0], names[i][1]));
		name__disarm(buf, strlen(buf));
		TEST_STR(buf, names[i][1]);
	}
	/* At each place of a word of eight bytes. */
	for (size_t i = 0; i < 17; i++)
		for (unsigned int c = 1; c < 0x100; c++) {
			memset(buf, 'a', 17);
			buf[i] = c;
			buf[17] = '\0';
			name__disarm(buf, 17);
			TEST_EQ(buf[i] == '?', c < 0x20 || c == '?' || (c >= 0x7f && c < 0xa0));
			buf[i] = 'a';
			TEST_STR(buf, "aaaaaaaaaaaaaaaaa");
		}
}

static int __printf_like(3, 4)
format(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = name__vformat(buf, size, fmt, ap);
	va_end(ap);
	return n;
}

TEST(text_formats, "text: line ends of a format stay, those of its arguments do not")
{
	char buf[32];

	TEST_EQ(format(buf, sizeof(buf), "a\n\tb %d\n", 7), 7);
	TEST_STR(buf, "a\n\tb 7\n");
	TEST_EQ(format(buf, sizeof(buf), "\n%s\t%5s%%\n", "x\ny\n", "\t"), 13);
	TEST_STR(buf, "\nx?y?\t    ?%\n");
	/* What stands for line ends meanwhile may be in a name, too. */
	TEST_EQ(format(buf, sizeof(buf), "%s\n%s\r\x01", "\x01\x02\n", "\x02\x01"), 8);
	TEST_STR(buf, "???\n??\r\x01");
	TEST_EQ(format(buf, sizeof(buf), "\xc2\xb1 %s\n", "\xc3\xb6"), 6);
	TEST_STR(buf, "\xc2\xb1 \xc3\xb6\n");
	TEST_EQ(format(buf, 6, "%s\n%s\n", "a\n", "bcdefg\n"), 11);
	TEST_STR(buf, "a?\nbc");
	TEST_EQ(format(NULL, 0, "%s\n", "a\n"), 3);
}

TEST(utf8_lengths, "text: what is UTF-8 and what is not")
{
	static const char *const good[] = { "a", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80" };
	static const char *const bad[] = {
		"\x80", "\xc3", "\xc3(", "\xc0\x80", "\xe2\x82", "\xe0\x80\x80", "\xed\xa0\x80",
		"\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xff",
	};

	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		TEST_EQ(utf8__length(good[i], strlen(good[i])), i + 1);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		TEST_EQ(utf8__length(bad[i], strlen(bad[i])), 0);
}

#define SEC NSEC_PER_SEC

TEST(time_ranges_forms, "report: --time in seconds and in parts of the recording")
{
	struct time_ranges r;
	struct error err;

	TEST_EQ(time_ranges__parse(&r, "", 0, 0, &err), 0);
	TEST_TRUE(time_ranges__hold(&r, 0) && time_ranges__hold(&r, ~0ULL));
	TEST_EQ(time_ranges__parse(&r, "1.5,2.000000001", 0, 0, &err), 0);
	TEST_EQ(r.v[0].start, SEC + SEC / 2);
	TEST_EQ(r.v[0].stop, 2 * SEC + 1);
	TEST_EQ(time_ranges__parse(&r, ",2", 0, 0, &err), 0);
	TEST_TRUE(time_ranges__hold(&r, 0) && !time_ranges__hold(&r, 2 * SEC + 1));
	TEST_EQ(time_ranges__parse(&r, "3, 7,8", 0, 0, &err), 0);
	TEST_EQ(r.nr, 2);
	TEST_EQ(time_ranges__parse(&r, " 3, 7.5 ", 0, 0, &err), 0);
	TEST_EQ(r.nr, 1);
	TEST_EQ(r.v[0].stop, 7 * SEC + SEC / 2);
	TEST_EQ(time_ranges__parse(&r, "1, 2 3, 4 5, ", 0, 0, &err), 0);
	TEST_EQ(r.nr, 3);
	TEST_EQ(r.v[1].stop, 4 * SEC);
	TEST_EQ(r.v[2].stop, ~0ULL);
	TEST_EQ(time_ranges__parse(&r, "50%/2", 10 * SEC, 20 * SEC, &err), 0);
	TEST_TRUE(time_ranges__hold(&r, 15 * SEC) && time_ranges__hold(&r, 20 * SEC));
	TEST_TRUE(!time_ranges__hold(&r, 15 * SEC - 1));
	TEST_EQ(time_ranges__parse(&r, "0%-10%,90%-100%", 0, 100 * SEC, &err), 0);
	TEST_TRUE(time_ranges__hold(&r, 1) && !time_ranges__hold(&r, 10 * SEC));
	TEST_TRUE(!time_ranges__hold(&r, 50 * SEC) && time_ranges__hold(&r, 100 * SEC));
}

TEST(time_ranges_mistakes, "report: --time says what is wrong")
{
	static const char *const bad[] = { "1", "x,y", "2,1", "1,2,3", "-1,2", "11%/11", "10%/0",
					   "20%-10%", "0%-101%", "99999999999999999999,", "%" };
	struct time_ranges r;
	struct error err;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		if (time_ranges__parse(&r, bad[i], SEC, 2 * SEC, &err) != -EINVAL)
			TEST_FAIL("'%s' was taken", bad[i]);
	TEST_EQ(time_ranges__parse(&r, "10%/1", 0, 0, &err), -EINVAL);
	TEST_TRUE(strstr(err.text, "START,STOP"));
	/* A damaged header. */
	TEST_EQ(time_ranges__parse(&r, "10%/1", 2 * SEC, SEC, &err), -EINVAL);
	TEST_TRUE(strstr(err.text, "START,STOP"));
}

TEST(filter_lists, "report: lists of names, numbers and CPUs; a sample must be in each")
{
	struct dso dso = { .name = "/usr/lib/libc.so.6", .short_name = "libc.so.6" };
	struct symbol sym = { .name = "malloc" };
	struct location loc = { .dso = &dso, .sym = &sym }, nowhere = {};
	struct thread t = { .pid = 7, .tid = 8, .comm = "ls" };
	struct sample s = { .cpu = 3, .time = 5 };
	struct sample_filter f = {};
	struct error err;

	TEST_TRUE(filter__passes(&f, &t, NULL) && filter__in_scope(&f, &s));
	TEST_EQ(name_list__add(&f.comms, "sh,ls", &err), 0);
	TEST_EQ(name_list__add(&f.dsos, "libc.so.6", &err), 0);
	TEST_TRUE(filter__passes(&f, &t, &loc));
	TEST_TRUE(!filter__passes(&f, &t, &nowhere) && !filter__passes(&f, &t, NULL));
	TEST_EQ(name_list__add(&f.syms, "free,malloc", &err), 0);
	TEST_EQ(number_list__add(&f.tids, "8,9", &err), 0);
	TEST_EQ(number_list__add(&f.pids, "7", &err), 0);
	TEST_TRUE(filter__passes(&f, &t, &loc));
	t.tid = 10;
	TEST_TRUE(!filter__passes(&f, &t, &loc));
	TEST_EQ(cpu_set__add(&f.cpus, "0,2-3,100", &err), 0);
	TEST_TRUE(filter__in_scope(&f, &s));
	s.cpu = 1;
	TEST_TRUE(!filter__in_scope(&f, &s));
	s.cpu = NO_ID;
	TEST_TRUE(!filter__in_scope(&f, &s));
	filter__free(&f);
}

TEST(filter_mistakes, "report: lists that are none, and one from a file")
{
	static const char *const bad_cpus[] = { "", "x", "3-1", "1-", "4294967295", "0,,1" };
	struct sample_filter f = {};
	struct error err;
	FILE *file;

	for (size_t i = 0; i < ARRAY_SIZE(bad_cpus); i++)
		TEST_EQ(cpu_set__add(&f.cpus, bad_cpus[i], &err), -EINVAL);
	TEST_EQ(number_list__add(&f.pids, "1,two", &err), -EINVAL);
	TEST_EQ(name_list__add(&f.comms, ",", &err), -EINVAL);
	TEST_EQ(name_list__add(&f.comms, "file://none", &err), -ENOENT);
	file = fopen("names", "w");
	fputs("one\n\ntwo words\n", file);
	fclose(file);
	TEST_EQ(name_list__add(&f.comms, "file://names", &err), 0);
	TEST_EQ(f.comms.names.nr, 2);
	TEST_STR(f.comms.names.v[1], "two words");
	filter__free(&f);
}

static u32 fields_after(const char *arg, enum script_type type)
{
	struct script_fields f;

	script_fields__init(&f);
	TEST_EQ(script_fields__parse(&f, arg, NULL), 0);
	return f.type[type].fields;
}

TEST(script_fields_forms, "script: -F replaces, adds, takes away, for all events or one type")
{
	u32 sw = FIELD_COMM | FIELD_TID | FIELD_CPU | FIELD_TIME | FIELD_EVENT | FIELD_IP |
		 FIELD_SYM | FIELD_SYMOFF | FIELD_DSO | FIELD_PERIOD | FIELD_BPF_OUTPUT;

	TEST_EQ(fields_after("comm,ip", SCRIPT_SW), FIELD_COMM | FIELD_IP);
	TEST_EQ(fields_after("+pid,-time", SCRIPT_SW), (sw | FIELD_PID) & ~FIELD_TIME);
	TEST_EQ(fields_after("comm,bpf-output", SCRIPT_SW), FIELD_COMM | FIELD_BPF_OUTPUT);
	TEST_EQ(fields_after("-bpf-output", SCRIPT_SW), sw & ~FIELD_BPF_OUTPUT);
	TEST_EQ(fields_after("sw:comm", SCRIPT_SW), FIELD_COMM);
	TEST_EQ(fields_after("sw:comm", SCRIPT_HW), sw & ~FIELD_BPF_OUTPUT);
	TEST_EQ(fields_after("trace:", SCRIPT_TRACE), 0);
	TEST_EQ(fields_after("trace:+ip", SCRIPT_TRACE), FIELD_COMM | FIELD_TID | FIELD_CPU |
		FIELD_TIME | FIELD_EVENT | FIELD_TRACE | FIELD_IP);
	TEST_EQ(fields_after("comm,trace", SCRIPT_SW), FIELD_COMM);
	TEST_EQ(fields_after("comm,trace", SCRIPT_TRACE), FIELD_COMM | FIELD_TRACE);
}

TEST(script_fields_mistakes, "script: -F names what is wrong with a field")
{
	static const struct { const char *arg, *says; } bad[] = {
		{ "comm,xyzzy", "'xyzzy'" }, { "callindent", "not supported" }, { "", "empty" },
		{ "nose:comm", "'nose'" }, { "+comm,pid", "mix" }, { "pid,+comm", "mix" },
		{ "sw:trace", "not valid" }, { "comm,,ip", "''" },
	};
	struct script_fields f;
	struct error err;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		script_fields__init(&f);
		TEST_EQ(script_fields__parse(&f, bad[i].arg, &err), -EINVAL);
		if (!strstr(err.text, bad[i].says))
			TEST_FAIL("-F %s: \"%s\"", bad[i].arg, err.text);
	}
}

TEST(bpf_output_lines, "script: what a BPF program wrote, as bytes and as a string")
{
	struct textbuf tb;

	textbuf__init(&tb, -1);
	textbuf__bpf_output(&tb, "\1\xff" "ab and more", 13);
	TEST_STR(textbuf__str(&tb),
		 "\n      BPF output: 0000: 01 ff 61 62 20 61 6e 64  ..ab and\n"
		 "                  0008: 20 6d 6f 72 65            more   \n");
	tb.len = 0;
	textbuf__bpf_output(&tb, "text\0\0\0", 8);
	TEST_STR(textbuf__str(&tb),
		 "\n      BPF output: 0000: 74 65 78 74 00 00 00 00  text....\n"
		 "      BPF string: \"text\"\n");
	tb.len = 0;
	textbuf__bpf_output(&tb, "", 0);
	TEST_STR(textbuf__str(&tb), "\n");
	textbuf__free(&tb);
}

static int check_uregs(struct evsel *a, struct evsel *b, u32 *fields, struct error *err)
{
	struct recording r = { .events.v = (struct evsel *[]){ a, b }, .events.nr = 2 };
	struct script_fields f;
	int ret;

	script_fields__init(&f);
	TEST_EQ(script_fields__parse(&f, "ip,uregs", NULL), 0);
	ret = script_fields__check(&f, &r, false, err);
	*fields = f.type[SCRIPT_SW].fields;
	return ret;
}

TEST(script_fields_dummy, "script: a dummy event, which has no samples, takes no field away")
{
	struct evsel clock = { .name = "cpu-clock", .attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_REGS_USER } };
	struct evsel other = { .name = "dummy:u", .attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_IP } };
	struct error err;
	u32 fields;

	TEST_EQ(check_uregs(&clock, &other, &fields, &err), 0);
	TEST_EQ(fields, FIELD_IP | FIELD_UREGS);
	TEST_EQ(check_uregs(&other, &clock, &fields, &err), 0);
	TEST_EQ(fields, FIELD_IP | FIELD_UREGS);
	other.attr.config = PERF_COUNT_SW_PAGE_FAULTS;
	TEST_EQ(check_uregs(&clock, &other, &fields, &err), -EINVAL);
	if (!strstr(err.text, "'uregs'"))
		TEST_FAIL("\"%s\"", err.text);
}

TEST(regs_names, "output: registers by architecture, none for a sample without")
{
	u64 v[] = { 1, 2 };
	struct sample_regs regs = { .abi = 2, .mask = 1 << 8 | 1, .v = v };
	struct textbuf tb;

	TEST_STR(reg__name("x86_64", 8), "IP");
	TEST_STR(reg__name("aarch64", 32), "pc");
	TEST_STR(reg__name("x86", 8), "IP"); /* as pipes of perf 7.2 call it */
	TEST_STR(reg__name("s390x", 33), "PC");
	TEST_STR(reg__name("x86_64", 63), "unknown");
	TEST_STR(reg__name(NULL, 0), "unknown");
	textbuf__init(&tb, -1);
	textbuf__regs(&tb, &regs, "x86_64");
	regs.abi = 0;
	textbuf__regs(&tb, &regs, "x86_64");
	TEST_STR(textbuf__str(&tb), " ABI:2    AX:0x1    IP:0x2 ");
	textbuf__free(&tb);
}
