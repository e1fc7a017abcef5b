#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: the terminal interface in a small window: every key that moves, texts, questions, storms of sizes, hang-up
# limit: 200
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/report/lib-tui.sh"
need_event cpu-clock:u
need_cmd gcc

# Forty functions, of which the first has the most samples.
{
	echo 'volatile long x;'
	for i in $(seq 10 49); do
		echo "__attribute__((noinline, noclone)) void f$i(void) { for (int i = 0; i < $((4000 - i * 60)); i++) x += i; }"
	done
	echo 'int main(void) { for (int i = 0; i < 3000; i++) {'
	for i in $(seq 10 49); do echo "f$i();"; done
	echo '} }'
} >w.c
gcc -O1 -g -o w w.c
perf record -q -e cpu-clock:u,page-faults:u -F 3000 -g -o w.data -- ./w
perf report -i w.data --stdio -s sym --no-children -g none 2>/dev/null |
	sed -n '/cpu-clock/,/page-faults/s/^ *[0-9.]*% *\(\[\.\] .*[^ ]\) *$/\1/p' >order
first=$(sed -n 1p order) last=$(tail -n 1 order)
[ "$(wc -l <order)" -gt 20 ] || fail "only $(cat order)"
line() { sed 's/[].[*^$\/]/\\&/g' <<<"$1"; } # as a regular expression
hides() { # REGEX: it is not on the screen any more
	local i
	for ((i = 0; i < 400; i++)); do
		screen >screen.text 2>/dev/null || true
		grep -Eq -- "$1" screen.text || return 0
		sleep 0.05
	done
	cat screen.text
	fail "the screen still shows '$1'"
}
first=$(line "$first") last=$(line "$last")

browse -s sym --no-children
terminal resize-window -t perf -x 60 -y 10
shows "$first *$"
hides "$last *$"
for key in "End Home" "NPage PPage" "Space PPage"; do
	keys "${key% *}"
	hides "$first *$"
	keys "${key#* }"
	shows "$first *$"
done
keys End
shows "$last *$"
keys Home
keys Right
hides 'Overhead'
keys Left
shows 'Overhead'
keys C-l
shows "$first *$"

# Texts: the help by both keys, longer than the window.
for key in '?' F1; do
	keys "$key"
	shows 'UP/DOWN'
	keys End
	hides 'UP/DOWN'
	keys Home
	shows 'UP/DOWN'
	keys NPage
	hides 'UP/DOWN'
	keys PPage Space
	hides 'UP/DOWN'
	keys PPage
	shows 'UP/DOWN'
	keys Right
	hides 'UP/DOWN'
	keys Left Down Up
	shows 'UP/DOWN'
	keys C-l q
	shows "^Samples: "
done

# Questions: characters of several bytes, taken back; all taken back; no answer.
keys / && shows 'names contain'
keys 'f1ä' BSpace
shows 'contain.*: f1$'
keys C-u
shows 'contain.*: *$'
keys f23 Escape Home
shows "$first *$"
keys / && shows 'names contain' && keys f49 Enter
shows 'Symbol: f49'
keys Escape Home
shows "$first *$"

# A choice.
keys m
shows 'Choose an action'
keys Down Up Down Up Left
shows "^Samples: "

# The other event, and back.
keys Tab
shows "of event 'page-faults:u'"
keys BTab
shows "of event 'cpu-clock:u'"

# One zoom in another, what is no zoom here, numbers and titles, what is not found.
terminal resize-window -t perf -x 160 -y 30
keys Home d
shows ', DSO: w$'
keys k
shows ", DSO: w, the kernel's functions$"
keys k
shows ', DSO: w$'
keys d
hides 'DSO: w'
keys t
shows 'the rows have several threads'
keys F
shows 'percent of the samples that are shown'
keys F
shows 'percent of all'
keys H
hides 'Overhead'
keys H
shows 'Overhead'
keys f && answer 'Find in the rows' nosuch
shows 'no open row contains that'
keys n N E
shows '^ +f[0-9]+ *$'
keys C
hides '^ +f[0-9]+ *$'
keys L && shows 'less than this percentage' && keys C-u && answer 'Leave out' x
shows 'that is not a percentage'
terminal resize-window -t perf -x 60 -y 10
keys Home
shows "$first *$"

# Code.
keys a
shows 'Enter: follow'
for key in Down Up NPage PPage Space End Home Tab BTab H s s t t p Right Left C-l '?'; do keys "$key"; done
shows 'PGUP/PGDN/SPACE +move'
keys q
shows 'Enter: follow'
keys / && answer 'Find in the code' mov
keys n N q
shows "^Samples: "

# Sizes change all the time while keys are pressed.
for i in $(seq 30); do
	terminal resize-window -t perf -x $((5 + i * 7 % 80)) -y $((3 + i * 5 % 30))
	keys Down
done
terminal resize-window -t perf -x 80 -y 20
shows "^Samples: "
# Nothing is left of what was drawn for other sizes, without a redraw.
keys Home
is_full() { [ "$(screen | grep -c '%')" -ge 15 ]; }
wait_until is_full
keys q
ended 0

# The terminal is closed: it ends. (It is the child of the shell that the terminal has started.)
browse -s sym --no-children
shows "^Samples: "
shell=$(terminal display-message -p -t perf '#{pane_pid}')
perf_pid=$(pgrep -P "$shell" -f report)
[ -n "$perf_pid" ] || fail "no perf below $shell"
terminal kill-session -t perf
gone() { ! kill -0 "$1" 2>/dev/null; }
wait_until gone "$perf_pid"
