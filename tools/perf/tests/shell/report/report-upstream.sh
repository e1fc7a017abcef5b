#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report prints what the perf of the kernel's tools prints, with many options
# limit: 240
. "$PERF_TEST_DIR/shell/lib.sh"
! is_sanitized || skip "the names of the sanitizers' C++ are not demangled alike"
need_upstream
need_event cpu-clock

# Not the start of the program: single samples in many libraries, which both sort by chance.
perf record -q -D 100 -e cpu-clock:u -e task-clock:u -c 1000000 -o two.data -- "$PERF" test -w noploop 0.6
perf record -q -D 100 -e '{cpu-clock:u,task-clock:u}' -c 1000000 -o group.data -- "$PERF" test -w deep 20 0.6

# The text without blanks at the ends of lines, upstream's hints for users, and the dots below the
# headings, whose last column upstream makes as wide as entries that it does not show. Functions
# without a name have one entry for each address there.
plain() { sed 's/ *$//; /^# *([A-Z].*)$/d; /^#[., :]*\.$/d; /\] 0x[0-9a-f]*$/d; /\] [^ ]*+0x[0-9a-f]*$/d' | sed -e :a -e '/^[#\n]*$/{$d;N;ba' -e '}'; }

n=0 equal=0
compare() { # FILE OPTIONS...
	"$UPSTREAM" report --stdio -i "$@" >raw 2>upstream.err || skip "$UPSTREAM report $*: $(tail -n 1 upstream.err)"
	plain <raw >want
	perf report --stdio --demangle=full -i "$@" | plain >out
	has out '%'
	n=$((n + 1))
	if cmp -s want out; then equal=$((equal + 1)); else diff want out >"difference.$n" || echo "perf report $*:" && head -n 6 "difference.$n"; fi
}
while read -r options; do
	for data in two.data group.data; do compare $data $options; done
done <<'END'
--hierarchy
--hierarchy -n
--hierarchy -s sym,comm
--hierarchy -s comm,dso,cpu,sym --percent-limit 12
--hierarchy -s comm,sym --percent-limit 10 -n --show-total-period
--hierarchy -t,
--hierarchy -s dso
--hierarchy -s pid,sym -q
--hierarchy --comms perf --percentage relative
-s time
-s time,sym --time-quantum 50ms
END
compare group.data -s sym --group-sort-idx 1
compare group.data -s comm,sym --group-sort-idx 1 -n
echo "$equal of $n are equal"
[ "$equal" = "$n" ] || fail "$((n - equal)) of $n differ"
