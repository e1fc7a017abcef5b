/* SPDX-License-Identifier: GPL-2.0-only */
/* perf doctor: what this machine allows, in a page. */
#ifndef PERF_DOCTOR_RUN_H
#define PERF_DOCTOR_RUN_H

/* Prints the page. Returns the exit status: 0 when whole stacks can be recorded, otherwise 1. */
int doctor__run(void);

#endif
