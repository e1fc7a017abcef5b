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
 * Parses the terms of an event of a PMU.
 * @dir: PMU_DIR, or a test's
 * @pmu: its name
 * @terms: what is between the slashes
 * @attr: type, config* and, when the terms give a rate, sample_period or freq and sample_freq are
 *         set
 * @common: the terms of event-terms.h are put here
 * Returns: 0; -EINVAL with words for what the PMU, or @dir, does not have.
 */
int pmu__parse(const char *dir, const char *pmu, const char *terms, struct perf_event_attr *attr,
	       struct event_terms *common, struct error *err);

/*
 * The same for an event that needs no PMU: only the terms of event-terms.h.
 * @event: its name, for messages
 * @terms: what is between the slashes
 * @attr: the rate is set, when the terms give one
 * @common: the other terms are put here
 * Returns: 0; -EINVAL with words.
 */
int event__parse_terms(const char *event, const char *terms, struct perf_event_attr *attr,
		       struct event_terms *common, struct error *err);

#endif
