// SPDX-License-Identifier: GPL-2.0-only
#include "perf-version.h" /* generated, as is build-options.h: see tools/build */
#include "version.h"

const char *perf__version(void)
{
	return PERF_VERSION;
}

const struct build_option *perf__build_option(size_t i)
{
	static const struct build_option options[] = {
#define BUILD_OPTION(name, macro, on, version) { name, macro, on, version },
#include "build-options.h"
#undef BUILD_OPTION
	};

	return i < ARRAY_SIZE(options) ? &options[i] : NULL;
}
