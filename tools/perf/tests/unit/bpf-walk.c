// SPDX-License-Identifier: GPL-2.0-only
/* The program that walks user stacks: its tables, and what becomes of what it writes. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../util/bpf-walk/walk-page.h"
#include "../../util/bpf-walk/walk-program.h"
#include "../../util/bpf-walk/walk-side.h"
#include "../../util/complete/walk-queue.h"
#include "../../util/data/sample-splice.h"
#include "../../util/event/sampling.h"
#include "../../util/tls/tls-program.h"
#include "../test.h"

static void check_load(struct walk_extra extra)
{
	const struct walk_program_opts opts = {
		.nr_cpus = sysconf(_SC_NPROCESSORS_CONF), .nr_chunks = 4, .extra = extra,
	};
	struct walk_program p;
	struct error err = {};
	int ret = walk_program__load(&p, &opts, &err);

	walk_program__close(&p);
	if (ret == -EPERM || ret == -EOPNOTSUPP || ret == -ENOSYS)
		TEST_SKIP("%s", err.text);
	if (ret)
		TEST_FAIL("%s", err.text);
}

TEST(bpf_walk_loads, "bpf walk: the kernel's verifier takes the program")
{
	check_load((struct walk_extra){});
}

static void append_ids(const void *ctx, struct bpf_asm *a, int label)
{
	tls_program__append(ctx, a, label);
}

TEST(bpf_walk_loads_ids, "bpf walk: the verifier takes it with the function that reads ids, too")
{
	struct tls_program ids;
	struct error err = {};
	int ret = tls_program__prepare(&ids, &err);

	if (!ret)
		check_load((struct walk_extra){ append_ids, &ids });
	tls_program__close(&ids);
	if (ret)
		TEST_SKIP("%s", err.text);
}

/* A function that no verifier takes, the first time. */
static void append_refused(const void *ctx, struct bpf_asm *a, int label)
{
	u32 *tries = *(u32 *const *)ctx;

	bpf_asm__place_function(a, label);
	bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_0, 0);
	if (!(*tries)++)
		bpf_asm__load(a, BPF_DW, BPF_REG_0, BPF_REG_5, 0);
	bpf_asm__exit(a, 0);
}

TEST(bpf_walk_loads_plain, "bpf walk: without Python's frames, where the verifier refuses it")
{
	u32 tries = 0, *counted = &tries;
	const struct walk_program_opts opts = {
		.nr_cpus = sysconf(_SC_NPROCESSORS_CONF), .nr_chunks = 4,
		.extra = { append_refused, &counted },
	};
	struct walk_program p;
	struct error err = {};
	int ret = walk_program__load(&p, &opts, &err), python = p.python;

	walk_program__close(&p);
	if (ret == -EPERM || ret == -EOPNOTSUPP || ret == -ENOSYS)
		TEST_SKIP("%s", err.text);
	TEST_EQ(ret, 0);
	TEST_EQ(tries, 2);
	TEST_EQ(python, -1);
}

static struct row_rule plain(u8 reg, s32 cfa, s32 fp)
{
	return (struct row_rule){
		.cfa = ROW_HOW(ROW_CFA_REG, reg), .cfa_off = cfa,
		.ra = ROW_HOW(ROW_LOC_AT_CFA, 0), .ra_off = -8,
		.fp = fp ? ROW_HOW(ROW_LOC_AT_CFA, 0) : 0, .fp_off = fp,
	};
}

/* As the program searches: the last row of the block's that is not above. */
static u16 search(const u8 *page, u32 off)
{
	const u16 *index = (const u16 *)page;
	const u32 *rows = (const u32 *)(page + WALK_ROWS_AT);
	u32 i = index[off >> WALK_BLOCK_SHIFT], last = index[(off >> WALK_BLOCK_SHIFT) + 1];

	while (i < last && rows[i + 1] >> 16 <= off)
		i++;
	return rows[i] & 0xffff;
}

