#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=copy: on a file system that is seen in another mount namespace only
# limit: 300
. "$PERF_TEST_DIR/shell/record/lib-lives.sh"

need_root

cat >inside.sh <<'END'
c=
mount -t tmpfs none hidden || exit 77
cp "$PERF" hidden/inside
hidden/inside test -w deep 20 0.3
cp "$PERF" hidden/gone
hidden/gone test -w deep 20 0.3 &
until [ "$c" = gone ]; do sleep 0.01; read -r c <"/proc/$!/comm"; done
rm hidden/gone
wait
END
mkdir hidden
unshare -m sh -c 'mount -t tmpfs none hidden' 2>/dev/null || skip "no mount namespaces here"
record inside 'inside|gone' 90 -- unshare -m sh inside.sh
