#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf data push: a profile that is too large for a store (413) is sent in halves, once
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/data/lib-push.sh"
need_push

# Stacks of many depths: the profile must have some kilobytes.
perf record -q -F 5000 -g -e "cpu-clock$U" -o c.data -- "$PERF" test -w deep 40 0.3
n=$(samples c.data)
took() { awk '$1 == "took" { sum += $3 } END { print sum + 0 }' log; }

for path in /ingest /push.v1.PusherService/Push /profiles/writeraw /v1development/profiles; do
	format=pprof
	[ $path != /v1development/profiles ] || format=otlp
	perf data convert -q -i c.data --to $format -o profile
	max=$(($(stat -c %s profile) * 8 / 10))
	[ $path != /profiles/writeraw ] || max=$((max * 4 / 3)) # base64
	store max:$max
	push $path -i c.data --retry 60 --timeout 60
	has err 'too large for the store, and sent in halves' "$n samples; [2-9][0-9]* profiles sent, .* 0 wait"
	has_not err refused
	has log '^large '
	[ "$(took)" = "$n" ] || fail "$path: $(took) of $n samples: $(cat log)"
	[ -z "$(awk '$1 == "took" { print $2 }' log | sort | uniq -d)" ] || fail "$path: one key for two: $(cat log)"
	[ "$(ls spool)" = '' ] || fail "$path: $(ls spool)"
	close_store
done

# A sender that dies between: the whole is there, and its halves are made again; or they are.
store 500
fails 1 push '' -i c.data --retry 0
close_store
whole=$(basename spool/*-perf.pprof)
id=${whole:42:32}
cp "spool/$whole" "spool/half-$id-$whole"
store good
push '' --waiting --retry 60 --timeout 60
[ "$(took)" = "$n" ] || fail "$(cat log)"
[ "$(ls spool)" = '' ] || fail "$(ls spool)"
close_store
store 500
fails 1 push '' -i c.data --retry 0
close_store
mv "spool/$whole" "spool/half-00000000000000000000000000000000-$whole"
store good
push '' --waiting --retry 60 --timeout 60
[ "$(took)" = "$n" ] || fail "$(cat log)"
[ "$(ls spool)" = '' ] || fail "$(ls spool)"
close_store