#define NR_ROWS 3000

/* A table of one page, with rows at irregular distances, many of them in some blocks. */
struct page_fixture {
	struct row_rule rules[5];
	struct rows rows;
	struct rows_page *page;
	u8 code[ROWS_PAGE_SIZE + 64];
};

static struct page_fixture *new_page(void)
{
	struct page_fixture *f = xzalloc(sizeof(*f));

	for (u32 i = 1; i < ARRAY_SIZE(f->rules); i++)
		f->rules[i] = plain(7, 8 * i, 0);
	f->rows = (struct rows){ .arch = &unwind_arch_x86_64, .rules = f->rules };
	f->page = xzalloc(sizeof(*f->page) + 2 * NR_ROWS * sizeof(u16));
	f->page->nr = NR_ROWS;
	for (u32 i = 0, at = 0; i < NR_ROWS; i++) {
		f->page->pc[i] = at;
		f->page->pc[NR_ROWS + i] = (i * 7 + i / 5) % ARRAY_SIZE(f->rules);
		at += i % 1000 < 500 ? 1 : 1 + i % 37;
	}
	rows_page__index(f->page);
	return f;
}

/* What a rule becomes, in a page of which it is the only one. */
static struct walk_rule convert(struct row_rule rule)
{
	struct page_fixture *f = new_page();
	struct walk_rule v[4] = {}, out;
	struct walk_rules rules = { .v = v, .max = 4 };
	struct walk_numbers known = {};
	struct walk_page page = {};

	f->rules[1] = rule;
	f->page->nr = 1;
	f->page->pc[1] = 1;
	walk_page__make(&page, &rules, &known, &f->rows, f->page, (struct bytes){ f->code, 0 }, 16);
	TEST_EQ(page.rows.nr, 1);
	out = v[page.rows.v[0] & 0xffff];
	map64__free(&rules.numbers);
	vec__free(&known.of);
	vec__free(&page.rows);
	free(f->page);
	free(f);
	return out;
}

TEST(bpf_walk_rules, "bpf walk: what a rule says is kept, or left to user space")
{
	struct row_rule r = plain(7, 16, -16);
	struct walk_rule w = convert(r);

	TEST_EQ(w.kind, WALK_SP);
	TEST_EQ(w.cfa, 16);
	TEST_EQ(w.fp_off, -16);
	r = plain(6, 16, 0);
	TEST_EQ(convert(r).kind, WALK_FP);
	r = plain(10, 8, 0);
	TEST_EQ(convert(r).kind, WALK_REG);
	TEST_EQ(convert(r).reg, offsetof(struct walk_regs, r10) / 8);
	/* DRAP: the caller's FP is where FP says. */
	r = plain(10, 0, 0);
	r.fp = ROW_HOW(ROW_LOC_AT_REG, 6);
	TEST_EQ(convert(r).kind, WALK_DRAP_REG);
	r.cfa = ROW_HOW(ROW_CFA_REG, 7);
	TEST_EQ(convert(r).kind, WALK_DRAP_SP);
	r.cfa = ROW_HOW(ROW_CFA_DEREF, 6);
	r.cfa_off = -8;
	r.fp_off = 24;
	w = convert(r);
	TEST_EQ(w.kind, WALK_DRAP);
	TEST_EQ(w.cfa, -8);
	TEST_EQ(w.fp_off, 24);
	r.fp_off = 40000;
	TEST_EQ(convert(r).kind, WALK_MISS);
	r = plain(7, 1 << 20, -40000); /* too far for its field */
	TEST_EQ(convert(r).kind, WALK_MISS);
	r = plain(7, 16, 0);
	r.ra_off = -16;
	TEST_EQ(convert(r).kind, WALK_MISS);
	r = plain(7, 16, 0);
	r.fp = ROW_HOW(ROW_LOC_UNDEFINED, 0);
	TEST_EQ(convert(r).kind, WALK_MISS);
	r = (struct row_rule){ .cfa = ROW_HOW(ROW_CFA_END, 0) };
	TEST_EQ(convert(r).kind, WALK_END);
	r = (struct row_rule){ .cfa = ROW_HOW(ROW_CFA_EVAL, 0) };
	TEST_EQ(convert(r).kind, WALK_MISS);
	r = plain(7, 16, 0);
	r.flags = ROW_SIGNAL; /* not where the kernel has saved the registers */
	TEST_EQ(convert(r).kind, WALK_MISS);
}

