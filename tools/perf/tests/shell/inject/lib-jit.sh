# SPDX-License-Identifier: GPL-2.0-only
# For tests of code that is made at run time.
need_python
need_event cpu-clock
[ "$(uname -m)" = x86_64 ] || skip "the code that it makes is for x86_64"
jit() { python "$PERF_TEST_DIR/lib/made-jit.py" "$@"; }
# whole FILE: the samples of FILE (script's output) that go from made_inner() to the program's start.
whole() { awk -v RS= '/made_inner/ && /made_outer/ && /_start/ { n++ } END { print n + 0 }' "$1"; }
# all_whole FILE: there are some, and no stack ends in code that was made.
all_whole() {
	[ "$(whole "$1")" -gt 50 ] || fail "only $(whole "$1") whole stacks: $(head -n 40 "$1")"
	awk -v RS= '/made_(inner|outer)/ && !/_start/ { n++ } END { exit n > 0 }' "$1" ||
		fail "stacks end in code that was made: $(awk -v RS= '/made_/ && !/_start/' "$1" | head -n 20)"
	has_not "$1" made_before
}
