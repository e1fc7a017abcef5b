// SPDX-License-Identifier: GPL-2.0-only
/* The kernel and its modules as records; also those of machines other than this one. */
#include "../../util/live/synth-record.h"
#include "../../util/text/textbuf.h"
#include "../test.h"

#define MAPS_MAX 8

struct maps {
	struct recording *recording;
	struct mmap_record v[MAPS_MAX];
	char names[MAPS_MAX][128];
	size_t nr, end_at; /* emit() fails at this one; 0: never */
};

static int take(void *ctx, const struct perf_event_header *hdr)
{
	struct maps *m = ctx;
	struct record rec = { .hdr = hdr };
	struct mmap_record *map = &m->v[m->nr];

	TEST_TRUE(m->nr < MAPS_MAX);
	TEST_EQ(record__identify(&rec, m->recording), 0);
	TEST_EQ(record__mmap(&rec, map), 0);
	snprintf(m->names[m->nr], sizeof(m->names[m->nr]), "%s", map->filename);
	TEST_EQ(map->pid, (u32)-1);
	TEST_EQ(map->cpumode, PERF_RECORD_MISC_KERNEL);
	return ++m->nr == m->end_at ? -EPIPE : 0;
}

static int kernel_build_id(struct build_id *out)
{
	*out = (struct build_id){ .size = 20, .data = { 1, 2, 3 } };
	return 0;
}

static int module_build_id(const char *name, struct build_id *out)
{
	if (strcmp(name, "nf_tables"))
		return -ENOENT;
	*out = (struct build_id){ .size = 20, .data = { 0xab } };
	return 0;
}

static void begin(struct maps *m, struct synthesize *s)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE, .sample_id_all = 1,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
	};

	*m = (struct maps){ .recording = recording__new() };
	*s = (struct synthesize){
		.emit = take, .ctx = m, .kernel_build_id = kernel_build_id,
		.module_build_id = module_build_id,
		.event = recording__add_event(m->recording, &attr, sizeof(attr), NULL, NULL),
	};
	TEST_TRUE(s->event);
	recording__add_id(m->recording, m->recording->events.v[0], 77);
	synthesize__init(s);
}

static void end(struct maps *m, struct synthesize *s)
{
	synthesize__done(s);
	recording__free(m->recording);
}

struct programs {
	struct recording *recording;
	struct textbuf text;
};

static int take_ksymbol(void *ctx, const struct perf_event_header *hdr)
{
	struct record rec = { .hdr = hdr };
	struct programs *p = ctx;
	struct ksymbol_record k;

	TEST_EQ(record__identify(&rec, p->recording), 0);
	TEST_EQ(record__ksymbol(&rec, &k), 0);
	TEST_TRUE(!k.unregister);
	textbuf__printf(&p->text, "%llx+%x %d %s\n", (unsigned long long)k.addr, k.len, k.type,
			k.name);
	return 0;
}

TEST(synth_ksymbols, "synthesize: BPF programs and trampolines that were there before")
{
	static char kallsyms[] =
		"ffffffff81000000 T _text\n"
		"ffffffffc0700000 t ext4_read\t[ext4]\n"
		"ffffffffc0600ff0 t bpf_trampoline_77\t[bpf]\n"
		"ffffffffc0601800 t bpf_prog_6deef7357e7b4530_next\t[bpf]\n"
		"ffffffffc0601000 t bpf_prog_4a5528b7be1d65e6_first\t[bpf]\n"
		"ffffffffc0601000 t an_alias\t[ext4]\n"
		"0000000000000000 t bpf_prog_0000000000000000_hidden\t[bpf]\n"
		"ffffffffc0701000 t ftrace_trampoline\t[__builtin__ftrace]\n"
		"ffffffffc0602000 t\n"
		"not a symbol\t[bpf]\n"
		"ffffffffc0fff010 t bpf_dispatcher_xdp\t[bpf]";
	FILE *f = fmemopen(kallsyms, sizeof(kallsyms) - 1, "r");
	struct programs p = { .text.fd = -1 };
	struct synthesize s;
	struct maps m;

	begin(&m, &s);
	p.recording = m.recording;
	s.emit = take_ksymbol;
	s.ctx = &p;
	TEST_EQ(synth__ksymbols(&s, f), 0);
	fclose(f);
	TEST_STR(textbuf__str(&p.text),
		 "ffffffffc0600ff0+10 1 bpf_trampoline_77\n"
		 "ffffffffc0601000+800 1 bpf_prog_4a5528b7be1d65e6_first\n"
		 "ffffffffc0601800+fe800 1 bpf_prog_6deef7357e7b4530_next\n"
		 "ffffffffc0701000+400000 2 ftrace_trampoline\n"
		 "ffffffffc0fff010+ff0 1 bpf_dispatcher_xdp\n");
	textbuf__free(&p.text);
	end(&m, &s);
}

