// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs of aarch64 and s390x, instruction by instruction: their registers and stacks were noted
 * under qemu (tests/data/steps/make.py), with the calls that had not returned, which is the true
 * chain, and with gdb's where it is another one.
 */
#include <fcntl.h>

#include "../../util/io/mapfile.h"
#include "../../util/base/mem.h"
#include "../../util/unwinder/unwinder.h"
#include "../test.h"

#define FRAMES 128
#define MAPS 8
#define STACKS 2

struct region {
	u64 start, end;
	u8 *data;
};

struct recording {
	const char *arch;
	bool swap;
	u8 sp, pc, nr_regs;
	struct region stacks[STACKS];
	u32 nr_stacks;
	struct unwind_mapping maps[MAPS];
	char files[MAPS][64];
	u64 trampoline; /* of signals */
	u32 nr_maps;
	struct unwind_regs regs;
	u64 truth[FRAMES];
	u32 depth;
};

struct result {
	u32 stacks, frames, right_frames;
	u32 wrong; /* stacks with a frame that is not true, and that was not a guess */
	u32 cut;   /* those that are true as far as they go, or up to a guess */
	u32 gdb_wrong, by_sframe;
};

static int open_map(void *ctx, u32 module)
{
	const char *name = ((struct recording *)ctx)->files[module];

	if (!strncmp(name, "sframe/", 7))
		return open(test__data(name), O_RDONLY | O_CLOEXEC);
	return open(test__unzstd(name), O_RDONLY | O_CLOEXEC);
}

static void recording__arch(struct recording *r, const char *name)
{
	*r = (struct recording){ .arch = "aarch64", .sp = 31, .pc = 32, .nr_regs = 33 };
	if (!strncmp(name, "s390x", 5))
		*r = (struct recording){ .arch = "s390x", .sp = 15, .pc = 33, .nr_regs = 34 };
	r->swap = *r->arch == 's';
	r->regs.known = BIT_ULL(r->nr_regs) - 1;
}

static void recording__add_stack(struct recording *r, const char *line)
{
	struct region *s = &r->stacks[r->nr_stacks++];

	TEST_TRUE(r->nr_stacks <= STACKS);
	TEST_EQ(sscanf(line, "stack %" SCNx64 " %" SCNx64, &s->start, &s->end), 2);
	s->data = xzalloc(s->end - s->start);
}

static void recording__add_map(struct recording *r, const char *line)
{
	struct unwind_mapping *m = &r->maps[r->nr_maps];

	TEST_TRUE(r->nr_maps < MAPS);
	TEST_EQ(sscanf(line, "map %" SCNx64 " %" SCNx64 " %" SCNx64 " %63s", &m->start, &m->end,
		       &m->pgoff, r->files[r->nr_maps]), 4);
	if (strstr(r->files[r->nr_maps], "sigreturn"))
		r->trampoline = m->start;
	m->module = r->nr_maps++;
}

static struct region *recording__stack(struct recording *r, u64 addr)
{
	for (u32 i = 0; i < r->nr_stacks; i++)
		if (addr >= r->stacks[i].start && addr < r->stacks[i].end)
			return &r->stacks[i];
	return NULL;
}

static void recording__write(struct recording *r, u64 addr, u64 v)
{
	struct region *s = recording__stack(r, addr);

	TEST_TRUE(s);
	if (r->swap)
		v = __builtin_bswap64(v);
	memcpy(s->data + (addr - s->start), &v, sizeof(v));
}

static u32 read_chain(const char *line, u64 *chain)
{
	u32 nr = 1;
	char *end;

	for (;; line = end) {
		u64 v = strtoull(line, &end, 16);

		if (end == line)
			return nr;
		TEST_TRUE(nr < FRAMES);
		chain[nr++] = v;
	}
}

/* All of it, or up to the change from a signal's stack, which is all that was copied. */
static bool is_whole(const struct recording *r, const struct unwind_chain *c,
		     const struct region *stack)
{
	if (c->nr == r->depth)
		return c->stop == UNWIND_OUTERMOST;
	return stack != r->stacks && c->stop == UNWIND_OTHER_STACK && c->nr > 1;
}

static void recording__count(const struct recording *r, const struct unwind_chain *c, u32 right,
			     const struct region *stack, struct result *to)
{
	u32 judged = min_of(right + 1, c->nr);

	to->stacks++;
	to->frames += r->depth;
	to->right_frames += right;
	for (u32 i = 1; i < c->nr; i++)
		to->by_sframe += c->methods[i] == UNWIND_BY_SFRAME;
	if (right == c->nr && is_whole(r, c, stack))
		return;
	if ((right == c->nr && c->stop != UNWIND_OUTERMOST) ||
	    memchr(c->methods, UNWIND_BY_FP, judged) ||
	    memchr(c->methods, UNWIND_BY_LEAF, judged)) {
		to->cut++;
		return;
	}
	if (to->wrong++ < 3)
		printf("at %#" PRIx64 ", frame %u is %#" PRIx64 ", true is %#" PRIx64
		       " (of %u); end: %s\n", c->ips[0], right, right < c->nr ? c->ips[right] : 0,
		       right < r->depth ? r->truth[right] : 0, r->depth,
		       unwind_stop__name(c->stop));
}

