// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../io/process-memory.h"
#include "../io/procfile.h"
#include "asleep.h"

static int read_file(u32 tid, const char *name, char **text)
{
	char path[64];
	int ret;

	snprintf(path, sizeof(path), "/proc/%u/%s", tid, name);
	ret = procfile__read(path, text, NULL);
	return ret == -ESRCH ? -ENOENT : ret;
}

/*
 * "running"; or "NUMBER ARGS SP PC" in a system call; or "-1 SP PC" elsewhere in the kernel
 * (/proc/PID/syscall in proc(5)).
 */
static int parse_syscall(const char *text, u64 *sp, u64 *pc)
{
	unsigned long long v[2];
	const char *at = strrchr(text, ' ');

	if (!strncmp(text, "running", 7))
		return -EAGAIN;
	while (at && at > text && at[-1] != ' ')
		at--;
	if (!at || sscanf(at, "%llx %llx", &v[0], &v[1]) != 2)
		return -EINVAL;
	*sp = v[0];
	*pc = v[1];
	return *sp && *pc ? 0 : -ENOENT;
}

static int read_place(u32 tid, u64 *sp, u64 *pc)
{
	char *text;
	int ret = read_file(tid, "syscall", &text);

	if (ret)
		return ret;
	ret = parse_syscall(text, sp, pc);
	free(text);
	return ret;
}

static bool find_count(const char *text, const char *name, u64 *sum)
{
	const char *at = strstr(text, name);

	if (at)
		*sum += strtoull(at + strlen(name), NULL, 10);
	return at;
}

static int read_switches(u32 tid, u64 *switches)
{
	char *text;
	int ret = read_file(tid, "status", &text);

	if (ret)
		return ret;
	*switches = 0;
	if (!find_count(text, "\nvoluntary_ctxt_switches:", switches) ||
	    !find_count(text, "\nnonvoluntary_ctxt_switches:", switches))
		ret = -EINVAL;
	free(text);
	return ret;
}

/* The count before the place: what has run in between has another count when it is asked again. */
int asleep__read(struct asleep *a, u32 tid)
{
	ssize_t size;
	int ret;

	a->tid = tid;
	a->size = a->window_size = 0;
	ret = read_switches(tid, &a->switches);
	if (!ret)
		ret = read_place(tid, &a->sp, &a->pc);
	if (ret)
		return ret;
	size = process_memory__read(a->reader, a->tid, a->sp, a->stack, sizeof(a->stack));
	if (size < 0)
		return size == -EFAULT ? 0 : size == -ESRCH ? -ENOENT : size;
	a->size = size;
	return 0;
}

bool asleep__is_still(const struct asleep *a)
{
	u64 sp, pc, switches;

	return !read_place(a->tid, &sp, &pc) && sp == a->sp && pc == a->pc &&
	       !read_switches(a->tid, &switches) && switches == a->switches;
}

/* Words are asked for, one after the other, and the other process is far away. */
static bool fill_window(struct asleep *a, u64 addr)
{
	ssize_t size = process_memory__read(a->reader, a->tid, addr, a->window, sizeof(a->window));

	a->window_at = addr;
	a->window_size = max_of(size, (ssize_t)0);
	return size > 0;
}

static bool is_in_window(const struct asleep *a, u64 addr, size_t size)
{
	u64 skip = addr - a->window_at;

	return addr >= a->window_at && skip <= a->window_size && size <= a->window_size - skip;
}

bool asleep__read_memory(struct asleep *a, u64 addr, void *to, size_t size)
{
	if (!a->reader || size > sizeof(a->window))
		return process_memory__read(a->reader, a->tid, addr, to, size) == (ssize_t)size;
	if (!is_in_window(a, addr, size) &&
	    !(fill_window(a, addr) && is_in_window(a, addr, size)))
		return false;
	memcpy(to, a->window + (addr - a->window_at), size);
	return true;
}
