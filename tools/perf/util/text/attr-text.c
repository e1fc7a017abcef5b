// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "attr-text.h"

static const char *const type_names[] = {
	"PERF_TYPE_HARDWARE", "PERF_TYPE_SOFTWARE", "PERF_TYPE_TRACEPOINT", "PERF_TYPE_HW_CACHE",
	"PERF_TYPE_RAW", "PERF_TYPE_BREAKPOINT",
};

static const char *const hw_names[] = {
	"CPU_CYCLES", "INSTRUCTIONS", "CACHE_REFERENCES", "CACHE_MISSES", "BRANCH_INSTRUCTIONS",
	"BRANCH_MISSES", "BUS_CYCLES", "STALLED_CYCLES_FRONTEND", "STALLED_CYCLES_BACKEND",
	"REF_CPU_CYCLES",
};

static const char *const sw_names[] = {
	"CPU_CLOCK", "TASK_CLOCK", "PAGE_FAULTS", "CONTEXT_SWITCHES", "CPU_MIGRATIONS",
	"PAGE_FAULTS_MIN", "PAGE_FAULTS_MAJ", "ALIGNMENT_FAULTS", "EMULATION_FAULTS", "DUMMY",
	"BPF_OUTPUT", "CGROUP_SWITCHES",
};

/* In the order of the bits of sample_type, without the common prefix, as in perf. */
static const char *const sample_bits[] = {
	"IP", "TID", "TIME", "ADDR", "READ", "CALLCHAIN", "ID", "CPU", "PERIOD", "STREAM_ID", "RAW",
	"BRANCH_STACK", "REGS_USER", "STACK_USER", "WEIGHT", "DATA_SRC", "IDENTIFIER",
	"TRANSACTION", "REGS_INTR", "PHYS_ADDR", "AUX", "CGROUP", "DATA_PAGE_SIZE",
	"CODE_PAGE_SIZE", "WEIGHT_STRUCT",
};

static const char *const read_bits[] = {
	"TOTAL_TIME_ENABLED", "TOTAL_TIME_RUNNING", "ID", "GROUP", "LOST",
};

static const char *const branch_bits[] = {
	"USER", "KERNEL", "HV", "ANY", "ANY_CALL", "ANY_RETURN", "IND_CALL", "ABORT_TX", "IN_TX",
	"NO_TX", "COND", "CALL_STACK", "IND_JUMP", "CALL", "NO_FLAGS", "NO_CYCLES", "TYPE_SAVE",
	"HW_INDEX", "PRIV_SAVE", "COUNTERS",
};

/* How it is written: in the header of a recording, or by `perf evlist -v`. */
struct attr_form {
	const char *is;         /* " = " */
	bool prefix;            /* small numbers of events begin with 0x, too */
	const char *tracepoint; /* the name of the event, if it is one; or NULL */
};

static void put_bits(struct textbuf *tb, u64 v, const char *const names[], unsigned int nr)
{
	const char *sep = "";

	for (unsigned int i = 0; i < nr; i++)
		if (v >> i & 1) {
			textbuf__printf(tb, "%s%s", sep, names[i]);
			sep = "|";
		}
}

/*
 * The flag word behind read_format, bit by bit, with the names of the ABI (precise_ip has two
 * bits). It is read as a word, since the system's header may not name all bits.
 */
static const char *const flag_names[] = {
	"disabled", "inherit", "pinned", "exclusive", "exclude_user", "exclude_kernel",
	"exclude_hv", "exclude_idle", "mmap", "comm", "freq", "inherit_stat", "enable_on_exec",
	"task", "watermark", "precise_ip", NULL, "mmap_data", "sample_id_all", "exclude_host",
	"exclude_guest", "exclude_callchain_kernel", "exclude_callchain_user", "mmap2",
	"comm_exec", "use_clockid", "context_switch", "write_backward", "namespaces", "ksymbol",
	"bpf_event", "aux_output", "cgroup", "text_poke", "build_id", "inherit_thread",
	"remove_on_exec", "sigtrap", "defer_callchain", "defer_output",
};

