#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: stacks go on through thunks, copied functions and code with registered tables in memory without a file; code that takes turns is not taken for other code
# limit: 480
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
[ "$(uname -m)" = x86_64 ] || skip "the workload's code is for x86-64"

modes=copy
[ -z "$U" ] && modes="copy bpf"
record() { # HOW SECONDS
	perf record -e "cpu-clock$U" -F 1999 -g "--defer=$defer" -o r.data -- "$PERF" test -w memorycode $1 $2 2>err ||
		{ cat err; fail record; }
	perf data convert --to folded -i r.data -o - -q >folded
}
# complete BEGIN: the percentage of memory_leaf()'s stacks that have all frames, and BEGIN in front.
complete() {
	awk -v begin="^perf;${1:-}_start;.*memory_code;via_plain;[^;]*;memory_leaf " '
		$0 ~ begin { n += $NF } /memory_leaf / { all += $NF }
		END { printf "%d\n", all ? n * 100 / all : 0 }' folded
}

frames() { # LEAST [BEGIN]: so many percent have all frames
	[ "$(complete "${2:-}")" -ge "$1" ] ||
		{ tail -n 3 err; cat folded; fail "$defer, $how: $(complete "${2:-}") % have all frames"; }
}

for defer in $modes; do
	for how in copy registered thunk turns protected; do
		in_share 2 || continue
		case $how in
		# The first samples come before the code is known. The frame of what is registered is aligned: by
		# instructions alone nobody knows where it ends.
		copy | registered) record $how 1.2; frames 60 ;;
		# What can be written to is watched for a while, and is not called whole.
		thunk)
			record $how 1.2
			frames 40 '.not whole: [^;]*;'
			[ "$(complete)" = 0 ] || { cat folded; fail "thunk: $(complete) % are called whole"; }
			;;
		turns | protected)
			record $how 1
			has folded 'memory_leaf '
			has_not folded make_bait
			;;
		esac
	done
done
