// SPDX-License-Identifier: GPL-2.0-only
/* --brief and --about: stacks written as "outer;inner" in, the facts out. */
#include "../../util/report/about.h"
#include "../test.h"

#define MAX_NAMES 32

struct fixture {
	struct hist hist;
	struct dso prog, libc, kernel;
	struct symbol syms[MAX_NAMES];
	u32 nr_syms;
};

static void fixture__init(struct fixture *f, bool by_address)
{
	struct hist_opts opts = {};

	memset(f, 0, sizeof(*f));
	f->prog = (struct dso){ .name = "/bin/prog", .short_name = "prog", .path = "/bin/prog" };
	f->libc = (struct dso){ .name = "/lib/libc.so.6", .short_name = "libc.so.6",
				.path = "/lib/libc.so.6" };
	f->kernel = (struct dso){ .name = "[kernel.kallsyms]", .short_name = "[kernel.kallsyms]",
				  .path = "" };
	column_list__add(&opts.keys, COLUMN_SYM);
	column_list__add(&opts.keys, COLUMN_TID);
	column_list__add(&opts.keys, COLUMN_WHOLE);
	hist__init(&f->hist, &opts);
	f->hist.stacks.by_address = by_address;
}

static void fixture__free(struct fixture *f)
{
	hist__free(&f->hist);
	for (u32 i = 0; i < f->nr_syms; i++)
		free((char *)f->syms[i].name);
}

static const struct symbol *symbol_of(struct fixture *f, const char *name, size_t len)
{
	u32 i;

	for (i = 0; i < f->nr_syms; i++)
		if (strlen(f->syms[i].name) == len && !memcmp(f->syms[i].name, name, len))
			return &f->syms[i];
	TEST_TRUE(i < MAX_NAMES);
	f->syms[i] = (struct symbol){
		.start = 0x1000 * (i + 1), .end = 0x1000 * (i + 2), .name = strndup(name, len),
	};
	f->nr_syms++;
	return &f->syms[i];
}

/* A frame: "name", "libc!name" or "kernel!name". */
static struct frame frame_of(struct fixture *f, const char *text, size_t len)
{
	struct frame frame = { .cpumode = PERF_RECORD_MISC_USER, .loc.dso = &f->prog };

	if (!strncmp(text, "libc!", 5)) {
		frame.loc.dso = &f->libc;
		text += 5;
		len -= 5;
	} else if (!strncmp(text, "kernel!", 7)) {
		frame.loc.dso = &f->kernel;
		frame.cpumode = PERF_RECORD_MISC_KERNEL;
		text += 7;
		len -= 7;
	}
	frame.loc.sym = symbol_of(f, text, len);
	frame.ip = frame.loc.addr = frame.loc.sym->start + 4;
	return frame;
}

/* A sample. @whole: as user_stack__word() has it */
static void add(struct fixture *f, const char *whole, const char *stack, u64 period)
{
	struct hist_context context = { .comm = "prog", .tid = 1, .whole = whole };
	struct frame all[16], inner_first[16], leaf;
	struct frames chain = { .f.v = inner_first };
	size_t nr = 0;

	for (const char *p = stack; *p; nr++) {
		size_t len = strcspn(p, ";");

		TEST_TRUE(nr < ARRAY_SIZE(all));
		all[nr] = frame_of(f, p, len);
		p += len + (p[len] == ';');
	}
	leaf = all[nr - 1];
	while (nr--)
		inner_first[chain.f.nr++] = all[nr];
	hist__add(&f->hist, &context, &chain, &leaf, period);
}

static const char *name_of(const struct fixture *f, u32 frame)
{
	const struct stack_frame *s = &f->hist.stacks.frames.v[frame];

	return s->sym ? s->sym->name : "";
}

#define EXPECT_ITEM(f, list, i, name, sum) do {                                               \
	TEST_TRUE((i) < (list).nr);                                                           \
	TEST_STR(name_of(f, (list).v[i].what), name);                                         \
	TEST_EQ((list).v[i].period, sum);                                                     \
} while (0)

