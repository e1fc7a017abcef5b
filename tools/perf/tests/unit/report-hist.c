// SPDX-License-Identifier: GPL-2.0-only
/* Histograms and call trees: stacks written as "outer;inner" in, the report's text out. */
#include <sys/resource.h>

#include "../../util/text/report-text.h"
#include "../test.h"

#define MAX_NAMES 64

#ifdef __SANITIZE_ADDRESS__
#define SANITIZED true /* freed memory is kept aside */
#else
#define SANITIZED false
#endif

struct fixture {
	struct hist hist;
	struct report_text_opts text;
	struct dso dso;
	struct symbol syms[MAX_NAMES];
	u32 nr_syms;
	u32 event; /* of what add() adds */
	u32 part;      /* the same, with the state of its part */
	u64 serial;    /* the same: as of struct frames */
	u64 number;
	size_t nr_same;
};

static void fixture__init(struct fixture *f, const char *keys, bool children)
{
	struct hist_opts opts = { .children = children, .caller_order = children,
				  .callers_first = true };

	memset(f, 0, sizeof(*f));
	f->dso = (struct dso){ .name = "/bin/prog", .short_name = "prog" };
	f->text.chains = CHAIN_OPTS_DEFAULT;
	f->text.chains.caller_order = children;
	f->text.quiet = true;
	f->text.skip_own_name = true;
	TEST_EQ(column_list__parse(&opts.keys, keys, NULL), 0);
	opts.order = opts.keys;
	column_list__add_first(&opts.order, COLUMN_OVERHEAD);
	if (children)
		column_list__add_first(&opts.order, COLUMN_OVERHEAD_CHILDREN);
	f->text.columns = opts.order;
	hist__init(&f->hist, &opts);
}

static const struct symbol *symbol_of(struct fixture *f, const char *name, size_t len)
{
	char *copy;
	u32 i;

	for (i = 0; i < f->nr_syms; i++)
		if (strlen(f->syms[i].name) == len && !memcmp(f->syms[i].name, name, len))
			return &f->syms[i];
	TEST_TRUE(i < MAX_NAMES);
	copy = strndup(name, len);
	f->syms[i] = (struct symbol){
		.start = 0x1000 * (i + 1), .end = 0x1000 * (i + 2), .name = copy,
	};
	f->nr_syms++;
	return &f->syms[i];
}

/* A sample with the stack "outer;inner" whose own ip is in the innermost function. */
static void add(struct fixture *f, const char *comm, const char *stack, u64 period)
{
	struct hist_context context = { .comm = comm, .pid = 1, .tid = 1, .event = f->event,
					.part = f->part,
					.state = f->part ? "runnable" : "blocked" };
	struct frame all[32], inner_first[32], leaf;
	struct frames chain = {
		.f.v = inner_first, .serial = f->serial, .nr_same = f->nr_same, .number = f->number,
	};
	size_t nr = 0;

	for (const char *p = stack; *p;) {
		size_t len = strcspn(p, ";");
		const struct symbol *sym = symbol_of(f, p, len);

		TEST_TRUE(nr < ARRAY_SIZE(all));
		all[nr++] = (struct frame){
			.ip = sym->start + 4,
			.cpumode = PERF_RECORD_MISC_USER,
			.loc = { .dso = &f->dso, .sym = sym, .addr = sym->start + 4 },
		};
		p += len + (p[len] == ';');
	}
	leaf = all[nr - 1];
	while (nr--)
		inner_first[chain.f.nr++] = all[nr];
	hist__add(&f->hist, &context, &chain, &leaf, period);
}

static void fixture__exit(struct fixture *f)
{
	hist__free(&f->hist);
	for (u32 i = 0; i < f->nr_syms; i++)
		free((char *)f->syms[i].name);
}

static void expect(struct fixture *f, const char *want)
{
	struct textbuf tb;

	hist__finish(&f->hist);
	textbuf__init(&tb, -1);
	textbuf__report(&tb, &f->hist, "ev", &f->text);
	TEST_STR(textbuf__str(&tb), want);
	textbuf__free(&tb);
	fixture__exit(f);
}

