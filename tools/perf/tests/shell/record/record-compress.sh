#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -z: small files and streams with the same samples
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

work=("$PERF" test -w deep 20 0.4)
check() { # FILE: all samples that record counted are in it
	perf script -i "$1" -F comm >lines
	[ "$(wc -l <lines)" = "$(captured err)" ] ||
		fail "$1: $(wc -l <lines) of $(captured err) samples"
}

perf record --defer=copy -e cpu-clock -o plain.data -- "${work[@]}" 2>err
for z in -z -z19 --compression-level=3; do
	perf record $z --defer=copy -e cpu-clock -o z.data -- "${work[@]}" 2>err
	check z.data
	big=$(stat -c %s plain.data) small=$(stat -c %s z.data)
	[ "$big" -gt $((small * 5)) ] || fail "$z: $small bytes, plain $big"
	perf report --header-only -i z.data >header
	has header 'compressed'
done
perf record -z0 -q -e cpu-clock -o z.data -- true
perf report --header-only -i z.data >header
has_not header 'compressed'
perf record -z -e cpu-clock -o - -- "${work[@]}" 2>err >pipe.data
check pipe.data
fails 129 perf record -zx -- true 2>err
has err 'a level is a number'
