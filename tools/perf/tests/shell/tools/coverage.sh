#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: make coverage: what ran of a file, however the process ended, and what is too little
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_cmd gcc gcov
need_source

mkdir -p tools/perf/tests build/libperf
cat >tools/perf/ends.c <<'END'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static int by_exit(void) { return 1; }
static int by_signal(void) { return 2; }
static int by_parent(void) { return 3; }
static int behind_filter(void) { return 5; }
static int never(void)
{
	return 4;
}
static void set_filter(void)
{
	struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { 4, steps };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
}
int main(int argc, char **argv)
{
	int pipes[2], n = pipe(pipes);
	if (argc > 9)
		return never();
	if (!fork())
		_exit(by_exit());
	if (!fork()) {
		by_signal();
		raise(SIGTERM);
	}
	if (!fork()) {
		set_filter();
		_exit(behind_filter());
	}
	n = fork();
	if (!n) {
		close(pipes[1]);
		(void)!read(pipes[0], &n, 1);
		_exit(by_parent());
	}
	close(pipes[1]);
	kill(n, SIGKILL);
	while (wait(NULL) > 0)
		;
	return 0;
}
END
printf 'int low(int a)\n{\n\tif (a)\n\t\treturn 1;\n\ta++;\n\ta++;\n\ta++;\n\treturn a;\n}\n' >tools/perf/low.c
cp tools/perf/low.c tools/perf/tests/low.c
sed -i 's/low/test_low/' tools/perf/tests/low.c
compile() { gcc -O0 --coverage -fprofile-update=atomic -c -o "build/$1.o" "$2"; }
compile ends tools/perf/ends.c
compile low tools/perf/low.c
compile test-low tools/perf/tests/low.c
gcc -O1 -c -o build/end.o "$SOURCE/scripts/coverage-end.c"
gcc --coverage -Wl,--wrap=_exit,--wrap=raise,--wrap=kill,--wrap=prctl,--wrap=open -o build/ends build/{ends,low,test-low,end}.o
echo "$PWD/build/ends.o $PWD/build/low.o $PWD/build/test-low.o $PWD/build/gone.o" >build/objects
report() { python "$SOURCE/scripts/coverage.py" --report "$@" build; }

build/ends
got=0
report >out || got=$?
[ $got = 1 ] || fail "status $got of a file that did not run"
has out '^ +7 +0 +0\.0  tools/perf/low\.c$' '^1 of 2 files ran to less than 80 %' 'tools/perf/low\.c; lines'
has_not out 'tests/low'
# The functions ran in processes that ended by _exit(), by a signal, and killed, and behind a filter.
has_not build/uncovered.txt 'by_exit' 'by_signal' 'by_parent' 'behind_filter' 'low.c:1:int lower'
has build/uncovered.txt '^tools/perf/ends\.c:15:static int never' '^tools/perf/ends\.c:17:.return 4' \
	'^tools/perf/low\.c:4:..return 1'
[ "$(grep -c ends.c build/uncovered.txt)" = 3 ] || fail "$(grep ends.c build/uncovered.txt)"
report --least 0 >out

# What ran in a guest comes from there.
mkdir -p "build/vm/sid/coverage$PWD/build"
mv build/ends.gcda "build/vm/sid/coverage$PWD/build/"
report --least 0 >out
has build/vm-only.txt '^tools/perf/ends\.c:11:static int by_exit'
[ "$(grep -c ends.c build/uncovered.txt)" = 3 ] || fail "$(grep ends.c build/uncovered.txt)"

# Lines of other sources would be others.
rm tools/perf/low.c
fails 1 report 2>err
has err 'low\.c: the sources have changed'
rm build/objects
fails 1 report 2>err
has err 'nothing was built with --coverage here'
