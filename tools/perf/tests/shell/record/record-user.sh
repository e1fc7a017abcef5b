#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record by an ordinary user: own processes, little memory for rings, clear words
# limit: 240
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_root
need_cmd setpriv
level=$(cat /proc/sys/kernel/perf_event_paranoid)
[ "$level" = 2 ] || skip "kernel.perf_event_paranoid is $level, others may do more or less"

# A copy, since the folder that perf lies in may be closed to others. Without more memory to be
# locked than the kernel gives everybody.
cp "$PERF" perf-copy
chmod 777 .
# Of this run alone: the kernel counts the memory of rings by user.
uid=$((54000 + $$ % 1000)) other=$((53000 + $$ % 1000))
as() { local id=$1; shift; (ulimit -l 64; exec setpriv --reuid=$id --regid=$id --clear-groups --inh-caps=-all "$@"); }
user() { as $uid ./perf-copy "$@"; }
work=(./perf-copy test -w deep 12 0.3)

# Of itself: user space only, whole stacks, and it says so once.
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
# Likewise where each of many threads has one.
(exec setpriv --reuid=$uid --regid=$uid --clear-groups ./perf-copy test -w thloop 600 40) & pid=$!
wait_until has_threads $pid 41
user record -v --per-thread -e cpu-clock -o t.data -p $pid -- $(while_on_cpu $pid 0.2) 2>err
has err '41 ring buffers of [0-9]+ pages'
[ "$(samples t.data)" -gt 20 ] || fail "--per-thread: $(samples t.data) samples"
fails 1 user record -m 1M --per-thread -e cpu-clock -p $pid -o t.data 2>err
has err 'cannot map 41 ring buffers of 1024 kB' 'kernel.perf_event_mlock_kb is' 'smaller buffers \(-m\)'

# Processes of his own by -p and -u; of others, not; files that are his alone.
user record -q -u $uid -e cpu-clock -o uid.data -- $(while_on_cpu $pid 0.2)
user script -i uid.data -F pid | sort -u >seen
has seen "$pid"
fails 1 as $other ./perf-copy record -e cpu-clock -p $pid -o other.data 2>err
has err 'no permission' "belongs to another user"
fails 1 as $other ./perf-copy record -e cpu-clock -t $pid -o other.data 2>err
has err "belongs to another user"
end $pid

# Where he may not write; and with few descriptors.
mkdir -m 755 closed
perf record -q -e cpu-clock -o closed/roots -- true
chmod 644 closed/roots
for name in new roots; do
	fails 1 user record -e cpu-clock -o closed/$name -- true 2>err
	has err "^Error: cannot (open|rename the existing) closed/$name (for writing|to .*): Permission denied"
done
[ "$(ls closed)" = roots ] || fail "in closed: $(ls closed)"
(ulimit -n 8; fails 1 user record -e cpu-clock -o n.data -- true 2>err)
has err '^Error: .*[Tt]oo many open files' '^Raise (it \(|the limit: )ulimit -n'

# A program that is gone, or never had a name: its process still leads to it.
as $uid sh -c 'cp perf-copy gone; ./gone test -w deep 20 300 & echo $! >gone.pid'
wait_until runs "$(cat gone.pid)" gone
rm gone
user record --defer=copy -e cpu-clock -o gone.data -p "$(cat gone.pid)" -- $(while_on_cpu "$(cat gone.pid)" 0.3) 2>err
has err ' whole user stacks \((100|9[0-9])\.'
kill "$(cat gone.pid)"

# A program with other rights runs unseen, and that is said; of others it is not.
cp perf-copy setuid
chmod 4755 setuid
case $(findmnt -n -o OPTIONS -T .) in
*nosuid*) ;; # there is no such program here
*)
	user record -e cpu-clock -o setuid.data -- ./setuid test -w noploop 0.1 2>err
	has err '^Warning: a program changed its privileges .*setuid'
	user record -e cpu-clock -o setuid.data -- sh -c './setuid test -w noploop 0.1; :' 2>err
	has err '^Warning: a program changed its privileges .*setuid'
	perf record -a -e cpu-clock -o setuid.data -- setpriv --reuid=$uid ./setuid test -w noploop 0.3 2>err
	has_not err 'other rights'
	perf script -i setuid.data -F comm,ip,sym >lines
	has lines "setuid +[0-9a-f]{6,12} "
	;;
esac
rm setuid
user record -e cpu-clock -o plain.data -- sh -c './perf-copy test -w noploop 0.1; ./no-such; :' 2>err
has_not err 'other rights'

# What takes more rights says which.
fails 1 user record -a -e cpu-clock -o n.data -- true 2>err
has err 'perf_event_paranoid is 2; this needs 0 or less' 'a command or a process of your own'
fails 1 user record -C 0 -e cpu-clock -o n.data -- true 2>err
has err 'this needs 0 or less'
fails 1 user record --all-kernel -e cpu-clock -o n.data -- true 2>err
has err 'this needs 1 or less'
fails 1 user record -e cpu-clock:k -o n.data -- true 2>err
has err 'sysctl kernel.perf_event_paranoid=1'
fails 129 user record -e sched:sched_switch -o n.data -- true 2>err
has err 'tracing|tracefs' 'oot'
[ ! -e n.data ] || fail "a refused recording left a file"
