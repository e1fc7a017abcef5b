// SPDX-License-Identifier: GPL-2.0-only
/*
 * inlineloop [sec]: samples in a function that is inlined in another one, which is inlined, too.
 * Who looks for them knows their lines: the two are in lines 20 to 29, and the function that they
 * are inlined in is in lines 30 to 39.
 */
#include "frames.h"
#include "sought.h"

#define INLINE inline __attribute__((always_inline))

/*
 * The result of the work, which so has to be done. What is in front of the functions keeps them in
 * their lines.
 */
static volatile unsigned long value = 1;

static INLINE void inlined_leaf(void)
{
	unsigned long v = value;

	WORK(v);
	value = v;
}

static INLINE void inlined_middle(u64 end)
{
	while (is_before(end))
		inlined_leaf();
}

/* Where both are. */
static NOINLINE void inlined_into(double sec)
{
	inlined_middle(end_of(sec));
	NO_TAIL_CALL();
}

int inlineloop(int argc, const char **argv)
{
	inlined_into(workload__arg_sec(argc, argv, 0));
	return 0;
}
