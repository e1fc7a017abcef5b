#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record in user namespaces (rootless containers): user space only, or clear words
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd unshare
need_event cpu-clock

# Root in a namespace of his own, and an ordinary user outside.
as=()
if [ "$(id -u)" = 0 ]; then
	need_cmd setpriv
	as=(setpriv --reuid=54321 --regid=54321 --clear-groups --inh-caps=-all)
fi
cp "$PERF" perf-copy
chmod 777 .
inside() { "${as[@]}" unshare -r "$@"; }
inside true 2>err || skip "user namespaces are not allowed here: $(cat err)"
work=(./perf-copy test -w deep 12 0.3)
level=$(cat /proc/sys/kernel/perf_event_paranoid)

# recorded FILE: whole stacks of user space, and what it said fits that.
recorded() {
	has err ' whole user stacks \((100|9[5-9])\.'
	perf script -f -i "$1" -F ip,sym >lines
	has lines ' deep' ' main'
	[ "$level" -ge 2 ] || return 0
	has err '^Warning: no permission to sample the kernel \(this is a user namespace.*user space only'
	[ "$(grep -c 'user space only' err)" = 1 ] || fail "said more than once: $(cat err)"
	perf report -f --header-only -i "$1" >header
	has header 'name = cpu-clock:u.*exclude_kernel = 1'
	has_not lines '^[[:space:]]*[89a-f][0-9a-f]{15}'
}

inside id -u | grep -qx 0
inside ./perf-copy record --defer=copy -e cpu-clock -o x.data -- "${work[@]}" 2>err || fail "$(cat err)"
recorded x.data
# With what is taken when nothing is said, and by what lies in its name.
inside ./perf-copy record -q -o x.data -- "${work[@]}" 2>err || fail "$(cat err)"
inside ./perf-copy record -g --defer -o x.data -- "${work[@]}" 2>err || fail "$(cat err)"
has err 'whole user stacks'
# A process that runs already, in the same namespace.
inside bash -c './perf-copy test -w deep 12 20 & ./perf-copy record --defer=copy -e cpu-clock -o p.data -p $! \
	-- sleep 0.5; got=$?; kill $!; exit $got' 2>err || fail "$(cat err)"
recorded p.data

# What takes more says so, and that being root in there is not it.
if [ "$level" -ge 1 ]; then
	fails 1 inside ./perf-copy record -a -e cpu-clock -o n.data -- true 2>err
	has err "perf_event_paranoid is $level; this needs 0 or less" 'outside of this user namespace' \
		'its capabilities have no effect'
	has_not err 'dmesg|setcap'
fi
if [ "$level" -ge 2 ]; then
	fails 1 inside ./perf-copy record -e cpu-clock:k -o n.data -- true 2>err
	has err 'sysctl kernel.perf_event_paranoid=1' 'user namespace'
fi
[ ! -e n.data ] || fail "a refused recording left a file"

# A namespace in which all ids are themselves is one nevertheless.
if [ "$(id -u)" = 0 ] && unshare --map-users=0,0,4294967295 --map-groups=0,0,4294967295 true 2>/dev/null; then
	unshare --map-users=0,0,4294967295 --map-groups=0,0,4294967295 \
		./perf-copy record --defer=copy -e cpu-clock -o all.data -- "${work[@]}" 2>err || fail "$(cat err)"
	recorded all.data
fi