TEST(bpf_walk_rules_full, "bpf walk: rules for which there is no room are left to user space")
{
	struct page_fixture *f = new_page();
	struct walk_rule v[3] = {};
	struct walk_rules rules = { .v = v, .max = 3 };
	struct walk_numbers known = {};
	struct walk_page page = {};
	u32 missed = 0;

	walk_page__make(&page, &rules, &known, &f->rows, f->page, (struct bytes){ f->code, 0 }, 16);
	for (size_t i = 0; i < page.rows.nr; i++) {
		TEST_TRUE((page.rows.v[i] & 0xffff) < 3);
		missed += !(page.rows.v[i] & 0xffff);
	}
	TEST_EQ(rules.nr, 3);
	TEST_TRUE(rules.full);
	TEST_EQ(v[0].kind, WALK_MISS);
	TEST_TRUE(missed);
	map64__free(&rules.numbers);
	vec__free(&known.of);
	vec__free(&page.rows);
	free(f->page);
	free(f);
}

TEST(bpf_walk_page, "bpf walk: in a packed page each address has the rule of its row")
{
	struct page_fixture *f = new_page();
	struct walk_rule *v = xcalloc(64, sizeof(*v));
	struct walk_rules rules = { .v = v, .max = 64 };
	struct walk_numbers known = {};
	struct walk_page page = {};
	u8 *bytes;

	walk_page__make(&page, &rules, &known, &f->rows, f->page, (struct bytes){ f->code, 0 }, 16);
	bytes = xmalloc(walk_page__size(&page));
	walk_page__write(&page, bytes);
	for (u32 off = 0; off < ROWS_PAGE_SIZE; off++) {
		u32 row = rows_page__find(f->page, off);
		u16 rule = f->page->pc[NR_ROWS + row];
		const struct walk_rule *found = &v[search(bytes, off)];

		if (rule ? found->kind != WALK_SP || found->cfa != f->rules[rule].cfa_off :
			   found->kind != WALK_MISS)
			TEST_FAIL("offset %u", off);
	}
	map64__free(&rules.numbers);
	vec__free(&known.of);
	vec__free(&page.rows);
	free(bytes);
	free(f->page);
	free(f);
	free(v);
}

TEST(bpf_walk_page_root, "bpf walk: where a first function returns to is the end")
{
	/* runtime.goexit of Go: nop, call, nop. */
	static const u8 goexit[] = { 0x90, 0xe8, 1, 2, 3, 4, 0x90 };
	struct page_fixture *f = new_page();
	struct walk_rule *v = xcalloc(64, sizeof(*v));
	struct walk_rules rules = { .v = v, .max = 64 };
	struct walk_numbers known = {};
	struct walk_page page = {};
	u8 *bytes;

	/* Behind one function a hole, and behind the next one another, too large for a function. */
	f->page->nr = 4;
	memcpy(f->page->pc, (u16[]){ 0, 0x400, 0x600, 0x800, 1, 0, 1, 0 }, 8 * sizeof(u16));
	memcpy(f->code + 16 + 0x500, goexit, sizeof(goexit));
	memcpy(f->code + 16 + 0x900, goexit, sizeof(goexit));
	walk_page__make(&page, &rules, &known, &f->rows, f->page,
			(struct bytes){ f->code, sizeof(f->code) }, 16);
	bytes = xmalloc(walk_page__size(&page));
	walk_page__write(&page, bytes);
	TEST_EQ(v[search(bytes, 0x500)].kind, WALK_END_CALL); /* of the return address 0x501 */
	TEST_EQ(v[search(bytes, 0x4ff)].kind, WALK_MISS);
	TEST_EQ(v[search(bytes, 0x501)].kind, WALK_MISS);
	TEST_EQ(v[search(bytes, 0x900)].kind, WALK_MISS);
	map64__free(&rules.numbers);
	vec__free(&known.of);
	vec__free(&page.rows);
	free(bytes);
	free(f->page);
	free(f);
	free(v);
}

