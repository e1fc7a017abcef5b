#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: script -l, NAME, record, report, -g: installed scripts are found and run, others are made
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_scripts

perf script -l >list
for name in function-times time-changes function-diff lock-waits wakers; do
	has list "^  $name .* [a-z]"
done
for bad in "no-such" "record no-such" "report no-such"; do
	fails 1 perf script $bad 2>err
	has err "^Error: there is no script 'no-such': see perf script -l$"
done
fails 129 perf script record 2>err
has err 'name a script'

# Of a folder of one's own: arguments reach both halves, as does what is recorded.
mkdir -p own/scripts/python/bin
cat >own/scripts/python/bin/mine-record <<'END'
#!/bin/sh
echo "record $*" >>calls
END
cat >own/scripts/python/bin/mine-report <<'END'
#!/bin/sh
# description: what the test looks for
# args: <comm> [number]
echo "report $*; $(cat | wc -c)" >>calls
command -v perf >>calls
END
export PERF_EXEC_PATH=$PWD/own
perf script -l >list
has list '^  mine <comm> \[number\] +what the test looks for$'
perf script record mine -F 99 -o x.data -- true
perf script record mine -F 99
perf script report mine bash 3 </dev/null
perf script -i some.data report mine bash </dev/null
perf script mine bash -c 5 -- true
fails 129 perf script mine 2>err
has err "the script 'mine' needs arguments: <comm> \[number\]"
cat >want <<END
record -F 99 -o x.data -- true
record -a -F 99
report bash 3; 0
$(readlink -f "$PERF")
report bash -i some.data; 0
$(readlink -f "$PERF")
END
head -n 6 calls | diff want - || fail "$(cat calls)"
tail -n +7 calls | sort >live
has live '^record -q -o - -c 5 -- true$' '^report bash -i -; 0$'
unset PERF_EXEC_PATH

# A script that is made prints each sample, and nobody's file is overwritten.
need_event cpu-clock
perf record -q -e cpu-clock -g -F 499 -- "$PERF" test -w noploop 0.2
perf script -g python >out
has out '^generated Python script: perf-script.py$'
perf script -s perf-script.py >out
[ "$(grep -c "cpu-clock$U$" out)" = "$(samples perf.data)" ] || fail "$(head out)"
fails 1 perf script -g python 2>err
has err 'cannot write perf-script.py: File exists'
echo old >named.py
perf script -g ./named.py >out
cmp named.py perf-script.py
rm perf-script.py
fails 1 perf script -g perl 2>err
has err "scripts are written in python, not in 'perl'"
need_event raw_syscalls:sys_enter
perf record -q -e raw_syscalls:sys_enter,cpu-clock -- "$PERF" test -w noploop 0.1
perf script -g python >out
perf script -s perf-script.py >out
has out ' raw_syscalls__sys_enter: id=[0-9]+ args=bytearray'
[ "$(grep -Ec "raw_syscalls__sys_enter:|cpu-clock" out)" = "$(samples perf.data)" ] || fail "$(head out)"
