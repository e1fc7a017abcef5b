// SPDX-License-Identifier: GPL-2.0-only
#include "code-copies.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../io/process-memory.h"
#include "../io/side-process.h"
#include "jit-elf.h"
#include "jit-frames.h"
#include "libgcc-data.h"
#include "registered-tables.h"

#define COPY_BYTES PROCESS_MEMORY_MAX /* copies begin at multiples of this, or of a mapping */
#define COPIES_MAX 256    /* at a time */
#define NUMBERS_MAX 8192  /* the unwinder keeps what it knows of each */
#define UNUSED_NS NSEC_PER_SEC
#define USED_MAX 16       /* for one sample */
#define READS_PER_S 4000  /* of all programs */
/* Memory that can be written to must be equal at so many looks, with a pause between them. */
#define EQUAL_MIN 50
#define EQUAL_PAUSE (10 * NSEC_PER_MSEC)
/* Code that was of no use so often is looked at for one in so many samples. */
#define VAIN_MAX 64
/* A sample may just be written when code is copied: that pass and the next may not see it. */
#define PASSES 2

struct copy {
	u32 number;
	u32 pid, maps;    /* maps__id() */
	u64 start;
	size_t size;
	u64 used;         /* the time of the last sample that had its address */
	u64 pass, since;  /* all that was before it has come with that pass, until this time */
	bool over;        /* forgotten */
	bool writable;
	u32 equal;        /* at so many looks, the last one at .looked (CLOCK_MONOTONIC) */
	u64 looked;
	u32 in_vain;
	int fd;
	jit_elf_bytes rows; /* call frame information that the program has registered for it */
	u8 bytes[COPY_BYTES];
};

struct code_copies {
	struct binaries *binaries;   /* NULL: no registered tables are looked for */
	struct memory_reader reader;
	u64 sample;                  /* the time of the one for which .used were found */
	u32 used[USED_MAX], nr_used; /* places in .copies */
	u32 nr, nr_made;
	struct copy *copies[COPIES_MAX];
	u8 now[COPY_BYTES];
};

struct code_copies *code_copies__new(void)
{
	struct code_copies *c = xzalloc(sizeof(*c));

	c->reader.per_second = READS_PER_S;
	return c;
}

void code_copies__find_tables(struct code_copies *c, struct binaries *binaries)
{
	c->binaries = binaries;
}

static void copy__free(struct copy *copy)
{
	vec__free(&copy->rows);
	if (copy->fd >= 0)
		close(copy->fd);
	free(copy);
}

void code_copies__free(struct code_copies *c)
{
	if (!c)
		return;
	for (u32 i = 0; i < c->nr; i++)
		copy__free(c->copies[i]);
	memory_reader__free(&c->reader);
	free(c);
}

static ssize_t code_copies__read_some(struct code_copies *c, u32 tid, u64 addr, void *to,
				      size_t size)
{
	return memory_reader__read(&c->reader, tid, addr, to, size);
}

static bool code_copies__read(struct code_copies *c, u32 tid, u64 addr, u8 *to, size_t size)
{
	return code_copies__read_some(c, tid, addr, to, size) == (ssize_t)size;
}

struct reading {
	struct code_copies *copies;
	u32 tid;
};

static ssize_t read_for_tables(void *ctx, u64 addr, void *to, size_t size)
{
	const struct reading *r = ctx;

	return code_copies__read_some(r->copies, r->tid, addr, to, size);
}

static void copy__find_rows(struct copy *copy, struct code_copies *c, const struct thread *t)
{
	struct reading r = { c, t->tid };
	const struct registered_memory memory = { read_for_tables, &r };

	u64 data, size;

	_Static_assert(REGISTERED_READ <= PROCESS_MEMORY_MAX, "it can be read at once");
	if (c->binaries && libgcc_data__find(t->maps, c->binaries, &data, &size))
		registered_tables__find(&memory, t->maps, data, size, copy->start, copy->size,
					&copy->rows);
}

static int write_file(const struct copy *copy)
{
	static const struct jit_elf_symbol none;
	const struct jit_elf elf = {
		.machine = jit_elf__native_machine(), .name = "", .addr = copy->start,
		.base = JIT_FRAMES_REACH, .code = copy->bytes, .code_size = copy->size,
		.unwinding = copy->rows.v, .unwinding_size = copy->rows.nr, .symbols = &none,
	};
	int fd = memfd_create("perf-code", MFD_CLOEXEC), ret = 0;
	jit_elf_bytes bytes = {};

	if (fd < 0)
		return -errno;
	jit_elf__write(&bytes, &elf);
	if (write(fd, bytes.v, bytes.nr) != (ssize_t)bytes.nr) {
		ret = -EIO;
		close(fd);
	}
	vec__free(&bytes);
	return ret ?: fd;
}

/*
 * Returns: a place for a new copy; COPIES_MAX: there is none. Where memory that can be written to
 * was changed, that is remembered.
 */
