// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mapfile.h"
#include "../base/mem.h"
#include "broker.h"
#include "procfile.h"

/*
 * The handler runs on any thread at any time, so it reads the table of mappings by atomics only.
 * Blocks of the table are added as needed and never freed; map and unmap hold the lock.
 */
#define BLOCK_GUARDS 512

struct mapfile_guard {
	_Atomic(uintptr_t) start;
	_Atomic(size_t) len; /* 0: free */
	atomic_bool shrank;
	atomic_bool writable;
	struct mapfile_guard *next_free;
};

struct guard_block {
	struct mapfile_guard v[BLOCK_GUARDS];
	struct guard_block *next; /* set before the block is published */
};

static struct {
	_Atomic(struct guard_block *) blocks;
	pthread_mutex_t lock; /* for what follows */
	struct mapfile_guard *free;
	u64 used, max;        /* max: 0 before it is known */
} guards = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct sigaction handler_before; /* of SIGBUS, in a process that is not ours */

/* Of 4 or 64 kB, on arm64 as the kernel was built. */
static uintptr_t page_of(uintptr_t addr)
{
	return addr & -(uintptr_t)sysconf(_SC_PAGESIZE);
}

static struct mapfile_guard *guard_of(uintptr_t addr)
{
	for (struct guard_block *b = atomic_load(&guards.blocks); b; b = b->next)
		for (int i = 0; i < BLOCK_GUARDS; i++)
			if (addr - atomic_load(&b->v[i].start) < atomic_load(&b->v[i].len))
				return &b->v[i];
	return NULL;
}

static void on_sigbus(int sig, siginfo_t *info, void *context __unused_arg)
{
	uintptr_t addr = page_of((uintptr_t)info->si_addr), end;
	struct mapfile_guard *g = guard_of(addr);

	if (g) {
		end = atomic_load(&g->start) + atomic_load(&g->len);
		if (mmap((void *)addr, end - addr, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED) {
			atomic_store(&g->shrank, true);
			return;
		}
	}
	/* Not ours: it happens again, and who was there before us hears of it. */
	sigaction(sig, &handler_before, NULL);
}

void mapfile__init(void)
{
	struct sigaction sa = { .sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO | SA_NODEFER };

	sigaction(SIGBUS, &sa, &handler_before);
}

static void guards__add_block(void)
{
	struct guard_block *b = xzalloc(sizeof(*b));

	for (int i = 0; i < BLOCK_GUARDS; i++) {
		b->v[i].next_free = guards.free;
		guards.free = &b->v[i];
	}
	b->next = atomic_load(&guards.blocks);
	atomic_store(&guards.blocks, b);
}

u64 mapfile__max(void)
{
	return procfile__number("/proc/sys/vm/max_map_count", 65530) / 2;
}

/* NULL: the limit of mapped files is reached, which leaves mappings for other purposes. */
static struct mapfile_guard *guard__new(void)
{
	struct mapfile_guard *g = NULL;

	pthread_mutex_lock(&guards.lock);
	if (!guards.max)
		guards.max = mapfile__max();
	if (guards.used < guards.max) {
		if (!guards.free)
			guards__add_block();
		g = guards.free;
		guards.free = g->next_free;
		guards.used++;
	}
	pthread_mutex_unlock(&guards.lock);
	return g;
}

static void guard__free(struct mapfile_guard *g)
{
	atomic_store(&g->len, 0);
	atomic_store(&g->shrank, false);
	atomic_store(&g->writable, false);
	pthread_mutex_lock(&guards.lock);
	g->next_free = guards.free;
	guards.free = g;
	guards.used--;
	pthread_mutex_unlock(&guards.lock);
}

int mapfile__map(struct mapfile *m, int fd)
{
	struct stat st;
	void *p;

	memset(m, 0, sizeof(*m));
	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	if (!st.st_size)
		return 0;
	m->guard = guard__new();
	if (!m->guard)
		return -ENOMEM;
	p = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED) {
		int err = -errno;

		mapfile__unmap(m);
		return err;
	}
	m->data = p;
	m->size = st.st_size;
	m->mapped = align_up(m->size, sysconf(_SC_PAGESIZE));
	atomic_store(&m->guard->start, (uintptr_t)p);
	atomic_store(&m->guard->len, m->mapped); /* last: from here on it is protected */
	return 0;
}

