# SPDX-License-Identifier: GPL-2.0-only
# For the tests of several output files.
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

files() { ls "$1" | grep -cE '^perf\.data\.[0-9]{16}$'; }
each_whole() { # DIRECTORY REGEX: in every file with samples all are of named programs, some matching
	local f whole=0
	for f in "$1"/perf.data.*; do
		perf script -i "$f" -F comm,ip,sym,dso >lines
		[ -s lines ] || continue # begun at the very end, or while the recorder had no CPU
		has_not lines '^ *:[0-9]+'
		has lines "$2"
		whole=$((whole + 1))
	done
	[ $whole -gt 0 ] || fail "no file has samples: $(ls "$1")"
}
