// SPDX-License-Identifier: GPL-2.0-only
#include "agent-memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/mem.h"

int agent_memory__new(struct agent_memory *m, struct error *err)
{
	void *p;

	*m = (struct agent_memory){};
	m->fd = memfd_create("perf-agent", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (m->fd < 0 || ftruncate(m->fd, AGENT_MEMORY_SIZE) ||
	    fcntl(m->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)) {
		int code = errno;

		agent_memory__close_fd(m);
		return error__set(err, -code, "cannot make memory for the agent: %s",
				  strerror(code));
	}
	p = mmap(NULL, AGENT_MEMORY_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, m->fd,
		 0);
	if (p != MAP_FAILED) {
		m->base = p;
		return 0;
	}
	agent_memory__close_fd(m);
	return error__set(err, -errno, "cannot map memory for the agent: %s", strerror(errno));
}

/*
 * Pages of hugetlbfs, which has seals, too, may run out, and then a load dies of SIGBUS: but its
 * files are made of whole ones.
 */
_Static_assert(AGENT_MEMORY_SIZE % (2 << 20), "not a size for memory of huge pages");

int agent_memory__adopt(struct agent_memory *m, int fd, struct agent_hello *hello)
{
	const int wanted = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
	int seals = fcntl(fd, F_GET_SEALS);
	struct stat st;
	void *p;

	*m = (struct agent_memory){ .fd = fd };
	if (seals < 0 || (seals & wanted) != wanted || fstat(fd, &st) ||
	    st.st_size != AGENT_MEMORY_SIZE)
		return -EINVAL;
	p = mmap(NULL, AGENT_MEMORY_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd,
		 0);
	if (p == MAP_FAILED)
		return -errno;
	m->base = p;
	memcpy(hello, &((struct agent_header *)p)->hello, sizeof(*hello));
	return hello->magic == AGENT_MAGIC ? 0 : -EINVAL;
}

void agent_memory__close_fd(struct agent_memory *m)
{
	if (m->fd >= 0)
		close(m->fd);
	m->fd = -1;
}

void agent_memory__free(struct agent_memory *m)
{
	agent_memory__close_fd(m);
	if (m->base)
		munmap(m->base, AGENT_MEMORY_SIZE);
	m->base = NULL;
}

static struct agent_ring *memory__ring(const struct agent_memory *m, u32 i)
{
	return (struct agent_ring *)(m->base + AGENT_CONTROL_AT) + i;
}

static u32 memory__nr_rings(const struct agent_memory *m)
{
	const struct agent_header *h = (void *)m->base;

	return min_of(__atomic_load_n(&h->rings_used, __ATOMIC_ACQUIRE), (u32)AGENT_RINGS);
}

/* Copies @size bytes that may change meanwhile, once. */
static void copy_shared(void *to, const void *from, size_t size)
{
	memcpy(to, from, size);
	asm volatile("" : : "r"(to) : "memory");
}

/* The rest of a timer's record @from, with what is behind @head bytes of it. */
static bool take_stop(const u8 *from, u64 head, struct agent_record *copy)
{
	const u64 rest = copy->size - sizeof(*copy);
	const struct agent_stop *stop = (void *)((u8 *)copy + head);

	if (copy->size < head + sizeof(*stop) || copy->size > head + AGENT_STOP_MAX)
		return false;
	copy_shared(copy->frames, from + sizeof(*copy), rest);
	return stop->stack_size == copy->size - head - sizeof(*stop);
}

/*
 * Takes one record at @at of the ring's @data, of which @left bytes were written, in @copy. Returns
 * its bytes; 0: it makes no sense.
 */
static u32 take_record(const u8 *data, u64 at, u64 left, struct agent_record *copy)
{
	u64 max = min_of(left, AGENT_RING_SIZE - at), words;

	if (max < sizeof(u64))
		return 0;
	copy_shared(copy, data + at, min_of(max, (u64)sizeof(*copy)));
	if (copy->size % 8 || copy->size < sizeof(u64) || copy->size > max)
		return 0;
	if (copy->nr == AGENT_SKIP)
		return copy->size;
	if (copy->nr > AGENT_FRAMES_MAX || copy->ids_size > AGENT_IDS_MAX)
		return 0;
	words = copy->nr * sizeof(copy->frames[0]) + ((copy->ids_size + 7) & ~7u);
	if (copy->flags & AGENT_CLOCKED)
		return take_stop(data + at, sizeof(*copy) + words, copy) ? copy->size : 0;
	if (copy->size != sizeof(*copy) + words)
		return 0;
	copy_shared(copy->frames, data + at + sizeof(*copy), words);
	return copy->size;
}

/* Hands on what is in a ring, up to @head, with room for a record in @copy. */
static void read_ring(struct agent_memory *m, u32 nr, u64 head, struct agent_record *copy,
		      void (*each)(void *ctx, u32 tid, const struct agent_record *rec), void *ctx)
{
	struct agent_ring *r = memory__ring(m, nr);
	const u8 *data = m->base + AGENT_DATA_AT + nr * (size_t)AGENT_RING_SIZE;
	/* Once: the program can write there, and what is compared must be what is used. */
	u64 tail = __atomic_load_n(&r->tail, __ATOMIC_RELAXED);
	u32 tid = r->tid, size = 0;

	if (head - tail > AGENT_RING_SIZE || head % 8 || tail % 8) {
		m->damaged++;
		tail = head & ~7ULL;
	}
	for (; tail < head; tail += size) {
		size = take_record(data, tail % AGENT_RING_SIZE, head - tail, copy);
		if (!size) {
			m->damaged++;
			tail = head & ~7ULL;
			break;
		}
		if (copy->nr != AGENT_SKIP)
			each(ctx, tid, copy);
	}
	__atomic_store_n(&r->tail, tail, __ATOMIC_RELEASE);
}

void agent_memory__read(struct agent_memory *m,
			void (*each)(void *ctx, u32 tid, const struct agent_record *rec),
			void (*ended)(void *ctx, u32 tid), void *ctx)
{
	struct agent_record *copy = xmalloc(sizeof(*copy) +
					    AGENT_FRAMES_MAX * sizeof(copy->frames[0]) +
					    AGENT_IDS_MAX + AGENT_STOP_MAX);

	for (u32 i = 0; i < memory__nr_rings(m); i++) {
		struct agent_ring *r = memory__ring(m, i);
		/* Before the head: then nothing comes behind it. */
		bool over = __atomic_load_n(&r->ended, __ATOMIC_ACQUIRE) == 1;

		read_ring(m, i, __atomic_load_n(&r->head, __ATOMIC_ACQUIRE), copy, each, ctx);
		if (over && ended) {
			r->ended = 2; /* said */
			ended(ctx, r->tid);
		}
	}
	free(copy);
}

void agent_memory__want_clock(struct agent_memory *m, bool on)
{
	__atomic_store_n(&((struct agent_header *)m->base)->clock_off, !on, __ATOMIC_RELAXED);
}

void agent_memory__tell_ids(struct agent_memory *m, const struct agent_ids *ids)
{
	struct agent_ids *to = &((struct agent_header *)m->base)->ids;
	struct agent_ids hidden = *ids;

	hidden.where = AGENT_NOWHERE;
	*to = hidden;
	__atomic_store_n(&to->where, ids->where, __ATOMIC_RELEASE);
}

static void empty_ring(struct agent_ring *r, u32 tid)
{
	r->seq = 0;
	r->ended = 0;
	r->head = r->tail = 0;
	__atomic_store_n(&r->tid, tid, __ATOMIC_RELEASE);
}

void agent_memory__free_ring(struct agent_memory *m, u32 tid)
{
	for (u32 i = 0; i < memory__nr_rings(m); i++)
		if (memory__ring(m, i)->tid == tid)
			empty_ring(memory__ring(m, i), 0);
}

void agent_memory__reset(struct agent_memory *m, bool (*lives)(void *ctx, u32 tid), void *ctx)
{
	for (u32 i = 0; i < memory__nr_rings(m); i++) {
		struct agent_ring *r = memory__ring(m, i);
		u32 tid = r->tid;

		empty_ring(r, lives(ctx, tid) ? tid : 0);
	}
}

static char *copy_text(const u8 *at, size_t size)
{
	char *text = xmalloc(size + 1);

	copy_shared(text, at, size);
	text[size] = 0;
	return text;
}

bool agent_memory__name(struct agent_memory *m, u32 number, struct agent_name *out)
{
	u64 at = (number - 1) * 8ULL, data;
	struct agent_code code;

	if (!number || at > AGENT_NAMES_SIZE - sizeof(code))
		return false;
	copy_shared(&code, m->base + AGENT_NAMES_AT + at, sizeof(code));
	data = (u64)code.name_size + code.file_size + code.lines_size;
	if (!code.name_size || code.name_size > AGENT_NAME_MAX ||
	    code.file_size > AGENT_NAME_MAX || code.lines_size > AGENT_LINES_MAX ||
	    code.size < sizeof(code) || data > code.size - sizeof(code) ||
	    code.size > AGENT_NAMES_SIZE - at || data > AGENT_NAMES_SIZE - m->names)
		return false;
	m->names += data;
	at += AGENT_NAMES_AT + offsetof(struct agent_code, data);
	*out = (struct agent_name){
		.name = copy_text(m->base + at, code.name_size),
		.file = copy_text(m->base + at + code.name_size, code.file_size),
		.lines = xmalloc(code.lines_size + 1),
		.lines_size = code.lines_size,
		.first_line = code.first_line,
	};
	copy_shared(out->lines, m->base + at + code.name_size + code.file_size, code.lines_size);
	return true;
}

void agent_name__free(struct agent_name *n)
{
	free(n->name);
	free(n->file);
	free(n->lines);
}
