# SPDX-License-Identifier: GPL-2.0-only
# For tests of what perf shows on a terminal, which is tmux's: keys, and what is on the screen then.
need_cmd tmux
need_terminal
"$PERF" version --build-options | grep -q "ncursesw: \[ on" || skip "this perf was built without ncurses"
export TMUX_TMPDIR=$PWD LC_ALL=C.UTF-8
unset TMUX NO_COLOR
terminal() { tmux -f /dev/null "$@"; }
trap 'terminal kill-server 2>/dev/null || true' EXIT

screen() { terminal capture-pane -p -t perf; }

# shows REGEX: the screen has a line with it, now or soon.
shows() {
	local i
	for ((i = 0; i < 400; i++)); do
		screen >screen.text 2>/dev/null || true
		! grep -Eq -- "$1" screen.text || return 0
		sleep 0.05
	done
	cat screen.text
	fail "the screen does not show '$1'"
}
keys() { terminal send-keys -t perf "$@"; }
# answer LABEL TEXT: what is asked for.
answer() { shows "^$1.*:"; keys "$2" Enter; }

terminal new-session -d -s other -x 80 -y 24 "sleep 1000" # the server goes on between two of perf's
terminal set-option -g status off

# browse OPTIONS...: starts perf report, or $COMMAND, on a terminal of 100 x 30.
browse() {
	rm -f status
	terminal new-session -d -s perf -x 100 -y 30 \
		"\"$PERF\" ${COMMAND:-report} -i w.data $* 2>messages; echo \$? >status; sleep 1000"
}
# ended STATUS: it has ended, and the terminal is as it was.
ended() {
	local i
	for ((i = 0; i < 600; i++)); do [ ! -s status ] || break; sleep 0.05; done
	[ "$(cat status)" = "$1" ] || { cat messages; fail "status '$(cat status)', not $1"; }
	[ "$(terminal display-message -p -t perf '#{alternate_on}')" = 0 ] ||
		fail "the terminal is not given back"
	rm status
	terminal kill-session -t perf
}