static void put_flags(struct textbuf *tb, const struct attr_form *f,
		      const struct perf_event_attr *attr)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(flag_names); i++) {
		bool wide = flag_names[i] && !strcmp(flag_names[i], "precise_ip");
		u64 v = attr__flags(attr, i, wide ? 2 : 1);

		if (v && flag_names[i])
			textbuf__printf(tb, ", %s%s%" PRIu64, flag_names[i], f->is, v);
	}
}

static void put_config(struct textbuf *tb, const struct attr_form *f,
		       const struct perf_event_attr *attr)
{
	const char *const *names = attr->type == PERF_TYPE_HARDWARE ? hw_names : sw_names;
	size_t nr = attr->type == PERF_TYPE_HARDWARE ? ARRAY_SIZE(hw_names) : ARRAY_SIZE(sw_names);

	textbuf__printf(tb, ", config%s", f->is);
	textbuf__printf(tb, f->prefix || attr->config > 9 ? "%#" PRIx64 : "%" PRIx64,
			(u64)attr->config);
	if (f->tracepoint && attr->type == PERF_TYPE_TRACEPOINT)
		textbuf__printf(tb, " (%s)", f->tracepoint);
	if (attr->type <= PERF_TYPE_SOFTWARE && attr->config < nr)
		textbuf__printf(tb, " (PERF_COUNT_%s_%s)",
				attr->type == PERF_TYPE_HARDWARE ? "HW" : "SW",
				names[attr->config]);
}

/* A member with its name, if it is not 0. */
static void put_number(struct textbuf *tb, const struct attr_form *f, const char *name, u64 v,
		       bool hex)
{
	if (v)
		textbuf__printf(tb, hex ? ", %s%s%#" PRIx64 : ", %s%s%" PRIu64, name, f->is, v);
}

static void put_words(struct textbuf *tb, const struct attr_form *f, const char *name, u64 v,
		      const char *const names[], unsigned int nr)
{
	if (!v)
		return;
	textbuf__printf(tb, ", %s%s", name, f->is);
	put_bits(tb, v, names, nr);
}

static void put_attr(struct textbuf *tb, const struct attr_form *f,
		     const struct perf_event_attr *attr)
{
	textbuf__printf(tb, "type%s%u", f->is, attr->type);
	if (attr->type < ARRAY_SIZE(type_names))
		textbuf__printf(tb, " (%s)", type_names[attr->type]);
	textbuf__printf(tb, ", size%s%u", f->is, attr->size);
	put_config(tb, f, attr);
	put_number(tb, f, "{ sample_period, sample_freq }", attr->sample_period, false);
	put_words(tb, f, "sample_type", attr->sample_type, sample_bits, ARRAY_SIZE(sample_bits));
	put_words(tb, f, "read_format", attr->read_format, read_bits, ARRAY_SIZE(read_bits));
	put_flags(tb, f, attr);
	put_number(tb, f, "{ wakeup_events, wakeup_watermark }", attr->wakeup_events, false);
	put_number(tb, f, "bp_type", attr->bp_type, false);
	put_number(tb, f, "{ bp_addr, config1 }", attr->config1, true);
	put_number(tb, f, "{ bp_len, config2 }", attr->config2, true);
	put_words(tb, f, "branch_sample_type", attr->branch_sample_type, branch_bits,
		  ARRAY_SIZE(branch_bits));
	put_number(tb, f, "sample_regs_user", attr->sample_regs_user, true);
	put_number(tb, f, "sample_stack_user", attr->sample_stack_user, false);
	put_number(tb, f, "clockid", attr->clockid, false);
	put_number(tb, f, "sample_regs_intr", attr->sample_regs_intr, true);
	put_number(tb, f, "aux_watermark", attr->aux_watermark, false);
	put_number(tb, f, "sample_max_stack", attr->sample_max_stack, false);
}

void textbuf__attr(struct textbuf *tb, const struct perf_event_attr *attr)
{
	const struct attr_form form = { .is = " = " };

	textbuf__puts(tb, ", ");
	put_attr(tb, &form, attr);
}

void textbuf__event_details(struct textbuf *tb, const struct evsel *ev)
{
	const struct attr_form form = { .is = ": ", .prefix = true, .tracepoint = ev->name };

	put_attr(tb, &form, &ev->attr);
}