static void add_parts(struct fixture *f, u64 blocked, u64 runnable)
{
	f->part = 0;
	add(f, "a", "main;wait", blocked);
	f->part = 1;
	add(f, "a", "main;wait", runnable);
}

TEST(hist_parts, "report: a sample in parts is one sample, of each entry that has a part of it")
{
	struct hist_opts opts = {};
	struct fixture f;
	struct hist zoomed;

	fixture__init(&f, "sym", false);
	add_parts(&f, 10, 20);
	add_parts(&f, 10, 20);
	TEST_EQ(f.hist.totals[0].nr, 2);
	hist__finish(&f.hist);
	TEST_EQ(f.hist.entries.v[f.hist.sorted.v[0]].nr, 2);
	fixture__exit(&f);

	fixture__init(&f, "state", false);
	add_parts(&f, 10, 20);
	add_parts(&f, 10, 20);
	TEST_EQ(f.hist.totals[0].nr, 2);
	TEST_EQ(column_list__parse(&opts.keys, "comm", NULL), 0);
	hist__init(&zoomed, &opts);
	hist__zoom(&zoomed, &f.hist, &(struct hist_zoom){});
	hist__finish(&zoomed);
	TEST_EQ(zoomed.totals[0].nr, 2);
	TEST_EQ(zoomed.totals[0].period, 60);
	TEST_EQ(zoomed.entries.v[zoomed.sorted.v[0]].nr, 2);
	hist__free(&zoomed);
	hist__finish(&f.hist);
	TEST_EQ(f.hist.sorted.nr, 2);
	for (size_t i = 0; i < f.hist.sorted.nr; i++)
		TEST_EQ(f.hist.entries.v[f.hist.sorted.v[i]].nr, 2);
	fixture__exit(&f);
}

TEST(hist_plain, "report: entries, their shares, ties by name, columns as wide as needed")
{
	struct fixture f;

	fixture__init(&f, "comm,dso,sym", false);
	f.text.chains.mode = CHAIN_NONE;
	f.text.quiet = false;
	add(&f, "a", "main;zeta", 25);
	add(&f, "a", "main;alpha", 25);
	add(&f, "long-name", "main;zeta", 10);
	add(&f, "a", "main;zeta", 25);
	hist__add_filtered(&f.hist, 0, 15);
	expect(&f, "# Samples: 5  of event 'ev'\n"
	       "# Event count (approx.): 100\n"
	       "#\n"
	       "# Overhead  Command    Shared Object  Symbol   \n"
	       "# ........  .........  .............  .........\n"
	       "#\n"
	       "    50.00%  a          prog           [.] zeta\n"
	       "    25.00%  a          prog           [.] alpha\n"
	       "    10.00%  long-name  prog           [.] zeta\n"
	       "\n\n");
}

TEST(hist_same_frames, "report: frames of the chain before are taken from there, if it is that one")
{
	struct fixture f;

	fixture__init(&f, "sym", true);
	f.text.chains.mode = CHAIN_NONE;
	f.serial = 1;
	add(&f, "a", "main;one;leaf", 40);
	f.serial = 2;
	f.nr_same = 2;
	add(&f, "a", "main;one;other;leaf", 30);
	f.serial = 0; /* somebody has changed it */
	add(&f, "a", "main;two;leaf", 20);
	f.serial = 1;
	add(&f, "a", "start;three;leaf", 6);
	f.serial = 7;
	add(&f, "a", "end;four;leaf", 4);
	expect(&f, "   100.00%   100.00%  [.] leaf\n"
	       "    90.00%     0.00%  [.] main\n"
	       "    70.00%     0.00%  [.] one\n"
	       "    30.00%     0.00%  [.] other\n"
	       "    20.00%     0.00%  [.] two\n"
	       "     6.00%     0.00%  [.] start\n"
	       "     6.00%     0.00%  [.] three\n"
	       "     4.00%     0.00%  [.] end\n"
	       "     4.00%     0.00%  [.] four\n"
	       "\n\n");
}