static const char MODULES[] =
	"ext4 1118208 1 - Live 0xffffffffc0a00000\n"
	"nf_tables 389120 107 nft_ct,nft_compat, Live 0xffffffffc0800000 (OE)\n"
	"hidden 4096 0 - Live 0x0000000000000000\n"
	"empty 0 0 - Live 0xffffffffc0100000\n"
	"not a line of a module\n"
	"\n"
	"crc 8192 1 ext4, Live 0xffffffffc0200000\n"
	"snd_pcm 8192 0 - Live 0xffffffffc0300000";

static const char DEPS[] =
	"kernel/fs/ext4/ext4.ko.xz: kernel/lib/crc.ko.xz\n"
	"kernel/fs/ext4/ext4-other.ko: \n"
	"extra/crc-more.ko:\n"
	"nf-tables.ko: a/nfnetlink.ko\n"
	"kernel/crc/crcx.ko:\n"
	"kernel/sound/snd-pcm.ko.zst:";

TEST(synth_kernel_modules, "synthesize: modules, with the files that modules.dep knows of")
{
	char text[sizeof(MODULES)];
	struct synthesize s;
	struct maps m;

	begin(&m, &s);
	memcpy(text, MODULES, sizeof(text));
	TEST_EQ(synth__modules(&s, text, DEPS, "/lib/modules/6.1"), 0);
	TEST_EQ(m.nr, 4);
	TEST_STR(m.names[0], "/lib/modules/6.1/kernel/fs/ext4/ext4.ko.xz");
	TEST_EQ(m.v[0].start, 0xffffffffc0a00000ULL);
	TEST_EQ(m.v[0].len, 1118208);
	TEST_EQ(m.v[0].build_id.size, 0);
	TEST_STR(m.names[1], "/lib/modules/6.1/nf-tables.ko"); /* - and _ are one */
	TEST_EQ(m.v[1].start, 0xffffffffc0800000ULL);
	TEST_EQ(m.v[1].build_id.size, 20);
	TEST_EQ(m.v[1].build_id.data[0], 0xab);
	TEST_STR(m.names[2], "[crc]"); /* others begin so, or are needed by another one */
	TEST_STR(m.names[3], "/lib/modules/6.1/kernel/sound/snd-pcm.ko.zst");
	end(&m, &s);
}

TEST(synth_kernel_plain, "synthesize: modules without modules.dep; who takes them may end it")
{
	char text[sizeof(MODULES)];
	struct synthesize s;
	struct maps m;

	begin(&m, &s);
	s.module_build_id = NULL;
	m.end_at = 2;
	memcpy(text, MODULES, sizeof(text));
	TEST_EQ(synth__modules(&s, text, NULL, "/lib/modules/6.1"), -EPIPE);
	TEST_EQ(m.nr, 2);
	TEST_STR(m.names[0], "[ext4]");
	TEST_STR(m.names[1], "[nf_tables]");
	TEST_EQ(m.v[1].build_id.size, 0);
	end(&m, &s);
}

TEST(synth_kernel_here, "synthesize: this kernel's text, as kallsyms has it, unless it is hidden")
{
	FILE *f = fopen("/proc/kallsyms", "r");
	unsigned long long start = 0, at;
	char line[512], name[256];
	struct synthesize s;
	struct maps m;

	while (f && fgets(line, sizeof(line), f) && !start)
		if (sscanf(line, "%llx %*c %255s", &at, name) == 2 && !strcmp(name, "_text"))
			start = at;
	if (f)
		fclose(f);
	if (!start)
		TEST_SKIP("the kernel's addresses are hidden from us");
	begin(&m, &s);
	m.end_at = 1;
	TEST_EQ(synthesize__kernel(&s), -EPIPE);
	TEST_STR(m.names[0], "[kernel.kallsyms]_text");
	TEST_EQ(m.v[0].start, start);
	TEST_EQ(m.v[0].pgoff, start);
	TEST_TRUE(m.v[0].len > 1 << 20 && m.v[0].len < 1 << 30);
	TEST_TRUE(m.v[0].build_id.size == 20 && m.v[0].build_id.data[2] == 3);
	end(&m, &s);
	begin(&m, &s);
	m.end_at = 1;
	s.kernel_build_id = NULL;
	TEST_EQ(synthesize__kernel(&s), -EPIPE);
	TEST_EQ(m.v[0].build_id.size, 0);
	end(&m, &s);
}
