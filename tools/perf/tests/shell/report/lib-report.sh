# SPDX-License-Identifier: GPL-2.0-only
# For the tests of perf report: x.data has two events.
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
need_event task-clock

make_report_data() {
	perf record -q -e cpu-clock -e task-clock -F 999 -g -o report.data -- \
		sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'
}
shared report.data make_report_data
mv report.data x.data
