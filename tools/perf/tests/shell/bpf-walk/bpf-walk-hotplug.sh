#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -a --defer=bpf, --activity: programs run on a CPU that comes online, too
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/lib-hotplug.sh"
. "$PERF_TEST_DIR/shell/bpf-walk/lib-bpf-walk.sh"
ln -s /usr/bin/python3 plug-walks # a name that no other test's program has

record() { # OPTION...
	echo 0 >cpus
	if ! taskset -c 0 "$PERF" record -a -F 1000 -e cpu-clock -v "$@" -- \
		./plug-walks moves.py "$all" joins "$PERF" test -w activity value 2 1 >/dev/null 2>err; then
		# 'ulimit -f' of the tests: copies are written as they are where nobody has time for them.
		! grep -q 'File too large' err || skip "the machine is too busy: $(grep 'did not fit' err)"
		fail "$(cat err)"
	fi
	has err 'a CPU came online, and was recorded from then on'
	has_not err 'Warning: CPU'
}

# there FIELD...: samples of the program on the CPU that came
there() { perf script --cpu "$last" --comm plug-walks,perf -G "$@"; }

# Where the program does not run, samples have neither a stack nor a copy of one.
record --defer=bpf --off-cpu
[ "$(walked err)" -gt 10 ] || fail "$(cat err)"
[ "$(there -F event,whole | grep -c cpu-clock)" -gt 10 ] || fail "$(cat err)"
there -F event,whole >text
[ "$(there --whole-only -F event,whole | wc -l)" -ge $(($(wc -l <text) / 2)) ] || fail "$(cat text err)"
grep -q offcpu-time text || fail "no waits: $(cat err)"

# Ids of threads, by that program or by one of their own.
for how in --defer=bpf --call-graph=fp; do
	record $how --activity=tls:perf_test_activity
	[ "$(there -F activity | grep -c '0xa5')" -gt 10 ] || fail "$how: $(there -F comm,activity | sort | uniq -c; cat err)"
done
