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
	check_ids $file 100 $pid || fail "$file: $(cat err err.a)"
done

# A program with ids becomes one that has other things in the same place.
command -v gcc >/dev/null || exit 0
cat >first.c <<'END'
#include <unistd.h>
__thread volatile unsigned long id = 0x1111;
int main(void)
{
	for (long i = 0; i < 200000000; i++)
		id = 0x1111;
	return execl("./second", "second", (char *)0);
}
END
cat >second.c <<'END'
__thread volatile unsigned long other = 0x2222;
int main(void)
{
	for (long i = 0; i < 200000000; i++)
		other = 0x2222;
}
END
gcc -O0 -o first first.c || exit 0
gcc -O0 -o second second.c
record_ids exec.data tls:id ./first
perf script -i exec.data -F comm,activity | sort | uniq -c >counts
grep -q 'first *0x1111' counts || fail "$(cat counts)"
grep -q 'second *-' counts || fail "$(cat counts)"
! grep -q 'second *0x' counts || fail "$(cat counts)"