TEST(brief_kinds, "brief: the kind of work, and the first function of the program that asks for it")
{
	struct fixture f;
	struct brief b;

	fixture__init(&f, false);
	add(&f, "whole", "main;parse;libc!malloc;libc!_int_malloc", 50);
	add(&f, "whole", "main;load;libc!memcpy", 20);
	add(&f, "whole", "main;load;libc!read;kernel!do_syscall_64;kernel!__x64_sys_read", 15);
	add(&f, "whole", "main;load;kernel!do_syscall_64;kernel!exit_to_user_mode_loop", 5);
	add(&f, "whole", "main;work", 10);
	stacks__make_lists(&f.hist.stacks);
	brief__make(&b, &f.hist, false, true);
	TEST_EQ(b.period, 100);
	TEST_EQ(b.kinds[WORK_ALLOCATION].period, 50);
	EXPECT_ITEM(&f, b.kinds[WORK_ALLOCATION].callers, 0, "parse", 50);
	TEST_EQ(b.kinds[WORK_COPY].period, 20);
	TEST_EQ(b.kinds[WORK_SYSCALL].period, 20);
	EXPECT_ITEM(&f, b.kinds[WORK_SYSCALL].callers, 0, "load", 20);
	/* What the kernel does behind a call is none. */
	TEST_EQ(b.syscalls.nr, 1);
	EXPECT_ITEM(&f, b.syscalls, 0, "__x64_sys_read", 15);
	EXPECT_ITEM(&f, b.functions, 0, "_int_malloc", 50);
	brief__free(&b);
	fixture__free(&f);
}

TEST(brief_cut, "brief: paths are not made of stacks that are cut, and their part is told")
{
	struct fixture f;
	struct brief b;

	fixture__init(&f, false);
	add(&f, "whole", "main;a", 40);
	add(&f, "cut", "b;c", 50);
	add(&f, "as recorded", "main;d", 10);
	stacks__make_lists(&f.hist.stacks);
	brief__make(&b, &f.hist, false, true);
	TEST_EQ(b.cut, 50);
	TEST_EQ(b.unproven, 10);
	TEST_EQ(b.nr_paths, 2);
	TEST_STR(name_of(&f, b.path_frames.v[b.paths[0].first + 1]), "a");
	TEST_STR(name_of(&f, b.path_frames.v[b.paths[1].first + 1]), "d");
	/* But their innermost function is true. */
	EXPECT_ITEM(&f, b.functions, 0, "c", 50);
	brief__free(&b);
	fixture__free(&f);
}

/* "main > parse x 3 > read" */
static char *path_text(struct fixture *f, const struct brief *b, u32 path)
{
	const struct brief_path *p = &b->paths[path];
	char *text = xstrdup(""), *more;

	for (u32 i = 0; i < p->nr_frames; i++) {
		u32 times = b->path_times.v[p->first + i];

		more = xasprintf(times > 1 ? "%s%s%s x %u" : "%s%s%s", text, i ? " > " : "",
				 name_of(f, b->path_frames.v[p->first + i]), times);
		free(text);
		text = more;
	}
	return text;
}

static void expect_path(struct fixture *f, const struct brief *b, u32 path, u64 period,
			const char *want)
{
	char *text = path_text(f, b, path);

	TEST_STR(text, want);
	TEST_EQ(b->paths[path].period, period);
	free(text);
}

TEST(brief_recursion, "brief: depths of one recursion are one path, also through several functions")
{
	struct fixture f;
	struct brief b;
	struct about a;

	fixture__init(&f, false);
	add(&f, "whole", "main;parse;parse;parse;read", 40);
	add(&f, "whole", "main;parse;read", 25);
	add(&f, "whole", "main;expr;term;expr;term;expr;call;expr;term;eval", 20);
	add(&f, "whole", "main;expr;term;eval", 15);
	stacks__make_lists(&f.hist.stacks);
	brief__make(&b, &f.hist, false, true);
	TEST_EQ(b.nr_paths, 2);
	expect_path(&f, &b, 0, 65, "main > parse x 3 > read");
	expect_path(&f, &b, 1, 35, "main > expr x 4 > term x 3 > eval");
	EXPECT_ITEM(&f, b.functions, 0, "read", 65);
	brief__free(&b);
	brief__make(&b, &f.hist, false, false);
	TEST_EQ(b.nr_paths, 4);
	expect_path(&f, &b, 0, 40, "main > parse > parse > parse > read");
	brief__free(&b);
	about__make(&a, &f.hist, "eval", true);
	TEST_EQ(a.all.nr_paths, 1);
	expect_path(&f, &a.all, 0, 35, "main > expr x 4 > term x 3 > eval");
	TEST_EQ(a.with_callees.period, 35);
	about__free(&a);
	about__make(&a, &f.hist, "eval", false);
	TEST_EQ(a.all.nr_paths, 2);
	about__free(&a);
	fixture__free(&f);
}

