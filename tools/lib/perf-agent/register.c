// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Runtimes of other languages that tell their frames: see include/perf/agent.h. What they register
 * is called in the handler, in the middle of whatever they do; a load of theirs that faults ends
 * the walk, and what was told until then counts.
 */
#include "priv.h"

#define WALKERS_MAX 8
#define LINES_MAX 16384 /* of a function: each takes two bytes */

struct walk {
	struct perf_agent_walk public; /* first: what walkers get */
	struct agent_frame *frames;
	uint32_t nr, max;
	bool cut;
};

struct walker {
	perf_agent_walker walk;
	void *ctx;
};

static struct walker walkers[WALKERS_MAX];
static uint32_t nr_walkers;

/* A string, and what tells it from others. */
static size_t measure(const char *s, uint64_t *print)
{
	uint64_t h = 0xcbf29ce484222325ull;
	size_t n = 0;

	for (; s && s[n] && n < AGENT_NAME_MAX - 1; n++)
		h = (h ^ (uint8_t)s[n]) * 0x100000001b3ull;
	*print = h;
	return n;
}

struct told {
	const struct perf_agent_function *f;
	size_t name, file;
	uint32_t lines;
};

/*
 * The lines are told as CPython's location tables do, of which the recorder knows the form: an
 * entry for each line, "no columns", whose delta is 1 but for the first.
 */
static void put_lines(uint8_t *to, uint32_t lines)
{
	for (uint32_t i = 0; i < lines; i++) {
		*to++ = 0x80 | 13 << 3;
		*to++ = i ? 2 : 0;
	}
}

static uint32_t write_function(void *ctx)
{
	const struct told *t = ctx;
	uint32_t number;
	struct agent_code *n = agent__take_name(sizeof(*n) + t->name + t->file + 2 * t->lines,
						&number);

	if (!n)
		return 0;
	n->first_line = t->f->first_line;
	n->name_size = t->name;
	n->file_size = t->file;
	n->lines_size = 2 * t->lines;
	memcpy(n->data, t->f->name, t->name);
	memcpy(n->data + t->name, t->f->file ? t->f->file : "", t->file);
	put_lines(n->data + t->name + t->file, t->lines);
	__atomic_store_n(&n->size, (sizeof(*n) + t->name + t->file + 2 * t->lines + 7) & ~7ull,
			 __ATOMIC_RELEASE);
	return number;
}

static uint32_t number_of(const struct perf_agent_function *f)
{
	uint64_t v[4] = { f->first_line, f->last_line };
	struct told t = { f, measure(f->name, &v[2]), measure(f->file, &v[3]), 1 };

	if (!t.name)
		return 0;
	if (f->last_line > f->first_line)
		t.lines += f->last_line - f->first_line;
	if (t.lines > LINES_MAX)
		t.lines = LINES_MAX;
	return agent__name(agent__print(1, v, 4), write_function, &t);
}

static bool tell_frame(struct perf_agent_walk *public, const struct perf_agent_function *f,
		       unsigned int line, const void *entry)
{
	struct walk *w = (struct walk *)public;

	if (w->nr == w->max) {
		w->cut = true;
		return false;
	}
	w->frames[w->nr++] = (struct agent_frame){
		.code = number_of(f), .entry = (uint64_t)entry,
		.at = line > f->first_line ? line - f->first_line : 0,
	};
	return true;
}

static bool read_memory(void *to, const void *from, size_t size)
{
	return agent__copy(to, (uint64_t)from, size);
}

bool agent__has_walkers(void)
{
	return __atomic_load_n(&nr_walkers, __ATOMIC_ACQUIRE);
}

uint32_t agent__walk(struct agent_frame *frames, uint32_t max, const void *context, uint16_t *flags)
{
	uint32_t nr = __atomic_load_n(&nr_walkers, __ATOMIC_ACQUIRE);
	struct walk w = {
		.public = { .frame = tell_frame, .read = read_memory }, .frames = frames,
		.max = max,
	};

	for (uint32_t i = 0; i < nr; i++) {
		uint32_t before = w.nr;

		if (!agent__call_walker(&w.public, context, walkers[i].walk, walkers[i].ctx))
			*flags |= AGENT_TORN;
		if (w.nr > before)
			frames[w.nr - 1].code |= AGENT_OUTERMOST;
	}
	*flags |= w.cut ? AGENT_CUT : 0;
	return w.nr;
}

AGENT_API int perf_agent_register(perf_agent_walker walk, void *ctx)
{
	static uint32_t taken;
	uint32_t at;

	if (!walk || !agent.loaded)
		return -1;
	at = __atomic_fetch_add(&taken, 1, __ATOMIC_RELAXED);
	if (at >= WALKERS_MAX || !agent__make_names())
		return -1;
	walkers[at] = (struct walker){ walk, ctx };
	/* In the order in which they were taken, so that none is called before it is there. */
	while (__atomic_load_n(&nr_walkers, __ATOMIC_ACQUIRE) != at)
		;
	if (agent.pid)
		agent__guard();
	__atomic_store_n(&nr_walkers, at + 1, __ATOMIC_RELEASE);
	return 0;
}