TEST(hist_known, "report: a chain with a known number counts as before, with its leaf and context")
{
	struct hist_context a = { .comm = "a", .pid = 1, .tid = 1 }, b = { .comm = "b", .tid = 2 };
	struct frame leaf = { .cpumode = PERF_RECORD_MISC_USER };
	struct fixture f;

	fixture__init(&f, "comm,sym", true);
	f.text.chains.mode = CHAIN_NONE;
	f.number = 7;
	add(&f, "a", "main;one;leaf", 40);
	leaf.ip = symbol_of(&f, "leaf", 4)->start + 4;
	TEST_TRUE(hist__add_known(&f.hist, &a, 7, &leaf, 10));
	TEST_TRUE(hist__add_known(&f.hist, &a, 7, &leaf, 10));
	TEST_TRUE(!hist__add_known(&f.hist, &b, 7, &leaf, 1000));
	TEST_TRUE(!hist__add_known(&f.hist, &a, 8, &leaf, 1000));
	TEST_TRUE(!hist__add_known(&f.hist, &a, 7 + KNOWN_CHAINS, &leaf, 1000));
	leaf.cpumode = PERF_RECORD_MISC_KERNEL;
	TEST_TRUE(!hist__add_known(&f.hist, &a, 7, &leaf, 1000));
	leaf.cpumode = PERF_RECORD_MISC_USER;
	leaf.ip++;
	TEST_TRUE(!hist__add_known(&f.hist, &a, 7, &leaf, 1000));
	f.number = 0;
	add(&f, "b", "main;leaf", 40);
	expect(&f, "    60.00%    60.00%  a        [.] leaf\n"
	       "    60.00%     0.00%  a        [.] main\n"
	       "    60.00%     0.00%  a        [.] one\n"
	       "    40.00%    40.00%  b        [.] leaf\n"
	       "    40.00%     0.00%  b        [.] main\n"
	       "\n\n");
}

static void add_leaf(struct fixture *f, const struct dso *dso, const struct symbol *sym, u64 period)
{
	struct hist_context context = { .comm = "a", .pid = 1, .tid = 1 };
	struct frame leaf = {
		.ip = sym->start, .cpumode = PERF_RECORD_MISC_USER,
		.loc = { .dso = dso, .sym = sym, .addr = sym->start },
	};
	struct frames chain = { .f = { .v = &leaf, .nr = 1 } };

	hist__add(&f->hist, &context, &chain, &leaf, period);
}

TEST(hist_same_name, "report: functions at one address of programs with one name: one by name only")
{
	static const char again[] = "one";
	const struct symbol syms[] = {
		{ .start = 0x1139, .end = 0x115c, .name = "one" },
		{ .start = 0x1139, .end = 0x115c, .name = "leaf" },
		{ .start = 0x1139, .end = 0x115c, .name = again },
	};
	const struct dso dsos[] = {
		{ .name = "/a/w", .short_name = "w" }, { .name = "/b/w", .short_name = "w" },
		{ .name = "/container/a/w", .short_name = "w" },
	};
	static const char *const keys[] = { "dso,sym", "sym" };

	for (size_t k = 0; k < ARRAY_SIZE(keys); k++) {
		struct fixture f;

		fixture__init(&f, keys[k], false);
		f.text.chains.mode = CHAIN_NONE;
		for (size_t i = 0; i < ARRAY_SIZE(syms); i++)
			add_leaf(&f, &dsos[i], &syms[i], 10 * (i + 1));
		expect(&f, k ? "    66.67%  [.] one\n"
			       "    33.33%  [.] leaf\n\n\n" :
			       "    66.67%  w              [.] one\n"
			       "    33.33%  w              [.] leaf\n\n\n");
	}
}

TEST(hist_children, "report: callers count what they call; the tree goes from the entry inwards")
{
	struct fixture f;

	fixture__init(&f, "sym", true);
	add(&f, "a", "main;work;leaf", 60);
	add(&f, "a", "main;work", 30);
	add(&f, "a", "main;idle", 10);
	expect(&f,
	       "   100.00%     0.00%  [.] main\n"
	       "            |          \n"
	       "            |--90.00%--work\n"
	       "            |          |          \n"
	       "            |           --60.00%--leaf\n"
	       "            |          \n"
	       "             --10.00%--idle\n"
	       "\n"
	       "    90.00%    30.00%  [.] work\n"
	       "            |          \n"
	       "            |--60.00%--work\n"
	       "            |          leaf\n"
	       "            |          \n"
	       "             --30.00%--main\n"
	       "                       work\n"
	       "\n"
	       "    60.00%    60.00%  [.] leaf\n"
	       "            |\n"
	       "            ---main\n"
	       "               work\n"
	       "               leaf\n"
	       "\n"
	       "    10.00%    10.00%  [.] idle\n"
	       "            |\n"
	       "            ---main\n"
	       "               idle\n"
	       "\n"
	       "\n\n");
}