TEST(bpf_walk_page_lower, "bpf walk: SP may fall in the code behind a change of the stack")
{
	struct page_fixture *f = new_page();
	struct walk_rule *v = xcalloc(64, sizeof(*v));
	struct walk_rules rules = { .v = v, .max = 64 };
	struct walk_numbers known = {};
	struct walk_page page = {};
	u8 *bytes;

	f->rules[1] = plain(6, 16, -16);
	f->page->nr = 3;
	memcpy(f->page->pc, (u16[]){ 0, 0x400, 0x800, 1, 2, 1 }, 6 * sizeof(u16));
	/* Two changes; one where CFA is SP + n; and one so near to a row's end that it counts. */
	memcpy(f->code + 16 + 0x100, "\x48\x89\xd4", 3); /* mov %rdx,%rsp */
	memcpy(f->code + 16 + 0x140, "\x48\x8d\x25", 3); /* lea n(%rip),%rsp */
	memcpy(f->code + 16 + 0x500, "\x48\x89\xd4", 3);
	memcpy(f->code + 16 + 0x7fd, "\x48\x89\xd4", 3);
	walk_page__make(&page, &rules, &known, &f->rows, f->page,
			(struct bytes){ f->code, sizeof(f->code) }, 16);
	bytes = xmalloc(walk_page__size(&page));
	walk_page__write(&page, bytes);
	for (u32 off = 0; off < 0xc00; off++) {
		bool falls = (off >= 0x103 && off <= 0x140 + UNWIND_SWITCH) ||
			     (off >= 0x800 && off <= 0x7fd + UNWIND_SWITCH);
		u8 kind = off >= 0x400 && off < 0x800 ? WALK_SP : WALK_FP;

		if (v[search(bytes, off)].kind != (kind | (falls ? WALK_LOWERS : 0)))
			TEST_FAIL("offset %#x", off);
	}
	map64__free(&rules.numbers);
	vec__free(&known.of);
	vec__free(&page.rows);
	free(bytes);
	free(f->page);
	free(f);
	free(v);
}

/* What the program writes, and the sample behind it. */
struct side_fixture {
	struct walk_side side;
	struct recording *recording;
	struct evsel *event;
	u8 *output, *payload, *out;
	u64 sample[2048], nr_kernel; /* the kernel's part of its chain, with the marker */
};

static void put_sample(struct side_fixture *f, u64 nr_kernel)
{
	const struct perf_event_header hdr = { PERF_RECORD_SAMPLE, 1, 8 * (5 + nr_kernel) };
	const u64 words[] = { 0x400, 7 | 8ull << 32, nr_kernel, ABI_CONTEXT_KERNEL };

	f->nr_kernel = nr_kernel;
	memcpy(f->sample, &hdr, sizeof(hdr));
	memcpy(f->sample + 1, words, sizeof(words));
	for (u64 i = 1; i < nr_kernel; i++)
		f->sample[4 + i] = 0xffff1000;
	f->sample[4 + nr_kernel] = 0x1234;
}

static void begin(struct side_fixture *f)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN |
			       PERF_SAMPLE_PHYS_ADDR,
	};

	*f = (struct side_fixture){ .recording = recording__new() };
	attr__with_copy(&attr);
	f->event = recording__add_event(f->recording, &attr, sizeof(attr), "event", NULL);
	f->output = xzalloc(65536);
	f->payload = xzalloc(65536);
	f->out = xzalloc(65536 * 2);
	put_sample(f, 2);
}

