# SPDX-License-Identifier: GPL-2.0-only
# For the tests of perf diff: recordings with known counts.
. "$PERF_TEST_DIR/shell/lib.sh"
need_python

# counted FILE PATH=COUNT...: all of them have the functions of one kernel, in kallsyms.
counted() {
	python "$PERF_TEST_DIR/lib/counted-recording.py" "$@"
	mv "$1.kallsyms" kallsyms
}
difference() { perf diff --kallsyms kallsyms "$@"; }
