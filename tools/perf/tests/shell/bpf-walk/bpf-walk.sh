#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=bpf: stacks of 900 kB are walked in the kernel, and are those of copies
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/bpf-walk/lib-bpf-walk.sh"

# 900 frames of a kilobyte: no copy holds them.
perf record -F 2000 -e cpu-clock:u --defer=bpf -o perf.data -- "$PERF" test -w deep 900 0.5 large 2>err
[ "$(walked err)" -ge 200 ] || fail "$(cat err)"
perf script -i perf.data -F ip,sym | awk -v RS= '
	/workload_large/ { n++; if (/_start/ && gsub("workload_large", "") == 900) whole++ }
	END { printf "%d of %d\n", whole, n; exit !(whole >= 200 && whole >= n / 2) }' >counts ||
	fail "$(cat counts err)"

# Each chain is what is unwound from a copy of the same stack.
record_checked 300 -- "$PERF" test -w deep 40 0.5
has_not err 'chains dropped because'
has err '[0-9,]+ samples, [0-9,]+ whole user stacks'

# A process that runs already, and all CPUs, by two recorders at a time.
"$PERF" test -w deep 30 60 &
pid=$!
perf record -F 1000 -e cpu-clock --defer=bpf,check -p $pid -o p.data -- $(while_on_cpu $pid 0.5) 2>err.p &
other=$!
perf record -v -F 1000 -e cpu-clock --defer=bpf,check -a -o a.data -- $(while_on_cpu $pid 0.5) 2>err.a
wait $other || fail "$(cat err.p)"
end $pid
has err.p ' compared with copies, 0 different'
for f in err.p err.a; do
	[ "$(compared $f)" -ge 100 ] || fail "$(cat $f)"
	has_not $f "^$pid/[0-9]+: in the kernel" # with -v a line for each that differs; others' are theirs
done
# Nothing of all this is in the file.
perf script -i p.data -D >dump
has_not dump 'user stack: size [1-9]'

# --defer alone does that, where the kernel does not defer by itself.
auto() { # WHAT... : -v of a recording with --defer, and so on
	perf record -v -F 500 -e cpu-clock:u --defer -o auto.data "$@" 2>err || fail "$(cat err)"
}
auto -- "$PERF" test -w deep 30 0.2
grep -q '^--defer=copy' err || exit 0
has err 'stacks walked in the kernel' '[0-9,]+ whole user stacks'
auto --stack-size 8192 -- "$PERF" test -w deep 30 0.2
has_not err 'stacks walked in the kernel'
auto -a -- "$PERF" test -w deep 30 0.2
has err 'stacks walked in the kernel'
command -v setpriv >/dev/null || exit 0
# Without the capability stacks are copied, and a word about it is for -v.
setpriv --bounding-set -bpf,-sys_admin --inh-caps -bpf,-sys_admin --no-new-privs \
	"$PERF" record -v -F 500 -e cpu-clock:u --defer -o auto.data \
	-- "$PERF" test -w deep 30 0.2 2>err || fail "$(cat err)"
has err 'stacks are copied: --defer=bpf' 'CAP_BPF' '[0-9,]+ whole user stacks'
