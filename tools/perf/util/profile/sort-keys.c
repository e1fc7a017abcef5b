// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "sort-keys.h"

static const struct {
	const char *name, *title;
} columns[] = {
	[COLUMN_OVERHEAD_CHILDREN] = { "overhead_children", "Children" },
	[COLUMN_OVERHEAD] = { "overhead", "Overhead" },
	[COLUMN_OVERHEAD_SYS] = { "overhead_sys", "sys" },
	[COLUMN_OVERHEAD_US] = { "overhead_us", "usr" },
	[COLUMN_SAMPLE] = { "sample", "Samples" },
	[COLUMN_PERIOD] = { "period", "Period" },
	[COLUMN_COMM] = { "comm", "Command" },
	[COLUMN_DSO] = { "dso", "Shared Object" },
	[COLUMN_SYM] = { "sym", "Symbol" },
	[COLUMN_PID] = { "pid", "    Pid:Command" },
	[COLUMN_TID] = { "tid", "    Tid:Command" },
	[COLUMN_CPU] = { "cpu", "CPU" },
	[COLUMN_SRCLINE] = { "srcline", "Source:Line" },
	[COLUMN_SRCFILE] = { "srcfile", "Source File" },
	[COLUMN_SYMOFF] = { "symoff", "Symbol Offset" },
	[COLUMN_TRACE] = { "trace", "Trace output" },
	[COLUMN_ACTIVITY] = { "activity", "Activity" },
	[COLUMN_STATE] = { "state", "State" },
	[COLUMN_WAKER] = { "waker", "  Waker:Command" },
	[COLUMN_WAKERS] = { "wakers", "Wakers" },
	[COLUMN_PARALLELISM] = { "parallelism", "Parallelism" },
	[COLUMN_SYSCALL] = { "syscall", "System Call" },
	[COLUMN_OBJECT] = { "object", "Object" },
	[COLUMN_PARENT] = { "parent", "Parent symbol" },
	[COLUMN_WHOLE] = { "whole", "User Stack" },
	[COLUMN_SYMBOL_SIZE] = { "symbol_size", "Symbol size" },
	[COLUMN_TIME] = { "time", "Time" },
	[COLUMN_SOCKET] = { "socket", "Socket" },
	[COLUMN_TGID] = { "tgid", "   Tgid:Command" },
	[COLUMN_COMM_NODIGIT] = { "comm_nodigit", "CommandNoDigit" },
	[COLUMN_CGROUP] = { "cgroup", "Cgroup" },
	[COLUMN_ADDR] = { "addr", "Address" },
	[COLUMN_CODE_PAGE_SIZE] = { "code_page_size", "Code Page Size" },
	[COLUMN_SYMBOL_DADDR] = { "symbol_daddr", "Data Symbol" },
	[COLUMN_DSO_DADDR] = { "dso_daddr", "Data Object" },
	[COLUMN_MEM] = { "mem", "Memory access" },
	[COLUMN_SNOOP] = { "snoop", "Snoop" },
	[COLUMN_TLB] = { "tlb", "TLB access" },
	[COLUMN_LOCKED] = { "locked", "Locked" },
	[COLUMN_BLOCKED] = { "blocked", "Blocked" },
	[COLUMN_LOCAL_WEIGHT] = { "local_weight", "Local Weight" },
};

#define REFUSED_MEMORY "use mem, snoop and tlb, which show memory samples"

