# SPDX-License-Identifier: GPL-2.0-only
# For the tests of times of samples.
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
need_python

work=("$PERF" test -w noploop)
first_time() { perf script -i "$1" -F time | sed -n '1s/[ :]*//gp'; }
now_on() { python -c "import time; print(time.clock_gettime(time.$1))"; }
