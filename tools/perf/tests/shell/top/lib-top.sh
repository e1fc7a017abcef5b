# SPDX-License-Identifier: GPL-2.0-only
# For the tests of perf top: a program to look at, and a way to wait for what is printed.
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock:u
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT

# Two functions take turns: first one(), and when there is a file, two().
need_cmd gcc
cat >w.c <<'END'
#include <unistd.h>
volatile long x;
#define NOINLINE __attribute__((noinline, noclone))
NOINLINE void leaf(void) { for (int i = 0; i < 100000; i++) x += i; }
NOINLINE void one(void) { leaf(); x++; }
NOINLINE void two(void) { leaf(); x++; }
int main(void)
{
	while (access("end", F_OK))
		if (access("second", F_OK))
			one();
		else
			two();
	return 0;
}
END
gcc -O1 -g -o w w.c

# shows FILE REGEX: it is in the file, now or soon.
shows() {
	local i
	for ((i = 0; i < 600; i++)); do
		! grep -Eq -- "$2" "$1" || return 0
		sleep 0.05
	done
	grep -E "^# |Samples| w |leaf|Warning" "$1" | tail -n 40
	fail "perf top does not show '$2'"
}
