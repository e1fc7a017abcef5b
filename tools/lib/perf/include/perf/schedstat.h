/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The payload of PERF_RECORD_SCHEDSTAT_CPU and _DOMAIN: the numbers of one line of /proc/schedstat
 * in the order of the kernel's Documentation/scheduler/sched-stats.rst, for each of its versions.
 */
#ifndef LIBPERF_SCHEDSTAT_H
#define LIBPERF_SCHEDSTAT_H

#include <linux/types.h>

#define LIBPERF_SCHEDSTAT_CPU                                                     \
	__u32 yld_count, array_exp, sched_count, sched_goidle, ttwu_count, ttwu_local; \
	__u64 rq_cpu_time, run_delay, pcount

struct perf_record_schedstat_cpu_v15 {
	LIBPERF_SCHEDSTAT_CPU;
};

struct perf_record_schedstat_cpu_v16 {
	LIBPERF_SCHEDSTAT_CPU;
};

struct perf_record_schedstat_cpu_v17 {
	LIBPERF_SCHEDSTAT_CPU;
};

/* Load balancing, once for each kind of CPU: idle, busy, newly idle. */
#define LIBPERF_SCHEDSTAT_BALANCE(kind)                                              \
	__u32 kind##_lb_count, kind##_lb_balanced, kind##_lb_failed, kind##_lb_imbalance, \
		kind##_lb_gained, kind##_lb_hot_gained, kind##_lb_nobusyq, kind##_lb_nobusyg

/* From version 17 on, the imbalance is told by its reason. */
#define LIBPERF_SCHEDSTAT_BALANCE_V17(kind)                                          \
	__u32 kind##_lb_count, kind##_lb_balanced, kind##_lb_failed,                 \
		kind##_lb_imbalance_load, kind##_lb_imbalance_util,                  \
		kind##_lb_imbalance_task, kind##_lb_imbalance_misfit, kind##_lb_gained, \
		kind##_lb_hot_gained, kind##_lb_nobusyq, kind##_lb_nobusyg

#define LIBPERF_SCHEDSTAT_MOVES                                                      \
	__u32 alb_count, alb_failed, alb_pushed, sbe_count, sbe_balanced, sbe_pushed, \
		sbf_count, sbf_balanced, sbf_pushed, ttwu_wake_remote, ttwu_move_affine, \
		ttwu_move_balance

struct perf_record_schedstat_domain_v15 {
	LIBPERF_SCHEDSTAT_BALANCE(idle);
	LIBPERF_SCHEDSTAT_BALANCE(busy);
	LIBPERF_SCHEDSTAT_BALANCE(newidle);
	LIBPERF_SCHEDSTAT_MOVES;
};

struct perf_record_schedstat_domain_v16 {
	LIBPERF_SCHEDSTAT_BALANCE(busy);
	LIBPERF_SCHEDSTAT_BALANCE(idle);
	LIBPERF_SCHEDSTAT_BALANCE(newidle);
	LIBPERF_SCHEDSTAT_MOVES;
};

struct perf_record_schedstat_domain_v17 {
	LIBPERF_SCHEDSTAT_BALANCE_V17(busy);
	LIBPERF_SCHEDSTAT_BALANCE_V17(idle);
	LIBPERF_SCHEDSTAT_BALANCE_V17(newidle);
	LIBPERF_SCHEDSTAT_MOVES;
};

#undef LIBPERF_SCHEDSTAT_CPU
#undef LIBPERF_SCHEDSTAT_BALANCE
#undef LIBPERF_SCHEDSTAT_BALANCE_V17
#undef LIBPERF_SCHEDSTAT_MOVES

#endif
