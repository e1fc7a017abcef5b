# SPDX-License-Identifier: GPL-2.0-only
# For the tests of rings that are overwritten.
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

span() { # FILE: first and last time, and how many samples
	perf script -i "$1" -F time | awk '{ t = $1 + 0 } NR == 1 { first = t }
		END { printf "%.6f %.6f %d\n", first, t, NR }'
}
