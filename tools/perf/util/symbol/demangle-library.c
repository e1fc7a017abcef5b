// SPDX-License-Identifier: GPL-2.0-only
/*
 * C++ names through libstdc++'s demangler, Rust names through that of libiberty. They know no
 * limits: each back reference of a mangled name can double what is printed, so 300 bytes in
 * somebody's symbol table are enough to use up all memory. A name that has too many of them (0.7
 * % of 245,000 names in Debian's libraries, 0.5 % of 200,000 in Rust's compiler) is given to a
 * process with limits, which all such names share; one that it does not survive stays as it is.
 * One with fewer can still be made to print megabytes, in 30 ms, and a linkage table can name it
 * a million times: these are counted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../lib/unwind/core/budget.h"
#include "../base/mem.h"
#include "demangle.h"

#ifdef HAVE_LIBIBERTY_SUPPORT
/* Of <libiberty/demangle.h>, which declares another xmemdup(), too. */
char *rust_demangle(const char *mangled, int options);
#else
static char *rust_demangle(const char *name __unused_arg, int options __unused_arg)
{
	return NULL;
}
#endif

/* Of the C++ ABI, section 3.4; <cxxabi.h> is for C++ only. */
#ifdef HAVE_CXA_DEMANGLE_SUPPORT
char *__cxa_demangle(const char *mangled, char *buf, size_t *len, int *status);
#else
static char *__cxa_demangle(const char *mangled __unused_arg, char *buf __unused_arg,
			    size_t *len __unused_arg, int *status __unused_arg)
{
	return NULL;
}
#endif

/* Logarithms of the length that a name could grow to: */
#define MAX_BITS 22
#define SMALL_BITS 12 /* takes 30 us at most, and is not counted */

static unsigned int bits_of(size_t v)
{
	return v ? 64 - __builtin_clzll(v) : 0;
}

static bool is_reference(const char *s, bool rust)
{
	if (rust)
		return *s == 'B';
	if (*s != 'S' && *s != 'T')
		return false;
	do
		s++;
	while ((*s >= '0' && *s <= '9') || (*s >= 'A' && *s <= 'Z'));
	return *s == '_';
}

static unsigned int growth_bits(const char *name)
{
	size_t len = strlen(name);
	unsigned int bits = bits_of(len);
	bool rust = !strncmp(name, "_R", 2);

	for (const char *s = name; *s; s++) {
		if (is_reference(s, rust))
			bits++;
		else if (!rust && (s[0] == 'D' || s[0] == 's') && s[1] == 'p')
			bits += bits_of(len); /* once for each member of a parameter pack */
	}
	return bits;
}

bool mangled_name__is_heavy(const char *name)
{
	return growth_bits(name) > MAX_BITS;
}

/* Rust's older names are names of C++, too, with a hash; the library looks for that first. */
static char *ask_library(const char *name)
{
	int status;

	return rust_demangle(name, 0) ?: __cxa_demangle(name, NULL, NULL, &status);
}

/* What the other process does. */
static void serve_name(void *ctx __unused_arg, const char *name, char *plain)
{
	char *s = ask_library(name);

	if (s && strlen(s) < CXX_MAX_PLAIN)
		memcpy(plain, s, strlen(s));
	free(s);
}

char *mangled_name__demangle(const char *name, struct demangler *d)
{
	unsigned int bits = growth_bits(name);
	u64 most, len;
	char *plain;

	if (bits > MAX_BITS)
		return d ? name_apart__demangle(&d->heavy, serve_name, NULL, name, d) : NULL;
	most = bits > SMALL_BITS ? 1ULL << bits : 0;
	if (!demangler__take(d, most))
		return NULL;
	plain = ask_library(name);
	if (!plain)
		return NULL;
	len = strlen(plain);
	budget__give_back(d ? &d->work : NULL, most - min_of(most, len));
	if (len >= CXX_MAX_PLAIN)
		zfree(&plain);
	return plain;
}