TEST(hist_recursion, "report: a sample counts once however often a function is on its stack")
{
	struct fixture f;

	fixture__init(&f, "sym", true);
	f.text.chains.mode = CHAIN_NONE;
	add(&f, "a", "main;fib;fib;fib;add", 40);
	add(&f, "a", "main;fib;fib", 60);
	expect(&f,
	       "   100.00%     0.00%  [.] main\n"
	       "   100.00%    60.00%  [.] fib\n"
	       "    40.00%    40.00%  [.] add\n"
	       "\n\n");
}

TEST(hist_callee, "report: from the function outwards")
{
	struct fixture f;

	fixture__init(&f, "comm,sym", false);
	add(&f, "a", "main;one;leaf", 75);
	add(&f, "a", "main;two;leaf", 25);
	expect(&f,
	       "   100.00%  a        [.] leaf\n"
	       "            |\n"
	       "            ---leaf\n"
	       "               |          \n"
	       "               |--75.00%--one\n"
	       "               |          main\n"
	       "               |          \n"
	       "                --25.00%--two\n"
	       "                          main\n"
	       "\n"
	       "\n\n");
}

TEST(hist_callee_children, "report: callers with children are seen from their innermost call")
{
	struct fixture f;

	fixture__init(&f, "sym", true);
	f.text.chains.caller_order = f.hist.opts.caller_order = false;
	add(&f, "a", "main;rec;mid;rec;leaf", 100);
	expect(&f,
	       "   100.00%     0.00%  [.] main\n"
	       "   100.00%     0.00%  [.] mid\n"
	       "            |\n"
	       "            ---rec\n"
	       "               main\n"
	       "\n"
	       "   100.00%     0.00%  [.] rec\n"
	       "            |\n"
	       "            ---mid\n"
	       "               rec\n"
	       "               main\n"
	       "\n"
	       "   100.00%   100.00%  [.] leaf\n"
	       "            |\n"
	       "            ---rec\n"
	       "               mid\n"
	       "               rec\n"
	       "               main\n"
	       "\n"
	       "\n\n");
}