/* Sort keys of Linux perf that are not supported, with what to use instead. */
static const struct {
	const char *name, *why;
} refused[] = {
	{ "dso_size", "it is that of a mapping: use perf script --show-mmap-events" },
	{ "cgroup_id", "use cgroup, which is the path" },
	{ "latency", "use --latency" },
	{ "latency_children", "use --latency" },
	{ "op", REFUSED_MEMORY },
	{ "cache", REFUSED_MEMORY },
	{ "memory", REFUSED_MEMORY },
	{ "dtlb", REFUSED_MEMORY },
	{ "data_page_size", "use perf script -F +data_page_size" },
	{ "callchain_branch_predicted", "branch stacks are not evaluated" },
	{ "callchain_branch_abort", "branch stacks are not evaluated" },
	{ "callchain_branch_cycles", "branch stacks are not evaluated" },
	{ "trace_fields", "use trace, or a script: perf script -s" },
	{ "weight", "use local_weight, or --mem-mode, which adds up the weights" },
	{ "dcacheline", "use symbol_daddr" },
	{ "symbol_iaddr", "use sym" },
	{ "phys_daddr", "use perf script -F +phys_addr" },
	{ "transaction", "transactions are not decoded" },
	{ "symbol_from", "branch stacks are not evaluated" },
	{ "symbol_to", "branch stacks are not evaluated" },
	{ "dso_from", "branch stacks are not evaluated" },
	{ "dso_to", "branch stacks are not evaluated" },
	{ "mispredict", "branch stacks are not evaluated" },
	{ "overhead_guest_sys", "virtual machines are not supported" },
	{ "overhead_guest_us", "virtual machines are not supported" },
	{ "abort", "branch stacks are not evaluated" },
	{ "addr_from", "branch stacks are not evaluated" },
	{ "addr_to", "branch stacks are not evaluated" },
	{ "cycles", "branch stacks are not evaluated" },
	{ "in_tx", "branch stacks are not evaluated" },
	{ "ipc_lbr", "branch stacks are not evaluated" },
	{ "ipc_null", "branch stacks are not evaluated" },
	{ "srcline_from", "branch stacks are not evaluated" },
	{ "srcline_to", "branch stacks are not evaluated" },
	{ "type", "types of data are not evaluated" },
	{ "typecln", "types of data are not evaluated" },
	{ "typeoff", "types of data are not evaluated" },
	{ "simd", "data of single processor models is not evaluated" },
	{ "ins_lat", "data of single processor models is not evaluated" },
	{ "local_ins_lat", "data of single processor models is not evaluated" },
	{ "p_stage_cyc", "data of single processor models is not evaluated" },
	{ "local_p_stage_cyc", "data of single processor models is not evaluated" },
	{ "retire_lat", "data of single processor models is not evaluated" },
	{ "local_retire_lat", "data of single processor models is not evaluated" },
	{ "weight1", "data of single processor models is not evaluated" },
	{ "weight2", "data of single processor models is not evaluated" },
	{ "weight3", "data of single processor models is not evaluated" },
};

const char *column__title(enum column c)
{
	return columns[c].title;
}

const char *column__name(enum column c)
{
	return columns[c].name;
}

bool column_list__has(const struct column_list *l, enum column c)
{
	for (unsigned int i = 0; i < l->nr; i++)
		if (l->v[i] == c)
			return true;
	return false;
}

void column_list__add(struct column_list *l, enum column c)
{
	if (!column_list__has(l, c) && l->nr < COLUMNS_MAX)
		l->v[l->nr++] = c;
}

void column_list__add_first(struct column_list *l, enum column c)
{
	if (column_list__has(l, c) || l->nr == COLUMNS_MAX)
		return;
	memmove(l->v + 1, l->v, l->nr++ * sizeof(*l->v));
	l->v[0] = c;
}

/* As in perf, any prefix of a key's name is accepted ("sy", "symbol"), in any case. */
static bool matches(const char *name, const char *s, size_t len)
{
	return len && len <= strlen(name) && !strncasecmp(name, s, len);
}

static int parse_one(struct column_list *l, const char *s, size_t len, struct error *err)
{
	/* "symbol" is the full name of sym; both are in use. */
	if (matches("symbol", s, len) && len > 1) {
		column_list__add(l, COLUMN_SYM);
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		if (strlen(columns[i].name) == len && !strncasecmp(columns[i].name, s, len)) {
			column_list__add(l, i);
			return 0;
		}
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		if (strlen(refused[i].name) == len && !strncasecmp(refused[i].name, s, len))
			return error__set(err, -EINVAL, "the sort key '%s' is not supported: %s",
					  refused[i].name, refused[i].why);
	for (size_t i = COLUMN_FIRST_KEY; i < ARRAY_SIZE(columns); i++)
		if (matches(columns[i].name, s, len)) {
			column_list__add(l, i);
			return 0;
		}
	error__set(err, -EINVAL, "unknown sort key '%.*s'", (int)len, s);
	error__hint(err, "Hint: keys are comm, dso, sym, pid, tid, cpu, srcline, srcfile, symoff, "
		    "trace, activity, state, waker, wakers, parallelism, syscall, object, whole, "
		    "time, tgid, comm_nodigit, symbol_size, cgroup, addr, code_page_size; of "
		    "memory symbol_daddr, dso_daddr, mem, snoop, tlb, locked, blocked, "
		    "local_weight; columns also overhead, overhead_children, overhead_sys, "
		    "overhead_us, sample, period");
	return -EINVAL;
}

int column_list__parse(struct column_list *l, const char *arg, struct error *err)
{
	for (const char *p = arg + (*arg == '+'); *p;) {
		size_t len;
		int ret;

		p += strspn(p, ", ");
		len = strcspn(p, ", ");
		ret = len ? parse_one(l, p, len, err) : 0;
		if (ret)
			return ret;
		p += len;
	}
	if (!l->nr || (*arg == '+' && !arg[1]))
		return error__set(err, -EINVAL, "the list of keys is empty");
	return 0;
}
