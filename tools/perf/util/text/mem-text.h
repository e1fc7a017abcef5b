/* SPDX-License-Identifier: GPL-2.0-only */
/* What a memory access was: PERF_SAMPLE_DATA_SRC in words, those of perf 7.2. */
#ifndef PERF_TEXT_MEM_TEXT_H
#define PERF_TEXT_MEM_TEXT_H

#include <linux/perf_event.h>

#include "../../../lib/unwind/core/types.h"

#define MEM_TEXT_MAX 256

/* perf_mem_data_src of a sample that has none: nothing is available. */
#define ABI_MEM_NA (PERF_MEM_S(OP, NA) | PERF_MEM_S(LVL, NA) | PERF_MEM_S(SNOOP, NA) | \
		    PERF_MEM_S(LOCK, NA) | PERF_MEM_S(TLB, NA) | PERF_MEM_S(LVLNUM, NA))

/*
 * Puts "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A" into @buf.
 * @data_src: perf_mem_data_src
 * @size: of @buf; MEM_TEXT_MAX holds all there is
 */
void mem_text__all(u64 data_src, char *buf, size_t size);

/* In the order of mem_text__all(). */
enum mem_part { MEM_OPERATION, MEM_LEVEL, MEM_SNOOP, MEM_TLB, MEM_LOCK, MEM_BLOCKED };

/*
 * Puts one part of it, "L1 hit".
 * @data_src, @size: as above
 */
void mem_text__part(u64 data_src, enum mem_part part, char *buf, size_t size);

/* Puts "4K", "2M"; "N/A" for 0, into @buf. @page_size: in bytes; @size: of @buf */
void mem_text__page_size(u64 page_size, char *buf, size_t size);

#endif
