#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: why a recording is empty, and what makes cut callchains whole
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

record() { "$PERF" record -o h.data "$@" 2>err || fail "$* $(cat err)"; }
empty() { [ "$(grep -c 'no samples: ' err)" = 1 ] || fail "nothing said: $(cat err)"; }

# A target that sleeps; -q asks for silence, and with samples there is nothing to explain.
"$PERF" test -w noploop 600 >/dev/null 2>&1 & busy=$!
sleep 600 & asleep=$!
trap 'kill $busy $asleep' EXIT
until grep -q '^State:	S' /proc/$asleep/status; do sleep 0.02; done
record -p $asleep -- sleep 0.2
empty
has err '^\[ perf record: no samples: the target did not run: .*longer.* -a .*-e context-switches'
record -q -p $asleep -- sleep 0.1
has_not err .
record -e cpu-clock -p $busy -- $(while_on_cpu $busy 0.1)
has_not err 'no samples'
record -n -e cpu-clock -p $asleep -- sleep 0.1
has_not err 'no samples:'
# What did not happen, or not often enough, or not in that time.
record -e page-faults -p $asleep -- sleep 0.1
empty
has err 'no samples: the event did not occur'
record -e page-faults:u -c 1000000 -- true
empty
has err 'no samples: the event occurred less often than the sample period'
record -e cpu-clock -c 100000000000 -- true
empty
has err 'no samples: (the target ran for less than one sample period|only user space was recorded)'
record -e cpu-clock -D 100000 -- true
empty
has err 'no samples: the events did not occur while they were enabled \(-D'

# Chains by frame pointers that end early lead to --defer, also when a report is made of them.
graph() { # OPTIONS...
	perf record -e cpu-clock:u -o g.data "$@" 2>err
}
load=(-- "$PERF" test -w deep 20 0.5)
graph -g "${load[@]}"
if ! is_sanitized; then # and so with frame pointers
	has err '[0-9]+ % of the user stacks end at once or outside of code: .*perf record -g --defer records whole ones'
	perf report -i g.data --stdio >out 2>err
	has err 'perf record -g --defer records whole ones'
	has out '^# User stacks: .* as recorded \([0-9,]+ end at once or outside of code\)$'
fi
for with in '-g --defer=copy' '--call-graph dwarf' '' '-g --kernel-callchains' '-q -g'; do
	# shellcheck disable=SC2086 # options
	graph $with "${load[@]}"
	has_not err 'whole ones'
done
# Nor where they are as they should be.
if command -v gcc >/dev/null; then
	cat >fp.c <<-'END'
		volatile unsigned long n;
		#define F(name, next) __attribute__((noinline)) static void name(void) { next; n++; }
		F(spin, for (long i = 0; i < 100000000; i++) n++) F(a, spin()) F(b, a()) F(c, b())
		int main(void) { c(); return 0; }
	END
	gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -o fp fp.c
	graph -g -- ./fp
	has err 'Captured and wrote'
	has_not err 'whole ones'
fi
