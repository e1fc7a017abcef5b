// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mapfile.h"

/*
 * The handler runs on any thread at any time, so it sees the mappings through a fixed table of
 * atomics. A mapping that found no room in the table is simply not protected.
 */
#define MAX_MAPPINGS 4096

static struct guarded {
	_Atomic(uintptr_t) start; /* 0: free */
	_Atomic(size_t) len;
	atomic_bool shrank;
} table[MAX_MAPPINGS];

/* Of 4 or 64 kB, on arm64 as the kernel was built. */
static uintptr_t page_of(uintptr_t addr)
{
	return addr & -(uintptr_t)sysconf(_SC_PAGESIZE);
}

static void on_sigbus(int sig, siginfo_t *info, void *context __unused_arg)
{
	uintptr_t addr = (uintptr_t)info->si_addr;

	for (int i = 0; i < MAX_MAPPINGS; i++) {
		uintptr_t start = atomic_load(&table[i].start);
		size_t left;

		if (!start || addr < start || addr - start >= atomic_load(&table[i].len))
			continue;
		addr = page_of(addr);
		left = start + atomic_load(&table[i].len) - addr;
		if (mmap((void *)addr, left, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			break;
		atomic_store(&table[i].shrank, true);
		return;
	}
	signal(sig, SIG_DFL);
	raise(sig);
}

void mapfile__init(void)
{
	struct sigaction sa = { .sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO | SA_NODEFER };

	sigaction(SIGBUS, &sa, NULL);
}

static int guard(uintptr_t start, size_t len)
{
	for (int i = 0; i < MAX_MAPPINGS; i++) {
		uintptr_t free_slot = 0;

		if (atomic_load(&table[i].start))
			continue;
		/* Its length is 0, and only who has the place may change it. */
		if (!atomic_compare_exchange_strong(&table[i].start, &free_slot, start))
			continue;
		atomic_store(&table[i].shrank, false);
		atomic_store(&table[i].len, len);
		return i;
	}
	return -1;
}

int mapfile__map(struct mapfile *m, int fd)
{
	struct stat st;
	void *p;

	memset(m, 0, sizeof(*m));
	m->slot = -1;
	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	if (!st.st_size)
		return 0;
	m->size = st.st_size;
	m->mapped = align_up(m->size, sysconf(_SC_PAGESIZE));
	p = mmap(NULL, m->size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	m->data = p;
	m->slot = guard((uintptr_t)p, m->mapped);
	return 0;
}

int mapfile__allow_writes(struct mapfile *m)
{
	if (m->data && mprotect((void *)m->data, m->mapped, PROT_READ | PROT_WRITE))
		return -errno;
	return 0;
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

void mapfile__unmap(struct mapfile *m)
{
	if (m->slot >= 0) {
		atomic_store(&table[m->slot].len, 0);
		atomic_store(&table[m->slot].start, 0);
	}
	if (m->data)
		munmap((void *)m->data, m->mapped);
	memset(m, 0, sizeof(*m));
	m->slot = -1;
}

bool mapfile__shrank(const struct mapfile *m)
{
	return m->slot >= 0 && atomic_load(&table[m->slot].shrank);
}
