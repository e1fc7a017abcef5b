// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "dump.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define MAGIC 0x4a695444u
#define PADDING 0x6d766a70 /* "pjvm": readers know by it how the code is to be walked */
#define STUB (1ull << 63) /* in the index of code that is no method */
#define SAME_FILE "\xff" /* as the name of a line's file */

enum { LOAD = 0, DEBUG_INFO = 2, CLOSE = 3 };

struct header {
	uint32_t magic, version, size, machine, padding, pid;
	uint64_t time, flags;
};

struct prefix {
	uint32_t type, size;
	uint64_t time;
};

struct load {
	struct prefix prefix;
	uint32_t pid, tid;
	uint64_t vma, addr, size, index;
};

struct debug_info {
	struct prefix prefix;
	uint64_t addr, nr;
};

struct entry {
	uint64_t addr;
	int32_t line, discriminator;
};

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* That of this program. */
static uint32_t machine(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr ehdr = {};
	ssize_t len = fd < 0 ? 0 : read(fd, &ehdr, sizeof(ehdr));

	if (fd >= 0)
		close(fd);
	return len == sizeof(ehdr) ? ehdr.e_machine : EM_NONE;
}

/* Writes all of @v; its bases and lengths change. */
static int write_all(int fd, struct iovec *v, int nr)
{
	while (nr) {
		ssize_t n = writev(fd, v, nr);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		for (; nr && (size_t)n >= v->iov_len; v++, nr--)
			n -= v->iov_len;
		if (nr) {
			v->iov_base = (char *)v->iov_base + n;
			v->iov_len -= n;
		}
	}
	return 0;
}

static int write_header(int fd)
{
	struct header h = {
		.magic = MAGIC, .version = 1, .size = sizeof(h), .machine = machine(),
		.padding = PADDING, .pid = getpid(), .time = now(),
	};

	return write_all(fd, &(struct iovec){ &h, sizeof(h) }, 1);
}

int dump__open(struct dump *d, const char *dir, const char **why)
{
	char path[PATH_MAX];
	int ret;

	pthread_mutex_init(&d->lock, NULL);
	snprintf(path, sizeof(path), "%s/jit-%d.dump", dir, getpid());
	unlink(path);
	*why = "make the file";
	d->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (d->fd < 0)
		return -errno;
	*why = "write the file";
	ret = write_header(d->fd);
	if (!ret) {
		*why = "map the file as code (is the file system mounted noexec?)";
		d->mark = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ | PROT_EXEC, MAP_PRIVATE,
			       d->fd, 0);
		ret = d->mark == MAP_FAILED ? -errno : 0;
	}
	if (ret) {
		close(d->fd);
		d->fd = -1;
		unlink(path);
	}
	return ret;
}

static void give_up(struct dump *d)
{
	close(d->fd);
	d->fd = -1;
}

void dump__close(struct dump *d)
{
	struct prefix p = { CLOSE, sizeof(p), now() };

	pthread_mutex_lock(&d->lock);
	if (d->fd >= 0) {
		write_all(d->fd, &(struct iovec){ &p, sizeof(p) }, 1);
		give_up(d);
	}
	pthread_mutex_unlock(&d->lock);
}

static const char *file_of(const struct dump_line *l)
{
	return l->file ? l->file : SAME_FILE;
}

/* Returns false when a record cannot be as long. */
static bool lines_size(const struct dump_code *code, uint32_t *out)
{
	uint64_t size = sizeof(struct debug_info);

	for (size_t i = 0; i < code->nr_lines; i++)
		size += sizeof(struct entry) + strlen(file_of(&code->lines[i])) + 1;
	*out = size;
	return size <= UINT32_MAX;
}

/* In front of the code that they are of. */
static int write_lines(struct dump *d, const struct dump_code *code, uint64_t time)
{
	struct debug_info head = {
		{ DEBUG_INFO, 0, time }, (uintptr_t)code->addr, code->nr_lines,
	};
	int ret;

	if (!code->nr_lines || !lines_size(code, &head.prefix.size))
		return 0;
	ret = write_all(d->fd, &(struct iovec){ &head, sizeof(head) }, 1);
	for (size_t i = 0; i < code->nr_lines && !ret; i++) {
		const char *file = file_of(&code->lines[i]);
		struct entry e = { code->lines[i].addr, code->lines[i].line, 0 };
		struct iovec v[] = { { &e, sizeof(e) }, { (void *)file, strlen(file) + 1 } };

		ret = write_all(d->fd, v, 2);
	}
	return ret;
}

static int write_code(struct dump *d, const struct dump_code *code, uint64_t time)
{
	size_t name = strlen(code->name) + 1;
	struct load load = {
		.prefix = { LOAD, sizeof(load) + name + code->size, time },
		.pid = getpid(), .tid = gettid(), .vma = (uintptr_t)code->addr,
		.addr = (uintptr_t)code->addr, .size = code->size,
		.index = d->next_index++ | (code->is_stub ? STUB : 0),
	};
	struct iovec v[] = {
		{ &load, sizeof(load) }, { (void *)code->name, name },
		{ (void *)code->addr, code->size },
	};

	return write_all(d->fd, v, 3);
}

void dump__code(struct dump *d, const struct dump_code *code)
{
	uint64_t time;

	if (code->size > UINT32_MAX / 2)
		return;
	pthread_mutex_lock(&d->lock);
	time = now();
	if (d->fd >= 0 && (write_lines(d, code, time) || write_code(d, code, time)))
		give_up(d);
	pthread_mutex_unlock(&d->lock);
}
