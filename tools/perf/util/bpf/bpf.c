// SPDX-License-Identifier: GPL-2.0-only
#include "bpf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../base/log.h"
#include "../io/privileges.h"
#include "func-types.h"
#include "sys-bpf.h"

#define LOG_BYTES (1u << 20) /* of the verifier's words */

static bool has(u64 set, int cap)
{
	return set & (PRIVILEGE(cap) | PRIVILEGE(CAP_SYS_ADMIN));
}

/*
 * What programs need came with 5.15 (bpf_task_pt_regs()) and 5.17 (bpf_loop()). Older kernels
 * refuse them for other reasons, too: before 5.11 maps count as locked memory.
 */
static bool kernel_is_old(char release[65])
{
	unsigned int major, minor;
	struct utsname u;

	if (uname(&u) || sscanf(u.release, "%u.%u", &major, &minor) != 2)
		return false;
	snprintf(release, 65, "%s", u.release);
	return major < 5 || (major == 5 && minor < 17);
}

static int explain(int ret, const char *what, struct error *err)
{
	u64 set = privileges__effective();
	char release[65];

	error__set(err, ret, "the kernel refuses %s: %s", what, strerror(-ret));
	if (ret == -EPERM && !has(set, CAP_BPF))
		error__hint(err, "This needs the capability CAP_BPF%s; root has %s.",
			    has(set, CAP_PERFMON) ? "" : " and CAP_PERFMON",
			    has(set, CAP_PERFMON) ? "it" : "both");
	else if (ret == -EPERM && !has(set, CAP_PERFMON))
		error__hint(err, "This needs the capability CAP_PERFMON; root has it.");
	else if (kernel_is_old(release))
		error__hint(err, "This needs Linux 5.15 or later, 5.17 to walk stacks; this is "
				 "%s.", release);
	else if (ret == -EPERM)
		error__hint(err, "A container, a security module or kernel lockdown forbids it.");
	else if (ret == -ENOSYS)
		error__hint(err, "This kernel has no BPF (CONFIG_BPF_SYSCALL).");
	else
		error__hint(err, "-v shows the reason of the kernel's verifier.");
	return ret;
}

static void put_name(char *dst, const char *name)
{
	snprintf(dst, BPF_OBJ_NAME_LEN, "%s", name);
}

int bpf_map__create(const struct bpf_map_opts *opts, struct error *err)
{
	union bpf_attr attr = {
		.map_type = opts->type, .key_size = opts->key_size,
		.value_size = opts->value_size, .max_entries = opts->entries,
		.map_flags = opts->flags, .inner_map_fd = opts->inner,
	};
	int ret;

	put_name(attr.map_name, opts->name);
	ret = sys_bpf(BPF_MAP_CREATE, &attr, sizeof(attr));
	return ret < 0 ? explain(ret, "a map for a BPF program", err) : ret;
}

static int map_element(int cmd, int fd, const void *key, const void *value, u64 flags)
{
	union bpf_attr attr = {
		.map_fd = fd, .key = (uintptr_t)key, .value = (uintptr_t)value, .flags = flags,
	};

	return sys_bpf(cmd, &attr, sizeof(attr));
}

int bpf_map__set(int fd, const void *key, const void *value, u64 flags)
{
	return map_element(BPF_MAP_UPDATE_ELEM, fd, key, value, flags);
}

int bpf_map__get(int fd, const void *key, void *value)
{
	return map_element(BPF_MAP_LOOKUP_ELEM, fd, key, value, 0);
}

int bpf_map__remove(int fd, const void *key)
{
	return map_element(BPF_MAP_DELETE_ELEM, fd, key, NULL, 0);
}

void *bpf_map__map(int fd, size_t size, struct error *err)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (p != MAP_FAILED)
		return p;
	error__set(err, -errno, "cannot map the memory that a BPF program reads: "
				"%s", strerror(errno));
	return NULL;
}

/* Tries again, to hear why. */
static void print_reason(union bpf_attr *attr)
{
	char *log = xzalloc(LOG_BYTES);
	int ret;

	attr->log_level = 1;
	attr->log_size = LOG_BYTES;
	attr->log_buf = (uintptr_t)log;
	ret = sys_bpf(BPF_PROG_LOAD, attr, sizeof(*attr));
	if (ret >= 0)
		close(ret);
	log[LOG_BYTES - 1] = 0;
	if (*log)
		pr_debug("the kernel's verifier says:\n%s\n", log);
	free(log);
}

