#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --control: answers, and samples only while enabled
# limit: 240
. "$PERF_TEST_DIR/shell/record/lib-control.sh"

"$PERF" test -w noploop 600 & pid=$!

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
has lines noploop
"$PERF" record -q --control fd:7,8 -e cpu-clock -o f.data -p $pid & rec=$!
ask ping
wait_until has_samples f.data 10
ask stop
wait $rec
end $pid

# What is written to is no file that somebody has put there.
echo kept >plain
mkfifo ctl2
! "$PERF" record -q --control fifo:ctl2,plain -e cpu-clock -o g.data -- true 2>err || fail "a file was taken for a FIFO"
has err 'plain: it is neither a FIFO nor a device'
has plain '^kept$'

# Nor is a link of another user followed where everybody may put one; one's own is.
mkfifo real
ln -s real own
! timeout 60 "$PERF" record -q --control fifo:own,plain -e cpu-clock -o g.data -- true 2>err || fail "a file was taken for a FIFO"
has err 'plain: it is neither a FIFO nor a device'
if [ "$(id -u)" = 0 ]; then
	mkdir -m 1777 everybodys
	ln -s "$PWD/plain" everybodys/link
	ln -s "$PWD/real" everybodys/fifo
	chown -h 1 everybodys/link everybodys/fifo
	for name in link fifo; do
		! "$PERF" record -q --control "fifo:ctl2,everybodys/$name" -e cpu-clock -o g.data -- true 2>err ||
			fail "$name: another user's link was followed"
		has err "everybodys/$name for writing: another user can change a link"
	done
fi