TEST(about_function, "--about: callers, callees and paths, each sample once in each list")
{
	struct fixture f;
	struct about a;

	fixture__init(&f, true);
	add(&f, "whole", "main;x;f;g", 40);
	add(&f, "whole", "main;y;f;f;f", 30); /* recursion */
	add(&f, "whole", "main;x;f;f;h", 20);
	add(&f, "whole", "main;x", 10);
	stacks__make_lists(&f.hist.stacks);
	about__make(&a, &f.hist, "f", true);
	TEST_EQ(a.all.period, 100);
	TEST_EQ(a.own.period, 30);
	TEST_EQ(a.with_callees.period, 90);
	EXPECT_ITEM(&f, a.callers, 0, "x", 60);
	EXPECT_ITEM(&f, a.callers, 1, "y", 30);
	TEST_EQ(a.callers.nr, 2);
	EXPECT_ITEM(&f, a.callees, 0, "g", 40);
	EXPECT_ITEM(&f, a.callees, 1, "h", 20);
	TEST_EQ(a.callees.nr, 2);
	/* Paths end at its outermost occurrence, so two stacks are one path. */
	TEST_EQ(a.all.nr_paths, 2);
	TEST_EQ(a.all.paths[0].period, 60);
	TEST_EQ(a.all.paths[0].nr_frames, 3);
	TEST_STR(name_of(&f, a.all.path_frames.v[a.all.paths[0].first + 1]), "x");
	TEST_EQ(a.no_caller + a.unknown_caller + a.cut, 0);
	about__free(&a);
	fixture__free(&f);
}

TEST(about_cut, "--about: where a stack is cut behind it, its caller is unknown, and no path told")
{
	struct fixture f;
	struct about a;

	fixture__init(&f, true);
	add(&f, "cut", "f;g", 30);
	add(&f, "cut", "x;f", 20);
	add(&f, "whole", "f", 50);
	stacks__make_lists(&f.hist.stacks);
	about__make(&a, &f.hist, "f", true);
	TEST_EQ(a.cut, 50);
	TEST_EQ(a.unknown_caller, 30);
	TEST_EQ(a.no_caller, 50);
	/* What called it just now is known of a cut stack, too. */
	EXPECT_ITEM(&f, a.callers, 0, "x", 20);
	TEST_EQ(a.all.nr_paths, 1);
	TEST_EQ(a.all.paths[0].nr_frames, 1);
	about__free(&a);
	fixture__free(&f);
}

TEST(about_names, "--about: names as they are printed, cut ones, and proposals for unknown ones")
{
	struct fixture f;
	struct about a;

	fixture__init(&f, true);
	add(&f, "whole", "main;parse_header", 10);
	add(&f, "whole", "main;parse_body", 30);
	stacks__make_lists(&f.hist.stacks);
	about__make(&a, &f.hist, "parse_header (inlined)", true);
	TEST_EQ(a.own.period, 10);
	about__free(&a);
	about__make(&a, &f.hist, "parse_...", true);
	TEST_EQ(a.own.period, 30);
	about__free(&a);
	about__make(&a, &f.hist, "PARSE", true);
	TEST_EQ(a.with_callees.nr, 0);
	TEST_EQ(a.candidates.nr, 2);
	EXPECT_ITEM(&f, a.candidates, 0, "parse_body", 30);
	about__free(&a);
	about__make(&a, &f.hist, "", true);
	TEST_EQ(a.with_callees.nr, 0);
	about__free(&a);
	fixture__free(&f);
}
