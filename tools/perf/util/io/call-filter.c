// SPDX-License-Identifier: GPL-2.0-only
#include "call-filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>

#include "../base/log.h"

#ifdef __aarch64__
#define ARCH AUDIT_ARCH_AARCH64
#else
#define ARCH AUDIT_ARCH_X86_64
#endif

#define FIELD(name) offsetof(struct seccomp_data, name)

/* The halves of an argument. */
#define ARG_LOW(i) (FIELD(args[i]) + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0))
#define ARG_HIGH(i) (FIELD(args[i]) + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 0 : 4))

static void add(struct call_filter *f, u16 code, u32 k, u8 if_true, u8 if_false)
{
	BUG_ON(f->nr == CALL_FILTER_STEPS);
	f->steps[f->nr++] = (struct sock_filter)BPF_JUMP(code, k, if_true, if_false);
}

static void load(struct call_filter *f, u32 offset)
{
	add(f, BPF_LD | BPF_W | BPF_ABS, offset, 0, 0);
}

static void end(struct call_filter *f, u32 action)
{
	add(f, BPF_RET | BPF_K, action, 0, 0);
}

/* Runs the @nr next steps only for @value. */
static void for_value(struct call_filter *f, u32 value, u8 nr)
{
	add(f, BPF_JMP | BPF_JEQ | BPF_K, value, 0, nr);
}

void call_filter__begin(struct call_filter *f)
{
	f->nr = 0;
	load(f, FIELD(arch));
	add(f, BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
	end(f, SECCOMP_RET_KILL_PROCESS); /* other numbers: int 0x80 */
	load(f, FIELD(nr));
}

void call_filter__allow(struct call_filter *f, const int *calls, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		for_value(f, calls[i], 1);
		end(f, SECCOMP_RET_ALLOW);
	}
}

void call_filter__allow_without(struct call_filter *f, const struct call_without *w, size_t nr)
{
	for (; nr--; w++) {
		for_value(f, w->call, 4);
		load(f, ARG_LOW(w->arg));
		add(f, BPF_JMP | BPF_JSET | BPF_K, w->bits, 1, 0);
		end(f, SECCOMP_RET_ALLOW);
		end(f, SECCOMP_RET_ERRNO | EPERM);
	}
}

void call_filter__allow_with(struct call_filter *f, const struct call_with *w, size_t nr)
{
	for (; nr--; w++) {
		for_value(f, w->call, 4);
		load(f, ARG_LOW(w->arg));
		for_value(f, w->value, 1);
		end(f, SECCOMP_RET_ALLOW);
		load(f, FIELD(nr));
	}
}

void call_filter__allow_null(struct call_filter *f, int call, u8 arg)
{
	for_value(f, call, 6);
	load(f, ARG_LOW(arg));
	for_value(f, 0, 3);
	load(f, ARG_HIGH(arg));
	for_value(f, 0, 1);
	end(f, SECCOMP_RET_ALLOW);
	load(f, FIELD(nr));
}

void call_filter__refuse(struct call_filter *f, int call, int err)
{
	for_value(f, call, 1);
	end(f, SECCOMP_RET_ERRNO | (err & SECCOMP_RET_DATA));
}

bool call_filter__set(struct call_filter *f)
{
#ifdef CALL_FILTER
	struct sock_fprog prog = { .filter = f->steps };

	end(f, SECCOMP_RET_ERRNO | EPERM);
	prog.len = f->nr;
	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
#else
	return false;
#endif
}
