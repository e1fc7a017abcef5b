#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --push: every round reaches the store, with all samples, and files are removed
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/data/lib-push.sh"
need_push

store good
export PERF_PUSH_SPOOL=$PWD/spool
perf record --push "$URL" --switch-output=1s -F 500 -g -e cpu-clock$U -o r.data \
	-- "$PERF" test -w noploop 2.5 >out 2>err
rounds=$(grep -c 'perf record: Dump' err)
[ "$rounds" -ge 1 ] || fail "$(cat err)"
[ "$(grep -c ^took log)" = $((rounds + 1)) ] || fail "$rounds rounds: $(cat log)"
[ "$(awk '$3 > 0' log | awk '{ print $2 }' | sort -u | wc -l)" = $((rounds + 1)) ] || fail "one was sent twice: $(cat log)"
[ -z "$(find . -name 'r.data*')" ] || fail "files are left: $(ls)"
[ "$(waiting)" = 0 ] || fail "$(ls spool)"
close_store

# A store that is not there costs nothing but its profiles' room on disk.
store 401
perf record --push "$URL" -F 500 -g -e cpu-clock$U -o r.data -- "$PERF" test -w noploop 0.2 >out 2>err
has err 'perf data push --waiting --url http://127'
[ "$(waiting)" = 1 ] || fail "$(ls spool)"
close_store

# Whoever replaces perf meanwhile, as an upgrade does: it still sends.
store good
export PERF_PUSH_SPOOL=$PWD/spool2
cp "$PERF" own-perf
PERF_EXEC_PATH=$(perf --exec-path) ./own-perf record --push "$URL" --switch-output=1s -F 500 -g \
	-e cpu-clock$U -o r.data -- sh -c "rm own-perf; exec \"$PERF\" test -w noploop 1.5" >out 2>err
[ ! -e own-perf ] || fail "own-perf is there"
rounds=$(grep -c 'perf record: Dump' err)
[ "$(grep -c ^took log)" = $((rounds + 1)) ] || fail "$rounds rounds: $(cat log err)"
[ -z "$(find . -name 'r.data*')" ] || fail "files are left: $(ls)"
close_store

# What cannot be made a profile is tried again, and then left, and said to be.
store good
perf record --push "$URL" -F 500 -g -e cpu-clock$U -o r.data -- \
	sh -c "\"$PERF\" test -w noploop 0.2; rm -rf spool2; touch spool2" >out 2>err
has err 'r.data.* was not converted to a profile, and is kept'
[ "$(find . -name 'r.data*' | wc -l)" = 1 ] || fail "$(ls)"
close_store
