#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf test: verdicts, reasons, limits, nothing left behind
. "$PERF_TEST_DIR/shell/lib.sh"

nap=9$$ # seconds, of no other run of this test
mkdir -p x/tests/shell/t_area tmp
cd x/tests/shell
cat >t_pass.sh <<< 'echo passing'
cat >t_fail.sh <<< 'echo "because of this"; exit 1'
cat >t_skip.sh <<< 'echo noise; echo "no such device"; exit 77'
printf '# %s\n' 'limit: 1' 'description: never ends' >t_hang.sh
echo "setsid sleep $nap & sleep $nap" >>t_hang.sh
cat >t_leak.sh <<< "(setsid sleep $nap &)"' ; mkdir -p a/b; echo x >a/b/c; pwd'
cat >t_crash.sh <<< 'kill -SEGV $$'
cat >t_alone.sh <<< $'# exclusive\n[ -z "$(ls -A)" ] && [ "$PWD" = "$HOME" ] && [ -x "$PERF" ]'
cat >t_area/t_below.sh <<< 'echo "description: in a folder"'
echo 'exit 1' >lib-t_area.sh
cp lib-t_area.sh t_area
cat >t_shared.sh <<'END'
. "$REAL/shell/lib.sh"
made() { echo once >>"$COUNT"; echo made >file; }
shared file made
has file made
echo mine >>file
shared file made
[ "$(cat file)" = made ] || fail "what one test does is seen by the next"
END
cp t_shared.sh t_shared2.sh
# Silent where its output goes to a file.
cat >t_words.sh <<'END'
. "$REAL/shell/lib.sh"
quiet() { echo "the reason" >&2; false; }
quiet >file 2>err
END
cd ../../..
export REAL=$PERF_TEST_DIR COUNT=$PWD/count
export PERF_EXEC_PATH=$PWD/x TMPDIR=$PWD/tmp

perf test list >list
has list ' t_hang +never ends$' ' runner_numbers '
fails 1 perf test -j 3 't_*' >out
has out '^shell:$' '^shell/t_area:$' '^shell, one at a time:$' '^shell +5 passed, 4 failed, 1 skipped in [0-9.]+ s, [0-9.]+ s of CPU$' \
	'^shell/t_area +1 passed, 0 failed, 0 skipped in [0-9.]+ s, [0-9.]+ s of CPU$'
has_not out 'lib-t_area'
has out 't_pass +: Ok( \([0-9.]+ s\))?$' 't_fail +: FAILED!' '  t_fail: because of this$' 't_skip +: Skip \(no such device\)' \
	'  t_skip: no such device$' '  t_hang: still running after [0-9]+ s: killed$' \
	'  t_crash: killed by signal 11' '^ +the reason$' '  t_words: .*t_words.sh:2: "false" failed \(1\)$' 't_alone +: Ok( \([0-9.]+ s\))?$' '^6 passed, 4 failed, 1 skipped$'
[ "$(tail -n 1 out)" = '6 passed, 4 failed, 1 skipped' ] || fail "the summary is not last"
has_not out passing
[ "$(cat count)" = once ] || fail "a shared file was made anew"
[ -z "$(ls -A tmp)" ] || fail "left behind: $(ls -A tmp)"
# Nor when the run is ended in its midst, by whatever.
cat >x/tests/shell/t_waits.sh <<< 'echo x >"$PERF_TEST_SHARED/x"; sleep 1000'
for sig in TERM KILL; do
	"$PERF" test t_waits >/dev/null & pid=$!
	wait_until eval 'ls tmp/*/x 2>/dev/null >&2'
	kill -$sig $pid
	wait $pid || true
	wait_until eval '[ -z "$(ls -A tmp)" ]'
done
rm x/tests/shell/t_waits.sh
! grep -qsz "^$nap\$" /proc/[0-9]*/cmdline || fail "processes survived"

has out '^11 tests in [0-9.]+ s; the longest: t_[a-z]+ [0-9.]+ s'

perf test list shell/t_area >list2
[ "$(grep -c . list2)" = 2 ] || fail "the group has other tests: $(cat list2)"
has list2 '^shell/t_area:$' ' t_below '
perf test -l -s "t_h*,shell/t_area,unit" >list2
has list2 '^shell:$' ' t_pass '
has_not list2 '^unit:' '^shell/t_area:' ' t_hang '
fails 129 perf test -s no_such_test 2>err
has err "no test matches 'no_such_test'"
perf test -v t_pass t_skip >out
has out passing '^1 passed, 0 failed, 1 skipped$'
# What a test and its children used, the most expensive first.
cat >x/tests/shell/t_burns.sh <<< '"$PERF" test -w noploop 0.2 & wait'
perf test --times t_pass t_burns >out
awk '$3 == "shell/t_burns" { burns = $1; at = NR } $3 == "shell/t_pass" { pass = NR } END { exit !(burns >= 0.2 && at < pass) }' out ||
	fail "$(cat out)"
rm x/tests/shell/t_burns.sh
# Where nothing ran, nothing has passed.
fails 77 perf test t_skip >out
has out '^0 passed, 0 failed, 1 skipped$'
# A second chance for what failed, but not for a crash.
cat >x/tests/shell/t_second.sh <<< '[ -e "$COUNT.2" ] || { touch "$COUNT.2"; echo "away"; exit 1; }'
fails 1 perf test t_second
rm count.2
perf test --retry t_second t_pass >out
has out 't_second +: FAILED!' '^ +away$' '^again, one at a time:$' 't_second +: Ok' \
	'^Failed, but not when tried again:$' '^  t_second: away$' '^2 passed, 0 failed, 0 skipped$'
fails 1 perf test --retry t_fail t_crash >out
[ "$(grep -c 't_fail .*FAILED' out)" = 2 ] || fail "it was not tried again"
[ "$(grep -c 't_crash .*FAILED' out)" = 1 ] || fail "a crash was tried again"
has out '^  t_fail: because of this$' '^0 passed, 2 failed, 0 skipped$'
has_not out 'but not when'
for i in {1..11}; do ln -s t_fail.sh x/tests/shell/t_many$i.sh; done
fails 1 perf test --retry 't_many*' >out
has_not out again
rm x/tests/shell/t_many*
# Without the system tests (and no installed perf has them), it does not look as if all had passed.
mkdir bare
cp "$PERF" bare/perf
status=0
env -u PERF_EXEC_PATH bare/perf test workload_status >out 2>err || status=$?
[ $status = 0 ] || has err 'the system tests are not in .*: No such file' 'perf test -u'
env -u PERF_EXEC_PATH bare/perf test -u workload_status
# Whoever runs the tests may ignore signals.
cat >x/tests/shell/t_signals.sh <<< 'm=$(sed -n "s/^SigIgn:\s*//p" /proc/self/status); echo $m; ! ((16#$m & 0x1003))'
(trap '' INT PIPE HUP; perf test t_signals >out) || fail "$(cat out)"
number=$(sed -n 's/^ *\([0-9]*\): t_leak .*/\1/p' list)
perf test "$number" >out
has out 't_leak +: Ok'
fails 129 perf test no_such_test 2>err
has err "no test matches 'no_such_test'"
