#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: options taken for compatibility change nothing in the file
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

# A build-id cache of its own: -N shows in the user's.
export HOME=$PWD/home
mkdir home

# What the header says, but for the command line, times, places and sizes; the build-ids; the kinds
# of records, but for those that what else runs here causes (BPF programs that are loaded, too); and
# that there are samples of the workload, whose name every sample has.
facts() { # FILE
	perf evlist -v -i "$1"
	perf buildid-list -i "$1" | grep -F "$(basename "$PERF")"
	perf report -D -i "$1" | grep -oE 'PERF_RECORD_[A-Z0-9_]+' |
		grep -vE 'THROTTLE|LOST|BPF_EVENT|KSYMBOL' | sort -u
	perf script -i "$1" -F comm,event | sort -u
	perf report --header-only -I -i "$1" | grep -oE '^# [a-z ]+' | sort -u
}

rec() { # OUTPUT OPTIONS...
	local out=$1
	shift
	perf record -q "$@" -e cpu-clock$U -o "$out" -- "$PERF" test -w deep 20 0.2
	facts "$out" >"$out.facts"
	has "$out.facts" PERF_RECORD_SAMPLE PERF_RECORD_MMAP2 cpu-clock
}

rec plain.data
for option in -B --no-buildid --buildid-all --buildid-mmap --proc-map-timeout=100 \
	--num-thread-synthesize=2 --aio --aio=2 --timestamp-boundary -N; do
	rec option.data $option
	diff plain.data.facts option.data.facts >difference ||
		fail "$option: $(cat difference)"
done

# And they are still looked at.
fails 129 perf record --aio=x -e cpu-clock -- true 2>err
has err "'x'"
fails 129 perf record --proc-map-timeout=soon -e cpu-clock -- true 2>err
has err "'soon'"