static u32 code_copies__place(const struct code_copies *c, u32 pid, u64 now)
{
	u32 oldest = COPIES_MAX;

	if (c->nr < COPIES_MAX)
		return c->nr;
	for (u32 i = 0; i < c->nr; i++) {
		const struct copy *copy = c->copies[i];

		if (copy->over && !copy->writable)
			return i;
		if (copy->pid != pid && !copy->over && copy->used + UNUSED_NS < now &&
		    (oldest == COPIES_MAX || copy->used < c->copies[oldest]->used))
			oldest = i;
	}
	return oldest;
}

/* Returns: the place of a new copy, or COPIES_MAX. @now: the time of the sample */
static u32 code_copies__add(struct code_copies *c, const struct thread *t, u64 start, size_t size,
			    u64 now)
{
	u32 place = code_copies__place(c, t->pid, now);
	struct copy *copy;

	if (place == COPIES_MAX || c->nr_made == NUMBERS_MAX ||
	    !code_copies__read(c, t->tid, start, c->now, size))
		return COPIES_MAX;
	if (place < c->nr)
		copy__free(c->copies[place]);
	copy = xzalloc(sizeof(*copy));
	copy->number = c->nr_made++;
	copy->pid = t->pid;
	copy->maps = maps__id(t->maps);
	copy->start = start;
	copy->size = size;
	copy->since = UINT64_MAX;
	memcpy(copy->bytes, c->now, size);
	copy__find_rows(copy, c, t);
	copy->fd = write_file(copy);
	c->copies[place] = copy;
	c->nr = max_of(c->nr, place + 1);
	return place;
}

void code_copies__passed(struct code_copies *c, u64 pass, u64 newest)
{
	for (u32 i = 0; i < c->nr; i++)
		if (c->copies[i]->since == UINT64_MAX && pass >= c->copies[i]->pass)
			c->copies[i]->since = newest;
}

static bool copy__is_at(const struct copy *copy, const struct thread *t, u64 start, size_t size)
{
	return copy->pid == t->pid && copy->maps == maps__id(t->maps) && copy->start == start &&
	       copy->size == size;
}

bool code_copies__find(struct code_copies *c, const struct sample *s, const struct thread *t,
		       const struct map *map, u64 addr, u64 passes, struct code_copy *out)
{
	u64 start = max_of(addr & -(u64)COPY_BYTES, map->start);
	u64 end = min_of((addr & -(u64)COPY_BYTES) + COPY_BYTES, map->end);
	struct copy *copy = NULL;
	bool given_up = false;
	u32 i;

	if (c->sample != s->time)
		c->nr_used = 0;
	c->sample = s->time;
	for (i = 0; i < c->nr; i++) {
		if (!copy__is_at(c->copies[i], t, start, end - start))
			continue;
		copy = c->copies[i];
		if (!copy->over)
			break;
		given_up |= copy->writable;
	}
	if (i == c->nr) {
		i = given_up ? COPIES_MAX : code_copies__add(c, t, start, end - start, s->time);
		if (i == COPIES_MAX)
			return false;
		copy = c->copies[i];
		copy->pass = passes + PASSES;
		copy->writable = map->prot & PROT_WRITE;
	}
	copy->used = max_of(copy->used, s->time);
	if (copy->fd < 0 || s->time <= copy->since || c->nr_used == USED_MAX ||
	    (copy->in_vain >= VAIN_MAX && copy->in_vain++ % VAIN_MAX))
		return false;
	copy->in_vain += copy->in_vain < VAIN_MAX;
	c->used[c->nr_used++] = i;
	*out = (struct code_copy){ start, end, JIT_ELF_TEXT, copy->number };
	return true;
}

u32 code_copies__nr(const struct code_copies *c)
{
	return c->nr_made;
}

void code_copies__mapped(struct code_copies *c, u32 pid, u64 start, u64 end)
{
	for (u32 i = 0; i < c->nr; i++) {
		struct copy *copy = c->copies[i];

		if (copy->pid == pid && copy->start < end && start < copy->start + copy->size)
			copy->over = true;
	}
}

/* The memory is equal now. Returns: whether it has been for long enough. */
static bool copy__counts(struct copy *copy)
{
	u64 now = clock__now(CLOCK_MONOTONIC);

	if (!copy->writable || copy->equal >= EQUAL_MIN)
		return true;
	if (now - copy->looked >= EQUAL_PAUSE) {
		copy->looked = now;
		copy->equal++;
	}
	return false;
}

bool code_copies__stood(struct code_copies *c, const struct sample *s, bool *sure)
{
	bool believed = true;

	*sure = true;
	if (c->sample != s->time)
		return false;
	for (u32 i = 0; i < c->nr_used; i++) {
		struct copy *copy = c->copies[c->used[i]];

		if (!code_copies__read(c, s->tid, copy->start, c->now, copy->size))
			return false;
		copy->over = memcmp(c->now, copy->bytes, copy->size);
		if (copy->over)
			return false;
		believed &= copy__counts(copy);
		*sure &= !copy->writable;
	}
	for (u32 i = 0; i < c->nr_used; i++)
		c->copies[c->used[i]]->in_vain = 0; /* a walk with it came to the end */
	return believed;
}

int code_copies__fd(const struct code_copies *c, u32 number)
{
	for (u32 i = 0; i < c->nr; i++)
		if (c->copies[i]->number == number)
			return c->copies[i]->fd;
	return -ENOENT;
}
