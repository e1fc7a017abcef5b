#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: several files, each whole; commands and signals while it runs
# limit: 240
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

files() { ls "$1" | grep -cE '^perf\.data\.[0-9]{16}$'; }
each_whole() { # DIRECTORY REGEX: in every file, samples, all of named programs, some matching
	local f
	for f in "$1"/perf.data.*; do
		perf script -i "$f" -F comm,ip,sym,dso >lines
		if [ ! -s lines ] && [ "$f" = "$(ls "$1"/perf.data.* | tail -n 1)" ]; then
			continue # begun at the very end
		fi
		[ -s lines ] || fail "$f has no samples"
		has_not lines '^ *:[0-9]+'
		has lines "$2"
	done
}

# By time: threads that started long before are known in each file.
mkdir time
perf record -g -e cpu-clock --switch-output=1s -o time/perf.data -- "$PERF" test -w thloop 3 2 2>err
[ "$(files time)" -ge 2 ] || fail "by time: $(ls time)"
each_whole time 'spin.*perf'
has err '^\[ perf record: Dump time/perf\.data\.[0-9]{16} \]$'
[ "$(grep -c Dump err)" = "$(($(files time) - 1))" ] || fail "dumps: $(cat err)"

# By size, with copies unwound; only the newest stay.
mkdir size
perf record -F 20000 --defer=copy -e cpu-clock --switch-output=200K --switch-max-files 2 \
	-o size/perf.data -- "$PERF" test -w deep 20 1 2>err
[ "$(grep -c Dump err)" -ge 2 ] || fail "by size: $(cat err)"
[ "$(files size)" = 2 ] || fail "--switch-max-files 2: $(ls size)"
each_whole size '_start'

# By signal, compressed.
mkdir signal
"$PERF" test -w noploop 600 & pid=$!
"$PERF" record -z -g -e cpu-clock --switch-output -o signal/perf.data -p $pid 2>err & rec=$!
wait_until has_samples signal/perf.data 10
kill -USR2 $rec
wait_until grep -q Dump err
$(while_on_cpu $pid 0.1)
kill -HUP $rec
status=0
wait $rec || status=$?
[ "$status" = 129 ] || fail "SIGHUP: status $status"
[ "$(files signal)" = 2 ] || fail "by signal: $(ls signal)"
each_whole signal 'spin'

# --control: answers, and samples only while enabled.
mkfifo ctl ack
exec 7<>ctl 8<>ack
ask() { echo "$1" >&7; read -r -t 60 answer <&8 || fail "no answer to $1"; [ "$answer" = ack ]; }
"$PERF" record -g -D -1 -k mono --control fifo:ctl,ack -e cpu-clock -o c.data -p $pid 2>err & rec=$!
ask ping
$(while_on_cpu $pid 0.2)
[ "$(samples c.data)" = 0 ] || fail "-D -1: samples before enable"
ask enable
wait_until has_samples c.data 10
ask disable
for i in 1 2 3 4 5 6 7; do echo "nonsense $i" >&7; done
ask ping
ask stop
wait $rec
has err "'nonsense 1' is not a command" "'nonsense 5' is not a command" 'further unknown commands'
has_not err 'nonsense 6'
perf script -i c.data -F comm,ip,sym >lines
has lines spin
# One of several events; their names.
"$PERF" record -D -1 --control fifo:ctl,ack -e cpu-clock,task-clock -o c.data -p $pid 2>err & rec=$!
ask evlist
ask 'evlist -F'
ask "disable task-clock$U"
ask 'enable task-clock' # as -e has it, also where it is called task-clock:u
ask 'enable no-such'
wait_until has_samples c.data 10
ask stop
wait $rec
has err "^cpu-clock$U\$" "^task-clock$U\$" "^cpu-clock$U: sample_freq=4000\$" "no event 'no-such' is being recorded"
perf script -i c.data -F event | sort -u | tr -d ' ' >lines
[ "$(cat lines)" = "task-clock$U:" ] || fail "enable task-clock: $(cat lines)"
"$PERF" record -q --control fd:7,8 -e cpu-clock -o f.data -p $pid & rec=$!
ask ping
wait_until has_samples f.data 10
ask stop
wait $rec

# kill -9: what had left the pipeline is there.
for z in "" -z; do
	rm -f k.data
	"$PERF" record -q -g $z -e cpu-clock -o k.data -p $pid & rec=$!
	wait_until has_samples k.data 20
	kill -KILL $rec
	wait $rec || true
	perf script -i k.data -F comm >lines
	[ "$(wc -l <lines)" -ge 20 ] || fail "kill -9 $z: $(wc -l <lines) samples"
done

# What ignores SIGHUP still does; SIGUSR2 ends nothing.
(trap '' HUP; exec "$PERF" record -q -e cpu-clock -o h.data -p $pid) & rec=$!
wait_until has_samples h.data 1
kill -HUP $rec
kill -USR2 $rec
wait_until has_samples h.data $(($(samples h.data) + 1))
kill -INT $rec
status=0
wait $rec || status=$?
[ "$status" = 130 ] || fail "ignored SIGHUP: status $status"
end $pid

# Where a file cannot get a name of its own, the recording ends with it.
long=$(printf '%0245d' 0).data
fails 1 perf record -g -e cpu-clock --switch-output=1s --switch-max-files 2 -o $long \
	-- "$PERF" test -w noploop 4 2>err
has err '^Error: cannot rename 0+\.data to .*: File name too long'
[ "$(perf script -i $long -F comm | wc -l)" -gt 20 ] || fail "the first file is lost"
[ ! -e $long.old ] || fail "files were begun under one name"

for bad in 5 5x m -1M nosignal; do
	fails 129 perf record --switch-output=$bad -o b.data -- true 2>err
	has err 'signal, a size'
done
fails 129 perf record --switch-output -o - -- true 2>err >/dev/null
for bad in ctl fd:99 fd:x fifo:no-such pipe:1; do
	fails 129 perf record --control $bad -o b.data -- true 2>err
	has err '^Error: --control'
done
