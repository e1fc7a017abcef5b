// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include <internal/lib.h>
#include <unistd.h>

static libperf_print_fn_t print_fn;

LIBPERF_API void libperf_init(libperf_print_fn_t fn)
{
	__atomic_store_n(&print_fn, fn, __ATOMIC_RELEASE);
}

void libperf__print(enum libperf_print_level level, const char *fmt, ...)
{
	libperf_print_fn_t fn = __atomic_load_n(&print_fn, __ATOMIC_ACQUIRE);
	va_list ap;

	if (!fn)
		return;
	va_start(ap, fmt);
	fn(level, fmt, ap);
	va_end(ap);
}

size_t libperf__page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}
