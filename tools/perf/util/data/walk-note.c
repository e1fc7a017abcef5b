// SPDX-License-Identifier: GPL-2.0-only
#include "walk-note.h"

const char *walk_stop__name(enum walk_stop stop)
{
	static const char *const names[WALK_STOP_NR] = {
		[WALK_GOES_ON] = "not walked",
		[WALK_WHOLE] = "whole",
		[WALK_NO_PROCESS] = "no table of the process yet",
		[WALK_NO_MAPPING] = "no table of the mapping",
		[WALK_NO_PAGE] = "no rows of the page yet",
		[WALK_NO_RULE] = "a row that the program cannot use",
		[WALK_UNREADABLE] = "stack not in memory",
		[WALK_NO_PROGRESS] = "no progress",
		[WALK_NO_REGISTER] = "unknown register",
		[WALK_ZERO] = "no return address",
		[WALK_LIMIT] = "too many frames",
		[WALK_COMPAT] = "32-bit task",
		[WALK_CHANGED] = "tables were changed meanwhile",
		[WALK_BORROWED] = "stack given back to the parent",
	};

	return names[stop];
}
