/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which code without a file is read as such: not what a program has moved to memory from a file.
 * That is mapped as the file again (jit/moved-text.h), and has its rows and names then.
 */
#ifndef PERF_PIPELINE_CODE_GATE_H
#define PERF_PIPELINE_CODE_GATE_H

#include "../complete/live-code.h"
#include "../data/record.h"
#include "../jit/moved-text.h"

struct code_gate {
	struct live_code live;
	const struct moved_text *moved;
};

/*
 * @g: filled; it must stay where it is
 * @live: who reads the code; zeros: nobody; copied
 * @moved: borrowed; NULL: it is not known what was moved
 * Returns: @live without what was moved.
 */
struct live_code code_gate__open(struct code_gate *g, const struct live_code *live,
				 const struct moved_text *moved);

/* The turn of @rec has come: who reads the code is told of mappings. */
void code_gate__record(const struct code_gate *g, const struct record *rec);

#endif
