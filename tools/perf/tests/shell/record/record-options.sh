#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: delay, clocks, contents of samples, filters, limits
# limit: 240
. "$PERF_TEST_DIR/shell/lib.sh"
own_mounts
need_event cpu-clock

work=("$PERF" test -w noploop)
first_time() { perf script -i "$1" -F time | sed -n '1s/[ :]*//gp'; }
now_on() { python -c "import time; print(time.clock_gettime(time.$1))"; }

# -D: nothing of the first half second, but the program's name and mappings.
need_python
before=$(now_on CLOCK_MONOTONIC)
perf record -q -D 500 -k mono -g -e cpu-clock -o d.data -- "${work[@]}" 1.5
perf script -i d.data -F comm >lines
[ "$(grep -c perf lines)" -gt 100 ] || fail "-D 500: $(wc -l <lines) samples"
awk "BEGIN { exit !($(first_time d.data) >= $before + 0.5) }" ||
	fail "-D 500, begun at $before: first sample at $(first_time d.data)"
perf script -i d.data -F comm,ip,sym >lines
has lines spin
rm d.data
"${work[@]}" 300 & pid=$!
"$PERF" record -q -D 300 -g -e cpu-clock -o d.data -p $pid & rec=$!
wait_until has_samples d.data 10
end $rec
perf script -i d.data -F comm,ip,sym >lines
has lines spin
# Ranges: samples there only. They begin and end late on a busy machine, so they are far apart.
perf record -q -D 200-500,2500-2800 -k mono -e cpu-clock -o d.data -p $pid -- sleep 5
end $pid
perf script -i d.data -F time | awk '{ t = $1 + 0 } NR == 1 { first = t } NR > 1 && t - last > 1 { gaps++ }
	{ last = t } END { exit !(gaps == 1 && last - first < 4) }' || fail "-D 200-500,2500-2800"
for bad in 5-3 1-2,3 1-2,2-3 1-; do
	fails 129 perf record -D $bad -- true 2>err
	has err 'ranges'
done
fails 129 perf record -D soon -- true 2>err
has err 'milliseconds'

# -k: the clock of the times.
for k in monotonic:CLOCK_MONOTONIC CLOCK_REALTIME:CLOCK_REALTIME boot:CLOCK_BOOTTIME; do
	before=$(now_on ${k#*:})
	perf record -q -k ${k%:*} -e cpu-clock -o k.data -- "${work[@]}" 0.1
	after=$(now_on ${k#*:})
	awk "BEGIN { t = $(first_time k.data); exit !(t >= $before && t <= $after) }" ||
		fail "-k $k: $(first_time k.data), not from $before to $after"
done
fails 129 perf record -k sundial -- true 2>err
has err 'unknown clock.*monotonic'

# -P, -d: what samples say.
perf record -q -P -d -c 1 -e page-faults -o p.data -- "$PERF" test -w noploop 0.01
perf script -i p.data -F period,addr >lines
has lines '^ +1 +[0-9a-f]+ *$'
perf record -q -s -e cpu-clock -o s.data -- "$PERF" test -w thloop 0.1 2
[ "$(perf script -i s.data -F comm | wc -l)" -gt 10 ] || fail "-s: samples are missing"
perf record -q -g --user-callchains -e cpu-clock -o u.data -- "$PERF" test -w faulter 0.2
perf script -i u.data -F comm,ip >lines
has_not lines "^[[:space:]]*f{8}"
perf record -q -g --kernel-callchains -e cpu-clock -o u.data -- "${work[@]}" 0.1
perf script -i u.data -F comm,ip,sym >lines
has_not lines ' _start'
fails 129 perf record --defer --kernel-callchains -- true 2>err

all=(--data-page-size --code-page-size --data-mmap -W --transaction --sample-identifier --switch-events -R)
[ "$U" ] || all+=(--phys-data --all-cgroups --namespaces)
for with in "${all[@]}"; do
	perf record -q $with -g -e cpu-clock -o w.data -- "${work[@]}" 0.1
	perf script -i w.data -F comm,ip,sym >lines
	has lines spin
done

# --max-size, names, no recording at all.
perf record -F 20000 --max-size 100k -e cpu-clock -g -o m.data -- "${work[@]}" 20 2>err
[ "$(stat -c %s m.data)" -lt 1000000 ] || fail "--max-size: $(stat -c %s m.data) bytes"
perf script -i m.data -F comm >lines
[ "$(wc -l <lines)" -gt 100 ] || fail "--max-size: $(wc -l <lines) samples"
mkdir names
perf record --timestamp-filename -e cpu-clock -o names/perf.data -- true 2>err
ls names >list
has list "^perf\.data\.$(date +%Y)[0-9]{12}\$"
has err "Captured and wrote .* names/perf\.data\.$(date +%Y)[0-9]{12} "
# What was there is back when nothing was recorded, and not lost when it cannot be kept.
perf record -q -e cpu-clock -o kept.data -- true
cp kept.data before.data
fails 127 perf record --timestamp-filename -e cpu-clock -o kept.data -- ./no-such 2>err
cmp kept.data before.data
mkdir kept.data.old
fails 1 perf record -e cpu-clock -o kept.data -- true 2>err
has err '^Error: cannot rename the existing kept\.data to kept\.data\.old: Is a directory'
cmp kept.data before.data
perf record --dry-run -e cpu-clock -o dry.data -- "${work[@]}" 5
[ ! -e dry.data ] || fail "--dry-run recorded"
perf record -q -B -N --buildid-all -e cpu-clock -o b.data -- true

fails 129 perf record -e cpu-clock --filter 'x == 1' -- true 2>err
has err 'must follow the tracepoint'
fails 129 perf record --exclude-perf -- true 2>err
fails 129 perf record -u no-such-user 2>err
has err "unknown user 'no-such-user'"
fails 129 perf record -u 4294967296 -e cpu-clock -o u.data -- true 2>err
has err "unknown user '4294967296'"
need_root
chrt -f 1 true 2>/dev/null || skip "the kernel gives no real-time priority here"
perf record -q -r 1 -e cpu-clock -o r.data -- "${work[@]}" 0.1
fails 1 perf record -r 1000 -e cpu-clock -o r.data -- true 2>err
has err 'real-time priority 1000'
need_event sched:sched_process_exec
perf record -q -e sched:sched_process_exec --filter 'filename ~ "*/true"' -o f.data \
	-- sh -c 'ls >/dev/null; /bin/true; /bin/true'
[ "$(perf script -i f.data -F event | grep -c exec)" = 2 ] || fail "--filter"
perf record -q -e 'sched:sched_process_e*' --filter 'pid > 1' --filter 'pid < 2' \
	-e sched:sched_process_fork -o f.data -- sh -c '/bin/true; true'
perf script -i f.data -F event | sort -u >lines
has lines fork
has_not lines 'exec|exit'
fails 1 perf record -e sched:sched_process_exec --filter 'no_such == 1' -o g.data -- true 2>err
has err "the kernel rejects the filter 'no_such == 1'" 'format'
perf record -q -a -e raw_syscalls:sys_enter --exclude-perf -o x.data -- sleep 0.01
perf script -i x.data -F comm >lines
has lines sleep
need_cmd setpriv
cp "$PERF" perf-copy
setpriv --reuid=65534 --clear-groups ./perf-copy test -w noploop 300 & pid=$!
wait_until runs $pid perf-copy
perf record -q -u 65534 -e cpu-clock -o uid.data -- $(while_on_cpu $pid 0.1)
end $pid
perf script -i uid.data -F pid | sort -u >pids
has pids "$pid"
