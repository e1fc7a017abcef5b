# SPDX-License-Identifier: GPL-2.0-only
# For tests of lines of real languages.
. "$PERF_TEST_DIR/shell/lib.sh"
need_source
need_python
need_cmd llvm-symbolizer
need_event cpu-clock

# same_lines TITLE: a program of that language, as scripts/check-lines.py names it, is built and
# recorded; its lines and inlined functions are those that llvm-symbolizer or addr2line says.
same_lines() {
	local got=0
	python "$SOURCE/scripts/check-lines.py" --perf "$PERF" --programs --only "$1" >out 2>err || got=$?
	[ $got != 77 ] || skip "$(tail -n 1 err)"
	[ $got = 0 ] || fail "lines or inlined functions that no other tool sees there: $(head -n 20 err)"
	has out "^\| $1"
	cat out
}
