# SPDX-License-Identifier: GPL-2.0-only
# For the tests of programs that live for a moment.
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

# The leak sanitizer begins threads on stacks of their own.
export PERF ASAN_OPTIONS=detect_leaks=0
# record NAME COMM PERCENT WHAT...: of the samples in user space of COMM, a regex, all must have a
# known binary, and so many in a hundred of all stacks that there are must be whole. Lost records may
# be mappings. Between two programs there is no stack, and an address of the one before: how often
# depends on what an execve() costs, which is much where files are read from a disk.
record() {
	local name=$1 comm=$2 percent=$3 whole lost
	shift 3
	perf record -F 4000 -e cpu-clock --defer=copy -o "$name.data" "$@" >out 2>err </dev/null ||
		fail "$name: $(cat err)"
	lost=$(grep -c ' records lost' err || true)
	perf script -i "$name.data" -F comm,ip,sym,dso,whole 2>/dev/null | awk -v comm="$comm" -v lost="$lost" '
		/^[^ \t]/ { is = $1 ~ comm && !/stack gone/; leaf = 1; next }
		is && leaf && NF && $1 !~ /^ffff/ { n++; unknown += /\(\[unknown\]\)/; leaf = 0 }
		END { printf "%d samples, %d of unknown binaries\n", n, unknown
		      exit !(n > 20 && (lost || !unknown)) }' >lines || fail "$name: $(cat lines)"
	whole=$(tr -d , <err | awk '/whole user stacks/ {
		missing = 0
		for (i = 2; i <= NF; i++) {
			if ($i == "whole" && $(i + 1) == "user") whole = $(i - 1)
			if ($i == "not" && $(i + 1) ~ /^whole/) missing = $(i - 1)
			if ($i == "gone") missing -= $(i - 2)
		}
	} END { print int(100 * whole / (whole + missing)) }') # of the last line: what is in the file
	[ "$whole" -ge "$percent" ] || fail "$name: $(grep whole err)"
}
