#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: --brief names the function and the kind of work of programs with one planted cost each
# limit: 240
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd gcc
need_event cpu-clock

cat >planted.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline, noclone))
static char text[65536], copy[1 << 20], from[1 << 20];
static double numbers[512];
static volatile long sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}
static int by_value(const void *a, const void *b)
{
	return *(const double *)a < *(const double *)b ? -1 : *(const double *)a > *(const double *)b;
}
NOINLINE void build_list(void) { void *v[64]; for (int i = 0; i < 64; i++) v[i] = malloc(100 + i * 40); for (int i = 0; i < 64; i++) free(v[i]); }
NOINLINE void grow_array(void) { char *p = NULL; for (int i = 1; i < 200; i++) p = realloc(p, i * 700); free(p); }
NOINLINE void locked_add(void) { for (int i = 0; i < 200; i++) { pthread_mutex_lock(&lock); sum++; pthread_mutex_unlock(&lock); } }
NOINLINE void touch_pages(void) { char *p = mmap(NULL, 1 << 22, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); for (int i = 0; i < 1 << 22; i += 4096) p[i] = 1; munmap(p, 1 << 22); }
NOINLINE void copy_all(void) { memcpy(copy, from, sizeof(copy)); sum += copy[sum & 0xffff]; }
NOINLINE void clear_all(void) { memset(copy, sum & 1, sizeof(copy)); sum += copy[sum & 0xffff]; }
NOINLINE void count_letters(void) { for (size_t i = 0; i < strlen(text) && i < 50; i++) { sum += text[i]; __asm__ volatile("" ::: "memory"); } }
NOINLINE void look_up(void) { static char names[400][24]; if (!*names[1]) for (int i = 0; i < 400; i++) sprintf(names[i], "a_long_common_name_%d", i); for (int i = 0; i < 400; i++) sum += strcmp(names[i], "a_long_common_name_399"); }
NOINLINE void sort_again(void) { for (int i = 0; i < 512; i++) numbers[i] = (i * 7919) % 512; qsort(numbers, 512, sizeof(double), by_value); }
NOINLINE void format_all(void) { char b[100]; for (int i = 0; i < 100; i++) sum += snprintf(b, sizeof(b), "%d %.6f %s", i, i * 1.1, "x"); }
NOINLINE void parse_all(void) { for (int i = 0; i < 100; i++) sum += strtod("3.14159265358979e10", NULL); }
NOINLINE void compute_all(void) { for (int i = 0; i < 100; i++) sum += 1000 * pow(i * 1.01 + (sum & 1), 1.7) + 1000 * sin(i * 77.7); }
NOINLINE void read_bytes(void) { static int fd; char c; if (!fd) fd = open("/dev/zero", O_RDONLY); for (int i = 0; i < 100; i++) sum += read(fd, &c, 1); }
NOINLINE void poll_files(void) { struct stat s; for (int i = 0; i < 100; i++) sum += stat("/proc/self/status", &s); }
NOINLINE void compare_all_pairs(void) { for (int i = 0; i < 500; i++) for (int k = 0; k < 500; k++) sum += from[i] == from[k]; }
NOINLINE long fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
NOINLINE void walk_columns(void) { for (int c = 0; c < 64; c++) for (int i = c; i < 1 << 20; i += 4096) sum += from[i]; }
NOINLINE void divide_all(void) { for (long i = 1; i < 3000; i++) sum += (sum + 12345678901L) / (i | 1); }
NOINLINE void match_all(void) { static regex_t r; static int made; if (!made) made = !regcomp(&r, "(a|b)*c[de]+f", REG_EXTENDED); for (int i = 0; i < 5; i++) sum += regexec(&r, "ababababababababcdedededf-ababab", 0, NULL, 0); }
static void recursion(void) { sum += fibonacci(15); }
static void run(void (*f)(void), double until) { do { f(); } while (seconds() < until); }
static void *worker(void *f) { run((void (*)(void))f, 0.6); return NULL; }
static const struct { const char *name; void (*f)(void); } all[] = {
	{ "build_list", build_list }, { "grow_array", grow_array }, { "locked_add", locked_add },
	{ "touch_pages", touch_pages }, { "copy_all", copy_all }, { "clear_all", clear_all },
	{ "count_letters", count_letters }, { "look_up", look_up }, { "sort_again", sort_again },
	{ "format_all", format_all }, { "parse_all", parse_all }, { "compute_all", compute_all },
	{ "read_bytes", read_bytes }, { "poll_files", poll_files },
	{ "compare_all_pairs", compare_all_pairs }, { "fibonacci", recursion },
	{ "walk_columns", walk_columns }, { "divide_all", divide_all }, { "match_all", match_all },
	{ "one_thread", compare_all_pairs },
};
int main(int argc, char **argv)
{
	pthread_t t[3];
	int threads = !strcmp(argv[1], "locked_add") ? 3 : !strcmp(argv[1], "one_thread") ? -1 : 0;
	memset(text, 'x', sizeof(text) - 1);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (strcmp(all[i].name, argv[1]))
			continue;
		for (int k = 0; k < threads; k++)
			pthread_create(&t[k], NULL, worker, (void *)all[i].f);
		if (threads < 0) { pthread_create(&t[0], NULL, worker, (void *)all[i].f); sleep(0); }
		if (threads >= 0) run(all[i].f, 0.3);
		for (int k = 0; k < (threads < 0 ? 1 : threads); k++)
			pthread_join(t[k], NULL);
		return 0;
	}
	return 1;
}
END
gcc -O1 -g -fno-builtin -o planted planted.c -lm -pthread

