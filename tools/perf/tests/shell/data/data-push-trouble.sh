#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf data push: stores that die, refuse, wait or answer nonsense lose and double nothing
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/data/lib-push.sh"
need_push
record_some a.data
record_some b.data
TIMES=(--retry 60 --timeout 60)

# Busy ones get it in the end, once.
store busy:3
push '' -i a.data "${TIMES[@]}"
[ "$(grep -c ^busy log)/$(grep -c ^took log)" = 3/1 ] || fail "$(cat log)"
close_store

# One that dies in the middle of it has not got it; the next one gets it, before what came later.
store die:1
fails 1 push '' -i a.data --remove --retry 0
has err 'not sent to http://127.0.0.1:[0-9]*/ingest: ' '0 profiles sent, .* 1 wait in spool'
[ ! -e a.data ] || fail "the profile is in the spool, and the recording still there"
close_store
store good
push '' -i b.data "${TIMES[@]}"
has err '2 profiles sent, .* 0 wait'
[ "$(grep -c ^took log)" = 2 ] || fail "$(cat log)"
push '' --waiting
has err '0 profiles sent'
close_store

# One that dies before it has said that it has it gets the same again: it can tell by the key.
store forget:1
fails 1 push '' -i b.data --retry 0
mv log first
close_store
store good
push '' --waiting "${TIMES[@]}"
[ "$(awk '{ print $2 }' first log | sort | uniq -c | awk '{ print $1 }')" = 2 ] || fail "$(cat first log)"
close_store

# What a store will never take is kept, and not sent again.
store 413
fails 1 push '' -i b.data
has err 'does not accept a profile: status 413, <b>no\?\[1m</b>$' 'profiles were refused'
ls spool/*.refused >kept || fail "it was not kept"
cp log first
push '' --waiting
cmp log first || fail "it was sent again"
close_store
rm -f spool/*

# A wrong password, and errors, redirects without end or to a file, and silence: it waits.
for how in 401 500 circle away silent; do
	store $how
	fails 1 push '' -i b.data --retry 0 --timeout 1
	[ "$(waiting)" = 1 ] || fail "$how: $(ls spool)"
	[ "$how/$(wc -l <log)" = circle/6 ] || [ "$(wc -l <log)" = 1 ] || fail "$how: $(cat log)"
	close_store
done
has err 'not sent to .*[Tt]imed out'

# Secrets are for the host that they were given for, not for one that it sends us to.
printf 'Authorization: Basic eDp5\nX-Secret: 93b1f05e\n' >head
chmod 600 head
for how in 401 good; do
	store $how
	elsewhere=$STORE
	store "to:$URL"
	[ $how = good ] || fails 1 push '' --waiting --retry 0 --header-file head
	[ $how = 401 ] || push '' -i b.data "${TIMES[@]}" --header-file head
	has log '^redirect 93b1f05e /ingest'
	close_store
	STORE=$elsewhere
	[ $how = good ] || has err 'status 401, .*redirected to another host'
	[ $how = 401 ] || has log '^took [^ ]* [0-9]* perf \{"host":"[^"]*"\} - /ingest'
	close_store
done
store circle
fails 1 push '' -i b.data --retry 0 --header-file head
[ "$(grep -c '^redirect 93b1f05e ' log)" = 6 ] || fail "$(cat log)"
has err 'more than 5 redirects'
close_store

# The same profile is there once; one that says yes and never ends has it.
store endless
push '' --waiting
[ "$(waiting)" = 0 ] || fail "it waits"
close_store

store partly
push /v1development/profiles -i b.data
has err 'accepted a profile, with a message: status 200, .*no function'
close_store

# No more than the spool may have: the newest stays, and nothing of who was killed there.
head -c 2000000 /dev/zero >spool/.part.1
: >spool/.0123456789abcdef
for i in 1 2; do head -c 700000 /dev/urandom >spool/0000000000000000000$i-00000000000000000009-${i}0000000000000000000000000000000-perf.pprof; done
store 500
fails 1 push '' -i b.data --spool-size 1 --retry 0
has err '1 profiles were removed before they were sent' '2 wait in spool'
[ ! -e spool/.part.1 ] && [ ! -e spool/.0123456789abcdef ] || fail "a dead process's files are there: $(ls -A spool)"
[ ! -e spool/00000000000000000001-* ] || fail "the oldest is there: $(ls spool)"
close_store

# A damaged recording is sent once, as far as it can be read: it is removed, as its profile is there.
rm -f spool/*
head -c $(($(wc -c <b.data) * 2 / 3)) b.data >cut.data
store good
fails 1 push '' -i cut.data --remove
[ ! -e cut.data ] || fail "it is there, and would be sent again"
has log '^took '
close_store
