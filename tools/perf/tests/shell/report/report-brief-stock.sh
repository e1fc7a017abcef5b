#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: --brief without debug packages: what a function of libc without a name does, its caller's call says
# limit: 60
. "$PERF_TEST_DIR/shell/lib.sh"
own_mounts
need_root
need_cmd gcc
need_event cpu-clock

# As on a machine where nobody has installed names of the C library, or fetched them.
[ ! -d /usr/lib/debug ] || mount -t tmpfs none /usr/lib/debug 2>/dev/null || skip "cannot hide the debug files"
export HOME=$PWD XDG_CACHE_HOME=$PWD/cache
unset DEBUGINFOD_URLS

cat >calls.c <<'END'
#include <string.h>
#include <stdlib.h>
#include <time.h>
#define NOINLINE __attribute__((noinline, noclone))
static char text[65536], copy[1 << 20], from[1 << 20];
static int numbers[4096];
static volatile long sum;
static int by_value(const void *a, const void *b) { return *(const int *)a < *(const int *)b; }
NOINLINE void copy_all(void) { memcpy(copy, from, sizeof(copy)); sum += copy[sum & 0xffff]; }
NOINLINE void clear_all(void) { memset(copy, sum & 1, sizeof(copy)); sum += copy[sum & 0xffff]; }
NOINLINE void count_letters(void) { for (int i = 0; i < 50; i++) { sum += strlen(text); __asm__ volatile("" ::: "memory"); } }
NOINLINE void sort_again(void) { for (int i = 0; i < 4096; i++) numbers[i] = (i * 7919) % 4096; qsort(numbers, 4096, sizeof(int), by_value); }
NOINLINE void add_all(void) { for (int i = 0; i < 100000; i++) sum += i; }
static const struct { const char *name; void (*f)(void); } all[] = {
	{ "copy_all", copy_all }, { "clear_all", clear_all }, { "count_letters", count_letters },
	{ "sort_again", sort_again }, { "add_all", add_all },
};
int main(int argc, char **argv)
{
	memset(text, 'x', sizeof(text) - 1);
	for (int i = 0; argc > 1 && i < 5; i++)
		while (!strcmp(all[i].name, argv[1]) && clock() < CLOCKS_PER_SEC / 5)
			all[i].f();
	return 0;
}
END
gcc -O1 -fno-builtin -o calls calls.c

kind() { # PROGRAM REGEX
	perf record -q -e cpu-clock -F 1000 -g --defer=copy -o p.data -- ./calls "$1" 2>err
	perf report -i p.data --brief >page 2>err
	grep -A 1 '^Kinds of work' page | tail -n 1 >first
	has first "$2"
}
kind copy_all 'copying memory; for copy_all'
! grep -q 'memcpy\|memmove' page || skip "the C library has its names here"
kind clear_all 'copying memory; for clear_all'
kind count_letters 'comparing and searching text; for count_letters'
kind sort_again 'sorting; for sort_again'
kind add_all "the program's own code"
