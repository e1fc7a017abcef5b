// SPDX-License-Identifier: GPL-2.0-only
#include "mem-text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FIELD(v, NAME, bits) ((u32)((v) >> PERF_MEM_##NAME##_SHIFT) & ((1U << (bits)) - 1))

struct words {
	char *buf;
	size_t size, len;
};

static void put(struct words *w, const char *s)
{
	size_t len = min_of(strlen(s), w->size - 1 - w->len);

	memcpy(w->buf + w->len, s, len);
	w->len += len;
	w->buf[w->len] = '\0';
}

/* The names of the bits that are set, "L1 or L2"; @none: if there are none. */
static void put_bits(struct words *w, u32 bits, const char *const *names, size_t nr,
		     const char *none)
{
	bool any = false;

	for (size_t i = 0; i < nr; i++) {
		if (!(bits >> i & 1) || !names[i])
			continue;
		put(w, any ? " or " : "");
		put(w, names[i]);
		any = true;
	}
	if (!any)
		put(w, none);
}

static void put_operation(struct words *w, u32 op)
{
	static const char *const names[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (op >> i & 1) {
			put(w, names[i]);
			return;
		}
	}
	put(w, "No");
}

static const char *hit_or_miss(u32 level)
{
	return level & PERF_MEM_LVL_HIT ? "hit" : level & PERF_MEM_LVL_MISS ? "miss" : "";
}

/* PERF_MEM_LVLNUM_*, which newer CPUs tell instead of bits. */
static void put_numbered_level(struct words *w, u64 v, u32 number)
{
	static const char *const names[] = {
		[1] = "L1", "L2", "L3", "L4", "L2 MHB", "Memory-side Cache", NULL, "Uncached",
		"CXL", "I/O", "Any cache", "LFB/MAB", "RAM", "PMEM",
	};
	static const char *const hops[] = {
		"core, same node ", "node, same socket ", "socket, same board ", "board ",
	};
	u32 hop = FIELD(v, HOPS, 3);
	char unknown[32];

	if (v >> PERF_MEM_REMOTE_SHIFT & 1)
		put(w, "Remote ");
	if (hop && hop <= ARRAY_SIZE(hops))
		put(w, hops[hop - 1]);
	snprintf(unknown, sizeof(unknown), "Unknown level %u", number);
	put(w, names[number] ? names[number] : unknown);
}

static void put_level(struct words *w, u64 v)
{
	static const char *const names[] = {
		[3] = "L1", "LFB/MAB", "L2", "L3", "Local RAM", "Remote RAM (1 hop)",
		"Remote RAM (2 hops)", "Remote Cache (1 hop)", "Remote Cache (2 hops)", "I/O",
		"Uncached",
	};
	u32 level = FIELD(v, LVL, 14), number = FIELD(v, LVLNUM, 4);

	if (number && number != PERF_MEM_LVLNUM_NA) {
		put_numbered_level(w, v, number);
	} else if (level >> 3) {
		put_bits(w, level, names, ARRAY_SIZE(names), "");
	} else {
		put(w, "N/A");
		return;
	}
	put(w, " ");
	put(w, hit_or_miss(level));
}

static void put_tlb(struct words *w, u32 tlb)
{
	static const char *const names[] = { "N/A", NULL, NULL, "L1", "L2", "Walker", "Fault" };

	put_bits(w, tlb, names, ARRAY_SIZE(names), "N/A");
	put(w, tlb & PERF_MEM_TLB_HIT ? " hit" : "");
	put(w, tlb & PERF_MEM_TLB_MISS ? " miss" : "");
}

static void put_blocked(struct words *w, u32 blk)
{
	if (!blk || blk & PERF_MEM_BLK_NA) {
		put(w, " N/A");
		return;
	}
	put(w, blk & PERF_MEM_BLK_DATA ? " Data" : "");
	put(w, blk & PERF_MEM_BLK_ADDR ? " Addr" : "");
}

static void put_snoop(struct words *w, u64 data_src)
{
	static const char *const names[] = { "N/A", "None", "Hit", "Miss", "HitM", "Fwd", "Peer" };
	u32 snoop = FIELD(data_src, SNOOP, 5) | FIELD(data_src, SNOOPX, 2) << 5;

	put_bits(w, snoop, names, ARRAY_SIZE(names), "N/A");
}

static void put_part(struct words *w, u64 data_src, enum mem_part part)
{
	u32 lock = FIELD(data_src, LOCK, 2);

	switch (part) {
	case MEM_OPERATION:
		put_operation(w, FIELD(data_src, OP, 5));
		break;
	case MEM_LEVEL:
		put_level(w, data_src);
		break;
	case MEM_SNOOP:
		put_snoop(w, data_src);
		break;
	case MEM_TLB:
		put_tlb(w, FIELD(data_src, TLB, 7));
		break;
	case MEM_LOCK:
		put(w, lock & PERF_MEM_LOCK_NA ? "N/A" :
		       lock & PERF_MEM_LOCK_LOCKED ? "Yes" : "No");
		break;
	case MEM_BLOCKED:
		put_blocked(w, FIELD(data_src, BLK, 3));
		break;
	}
}

void mem_text__part(u64 data_src, enum mem_part part, char *buf, size_t size)
{
	struct words w = { .buf = buf, .size = size };

	buf[0] = '\0';
	put_part(&w, data_src, part);
}

void mem_text__all(u64 data_src, char *buf, size_t size)
{
	static const char *const titles[] = {
		[MEM_OPERATION] = "|OP ", [MEM_LEVEL] = "|LVL ", [MEM_SNOOP] = "|SNP ",
		[MEM_TLB] = "|TLB ", [MEM_LOCK] = "|LCK ", [MEM_BLOCKED] = "|BLK ",
	};
	struct words w = { .buf = buf, .size = size };

	for (size_t i = 0; i < ARRAY_SIZE(titles); i++) {
		put(&w, titles[i]);
		put_part(&w, data_src, i);
	}
}

void mem_text__page_size(u64 page_size, char *buf, size_t size)
{
	static const char units[] = "BKMGTPE";
	u32 unit = 0;

	for (; page_size && !(page_size & 1023); page_size >>= 10)
		unit++;
	if (page_size)
		snprintf(buf, size, "%" PRIu64 "%c", page_size, units[unit]);
	else
		snprintf(buf, size, "N/A");
}
