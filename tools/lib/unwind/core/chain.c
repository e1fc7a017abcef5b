// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "chain.h"

/* PERF_CONTEXT_MAX of linux/perf_event.h: from there on it is no address, but says of which. */
#define FIRST_MARKER ((u64)-4095)

const char *unwind_stop__name(enum unwind_stop s)
{
	static const char *const names[UNWIND_STOP_NR] = {
		[UNWIND_OUTERMOST] = "outermost",
		[UNWIND_NO_REGS] = "no user registers",
		[UNWIND_COMPAT] = "32-bit task",
		[UNWIND_COPY_SHORT] = "copy too short",
		[UNWIND_STACK_ENDS] = "no more stack in memory",
		[UNWIND_NO_MODULE] = "no file behind the address",
		[UNWIND_NO_ROW] = "no unwind information",
		[UNWIND_UNREADABLE] = "unreadable binary",
		[UNWIND_NO_PROGRESS] = "no progress",
		[UNWIND_UNKNOWN_REG] = "unknown register",
		[UNWIND_LIMIT] = "frame limit",
		[UNWIND_COSTLY] = "code too long to follow",
		[UNWIND_BAD_RA] = "bad return address",
		[UNWIND_SKIPPED] = "caller skipped",
		[UNWIND_NO_ARCH] = "unsupported architecture",
		[UNWIND_IN_EXEC] = "stack gone in execve()",
		[UNWIND_NO_MEMORY] = "out of memory",
		[UNWIND_NOT_PREPARED] = "not prepared",
		[UNWIND_SKID] = "registers of another function",
		[UNWIND_OTHER_STACK] = "callers on another stack",
		[UNWIND_MAPS_CHANGED] = "mappings changed",
	};

	return (unsigned int)s < UNWIND_STOP_NR ? names[s] : "unknown";
}

const char *unwind_method__name(enum unwind_method m)
{
	static const char *const names[UNWIND_METHOD_NR] = {
		[UNWIND_BY_START] = "start",
		[UNWIND_BY_SFRAME] = "sframe",
		[UNWIND_BY_EH_FRAME] = "eh_frame",
		[UNWIND_BY_DEBUG_FRAME] = "debug_frame",
		[UNWIND_BY_GOPCLNTAB] = "gopclntab",
		[UNWIND_BY_PLT] = "plt",
		[UNWIND_BY_TRAMPOLINE] = "trampoline",
		[UNWIND_BY_CFI] = "cfi",
		[UNWIND_BY_FP] = "fp",
		[UNWIND_BY_LR] = "lr",
		[UNWIND_BY_LEAF] = "leaf",
	};

	return (unsigned int)m < UNWIND_METHOD_NR ? names[m] : "unknown";
}

bool unwind_chain__add(struct unwind_chain *c, u64 ip, enum unwind_method method)
{
	if (c->nr >= c->max) {
		c->stop = UNWIND_LIMIT;
		return false;
	}
	if (unlikely(ip >= FIRST_MARKER)) {
		c->stop = UNWIND_BAD_RA;
		return false;
	}
	if (c->methods)
		c->methods[c->nr] = method;
	c->found[method]++;
	c->ips[c->nr++] = ip;
	return true;
}

void unwind_chain__drop(struct unwind_chain *c)
{
	c->nr--;
	if (c->methods)
		c->found[c->methods[c->nr]]--;
}
