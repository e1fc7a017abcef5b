// SPDX-License-Identifier: GPL-2.0-only
/*
 * The matcher on random histories with a known truth: as a file, as a pipe that is read once, and
 * as a live recording, with and without room to wait. A history that fails is made shorter, and
 * its seed told.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/history.h"
#include "../lib/replay.h"
#include "../test.h"

enum way { BY_FILE, BY_SPOOL, BY_STREAM, BY_TIGHT_STREAM, BY_RINGS, BY_TIGHT_RINGS, BY_FILES,
	   NR_WAYS };
static const char *const way_names[] = {
	"file", "stored pipe", "stream", "stream without room", "rings", "rings without room",
	"rings into several files",
};

static bool is_tight(enum way way)
{
	return way == BY_TIGHT_STREAM || way == BY_TIGHT_RINGS;
}

static bool is_live(enum way way)
{
	return way == BY_RINGS || way == BY_TIGHT_RINGS || way == BY_FILES;
}

struct check {
	const struct history *h;
	enum way way;
	u32 *seen;
	u64 last_time;
	bool check_comm;
	char *wrong; /* words for the first thing that is */
};

static void say_wrong(struct check *c, u32 sample, const char *what, u64 got, u64 want)
{
	if (!c->wrong)
		c->wrong = xasprintf("sample %u by %s: %s %#" PRIx64 ", expected %#" PRIx64, sample,
				     way_names[c->way], what, got, want);
}

static void check_chain(struct check *c, u32 i, const struct whole_sample *ws)
{
	const struct history_truth *t = &c->h->truth.v[i];
	u64 first = ws->nr_user ? ws->user[0] : 0, want = t->user;

	for (u64 k = 0; k < ws->nr_chain; k++)
		if (ws->chain[k] == ABI_CONTEXT_USER_DEFERRED)
			say_wrong(c, i, "marker at", k, 0);
	if (!t->deferred) {
		first = ws->nr_chain ? ws->chain[ws->nr_chain - 1] : 0;
		want = 0x5000;
	} else if (!want && ws->s->cpumode == PERF_RECORD_MISC_USER) {
		want = ws->s->ip; /* what is known without the record */
	}
	if (first != want)
		say_wrong(c, i, "user part", first, want);
	if (t->user && ws->nr_user != t->nr_user)
		say_wrong(c, i, "length", ws->nr_user, t->nr_user);
	for (u64 k = 0; t->user && k < ws->nr_user; k++)
		if (ws->user[k] != t->user + k)
			say_wrong(c, i, "address number", k, 0);
	if (t->deferred && t->cookie &&
	    deferred_result__is_match(ws->deferred) != (t->user || t->empty))
		say_wrong(c, i, "result", ws->deferred, t->user);
	if (t->deferred && !t->cookie && ws->deferred != DEFERRED_NO_COOKIE)
		say_wrong(c, i, "result", ws->deferred, DEFERRED_NO_COOKIE);
}

static int on_sample(void *ctx, const struct whole_sample *ws)
{
	struct check *c = ctx;
	u64 i = ws->s->ip - HISTORY_IP;
	char comm[16];

	if (i >= c->h->truth.nr) {
		say_wrong(c, 0, "ip", ws->s->ip, 0);
		return 0;
	}
	c->seen[i]++;
	if (ws->rec->time < c->last_time)
		say_wrong(c, i, "time", ws->rec->time, c->last_time);
	c->last_time = ws->rec->time;
	snprintf(comm, sizeof(comm), "p%u", c->h->truth.v[i].comm);
	if (c->check_comm && strcmp(comm, ws->thread->comm))
		say_wrong(c, i, ws->thread->comm, 0, c->h->truth.v[i].comm);
	/* Samples may pass, and where one of several files ends nobody waits for their record. */
	if (!(ws->deferred == DEFERRED_PASSED && is_tight(c->way)) &&
	    !(c->way == BY_FILES && c->h->truth.v[i].cookie &&
	      !deferred_result__is_match(ws->deferred)))
		check_chain(c, i, ws);
	return 0;
}

static void feed(const struct history *h, const char *fifo)
{
	size_t size, pos = 0;
	u8 *image = builder__image(h->b, true, &size);
	int fd = open(fifo, O_WRONLY);

	while (pos < size) {
		ssize_t n = write(fd, image + pos, min_of(size - pos, (size_t)3001));

		if (n <= 0)
			_exit(1);
		pos += n;
	}
	_exit(0);
}

static struct reader *open_way(const struct history *h, enum way way)
{
	struct error err = {};
	struct reader *r;
	int ret;

	if (way == BY_FILE || is_live(way)) {
		builder__save(h->b, "history");
		ret = reader__open(&r, "history", false, &err);
	} else if (way == BY_SPOOL) {
		builder__save_pipe(h->b, "history");
		ret = reader__open(&r, "history", false, &err);
	} else {
		unlink("fifo");
		TEST_EQ(mkfifo("fifo", 0600), 0);
		if (!fork())
			feed(h, "fifo");
		ret = reader__open_live(&r, "fifo", false, &err);
		TEST_TRUE(ret || reader__is_stream(r));
	}
	if (ret)
		TEST_FAIL("%s", err.text);
	return r;
}

