// SPDX-License-Identifier: GPL-2.0-only
#include "process-memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/mem.h"
#include "privileges.h"
#include "side-process.h"

#define LIMIT_MS 500 /* for an answer of the other process */

struct memory_request {
	u32 tid;
	u64 addr;
};

struct memory_answer {
	s64 size; /* bytes; or -errno */
	u8 data[PROCESS_MEMORY_MAX];
};

static int serve_memory(void *ctx, const void *request, void *answer)
{
	const struct memory_request *r = request;
	struct memory_answer *a = answer;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/mem", r->tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	a->size = fd < 0 ? -1 : pread(fd, a->data, sizeof(a->data), r->addr);
	if (a->size < 0)
		a->size = -errno;
	if (fd >= 0)
		close(fd);
	return -1;
}

struct side_process *process_memory__reader(void)
{
	static const struct sandbox_limits limits = { .opens = true };
	const struct side_process_opts opts = {
		.serve = serve_memory, .sandbox = &limits, .limit_ms = LIMIT_MS,
		.request_size = sizeof(struct memory_request),
		.answer_size = sizeof(struct memory_answer),
		.privileges = PRIVILEGE(CAP_SYS_PTRACE),
	};

	return privileges__effective() & PRIVILEGE(CAP_SYS_PTRACE) ? side_process__new(&opts)
								   : NULL;
}

static ssize_t read_by_other(struct side_process *reader, u32 tid, u64 addr, void *to, size_t size)
{
	const struct memory_request r = { tid, addr };
	/* Not on the stack, which perf may be recording by copies of its top. */
	struct memory_answer *answer = xmalloc(sizeof(*answer));
	int fd;
	ssize_t ret = side_process__ask(reader, &r, answer, &fd);

	if (!ret)
		ret = answer->size < 0 ? answer->size : (ssize_t)min_of(size, (size_t)answer->size);
	if (ret > 0)
		memcpy(to, answer->data, ret);
	free(answer);
	return ret;
}

ssize_t process_memory__read(struct side_process *reader, u32 tid, u64 addr, void *to, size_t size)
{
	struct iovec local = { to, size }, remote = { (void *)(uintptr_t)addr, size };
	ssize_t n;

	if (reader) {
		n = read_by_other(reader, tid, addr, to, size);
		return n == -EIO ? -EFAULT : n;
	}
	n = process_vm_readv(tid, &local, 1, &remote, 1, 0);
	return n < 0 ? -errno : n;
}

ssize_t memory_reader__read(struct memory_reader *r, u32 tid, u64 addr, void *to, size_t size)
{
	u64 second = r->per_second ? clock__now(CLOCK_MONOTONIC) / NSEC_PER_SEC : 0;

	if (second != r->second)
		r->nr_of_second = 0;
	r->second = second;
	if (r->per_second && r->nr_of_second++ >= r->per_second)
		return -EDQUOT;
	if (!r->asked)
		r->other = process_memory__reader();
	r->asked = true;
	return process_memory__read(r->other, tid, addr, to, size);
}

void memory_reader__free(struct memory_reader *r)
{
	side_process__free(r->other);
	*r = (struct memory_reader){};
}