/* Functions that helpers call must have a type, in the kernel's own format. */
static int describe_functions(union bpf_attr *attr, const struct func_types *types)
{
	union bpf_attr load = { .btf = (uintptr_t)&types->btf, .btf_size = sizeof(types->btf) };
	int fd = sys_bpf(BPF_BTF_LOAD, &load, sizeof(load));

	if (fd < 0)
		return fd;
	attr->prog_btf_fd = fd;
	attr->func_info_rec_size = sizeof(*types->functions.v);
	attr->func_info = (uintptr_t)types->functions.v;
	attr->func_info_cnt = types->functions.nr;
	return 0;
}

/* @attr: says of which type it is. @what: for words */
static int load_program(union bpf_attr *attr, const struct bpf_asm *a, const char *name,
			const char *what, struct error *err)
{
	struct func_types types;
	int ret = 0;

	attr->insns = (uintptr_t)a->insns.v;
	attr->insn_cnt = a->insns.nr;
	attr->license = (uintptr_t)"GPL";
	put_name(attr->prog_name, name);
	func_types__make(&types, a);
	if (a->functions.nr)
		ret = describe_functions(attr, &types);
	if (ret >= 0)
		ret = sys_bpf(BPF_PROG_LOAD, attr, sizeof(*attr));
	if (ret < 0 && ret != -EPERM && log__level() >= LOG_DEBUG)
		print_reason(attr);
	if (attr->prog_btf_fd)
		close(attr->prog_btf_fd);
	func_types__free(&types);
	return ret < 0 ? explain(ret, what, err) : ret;
}

int bpf_prog__load_perf_event(const struct bpf_asm *a, const char *name, struct error *err)
{
	union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_PERF_EVENT };

	return load_program(&attr, a, name, "a BPF program at samples", err);
}

/* Lets the program @fd run where it belongs. Returns @fd, or -errno, and it is closed. */
static int link_program(int fd, const char *tracepoint, const char *what, int *link,
			struct error *err)
{
	union bpf_attr attr = {
		.raw_tracepoint = { .name = (uintptr_t)tracepoint, .prog_fd = fd },
	};
	int ret;

	*link = -1;
	if (fd < 0)
		return fd;
	ret = sys_bpf(BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof(attr));
	if (ret >= 0) {
		*link = ret;
		return fd;
	}
	close(fd);
	return explain(ret, what, err);
}

int bpf_prog__load_tracepoint(const struct bpf_asm *a, const char *name, const char *tracepoint,
			      int *link, struct error *err)
{
	union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT };
	const char *what = "a BPF program at a tracepoint";
	int fd = load_program(&attr, a, name, what, err);

	return link_program(fd, tracepoint, what, link, err);
}

static int load_tracing(const struct bpf_asm *a, const char *name, u32 type, u32 function,
			int *link, struct error *err)
{
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_TRACING, .expected_attach_type = type,
		.attach_btf_id = function,
	};
	const char *what = "a BPF program at calls of the kernel";
	int fd = load_program(&attr, a, name, what, err);

	return link_program(fd, NULL, what, link, err);
}

int bpf_prog__load_at_call(const struct bpf_asm *a, const char *name, u32 function, int *link,
			   struct error *err)
{
	return load_tracing(a, name, BPF_TRACE_FENTRY, function, link, err);
}

int bpf_prog__load_at_return(const struct bpf_asm *a, const char *name, u32 function, int *link,
			     struct error *err)
{
	return load_tracing(a, name, BPF_TRACE_FEXIT, function, link, err);
}

int bpf_prog__cost(int fd, u64 *runs, u64 *ns)
{
	struct bpf_prog_info info = {};
	union bpf_attr attr = {
		.info.bpf_fd = fd, .info.info_len = sizeof(info), .info.info = (uintptr_t)&info,
	};
	int ret = sys_bpf(BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr));

	*runs = ret ? 0 : info.run_cnt;
	*ns = ret ? 0 : info.run_time_ns;
	return ret;
}
