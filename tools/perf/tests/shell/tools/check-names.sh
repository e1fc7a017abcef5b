#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: scripts/check-names.py: the names of real binaries are right, and wrong ones are seen
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_source
need_cmd readelf objdump
[ "$(uname -m)" = x86_64 ] || skip "the script knows linkage tables of x86-64 only"
export PYTHONDONTWRITEBYTECODE=1 # into the source tree
check=$SOURCE/scripts/check-names.py

libc=$(ldd /bin/sh | sed -n 's/.*=> \(.*libc[.]so[^ ]*\) .*/\1/p')
[ -f "$libc" ] || skip "no libc.so"
python "$check" --perf "$PERF" -n 2000 "$PERF" "$libc" >out || { cat out; fail "a name is wrong"; }
right=$(sed -n 's/^all  *[0-9]*  *\([0-9]*\).*/\1/p' out)
[ "${right:-0}" -ge 1000 ] || { cat out; fail "only ${right:-no} addresses could be checked"; }

# A perf that is one byte off, and one that knows another function of the same program.
for wrong in 's/+0x\([0-9a-f]*\)$/+0x1\1/' 's/ [^ ]*+0x/ main+0x/'; do
	printf '#!/bin/sh\n"%s" "$@" | sed "%s"\n' "$PERF" "$wrong" >said
	chmod +x said
	status=0
	python "$check" --perf "$PWD/said" -n 100 "$PERF" >out || status=$?
	[ "$status" = 1 ] || { cat out; fail "names that $wrong made are called right"; }
	has out '^ +[1-9][0-9]*  tables: wrong: '
done
