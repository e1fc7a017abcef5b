// SPDX-License-Identifier: GPL-2.0-only
/* deep SECONDS FRAMES: system calls below many frames; the deferred record holds 510 at most. */
#include "spell.h"

static NOINLINE void down(int n, unsigned int round)
{
	if (n)
		down(n - 1, round);
	else
		work("d", 1, round, leaf_read);
	KEEP_FRAME();
}

int main(int argc, char **argv)
{
	double end = now() + (argc > 1 ? atof(argv[1]) : 1);
	int frames = argc > 2 ? atoi(argv[2]) : 600;

	for (unsigned int round = 0; now() < end; round++)
		down(frames, round);
	return 0;
}