static void recording__compare(struct recording *r, struct unwind_space *space, struct result *to)
{
	u64 ips[FRAMES], sp = r->regs.v[r->sp];
	u8 methods[FRAMES];
	struct region *region = recording__stack(r, sp);
	struct unwind_stack stack = { .start = sp };
	struct unwind_chain c = { .ips = ips, .methods = methods, .max = FRAMES };
	u32 right = 0;

	if (region) {
		stack.data = region->data + (sp - region->start);
		stack.size = region->end - sp;
	}
	r->truth[0] = r->regs.v[r->pc];
	unwind__walk(space, &r->regs, &stack, &c);
	while (right < c.nr && right < r->depth && ips[right] == r->truth[right])
		right++;
	recording__count(r, &c, right, region, to);
}

static void recording__line(struct recording *r, struct unwind_space *space, const char *line,
			    struct result *to)
{
	u64 v, at;

	switch (*line) {
	case 's':
		recording__add_stack(r, line);
		break;
	case 'm':
		recording__add_map(r, line);
		unwind_space__add(space, &r->maps[r->nr_maps - 1]);
		break;
	case 'r':
		TEST_EQ(sscanf(line, "r %" SCNu64 " %" SCNx64, &at, &v), 2);
		TEST_TRUE(at < r->nr_regs);
		r->regs.v[at] = v;
		break;
	case 'w':
		TEST_EQ(sscanf(line, "w %" SCNx64 " %" SCNx64, &at, &v), 2);
		recording__write(r, at, v);
		break;
	case 'c':
		r->depth = read_chain(line + 1, r->truth);
		recording__compare(r, space, to);
		break;
	case 'g':
		to->gdb_wrong++;
		break;
	}
}

static struct result walk_all(const char *name, const char *how)
{
	char path[64], line[FRAMES * 20];
	struct result result = {};
	struct unwind_space *space;
	struct recording r;
	struct unwinder *u;
	FILE *in;

	mapfile__init();
	snprintf(path, sizeof(path), "steps/%s", name);
	in = fopen(test__unzstd(path), "re");
	TEST_TRUE(in && fgets(line, sizeof(line), in));
	recording__arch(&r, line);
	TEST_EQ(unwinder__by_name(&u, how, unwind_arch__parse(r.arch), NULL), 0);
	unwinder__on_open(u, open_map, &r);
	space = unwind_space__new(u);
	while (fgets(line, sizeof(line), in))
		recording__line(&r, space, line, &result);
	fclose(in);
	unwind_space__free(space);
	unwinder__free(u);
	for (u32 i = 0; i < r.nr_stacks; i++)
		free(r.stacks[i].data);
	printf("%-16s %-18s %5u stacks, %2u wrong, %3u cut; gdb: %5u wrong; frames: %.2f %% of %u, "
	       "%u by .sframe\n", name, how, result.stacks, result.wrong, result.cut,
	       result.gdb_wrong, 100.0 * result.right_frames / result.frames, result.frames,
	       result.by_sframe);
	return result;
}

/*
 * What is wrong is the last instruction of longjmp() on s390x. What is cut ends in code without
 * rows (crti.o, crtbegin.o and, on purpose, s390x-norows), or in longjmp().
 */
static const struct {
	const char *name;
	u32 wrong, cut;
} recordings[] = {
	{ "a64", 0, 0 },
	{ "a64-nofp", 0, 0 },
	{ "a64-pac", 0, 0 },
	{ "a64-pac-off", 0, 0 },
	{ "a64-sframe2-pac", 0, 24 },
	{ "a64-sframe3", 0, 24 },
	{ "a64-sframe3-pac", 0, 24 },
	{ "s390x", 0, 20 },
	{ "s390x-backchain", 0, 20 },
	{ "s390x-norows", 0, 65 },
	{ "s390x-sframe2", 0, 21 },
	{ "s390x-sframe3", 0, 21 },
	{ "s390x-sframe3-fp", 0, 21 },
};

TEST_LIMIT(unwind_foreign, "unwind: aarch64 and s390x, the true chain at each instruction", 120)
{
	for (size_t i = 0; i < ARRAY_SIZE(recordings); i++) {
		struct result r = walk_all(recordings[i].name, "eh_frame,fp");

		TEST_TRUE(r.stacks > 6000 && r.wrong <= recordings[i].wrong &&
			  r.cut <= recordings[i].cut);
	}
}

TEST_LIMIT(unwind_foreign_sframe, "unwind: aarch64 and s390x, by .sframe the same", 120)
{
	for (size_t i = 0; i < ARRAY_SIZE(recordings); i++) {
		struct result r;

		if (!strstr(recordings[i].name, "sframe"))
			continue;
		r = walk_all(recordings[i].name, "sframe,eh_frame,fp");
		TEST_TRUE(r.by_sframe > 10000 && r.wrong <= recordings[i].wrong &&
			  r.cut <= recordings[i].cut);
	}
}