static void end(struct side_fixture *f)
{
	recording__free(f->recording);
	free(f->output);
	free(f->payload);
	free(f->out);
}

/* Passes @size bytes of f->output; returns what the sample became, decoded. */
static bool pass(struct side_fixture *f, u32 size, struct sample *s)
{
	struct sample output = { .raw = f->output, .raw_size = size };
	struct record rec = { .hdr = (const void *)f->sample, .event = f->event };
	u64 ip = 0;
	u32 made = walk_side__make(&f->side, &output, &ip, f->payload);
	int ret = walk_side__add(&f->side, &rec, f->payload, made, (void *)f->out, 65536 * 2);

	TEST_TRUE(ret > 0 && ret <= 65528 && !(ret % 8));
	rec.hdr = (const void *)f->out;
	TEST_EQ(rec.hdr->size, ret);
	TEST_EQ(sample__parse(s, &rec), 0);
	TEST_EQ(s->phys_addr, 0x1234);
	TEST_EQ(s->chain[1], 0xffff1000);
	return made;
}

static u32 put_chain(struct side_fixture *f, u16 nr)
{
	const struct walk_output head = {
		.note = { .magic = WALK_NOTE_MAGIC, .stop = WALK_WHOLE, .generation = 3 },
		.ip = 0x400, .nr = nr, .flags = WALK_HAS_CHAIN,
	};

	memcpy(f->output, &head, sizeof(head));
	for (u64 i = 0; i < nr; i++)
		memcpy(f->output + sizeof(head) + 8 * i, &(u64){ 0x1000 + i }, 8);
	return sizeof(head) + nr * 8;
}

TEST(bpf_walk_side_chain, "bpf walk: a chain becomes that of the sample behind it")
{
	struct side_fixture f;
	struct walk_note note;
	struct sample s;

	begin(&f);
	TEST_TRUE(pass(&f, put_chain(&f, 1024), &s));
	TEST_EQ(s.nr_chain, 2 + 1 + 1024);
	TEST_EQ(s.chain[2], ABI_CONTEXT_USER);
	TEST_EQ(s.chain[3], 0x1000);
	TEST_EQ(s.chain[2 + 1024], 0x1000 + 1023);
	TEST_EQ(s.user_regs.abi, 0);
	TEST_EQ(s.stack_room, 0);
	TEST_TRUE(walk_note__of(&s, &note));
	TEST_EQ(note.generation, 3);
	TEST_TRUE(!pass(&f, 0, &s)); /* nothing was written */
	TEST_EQ(s.nr_chain, 2);
	TEST_TRUE(!walk_note__of(&s, &note));
	end(&f);
}

/* A stack of @nr frames, more than there is room for, as the program writes it. */
static u32 put_deep(struct side_fixture *f, u32 nr, enum walk_stop stop, u32 lower)
{
	const struct walk_output head = {
		.note = { .magic = WALK_NOTE_MAGIC, .stop = stop, .cut = nr - WALK_MAX_FRAMES,
			  .lower = lower },
		.ip = 0x400, .nr = WALK_MAX_FRAMES, .flags = WALK_HAS_CHAIN,
	};

	memcpy(f->output, &head, sizeof(head));
	for (u64 i = 0, at; i < nr; i++) {
		at = i < WALK_INNER_FRAMES ? i : WALK_INNER_FRAMES + (i - WALK_INNER_FRAMES) %
						 WALK_OUTER_FRAMES;
		memcpy(f->output + sizeof(head) + 8 * at, &(u64){ 0x1000 + i }, 8);
	}
	return sizeof(head) + WALK_MAX_FRAMES * 8;
}

