# SPDX-License-Identifier: GPL-2.0-only
# For the tests of terms of events and of groups: record() writes t.data, attr() prints of it.
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
need_event task-clock

attr() { perf report --header-only -i t.data | grep -E "^# event : name = $1"; }
record() { perf record -q -o t.data "$@" 2>err || fail "$*: $(cat err)"; }
work=("$PERF" test -w deep 20 0.2)
threads() { perf script -i t.data -F event,tid | awk -v e="$1" '$2 ~ e { print $1 }' | sort -u | wc -l; }
