#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: programs of two mount namespaces under one name: none has the symbols of the other
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_cmd unshare
need_event cpu-clock
unshare -m --propagation private true 2>/dev/null || skip "no mount namespaces here"

mkdir mnt one two
cp "$PERF" one/prog
cp "$(realpath "$(command -v bash)")" two/prog
cp one/prog mnt/prog # as everybody else sees it
cat >inside.sh <<'END'
mount --bind "$1" mnt || exit 77
shift
exec mnt/prog "$@"
END
unshare -m --propagation private bash inside.sh one test -w noploop 600 & one=$!
unshare -m --propagation private bash inside.sh two -c 'while :; do a=$a; done' & two=$!
trap 'kill -9 $one $two 2>/dev/null || true' EXIT
wait_until runs $one prog
wait_until runs $two prog
perf record -q -F 999 -e cpu-clock:u -o x.data -p $one,$two -- $(while_on_cpu $one,$two 0.2) 2>err || fail "$(cat err)"
perf script --pid $one -F ip,sym,dso -i x.data >first 2>err
perf script --pid $two -F ip,sym,dso -i x.data >second 2>err
has first 'noploop.*/mnt/prog'
has second '/mnt/prog'
[ "$(grep -c '/mnt/prog' second)" = "$(grep -c '\[unknown\].*/mnt/prog' second)" ] ||
	fail "bash has names of perf: $(grep '/mnt/prog' second | sort | uniq -c)"