/* NULL, or what is wrong, to be freed. */
static char *run(const struct history *h, const struct history_opts *o, enum way way)
{
	struct check c = {
		.h = h, .way = way, .seen = xcalloc(h->truth.nr + 1, sizeof(u32)),
		.check_comm = !(o->spice & HISTORY_SKEW),
	};
	struct pipeline_opts opts = {
		.sink = { .sample = on_sample, .ctx = &c },
		.max_pending = is_tight(way) ? 4096 : 0,
		.symbols.binary.live = is_live(way),
	};
	struct reader *r = open_way(h, way);
	struct error err = {};
	struct pipeline *p;

	TEST_EQ(pipeline__new(&p, reader__recording(r), &opts, &err), 0);
	TEST_EQ(is_live(way) ? replay__run(p, r, way == BY_FILES ? 5 : 0)
			     : pipeline__run(p, r, &err), 0);
	for (u32 i = 0; i < h->truth.nr; i++)
		if (c.seen[i] != h->truth.v[i].copies)
			say_wrong(&c, i, "times seen", c.seen[i], h->truth.v[i].copies);
	pipeline__free(p);
	reader__close(r);
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	free(c.seen);
	return c.wrong;
}

static char *run_all_ways(const struct history_opts *o)
{
	struct history h;
	char *wrong = NULL;

	history__make(&h, o);
	for (int way = 0; way < NR_WAYS && !wrong; way++)
		wrong = run(&h, o, way);
	history__free(&h);
	return wrong;
}

static void check_history(struct history_opts o)
{
	char *wrong = run_all_ways(&o), *shorter;

	if (!wrong)
		return;
	for (u32 cut = o.steps / 2; cut; cut /= 2) {
		struct history_opts fewer = o;

		while (fewer.steps > cut) {
			fewer.steps -= cut;
			shorter = run_all_ways(&fewer);
			if (!shorter)
				break;
			free(wrong);
			wrong = shorter;
			o = fewer;
		}
	}
	TEST_FAIL("seed %" PRIu64 ", %u steps, %u threads, %u cpus, spice %#x: %s", o.seed, o.steps,
		  o.threads, o.cpus, o.spice, wrong);
}

#define HISTORIES 40

static void check_spice(u32 spice)
{
	for (u64 seed = 1; seed <= HISTORIES; seed += test__share(10)) {
		u64 x = hash_mix(seed * 4096 + spice);
		u32 threads = 1 + (x >> 16) % (spice & HISTORY_WRAP ? 4 : 40);

		check_history((struct history_opts){
			.seed = x,
			.threads = threads,
			.cpus = spice & HISTORY_NO_TIME ? threads : 1 + (x >> 32) % 4,
			.steps = (200 + x % 2000) * (spice & HISTORY_WRAP ? 4 : 1),
			.spice = spice,
		});
	}
}

TEST_LIMIT(deferred_histories, "callchain-deferred: random histories, files and pipes", 120)
{
	check_spice(0);
	check_spice(HISTORY_DUPLICATES | HISTORY_SESSIONS);
}

TEST_LIMIT(deferred_histories_tasks, "callchain-deferred: histories with exec, exit, reuse", 120)
{
	check_spice(HISTORY_EXEC);
	check_spice(HISTORY_EXIT);
	check_spice(HISTORY_EXEC | HISTORY_EXIT | HISTORY_DUPLICATES | HISTORY_SESSIONS);
}

TEST_LIMIT(deferred_histories_loss, "callchain-deferred: histories with lost records", 120)
{
	check_spice(HISTORY_LOSS);
	check_spice(HISTORY_LOSS | HISTORY_EXEC | HISTORY_EXIT | HISTORY_DUPLICATES |
		    HISTORY_SESSIONS);
}

TEST_LIMIT(deferred_histories_clocks, "callchain-deferred: histories with bad clocks and wraps",
	   120)
{
	check_spice(HISTORY_SKEW);
	check_spice(HISTORY_SKEW | HISTORY_SESSIONS | HISTORY_LOSS);
	check_spice(HISTORY_WRAP);
}

TEST_LIMIT(deferred_histories_order, "callchain-deferred: histories without times, in odd orders",
	   120)
{
	check_spice(HISTORY_NO_TIME);
	check_spice(HISTORY_NO_TIME | HISTORY_LOSS | HISTORY_DUPLICATES | HISTORY_SESSIONS);
	check_spice(HISTORY_REVERSED);
	check_spice(HISTORY_REVERSED | HISTORY_EXEC | HISTORY_EXIT | HISTORY_SESSIONS);
	check_spice(HISTORY_REBOOT);
	check_spice(HISTORY_REBOOT | HISTORY_LOSS | HISTORY_EXIT | HISTORY_DUPLICATES);
	check_spice(HISTORY_GUESTS);
}
