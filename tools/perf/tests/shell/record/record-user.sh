#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record by an ordinary user: his programs, user space only, whole stacks, said once
# limit: 240
. "$PERF_TEST_DIR/shell/record/lib-user.sh"

user record --defer=copy -e cpu-clock -o u.data -- "${work[@]}" 2>err
has err 'user space only' ' whole user stacks \((100|9[5-9])\.'
[ "$(grep -c 'user space' err)" = 1 ] || fail "said more than once: $(cat err)"
user report --header-only -i u.data >header
has header 'name = cpu-clock:u.*exclude_kernel = 1'
user script -i u.data -F ip >lines
has_not lines '^[[:space:]]*[89a-f][0-9a-f]{15}'
user record -q -o u.data -- "${work[@]}"
for with in '--overwrite -g' '--switch-events' '-I --user-regs' '-e page-faults -d -W' '-e {cpu-clock,page-faults}:S' \
	'--per-thread --defer=copy' '-g -z -k mono -s'; do
	user record -q -F 1000 $with -o w.data -- "${work[@]}" 2>err || fail "$with: $(cat err)"
	[ "$(samples w.data)" -gt 4 ] || fail "$with: $(samples w.data) samples"
done

# Processes of others are not his.
sleep 600 & ps=$!
for who in -p -t; do
	fails 1 user record $who $ps -o o.data -- true 2>err
	has err "Thread $ps belongs to another user"
done