/* Passes it, of @nr frames; returns where the gap is among those that are kept, or 0. */
static u64 pass_deep(struct side_fixture *f, u32 size, u32 nr, u64 *nr_kept)
{
	struct walk_note note;
	struct sample s;
	u64 gap = 0, first;
	const u64 *user;

	TEST_TRUE(pass(f, size, &s));
	TEST_TRUE(walk_note__of(&s, &note));
	user = s.chain + f->nr_kernel + 1;
	*nr_kept = s.nr_chain - f->nr_kernel - 1;
	for (u64 i = 0; i < *nr_kept; i++) {
		first = gap ? nr - *nr_kept : 0;
		if (user[i] == CALLCHAIN_GAP)
			gap = i;
		else
			TEST_EQ(user[i], 0x1000 + first + i);
	}
	TEST_EQ(note.cut, nr - *nr_kept + !!gap);
	return gap;
}

TEST(bpf_walk_side_deep, "bpf walk: of a stack that is too deep both ends are kept, and a gap")
{
	static const u32 numbers[] = { 8033, 8034, 9056, 9057, 20000, 65535 };
	struct side_fixture f;
	u64 kept;

	begin(&f);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		u32 nr = numbers[i], size = put_deep(&f, nr, WALK_WHOLE, 0);

		TEST_EQ(pass_deep(&f, size, nr, &kept), WALK_INNER_FRAMES);
		TEST_EQ(kept, WALK_MAX_FRAMES);
	}
	/* The end was not reached, or is behind a lower stack that nothing proves. */
	TEST_EQ(pass_deep(&f, put_deep(&f, 65535, WALK_LIMIT, 0), 65535, &kept), 0);
	TEST_EQ(kept, WALK_INNER_FRAMES);
	TEST_EQ(pass_deep(&f, put_deep(&f, 20000, WALK_WHOLE, 15000), 20000, &kept), 0);
	TEST_EQ(kept, WALK_INNER_FRAMES);
	TEST_EQ(pass_deep(&f, put_deep(&f, 20000, WALK_WHOLE, 10), 20000, &kept),
		WALK_INNER_FRAMES);
	/* There is room for less: the kernel's part takes it. */
	put_sample(&f, 1000);
	TEST_TRUE(pass_deep(&f, put_deep(&f, 20000, WALK_WHOLE, 0), 20000, &kept) > 1024);
	TEST_TRUE(kept < WALK_MAX_FRAMES);
	TEST_TRUE(pass_deep(&f, put_chain(&f, WALK_MAX_FRAMES), WALK_MAX_FRAMES, &kept) > 1024);
	TEST_TRUE(kept < WALK_MAX_FRAMES);
	end(&f);
}

static u32 put_copy(struct side_fixture *f, u64 sp, u32 copied)
{
	const struct walk_output head = {
		.note = { .magic = WALK_NOTE_MAGIC, .stop = WALK_NO_PAGE }, .ip = 0x400,
		.copy_start = sp & ~4095ull, .copied = copied, .flags = WALK_HAS_COPY,
	};
	const struct walk_regs regs = { .sp = sp, .ip = 0x400, .cs = 0x33, .r15 = 15 };

#ifndef __x86_64__
	TEST_SKIP("stacks are walked in the kernel on x86-64 only");
#endif
	memcpy(f->output, &head, sizeof(head));
	memcpy(f->output + sizeof(head), &regs, sizeof(regs));
	for (u32 i = 0; i < copied; i += 8)
		memcpy(f->output + sizeof(head) + sizeof(regs) + i,
		       &(u64){ (sp & ~4095ull) + i }, 8);
	return sizeof(head) + sizeof(regs) + copied;
}

