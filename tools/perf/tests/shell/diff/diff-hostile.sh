#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf diff: names with escapes and Markdown stay names; cut and foreign files are errors
. "$PERF_TEST_DIR/shell/diff/lib-diff.sh"

evil='a|b`c`<img/src=x>[x](http://evil)@someone\x1b[31m#1'
for i in 1 2 3; do
	counted "old$i.data" "main;$evil=100" 'main;www.evil.example=100' 'main;other=300'
	counted "new$i.data" "main;$evil=400" 'main;www.evil.example=400' 'main;other=300'
done
difference --format markdown --paths old?.data -- new?.data >out
rows=$(grep -c '^|.*evil' out)
[ "$rows" -ge 4 ] || fail "$(cat out)"
# A table of 6 columns has 7 bars, that of paths 6; nothing in a name is markup.
[ "$(grep '^|.*evil' out | tr -cd '|\n' | awk '{ print length }' | sort -u | tr '\n' ' ')" = '6 7 ' ] || fail "$(cat out)"
grep '^|.*evil' out | sed 's/&#[0-9]*;//g' >rest
has_not rest '[`<@\[]|://|www\.|#'
! LC_ALL=C grep -q "$(printf '\033')" out || fail "an escape got through"
# On a terminal, names cannot move the cursor either.
need_cmd script
script -qec "PERF_PAGER=cat '$PERF' diff --kallsyms kallsyms --runs old1.data old2.data old3.data -- new1.data new2.data new3.data" /dev/null >out </dev/null
! LC_ALL=C grep -q "$(printf '\033\\[31')" out || fail "an escape got to the terminal"
has out 'someone'

# A cut recording: what is there is compared, and the status tells.
size=$(stat -c %s new1.data)
head -c $((size / 2)) new1.data >cut.data
fails 1 difference old1.data cut.data >out 2>err
has out "\[k\] other$|\[k\] a\|b"
has err 'cut.data|damaged|ends|cut'
for bytes in 0 7 100 200; do
	head -c $bytes new1.data >cut.data
	fails 1 difference old1.data cut.data >out 2>err
	has err 'cut.data'
done
echo 'no recording' >text
fails 1 difference old1.data text 2>err
has err 'text'
fails 1 difference --runs old1.data . -- new1.data 2>err

# No samples on one side: all of it is gone, and nothing is divided by zero.
counted empty.data 'main;other=0'
difference old1.data empty.data >out
has out '60.00% +'
difference empty.data old1.data >out
has out ' +\+60.00%'
difference --runs --all old1.data -- empty.data >out
has_not out 'nan'
difference --runs --all empty.data -- empty.data >out 2>err
has err 'no samples'
has_not out 'nan'
