#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --buildid-cache, buildid-cache --target-ns: programs that only a container has
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_event cpu-clock

export HOME=$PWD/home PERF
mkdir home hidden
unshare -m sh -c 'mount -t tmpfs none hidden' 2>/dev/null || skip "no mount namespaces here"
# Another program has its name outside.
cp /bin/sh hidden/inside
cat >inside.sh <<'END'
mount -t tmpfs none hidden || exit 77
cp "$PERF" hidden/inside
hidden/inside test -w noploop 0.2
cp "$PERF" hidden/gone
hidden/gone test -w noploop 0.3 &
until grep -q gone "/proc/$!/comm"; do sleep 0.01; done
rm hidden/gone
wait
END
perf record -q -N -g -e cpu-clock -F 2000 -o without.data -- unshare -m sh inside.sh
perf report --stdio -s comm,sym -g none -i without.data >report 2>err
has_not report 'workload_|noploop'
has err "$PWD/hidden/inside was replaced" "$PWD/hidden/gone was deleted"

perf record -q --buildid-cache -g -e cpu-clock -F 2000 -- unshare -m sh inside.sh
perf report --stdio -s comm,sym -g none >report 2>err
has report 'inside +\[\.\] noploop' 'gone +\[\.\] noploop'
has_not err 'hidden/'
# And into a bundle, which needs nothing of that.
perf data bundle -q
perf buildid-cache -P
perf report --stdio -s comm,sym -g none -i perf.data.bundle >bundled 2>err
cmp <(grep noploop report) <(grep noploop bundled)
has_not err 'hidden/'

# While the container is there.
mkfifo go
unshare -m sh -c 'mount -t tmpfs none hidden; cp "$PERF" hidden/inside; echo >ready; read -r x <go' & container=$!
wait_until test -e ready
perf buildid-cache --target-ns $container -a "$PWD/hidden/inside"
end $container
perf buildid-cache -l >list
has list "$(perf buildid-list -i "$PERF") $PWD/hidden/inside"
perf report --stdio -s comm,sym -g none -i without.data >report 2>err
has report 'inside +\[\.\] noploop'
