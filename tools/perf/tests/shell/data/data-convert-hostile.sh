#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf data convert: names with quotes, lines and bytes that are no text, and damage, make valid files
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/data/lib-convert.sh"
need_python

python "$PERF_TEST_DIR/lib/made-recording.py" hostile h.data
convert h.data
for format in $FORMATS; do
	words_of $format >words
	[[ $format = @(pprof|otlp|sqlite|perfetto) ]] || LC_ALL=C has_not $format.out $'[\x01-\x09\x0b-\x1f\x7f]'
done
[ "$(wc -l <folded.out)" = 1 ] || fail "not a line: $(cat folded.out)"
LC_ALL=C has folded.out '^"\\</s:[^;]*\?\?>;\[[^;]*<img src=x onerror=boom\(\)>[^;]*:[^;]*\] 2$'

# The second half is not there: what is left is in each, with words.
size=$(stat -c %s h.data)
head -c $((size - 20)) h.data >cut.data
for format in $FORMATS; do
	fails 1 perf data convert --to $format -i cut.data -o $format.out 2>err
	has err 'cut.data'
	words_of $format >words
	[[ $format = @(folded|json|perfetto) ]] || has words 'cut.data'
done

# Nothing takes the place of a file when there is nothing to write.
echo kept >kept
fails 1 perf data convert --to folded -i no-such.data -o kept 2>err
[ "$(cat kept)" = kept ] || fail "the output was touched"
if [ -c /dev/full ]; then
	fails 1 perf data convert --to gecko -i h.data -o /dev/full 2>err
	has err 'cannot write /dev/full: No space left on device'
fi
