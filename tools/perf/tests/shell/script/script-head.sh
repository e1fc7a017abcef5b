#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf script --head: the first samples with their chains, as for a terminal; the brief names it
. "$PERF_TEST_DIR/shell/script/lib-script.sh"
need_python

[ "$samples" -ge 10 ] || fail "$samples samples"
for n in 1 3 $((samples - 1)); do
	perf script -i x.data --head $n >out 2>err
	# The same paragraphs, and no word of what was not read.
	awk -v RS= -v ORS='\n\n' -v n=$n 'NR <= n' all | diff - out || fail "--head $n"
	[ ! -s err ] || fail "$(cat err)"
done
perf script -i x.data --head 1000000 | cmp - all
perf script -i x.data --head 0 | cmp - all
perf script -i x.data --head 2 --header >out
has out '^# hostname'
[ "$(grep -c "cpu-clock$U: \$" out)" = 2 ] || fail "$(cat out)"
perf script -i x.data --json --head 4 >out
tail -n 1 out >last
has last '"type": ?"end".*"samples": ?4'
[ "$(grep -c '"type": *"sample"' out)" = 4 ] || fail "$(cat out)"
perf script --head 2 <x.data -i - >out
[ "$(grep -c "cpu-clock$U: \$" out)" = 2 ] || fail "$(cat out)"
# Samples count that are printed.
perf script -i x.data --head 3 --tid 1 >out
[ ! -s out ] || fail "$(cat out)"
for options in -D --per-event-dump '-s x.py' '-g python' --header-only; do
	fails 129 perf script -i x.data --head 1 $options 2>err
	has err '--head counts'
done

# Other bytes than UTF-8 come through a pipe, but not with --head.
python "$PERF_TEST_DIR/lib/made-recording.py" names n.data
perf script -i n.data -F comm | LC_ALL=C grep -q $'n\xff\xc3me'
perf script -i n.data -F comm --head 1 | grep -q '^ *n??me'
perf report -i x.data --brief >out
has out 'perf script -i x.data --max-stack 40 --head [0-9]+ '
command=$(sed -n 's/^ *perf script \(.*--head [0-9]*\) .*/\1/p' out)
perf script $command >out
[ "$(grep -c "cpu-clock$U: \$" out)" = 5 ] || fail "$(cat out)"