# names PROGRAM REGEX...: its brief has the function, and a line for each. Every third one is tried, and
# all of them with --thorough.
named=0 tried=0 missed=''
names() {
	local program=$1 re
	shift
	in_share 3 || return 0
	tried=$((tried + 1))
	perf record -q -e cpu-clock -F 1000 -g --defer=copy -o "$program.data" -- ./planted "$program" 2>record.err ||
		{ cat record.err; fail "recording $program"; }
	perf report -i "$program.data" --brief >"$program.brief" 2>report.err || { cat report.err; fail "$program"; }
	[ "$(wc -c <"$program.brief")" -le 8000 ] || fail "$program: longer than a page"
	awk '/^Kinds of work/ { on = 1; next } /in system call|^$/ { on = 0 } on { print $1 }' "$program.brief" |
		sort -c -rn || { cat "$program.brief"; fail "$program: kinds of work are not the largest first"; }
	for re in "$@"; do
		grep -Eq -- "$re" "$program.brief" || { missed+=" $program"; cat "$program.brief"; return 0; }
	done
	named=$((named + 1))
}
# What the kernel does is seen by those who may record it.
in_kernel() { # PROGRAM REGEX...
	[ "$U" ] || { names "$@"; return; }
	names "$1" '(the rest was in the kernel|alone has)' "> $1"
}
names build_list 'is memory allocation; for build_list' '> build_list >'
names grow_array 'is memory allocation; for grow_array'
names locked_add 'is locks; for locked_add'
in_kernel touch_pages 'is page faults; for touch_pages'
names copy_all 'is copying memory; for copy_all'
names clear_all 'is copying memory; for clear_all'
names count_letters 'is comparing and searching text; for count_letters'
names look_up 'is comparing and searching text; for look_up'
names sort_again '(is sorting; for|by_value|sort_again).*' 'sort_again'
names format_all 'is formatting and parsing numbers; for format_all'
names parse_all 'is formatting and parsing numbers; for parse_all'
names compute_all 'is mathematical functions; for compute_all'
in_kernel read_bytes 'is system calls; for read_bytes' 'in system call .*read'
in_kernel poll_files 'is system calls; for poll_files' 'in system call .*stat'
names compare_all_pairs 'compare_all_pairs alone has'
names fibonacci 'fibonacci alone has' 'fibonacci x'
names walk_columns 'walk_columns alone has'
names divide_all 'divide_all alone has'
names match_all 'is comparing and searching text; for match_all'
names one_thread 'threads? .*does|compare_all_pairs alone has'
echo "$named of $tried named${missed:+; not:$missed}"
[ "$named" -ge $((tried - 1 - tried / 20)) ] || fail "only $named of $tried are named"

# A program that was compiled without optimization is said to be; these were not.
fails 1 grep -l 'without optimization' ./*.brief
gcc -O0 -g -fno-builtin -o unoptimized planted.c -lm -pthread
perf record -q -e cpu-clock -F 1000 -g --defer=copy -o o0.data -- ./unoptimized compare_all_pairs
perf report -i o0.data --brief >out
has out ' is code that was compiled without optimization \(compare_all_pairs'

# What the next commands would do, they do, on at most 1,000 tokens. Each page leads to the planted
# function, which is on the page or on one that the page proposes.
run_next() { # PAGE: what its commands print goes to 'out'
	sed -n '/^Next:/,$p' "$1" | grep '^  perf ' | sed 's/ *#.*//' >next
	[ "$(wc -l <next)" -ge 2 ] || fail "$(cat "$1")"
	while read -r _ command; do
		(set +o pipefail; eval "perf $command") >one 2>err </dev/null || fail "perf $command: $(cat err)"
		[ -s one ] || fail "perf $command prints nothing: $(cat err)"
		[[ $command != *--about* ]] || [ "$(wc -c <one)" -le 3500 ] || fail "perf $command: $(wc -c <one) bytes"
		cat one
	done <next >out
}
for page in *.brief; do
	program=${page%.brief}
	[ "$program" != one_thread ] || program=compare_all_pairs
	run_next "$page"
	has out "$program"
done
perf report -i build_list.data --about build_list >page
run_next page
fails 129 perf report --brief --tui 2>err
has err 'leave out --tui'
