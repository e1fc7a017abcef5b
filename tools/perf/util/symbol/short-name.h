/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of functions as people read them. A name of C++ says what it returns, takes and was made
 * of, most of which is the same in a hundred others, and a screen ends before the function does.
 *
 *	void std::__sort<__gnu_cxx::__normal_iterator<int*, std::vector<int> >, ...>(...)
 *			std::__sort<...>
 *	std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::swap(...)
 *			std::string::swap
 *	<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop
 *			alloc::vec::Vec<T>::drop
 *	github.com/user/project/part.(*Type).Method
 *			part.(*Type).Method
 *
 * The rules are tables in short-name.c. A name of which it is not clear what is what stays as it
 * is. Names that are shown together are short-names.h.
 */
#ifndef PERF_SYMBOL_SHORT_NAME_H
#define PERF_SYMBOL_SHORT_NAME_H

#include <stddef.h>

/* From the shortest one to that which only leaves out what nobody reads. */
#define SHORT_NAME_LEVELS 4

/*
 * Takes a time and an amount of memory that grow with the length of the name alone.
 * @name: demangled
 * @level: less than SHORT_NAME_LEVELS
 * Returns: for free(); NULL: @name itself.
 */
char *name__shorten(const char *name, unsigned int level);

/*
 * Finds the end of a name that there is room for: without the namespaces in front, as far as they
 * have to go, but never without a part of the function's own name.
 * @columns: the room, in bytes
 * Returns: where it begins in @name.
 */
const char *name__fit(const char *name, size_t columns);

#endif