TEST(bpf_walk_side_copy, "bpf walk: a copy begins at SP, and says whether the stack went on")
{
	struct side_fixture f;
	struct sample s;
	u64 word;

	begin(&f);
	TEST_TRUE(pass(&f, put_copy(&f, 0x7f0010, 8192), &s));
	TEST_EQ(s.user_regs.abi, PERF_SAMPLE_REGS_ABI_64);
	TEST_EQ(s.user_regs.v[7], 0x7f0010);
	TEST_EQ(s.user_regs.v[19], 15);
	TEST_EQ(s.stack_size, 8192 - 16);
	TEST_TRUE(s.stack_room > s.stack_size); /* there was no more */
	memcpy(&word, s.stack, 8);
	TEST_EQ(word, 0x7f0010);
	TEST_TRUE(pass(&f, put_copy(&f, 0x7f0010, WALK_COPY_PAGES * 4096), &s));
	TEST_EQ(s.stack_room, s.stack_size);
	TEST_TRUE(pass(&f, put_copy(&f, 0x7f0010, 0), &s));
	TEST_EQ(s.stack_size, 0);
	TEST_TRUE(s.stack_room);
	end(&f);
}

TEST(bpf_walk_side_other, "bpf walk: a part of another stack is found behind the sample")
{
	u32 size = (WALK_COPY_PAGES - WALK_OTHER_PAGES) * 4096;
	struct unwind_regs regs = {};
	struct unwind_stack stack;
	struct walk_output head;
	struct walk_note note;
	struct unwinder *u;
	struct side_fixture f;
	struct sample s;
	u64 word = 0;

	begin(&f);
	TEST_EQ(unwinder__by_name(&u, "table", UNWIND_X86_64, NULL), 0);
	size = put_copy(&f, 0x7f0010, size);
	memcpy(&head, f.output, sizeof(head));
	head.note.other = 0x1000;
	head.note.other_size = 8192;
	memcpy(f.output, &head, sizeof(head));
	memcpy(f.output + size + 8184, &(u64){ 0xabcd }, 8);
	TEST_TRUE(pass(&f, size + 8192, &s));
	TEST_TRUE(walk_note__of(&s, &note));
	TEST_EQ(note.other_size, 8192);
	TEST_EQ(s.stack_room, s.stack_size); /* the copy had room for no more */
	stack = sample__unwind_stack(&s, u, &regs);
	TEST_TRUE(stack.read(stack.ctx, 0x1000 + 8184, &word, 8));
	TEST_EQ(word, 0xabcd);
	TEST_TRUE(!stack.read(stack.ctx, 0x1000 + 8185, &word, 8));
	TEST_TRUE(!stack.read(stack.ctx, 0xff8, &word, 8));
	/* It is not all there. */
	TEST_TRUE(!pass(&f, size + 8184, &s));
	unwinder__free(u);
	end(&f);
}

TEST(bpf_walk_side_hurries,
     "bpf walk: after many copies of a process the rings are read soon, until these were walked")
{
	struct side_fixture f;
	struct sample s;
	u32 rounds = 0;

	begin(&f);
	TEST_TRUE(!walk_side__hurries(&f.side, true));
	for (u32 i = 0; i < 63; i++)
		TEST_TRUE(pass(&f, put_copy(&f, 0x7f0010, 4096), &s));
	TEST_TRUE(!walk_side__hurries(&f.side, true)); /* it may be over before they are */
	TEST_TRUE(pass(&f, put_copy(&f, 0x7f0010, 4096), &s));
	/* The reader is behind: what was read has not gone on to it. */
	for (u32 i = 0; i < 20; i++)
		TEST_TRUE(walk_side__hurries(&f.side, false));
	while (rounds < 20 && walk_side__hurries(&f.side, true))
		rounds++;
	TEST_EQ(rounds, 3);
	end(&f);
}

/* Eight bytes of the other function, behind an output of @size bytes. Returns the size of all. */
static u32 put_extra(struct side_fixture *f, u32 size, u64 value)
{
	struct walk_output head;

	memcpy(&head, f->output, sizeof(head));
	head.extra = sizeof(value);
	memcpy(f->output, &head, sizeof(head));
	memcpy(f->output + size, &value, sizeof(value));
	return size + sizeof(value);
}

