#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf data push: one profile that a store never takes blocks no other, and a store that takes none loses none
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/data/lib-push.sh"
need_push
record_some a.data

# add LABEL: a profile that waits, later than those before
nr=0
add() {
	touch -d "+$((++nr)) seconds" a.data
	push '' -i a.data --labels "which=$1" --retry 0 || true
}
left() { ls spool | grep -v '^\.' | grep -c "${1:-}" || true; }

# A profile that a store does not understand is kept alone, and set aside when it takes another.
store 400:bad
add bad
has err 'it refuses the profile: status 400.* keeps it until'
[ "$(left refused)/$(left)" = 0/1 ] || fail "$(ls spool)"
add good
has err '1 profiles sent, .* 0 wait in spool' '1 profiles were refused'
[ "$(left refused)/$(left)" = 1/1 ] || fail "$(ls spool)"
# Two of them do not stop it, if it takes the newest.
add bad
add bad
has err 'it refuses all profiles that were offered, 2: status 400'
[ "$(left refused)/$(left)" = 1/3 ] || fail "$(ls spool)"
add good
has err '1 profiles sent, .* 0 wait in spool' '2 profiles were refused'
close_store
rm -f spool/*

# A store that has changed its mind refuses all: three requests, and nothing is set aside.
store 500
for i in 1 2 3 4 5; do add good; done
close_store
store 400
fails 1 push '' --waiting
has err 'it refuses all profiles that were offered, 3: status 400, .* keeps them' ' 5 wait in spool'
[ "$(wc -l <log)/$(left refused)/$(left failed)/$(left)" = 3/0/0/5 ] || fail "$(cat log; ls spool)"
close_store
store good
push '' --waiting
has err '5 profiles sent, .* 0 wait'
close_store

# One that a store always fails with lets the others pass, and is set aside after five runs of that.
store 500:bad
add bad
fails 1 push '' --waiting --retry 0
[ "$(left failed)/$(left)" = 0/1 ] || fail "nothing was taken: $(ls spool)"
for i in 1 2 3 4; do
	add good
	has err '1 profiles sent, .* 1 wait in spool' 'fails with 1 profiles, and accepts others'
	[ "$(left "failed$i\$")/$(left)" = 1/1 ] || fail "$(ls spool)"
done
add good
has err '1 profiles sent, .* 0 wait in spool' '1 profiles were refused'
[ "$(left 'pprof.refused')/$(left)" = 1/1 ] || fail "$(ls spool)"
close_store
