#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record by an ordinary user: many recordings and threads share little memory for rings
# limit: 240
. "$PERF_TEST_DIR/shell/record/lib-user.sh"

# As many recordings at a time as he likes: the first takes what the kernel gives each user, the
# others get by with what each process may lock.
pids=()
for n in 1 2 3 4; do
	(ulimit -l $((80 * $(nproc)))
	 exec setpriv --reuid=$uid --regid=$uid --clear-groups ./perf-copy record -v --defer=copy -e cpu-clock \
		-o many$n.data -- ./perf-copy test -w deep 12 300 2>many$n.err) & pids+=($!)
	wait_until has_samples many$n.data 100
done
for n in 1 2 3 4; do
	kill -INT "${pids[n-1]}"
	wait "${pids[n-1]}" || [ $? = 130 ] || fail "recording $n: $(cat many$n.err)"
done
[ "$(sed -n 's/.*ring buffers of \([0-9]*\) pages.*/\1/p' many*.err | sort -u | wc -l)" -gt 1 ] ||
	fail "all have rings of the same size: $(grep -h 'ring buffers of' many*.err)"
# The same where each of many threads has one.
(exec setpriv --reuid=$uid --regid=$uid --clear-groups ./perf-copy test -w thloop 600 41) & pid=$!
wait_until has_threads $pid 41
user record -v --per-thread -e cpu-clock -o t.data -p $pid -- $(while_on_cpu $pid 0.2) 2>err
has err '41 ring buffers of [0-9]+ pages'
[ "$(samples t.data)" -gt 20 ] || fail "--per-thread: $(samples t.data) samples"
fails 1 user record -m 1M --per-thread -e cpu-clock -p $pid -o t.data 2>err
has err 'cannot map 41 ring buffers of 1024 kB' 'kernel.perf_event_mlock_kb is' 'smaller buffers \(-m\)'
end $pid