/* The value twice, and the pid. */
static u32 make_side(void *ctx, u32 pid, const u8 *data, u32 size, u8 *out)
{
	TEST_EQ(size, 8);
	memcpy(out, data, size);
	memcpy(out + size, data, size);
	memcpy(out + 2 * size, &pid, sizeof(pid));
	*(u32 *)ctx += 1;
	return 2 * size + sizeof(pid);
}

static void check_side(const struct sample *s, u64 value)
{
	struct cursor c;

	TEST_TRUE(side_data__find(s, SIDE_ACTIVITY, &c));
	TEST_EQ(cursor__left(&c), 20);
	TEST_EQ(cursor__u64(&c), value);
	TEST_EQ(cursor__u64(&c), value);
}

TEST(bpf_walk_side_extra, "bpf walk: what else was read becomes side data, behind chain or copy")
{
	const u32 most = WALK_COPY_PAGES * 4096;
	struct side_fixture f;
	struct walk_note note;
	struct sample s;
	u32 made = 0;

	begin(&f);
	attr__add_side_data(&f.event->attr);
	f.side.extra = (struct walk_side_extra){ SIDE_ACTIVITY, make_side, &made };
	TEST_TRUE(pass(&f, put_extra(&f, put_chain(&f, 1024), 77), &s));
	TEST_EQ(s.nr_chain, 2 + 1 + 1024);
	check_side(&s, 77);
	TEST_TRUE(walk_note__of(&s, &note));
	TEST_TRUE(pass(&f, put_extra(&f, put_copy(&f, 0x7f0000, most), 78), &s));
	TEST_TRUE(s.stack_size > most - 4096);
	check_side(&s, 78);
	TEST_TRUE(walk_note__of(&s, &note));
	TEST_EQ(made, 2);
	/* Nothing was read; or nothing was written at all. */
	TEST_TRUE(pass(&f, put_chain(&f, 3), &s));
	TEST_EQ(s.aux_size, 0);
	TEST_TRUE(walk_note__of(&s, &note));
	TEST_TRUE(!pass(&f, 0, &s));
	TEST_EQ(s.aux_size, 0);
	/* Its end is missing. */
	TEST_TRUE(!pass(&f, put_extra(&f, put_chain(&f, 10), 79) - 1, &s));
	TEST_EQ(made, 2);
	/* An event without a stack gets it, too. */
	attr__without_copy(&f.event->attr);
	f.event->attr.sample_type &= ~(u64)PERF_SAMPLE_STACK_USER;
	TEST_TRUE(pass(&f, put_extra(&f, put_chain(&f, 10), 80), &s));
	TEST_EQ(s.nr_chain, 2);
	check_side(&s, 80);
	end(&f);
}

TEST(bpf_walk_side_damaged, "bpf walk: a record that does not fit together says nothing")
{
	struct walk_output head;
	struct side_fixture f;
	struct sample s;
	u32 size;

	begin(&f);
	size = put_chain(&f, 10);
	for (u32 cut = 0; cut < size; cut++)
		TEST_TRUE(!pass(&f, cut, &s));
	size = put_copy(&f, 0x7f0010, 64);
	for (u32 cut = 0; cut < size; cut++)
		TEST_TRUE(!pass(&f, cut, &s));
	memcpy(&head, f.output, sizeof(head));
	head.nr = WALK_MAX_FRAMES + 1;
	head.flags = WALK_HAS_CHAIN;
	memcpy(f.output, &head, sizeof(head));
	TEST_TRUE(!pass(&f, 65528, &s));
	head.nr = 0;
	head.flags = WALK_HAS_COPY;
	head.copied = UINT32_MAX;
	memcpy(f.output, &head, sizeof(head));
	TEST_TRUE(!pass(&f, size, &s));
	/* SP far away from its copy. */
	head.copied = 64;
	head.copy_start = UINT64_MAX - 7;
	memcpy(f.output, &head, sizeof(head));
	TEST_TRUE(pass(&f, size, &s));
	TEST_EQ(s.stack_size, 0);
	end(&f);
}
