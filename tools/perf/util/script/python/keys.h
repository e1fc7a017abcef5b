/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names in the dictionaries that scripts get: those of perf 7.2, which scripts in the field
 * are written for. perf-script-python(1) says what each of them is.
 */
#ifndef PERF_SCRIPT_PYTHON_KEYS_H
#define PERF_SCRIPT_PYTHON_KEYS_H

#define PYTHON_KEYS(X) \
	/* process_event(): about the sample as a whole */ \
	X(ev_name) X(attr) X(sample) X(raw_buf) X(comm) X(callchain) X(brstack) X(brstacksym) \
	X(iregs) X(uregs) X(activity) \
	/* where it was taken, and where the address that it tells lies */ \
	X(dso) X(dso_bid) X(dso_map_start) X(dso_map_end) X(map_pgoff) X(symbol) X(symoff) \
	X(addr_correlates_sym) X(addr_dso) X(addr_dso_bid) X(addr_dso_map_start) \
	X(addr_dso_map_end) X(addr_map_pgoff) X(addr_symbol) X(addr_symoff) \
	/* "sample": its fields as recorded */ \
	X(id) X(stream_id) X(pid) X(tid) X(cpu) X(ip) X(time) X(period) X(phys_addr) X(addr) \
	X(time_enabled) X(time_running) X(values) X(weight) X(ins_lat) X(transaction) X(datasrc) \
	X(datasrc_decode) X(cpumode) \
	/* frames of a callchain */ \
	X(sym) X(start) X(end) X(binding) X(name) X(sym_off) X(sym_srcline) \
	/* branches */ \
	X(from) X(to) X(mispred) X(predicted) X(in_tx) X(abort) X(cycles) X(from_dsoname) \
	X(to_dsoname) X(pred) \
	/* trace_unhandled(): what all tracepoints have */ \
	X(common_cpu) X(common_s) X(common_ns) X(common_pid) X(common_comm) X(common_callchain)

enum key {
#define X(name) KEY_##name,
	PYTHON_KEYS(X)
#undef X
	KEY_NR
};

#endif