TEST(hist_folded, "report: folded, flat and fractal; least share, lines per level, counts")
{
	static const char *const stacks[] = { "main;a;x", "main;a;y", "main;b" };
	static const u64 periods[] = { 50, 30, 20 };
	static const struct { const char *how, *want; } modes[] = {
		{ "folded,0,caller",
		  "   100.00%  c      \n"
		  "50.00% main;a;x\n"
		  "30.00% main;a;y\n"
		  "20.00% main;b\n" },
		{ "folded,25,caller,count",
		  "   100.00%  c      \n"
		  "1 main;a;x\n"
		  "1 main;a;y\n" },
		{ "flat,0,1,callee,period",
		  "   100.00%  c      \n"
		  "           50\n"
		  "                x\n"
		  "                a\n"
		  "                main\n\n" },
		{ "graph,0,1,caller",
		  "   100.00%  c      \n"
		  "            |\n"
		  "            ---main\n"
		  "               |          \n"
		  "               |--80.00%--a\n"
		  "               |          |          \n"
		  "               |          |--50.00%--x\n\n" },
		{ "fractal,50,caller",
		  "   100.00%  c      \n"
		  "            |\n"
		  "            ---main\n"
		  "               |          \n"
		  "               |--80.00%--a\n"
		  "               |          |          \n"
		  "               |          |--62.50%--x\n"
		  "               |           --37.50%--[...]\n"
		  "                --20.00%--[...]\n\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		struct fixture f;
		char want[1024];

		fixture__init(&f, "comm", false);
		TEST_EQ(chain_opts__parse(&f.text.chains, modes[i].how, NULL), 0);
		for (size_t k = 0; k < ARRAY_SIZE(stacks); k++)
			add(&f, "c", stacks[k], periods[k]);
		snprintf(want, sizeof(want), "%s\n\n", modes[i].want);
		expect(&f, want);
	}
}

TEST(hist_chain_opts, "report: what -g may be given")
{
	struct chain_opts o = CHAIN_OPTS_DEFAULT;
	struct error err;

	TEST_EQ(chain_opts__parse(&o, "", &err), 0);
	TEST_EQ(o.mode, CHAIN_GRAPH);
	TEST_EQ(chain_opts__parse(&o, "fractal,2.5,7,callee,address,count", &err), 0);
	TEST_EQ(o.mode, CHAIN_FRACTAL);
	TEST_TRUE(o.min_percent == 2.5);
	TEST_EQ(o.print_limit, 7);
	TEST_TRUE(!o.caller_order && o.order_set && o.by_address);
	TEST_EQ(o.value, CHAIN_COUNT);
	TEST_EQ(chain_opts__parse(&o, "graph,sideways", &err), -EINVAL);
	TEST_TRUE(strstr(err.text, "'sideways'"));
	TEST_EQ(chain_opts__parse(&o, "graph,101", &err), -EINVAL);
	TEST_EQ(chain_opts__parse(&o, "graph,inf", &err), -EINVAL);
	TEST_EQ(chain_opts__parse(&o, "graph,5,1e10", &err), -EINVAL);
}

TEST(hist_keys, "report: keys by name, by beginning, refused and unknown ones")
{
	static const char *const of_others[] = {
		"abort", "addr_from", "addr_to", "cache", "callchain_branch_abort",
		"callchain_branch_cycles", "callchain_branch_predicted", "cgroup_id", "cycles",
		"data_page_size", "dcacheline", "dso_from", "dso_size", "dso_to", "dtlb", "in_tx",
		"ins_lat", "ipc_lbr", "ipc_null", "latency", "latency_children", "local_ins_lat",
		"local_p_stage_cyc", "local_retire_lat", "memory", "mispredict", "op",
		"overhead_guest_sys", "overhead_guest_us", "p_stage_cyc", "phys_daddr",
		"retire_lat", "simd", "srcline_from", "srcline_to", "symbol_from", "symbol_iaddr",
		"symbol_to", "trace_fields", "transaction", "type", "typecln", "typeoff", "weight",
		"weight1", "weight2", "weight3",
	};
	struct column_list l = {};
	struct error err;

	TEST_EQ(column_list__parse(&l, "comm,symbol,co,dso", &err), 0);
	TEST_EQ(l.nr, 3);
	TEST_EQ(l.v[1], COLUMN_SYM);
	TEST_EQ(column_list__parse(&l, "dcacheline", &err), -EINVAL);
	TEST_TRUE(strstr(err.text, "symbol_daddr"));
	/* Of perf 7.2, as it names them; each is refused with a reason. */
	for (size_t i = 0; i < ARRAY_SIZE(of_others); i++) {
		TEST_EQ(column_list__parse(&l, of_others[i], &err), -EINVAL);
		TEST_TRUE(strstr(err.text, "' is not supported: "));
	}
	TEST_EQ(column_list__parse(&l, "xyzzy", &err), -EINVAL);
	TEST_EQ(column_list__parse(&(struct column_list){}, ",", &err), -EINVAL);
	TEST_EQ(column_list__parse(&l, "+cpu,pid", &err), 0);
	TEST_EQ(l.nr, 5);
	TEST_EQ(column_list__parse(&l, "+", &err), -EINVAL);
	TEST_EQ(column_list__parse(&l, "pid,+cpu", &err), -EINVAL);
}

TEST(hist_separator, "report: -t keeps perf's form, numbers to the left")
{
	struct fixture f;

	fixture__init(&f, "comm,sym", false);
	f.text.chains.mode = CHAIN_NONE;
	f.text.separator = ";";
	column_list__add(&f.text.columns, COLUMN_SAMPLE);
	add(&f, "a", "main", 1);
	expect(&f, " 100.00%;a      ;[.] main; 1          \n\n\n");

	fixture__init(&f, "comm,sym", false);
	f.text.chains.mode = CHAIN_NONE;
	f.text.separator = ",;";
	add(&f, "a,b", "pair<int, long>", 1);
	expect(&f, " 100.00%,;a.b    ,;[.] pair<int. long>\n\n\n");

	fixture__init(&f, "comm", false);
	f.text.chains.mode = CHAIN_FOLDED;
	f.text.separator = ",";
	add(&f, "a", "main;pair<int, long>", 1);
	expect(&f, " 100.00%,a      \n100.00% pair<int. long>,main\n\n\n");
}

TEST(hist_group, "report: events of a group side by side, sorted by the first, its call graphs")
{
	struct fixture f;

	fixture__init(&f, "sym", true);
	f.hist.opts.nr_events = 3; /* the third has no samples, and no column */
	add(&f, "a", "main;work", 3);
	add(&f, "a", "main;idle", 1);
	f.event = 1;
	add(&f, "a", "main;idle", 8);
	add(&f, "a", "main;other", 8);
	f.text.quiet = false;
	expect(&f, "# Samples: 4  of events 'ev'\n# Event count (approx.): 20\n#\n"
		   "#         Children              Self  Symbol   \n"
		   "# ................  ................  .........\n#\n"
		   "   100.00% 100.00%     0.00%   0.00%  [.] main\n"
		   "            |          \n"
		   "            |--75.00%--work\n"
		   "            |          \n"
		   "             --25.00%--idle\n\n"
		   "    75.00%   0.00%    75.00%   0.00%  [.] work\n"
		   "            |\n            ---main\n               work\n\n"
		   "    25.00%  50.00%    25.00%  50.00%  [.] idle\n"
		   "            |\n            ---main\n               idle\n\n"
		   "     0.00%  50.00%     0.00%  50.00%  [.] other\n\n\n");
}

TEST(hist_group_sort, "report: --group-sort-idx: that event, then those behind the first")
{
	struct fixture f;

	fixture__init(&f, "sym", false);
	f.text.chains.mode = CHAIN_NONE;
	f.hist.opts.nr_events = 3;
	f.hist.opts.sort_event = 1;
	add(&f, "a", "most", 3);
	add(&f, "a", "least", 1);
	f.event = 1;
	add(&f, "a", "other", 2);
	add(&f, "a", "least", 2);
	f.event = 2;
	add(&f, "a", "other", 1);
	expect(&f, "     0.00%  50.00% 100.00%  [.] other\n"
		   "    25.00%  50.00%   0.00%  [.] least\n"
		   "    75.00%   0.00%   0.00%  [.] most\n\n\n");
}

/* Deterministic numbers; quality does not matter. */
static u32 next_random(u64 *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return *state >> 33;
}

/* @depth frames below main(): the outer half from few functions, the inner from many. */
static void add_deep(struct fixture *f, u32 depth, u64 *state)
{
	struct hist_context context = { .comm = "deep" };
	struct frame v[1024], leaf;
	struct frames chain = { .f = { v, depth } };

	TEST_TRUE(depth <= ARRAY_SIZE(v));
	for (u32 i = 0; i < depth; i++) {
		u64 ip = 0x10000 + i * 0x100 + next_random(state) % (i < 8 ? 32 : 2) * 16;

		v[i] = (struct frame){ .ip = ip, .loc = { .addr = ip } };
	}
	leaf = v[0];
	hist__add(&f->hist, &context, &chain, &leaf, 1);
}

TEST_LIMIT(hist_scale, "report: very many different stacks of 100 frames, and one of 1024", 120)
{
	const u32 nr = 20000 / test__share(4);
	struct rusage usage;
	struct fixture f;
	struct textbuf tb;
	u64 state = 1;

	fixture__init(&f, "comm,sym", true);
	for (u32 i = 0; i < nr; i++)
		add_deep(&f, 100, &state);
	add_deep(&f, 1024, &state);
	hist__finish(&f.hist);
	textbuf__init(&tb, -1);
	textbuf__report(&tb, &f.hist, "ev", &f.text);
	TEST_TRUE(tb.len > 100000);
	textbuf__free(&tb);
	hist__free(&f.hist);
	getrusage(RUSAGE_SELF, &usage);
	TEST_TRUE(usage.ru_maxrss < (20 << 10) + 8 * nr || SANITIZED); /* kB */
}
