#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report -n, -t, -s: columns, and what may not divide them
. "$PERF_TEST_DIR/shell/report/lib-report.sh"

perf report -i x.data -n -t ';' -g none --no-children >out
has out '^# Overhead;' '^ [0-9.]+% *; [0-9]+ *;sh'
perf report -i x.data -n -t . >out 2>err && fail "-t . was taken"
has err 'field-separator'
perf report -i x.data -q --no-children -g none -s +pid >out
has out '^ +[0-9.]+%  sh +\S+ +\[.\] .*[0-9]+:sh'

# Keys that are texts of samples, and sizes of functions.
seconds() { # DECIMALS OPTIONS...: the beginnings of parts of time
	local decimals=$1
	shift
	perf report -i x.data -q --no-children -g none -s time "$@" >out
	has out "^ +[0-9.]+%  [0-9]+[.][0-9]{$decimals} *$"
	awk '{ print $2 }' out | grep . | sort >times
}
seconds 6
has_not times '[.][0-9]0*[1-9]' # tenths
seconds 9 --ns --time-quantum 1ns
nr=$(wc -l <times)
[ "$nr" -gt 1 ] || fail "no times: $(cat times)"
seconds 6 --time-quantum 4000s
[ "$(wc -l <times)" -le 2 ] || fail "$(cat times)"
for wrong in 0s 10 10m -1s; do
	fails 129 perf report -i x.data -s time --time-quantum "$wrong" 2>err
	has err 'must be a time, such as'
done
perf report -i x.data -q --no-children -g none -s tgid,symbol_size,sym >out
has out '^ +[0-9.]+% +[0-9]+:sh +([0-9]+|unknown)  \['
perf report -i x.data --json --no-children -g none -s time,tgid,comm_nodigit,symbol_size >out
has out '"time": ?"[0-9]+[.][0-9]{6}"' '"tgid": ?"[0-9]+:sh"' '"comm_nodigit": ?"sh"' '"symbol_size": ?[0-9]'

# The parts of an entry's share: in the kernel, and in user space.
adds_up() { # FILE: lines of OVERHEAD SYS US ...; all together some of each
	awk -F '[% ]+' '/%/ { d = $2 - $3 - $4; if (d > 0.02 || d < -0.02) exit 1; us += $4; n++ }
		END { exit !(n && us) }' "$1" || fail "$1: $(cat "$1")"
}
perf report -i x.data -q --no-children -g none -F overhead,overhead_sys,overhead_us,sym >out
adds_up out
has out '^ +([0-9.]+)% +0.00% +\1%  \[[.]\]'
perf report -i x.data --no-children -g none --show-cpu-utilization >out
has out '^# Overhead +sys +usr  Command'
perf report -i x.data --no-children -g none -s overhead_us,sym >out
has out '^# +usr  Symbol'
perf report -i x.data --json --no-children -g none --showcpuutilization >out
has out '"overhead_sys": ?[0-9.]+, ?"overhead_us": ?[0-9.]+'
perf report -i x.data -q --no-children -g none -s overhead_children,sym >out
has out '^ +N/A  \['
perf report -i x.data -q --no-children -g none -s cgroup,code_page_size,trace >out
has out '^ +100.00%  N/A +N/A +N/A *$'
# Addresses; and a process with two names is one entry, under the last one.
perf report -i x.data -q --no-children -g none -s addr >out
has out '^ +[0-9.]+%  0x[0-9a-f]+ *$'
perf record -q -e cpu-clock -c 200000 -o names.data -- sh -c "
	i=0; while [ \$i -lt 100000 ]; do i=\$((i+1)); done; exec '$PERF' test -w noploop 0.1" >/dev/null
perf report -i names.data -q --no-children -g none -s tgid >out
has out '^ +[0-9.]+% +[0-9]+:perf *$'
awk 'NF { sub(/:.*/, "", $2); if (seen[$2]++) exit 1 }' out || fail "$(cat out)"
has_not out ':sh *$'