int mapfile__allow_writes(struct mapfile *m)
{
	if (!m->data)
		return 0;
	atomic_store(&m->guard->writable, true);
	return mprotect((void *)m->data, m->mapped, PROT_READ | PROT_WRITE) ? -errno : 0;
}

void mapfile__read_sparsely(const struct mapfile *m)
{
	if (m->data)
		madvise((void *)m->data, m->mapped, MADV_RANDOM);
}

void mapfile__fetch(const struct mapfile *m, const void *data, size_t len)
{
	uintptr_t start = page_of((uintptr_t)data);

	if (m->data && (const u8 *)data >= m->data && (const u8 *)data + len <= m->data + m->size)
		madvise((void *)start, (uintptr_t)data + len - start, MADV_WILLNEED);
}

/* Of /proc/PID/pagemap, by the kernel's Documentation/admin-guide/mm/pagemap.rst */
#define PAGEMAP_FILE (1ULL << 61) /* not a copy that was written */
#define PAGEMAP_PRESENT (1ULL << 63)
#define PAGEMAP_ENTRIES 512

static bool is_unwritten(u64 entry)
{
	return (entry & (PAGEMAP_FILE | PAGEMAP_PRESENT)) == (PAGEMAP_FILE | PAGEMAP_PRESENT);
}

/* Gives back runs of pages at @start, of which @entries tell. */
static void release_runs(uintptr_t start, const u64 *entries, size_t nr, size_t page)
{
	for (size_t i = 0, end; i < nr; i = end + 1) {
		for (end = i; end < nr && is_unwritten(entries[end]); end++)
			;
		if (end > i)
			madvise((void *)(start + i * page), (end - i) * page, MADV_DONTNEED);
	}
}

/* What was written to a page would be lost with it. */
static void release_unwritten(uintptr_t start, size_t len, int pagemap)
{
	size_t page = sysconf(_SC_PAGESIZE), nr = len / page, some;
	u64 entries[PAGEMAP_ENTRIES];

	for (size_t i = 0; i < nr; i += some) {
		some = min_of(nr - i, (size_t)PAGEMAP_ENTRIES);
		if (pread(pagemap, entries, some * sizeof(*entries),
			  (start / page + i) * sizeof(*entries)) !=
		    (ssize_t)(some * sizeof(*entries)))
			return;
		release_runs(start + i * page, entries, some, page);
	}
}

/*
 * Who unmaps takes the lock between clearing the length and munmap(): a length that is not 0 here
 * is that of a mapping that stays until the lock is free.
 */
static void guard__release(const struct mapfile_guard *g, int pagemap)
{
	size_t len = atomic_load(&g->len); /* before the start that it is for */
	uintptr_t start = atomic_load(&g->start);

	if (len && atomic_load(&g->writable))
		release_unwritten(start, len, pagemap);
	else if (len)
		madvise((void *)start, len, MADV_DONTNEED);
}

void mapfile__release_pages(void)
{
	int pagemap = broker__open("/proc/self/pagemap", O_RDONLY);

	pthread_mutex_lock(&guards.lock);
	for (struct guard_block *b = atomic_load(&guards.blocks); b; b = b->next)
		for (int i = 0; i < BLOCK_GUARDS; i++)
			guard__release(&b->v[i], pagemap);
	pthread_mutex_unlock(&guards.lock);
	if (pagemap >= 0)
		close(pagemap);
}

void mapfile__unmap(struct mapfile *m)
{
	if (m->guard)
		guard__free(m->guard);
	if (m->data)
		munmap((void *)m->data, m->mapped);
	memset(m, 0, sizeof(*m));
}

bool mapfile__shrank(const struct mapfile *m)
{
	return m->guard && atomic_load(&m->guard->shrank);
}
