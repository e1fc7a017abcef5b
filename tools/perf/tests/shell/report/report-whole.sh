#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report, script, stitch: whole stacks and the others are told apart, and add up
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/script/lib-json.sh"
need_event cpu-clock
need_python

perf record -q --defer=copy --stack-size 4096 -F 2000 -e cpu-clock$U -o a.data -- \
	sh -c '"$0" test -w deep 3 0.2; "$0" test -w deep 60 0.2' "$PERF"
lines() { perf script -G -F comm,whole "$@" -i a.data; }
all=$(lines | wc -l)
whole=$(lines --whole-only | wc -l)
cut=$(lines --cut-only | wc -l)
[ $((whole + cut)) = "$all" ] && [ "$whole" -gt 0 ] && [ "$cut" -gt 0 ] || fail "$whole and $cut of $all"
lines --whole-only | grep -v '(whole)' && fail "these are not whole"
lines --cut-only | grep '(whole)' && fail "these are whole"
fails 1 perf script --whole-only --cut-only -i a.data 2>err
has err 'leave nothing'

# Shares: those of each part, and they make 100 %.
shares() { perf report --stdio --no-children -g none --sort whole "$@" -i a.data | grep -v '^#' | grep .; }
shares >rows
has rows '^ +[0-9.]+%  whole *$' '^ +[0-9.]+%  copy too short *$'
{ shares --whole-only; shares --cut-only; } | sort >parts
sort rows | cmp - parts
awk '{ sum += $1 } END { exit sum < 99.9 || sum > 100.1 }' rows || fail "shares: $(cat rows)"
perf report --stdio --no-children -g none -F overhead,sample,whole -i a.data >text
awk -v n="$all" '!/^#/ && NF { sum += $2 } END { exit sum != n }' text || fail "not $all samples: $(cat text)"
has text 'User Stack'

# The same as JSON, and of stitch.
perf report --json --sort whole -g none -i a.data >report.json
fits report report.json >fit
has report.json '"whole":"whole"' '"whole":"copy too short"'
perf script --json -F +whole -i a.data >script.json
fits script script.json >fit
[ "$(grep -c '"whole":true' script.json)" = "$whole" ] || fail "JSON: not $whole"
for part in whole cut; do
	perf stitch -q -i a.data -o $part.data --$part-only
	[ "$(perf script -G -F comm -i $part.data | wc -l)" = "${!part}" ] || fail "stitch --$part-only"
done

# By frame pointers: nobody knows, so these are not among the whole ones.
perf record -q -g -F 2000 -e cpu-clock:u -o fp.data -- "$PERF" test -w deep 3 0.2
[ "$(perf script -F whole -G --whole-only -i fp.data | wc -l)" = 0 ]
perf script -F whole -G --cut-only -i fp.data | sort -u >word
[ "$(cat word)" = "(as recorded) " ] || fail "$(cat word)"
fails 1 perf script -F whole -i <(true) 2>err
