# SPDX-License-Identifier: GPL-2.0-only
# For the tests of several output files.
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

files() { ls "$1" | grep -cE '^perf\.data\.[0-9]{16}$'; }
each_whole() { # DIRECTORY REGEX: in every file, samples, all of named programs, some matching
	local f
	for f in "$1"/perf.data.*; do
		perf script -i "$f" -F comm,ip,sym,dso >lines
		if [ ! -s lines ] && [ "$f" = "$(ls "$1"/perf.data.* | tail -n 1)" ]; then
			continue # begun at the very end
		fi
		[ -s lines ] || fail "$f has no samples"
		has_not lines '^ *:[0-9]+'
		has lines "$2"
	done
}
