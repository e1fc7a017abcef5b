#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf buildid-cache: Linux perf reads what this one has written, and the other way round
. "$PERF_TEST_DIR/shell/lib.sh"
need_upstream
need_event cpu-clock

# To Linux perf, a file whose path begins with /tmp/perf- is a map of JIT code.
own=$(mktemp -d /tmp/buildid-XXXXXX)
trap 'rm -r "$own"' EXIT
cd "$own"
export HOME=$PWD/home
mkdir home
cp "$PERF" prog
id=$(perf buildid-list -i prog)
[ "$("$UPSTREAM" buildid-list -i prog)" = "$id" ] || fail "not the same build-id"
perf record -q -N -e cpu-clock$U -F 2000 -- ./prog test -w noploop 0.1
cp prog keep

perf buildid-cache -a prog
"$UPSTREAM" buildid-cache -l >theirs
perf buildid-cache -l >ours
cmp ours theirs
rm prog
"$UPSTREAM" report --stdio -s sym -g none >report 2>/dev/null
has report noploop
perf report --stdio -s sym -g none >report
has report noploop
"$UPSTREAM" buildid-cache -P
perf buildid-cache -l >out
[ ! -s out ] || fail "left: $(cat out)"

cp keep prog
"$UPSTREAM" buildid-cache -a prog
"$UPSTREAM" buildid-cache -l >theirs
perf buildid-cache -l >ours
cmp ours theirs
rm prog
perf report --stdio -s sym -g none >report
has report noploop
perf buildid-cache -p "$PWD/prog"
"$UPSTREAM" buildid-cache -l >theirs
[ ! -s theirs ] || fail "left: $(cat theirs)"

# As they list it.
perf buildid-list -H | sort >ours
"$UPSTREAM" buildid-list -H | grep '^[0-9a-f]' | sort >theirs
comm -13 ours theirs >missing
[ ! -s missing ] || fail "it does not list $(cat missing)"
