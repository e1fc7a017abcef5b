# SPDX-License-Identifier: GPL-2.0-only
# For tests of perf record --defer=bpf: beside lib.sh.
need_root
need_event cpu-clock
[ "$(uname -m)" = x86_64 ] || skip "stacks are walked in the kernel on x86-64 only"

# try_walk: such a recording works here.
try_walk() {
	perf record -q -e cpu-clock --defer=bpf -o try.data -- true 2>try.err && return
	grep -Eq 'refuses|PID namespace|BTF|btf' try.err || fail "$(cat try.err)"
	skip "$(head -n 1 try.err)"
}
try_walk

# walked ERR: the stacks that were walked in the kernel; of `check', those that were compared.
walked() { sed -nE 's/^\[ perf record: ([0-9]+) stacks walked in the kernel.*/\1/p' "$1"; }
compared() { sed -nE 's/^\[ perf record: ([0-9]+) of them compared.*/\1/p' "$1"; }

# tables ERR: how many were made for processes, taken from parents; processes and blocks at the end.
tables() {
	sed -nE 's/^tables: ([0-9]+) of processes, ([0-9]+) of parents.* at the end ([0-9]+) processes, ([0-9]+) blocks$/\1 \2 \3 \4/p' "$1"
}

# record_checked LEAST COMMAND...: so many chains are compared with copies, and are the same.
record_checked() {
	local least=$1
	shift
	perf record -F 2000 -e cpu-clock --defer=bpf,check -o perf.data "$@" 2>err ||
		fail "$(cat err)"
	has err ' compared with copies, 0 different'
	[ "$(compared err)" -ge "$least" ] || fail "$(cat err)"
}
