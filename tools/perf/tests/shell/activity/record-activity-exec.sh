#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --activity: an exec, forks and other programs have no ids but their own; -a, -p
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/activity/lib-activity.sh"
nm "$PERF" 2>/dev/null | grep perf_test_activity >/dev/null || skip "this perf has no symbols, or there is no nm"
# The same process: a program with ids, one without, and one with ids again.
cat >turns <<END
#!/bin/bash
"\$PERF" test -w activity value 0.1 1
[ \$1 = 0 ] || exec "\$0" \$((\$1 - 1))
exec "\$PERF" test -w activity value 0.1 1
END
chmod +x turns
export PERF
record_ids perf.data tls:perf_test_activity ./turns 5
check_ids perf.data 100
# A shell has no such variable.
perf script -i perf.data -F comm,activity | awk '/^ *(bash|turns) / && $NF != "-"' >odd
[ ! -s odd ] || fail "$(head -n 3 odd)"

"$PERF" test -w activity value 60 2 &
pid=$!
wait_until has_threads $pid 3
perf record -F 2000 -e cpu-clock:u --user-regs=r15 --activity=tls:perf_test_activity -p $pid -o p.data -- \
	$(while_on_cpu $pid 0.5) 2>err &
other=$!
perf record -F 2000 -e cpu-clock:u --user-regs=r15 --activity=tls:perf_test_activity -a -o a.data -- \
	$(while_on_cpu $pid 0.5) 2>err.a
wait $other || fail "$(cat err)"
end $pid
# Two recorders at a time: each has all ids.
for file in p.data a.data; do
	check_ids $file 100 || fail "$file: $(cat err err.a)"
done
