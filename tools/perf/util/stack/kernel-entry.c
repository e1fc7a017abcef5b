// SPDX-License-Identifier: GPL-2.0-only
#include "kernel-entry.h"

#include <stdio.h>
#include <string.h>

static bool starts_with(const char *s, const char *beginning)
{
	return !strncmp(s, beginning, strlen(beginning));
}

bool kernel_entry__calls_syscalls(const char *name)
{
	static const char *const names[] = { /* or what the compiler has made of these */
		"do_syscall_64", "x64_sys_call", "do_fast_syscall_32", "__do_fast_syscall_32",
		"invoke_syscall", "el0_svc_common",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (starts_with(name, names[i]))
			return true;
	return false;
}

/* Whether a function that is called with a system call is that of the call itself. */
static bool is_call(const char *name)
{
	return !kernel_entry__calls_syscalls(name) && !starts_with(name, "syscall_") &&
	       !starts_with(name, "exit_to_");
}

/* The kernel's functions for system calls have the name of the call behind these. */
static const char *skip_prefix(const char *name)
{
	static const char *const prefixes[] = {
		"__x64_sys_", "__arm64_sys_", "__ia32_compat_sys_", "__ia32_sys_", "__do_sys_",
		"__se_sys_", "ksys_",
	};

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (starts_with(name, prefixes[i]))
			return name + strlen(prefixes[i]);
	return name;
}

static const char *exception_name(const char *name)
{
	if (starts_with(name, "asm_exc_page_fault") || starts_with(name, "el0_da") ||
	    starts_with(name, "el0_ia"))
		return "page fault";
	if (starts_with(name, "asm_sysvec_") || starts_with(name, "asm_common_interrupt") ||
	    starts_with(name, "el0_irq"))
		return "interrupt";
	return NULL;
}

static const char *kernel_name(const struct frame *f)
{
	return f->cpumode == PERF_RECORD_MISC_KERNEL && f->loc.sym ? f->loc.sym->name : NULL;
}

const char *kernel_entry__name(const struct frame *frames, size_t nr, size_t *len)
{
	const char *name = NULL;
	size_t i = 0;

	while (i < nr && frames[i].cpumode == PERF_RECORD_MISC_KERNEL)
		i++;
	/* From the outermost one inwards: a page fault may be in a system call. */
	while (i-- && !name) {
		const char *function = kernel_name(&frames[i]);
		const char *inner = i ? kernel_name(&frames[i - 1]) : NULL;

		if (!function)
			continue;
		name = exception_name(function);
		if (!name && starts_with(function, "exit_to_user_mode"))
			name = "return to user space";
		if (!name && inner && kernel_entry__calls_syscalls(function) && is_call(inner))
			name = skip_prefix(inner);
	}
	if (name)
		*len = strcspn(name, "."); /* "futex_wait.isra.0" */
	return name;
}

enum kernel_entry_object kernel_entry__object(const char *name, size_t len)
{
	static const char of_fds[] =
		" read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 recvfrom"
		" recvmsg recvmmsg sendto sendmsg sendmmsg accept accept4 connect epoll_wait"
		" epoll_pwait epoll_pwait2 fsync fdatasync sync_file_range ioctl fcntl flock"
		" getdents64 ftruncate fallocate close ";
	char word[24];

	if (len == strlen("futex") && !memcmp(name, "futex", len))
		return ENTRY_FUTEX;
	if (len + 3 > sizeof(word))
		return ENTRY_NO_OBJECT;
	snprintf(word, sizeof(word), " %.*s ", (int)len, name);
	return strstr(of_fds, word) ? ENTRY_FD : ENTRY_NO_OBJECT;
}
