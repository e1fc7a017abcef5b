// SPDX-License-Identifier: GPL-2.0-only
#include "mem-text.h"

#include <stdio.h>

void mem_text__all(u64 data_src, char *buf, size_t size)
{
	snprintf(buf, size, "|OP N/A|LVL N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A");
}
