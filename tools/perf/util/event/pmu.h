/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of PMUs by their terms, pmu/term=value,.../, as sysfs describes them:
 *	DIR/PMU/type           attr.type
 *	DIR/PMU/format/TERM    where the bits of a value go: "config:0-7,32-35"
 *	DIR/PMU/events/NAME    an alias: other terms, "event=0x3c,umask=0x1"
 *
 * Known to every PMU are config, config1, config2 and the terms of event-terms.h. Another term
 * without value is an alias, or has the value 1.
 *
 * Source: the kernel's Documentation/ABI/testing/sysfs-bus-event_source-devices-*.
 */
#ifndef PERF_EVENT_PMU_H
#define PERF_EVENT_PMU_H

#include "event-terms.h"

#define PMU_DIR "/sys/bus/event_source/devices"

/*
 * Fills type and config* of @attr, and what @terms say beside in @common and, when they give a
 * rate, sample_period or freq and sample_freq. -EINVAL with words for what @pmu, or @dir (PMU_DIR),
 * does not have.
 */
int pmu__parse(const char *dir, const char *pmu, const char *terms, struct perf_event_attr *attr,
	       struct event_terms *common, struct error *err);

/* Likewise for an event that needs no PMU: only the terms of event-terms.h. */
int event__parse_terms(const char *event, const char *terms, struct perf_event_attr *attr,
		       struct event_terms *common, struct error *err);

#endif
