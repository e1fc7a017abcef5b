#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf doctor: says what perf record does then, as root and as a user
. "$PERF_TEST_DIR/shell/lib.sh"

# It says what --defer will choose; --defer says with -v what it did.
agrees() { # COMMAND...: as somebody
	local status=0
	"$@" "$PERF" doctor >page || status=$?
	has page '^perf 0' '^Linux ' 'own programs: \[ (on |OFF) \]' '^perf record --defer will '
	if "$@" "$PERF" record -v -e cpu-clock:u --defer -o "$out" -- true >log 2>&1; then
		[ $status = 0 ] || fail "recording works, and doctor ends with $status"
		case $(grep '^perf record --defer will' page) in
		*'let the kernel defer'*) has log 'this kernel defers|keeps frame pointers' ;;
		*'BPF program'*) has log 'stacks walked in the kernel' ;;
		*) has_not log 'stacks walked in the kernel' ;;
		esac
	else
		[ $status = 1 ] || fail "recording fails ($(tail -n 1 log)), and doctor ends with $status"
		has page 'will fail'
	fi
}

out=$PWD/mine.data
agrees env
ln -s "$PERF" perf-whole
./perf-whole doctor >page || true
has page '^perf whole record --defer will '
[ "$(id -u)" = 0 ] || exit 0
need_cmd setpriv
mkdir -m 777 theirs
chmod 711 .
out=$PWD/theirs/x.data
agrees setpriv --reuid=54321 --regid=54321 --clear-groups --inh-caps=-all
has page 'walked in the kernel: \[ OFF \]'
grep -q '^kernel.perf_event_paranoid = -1' <(sysctl kernel.perf_event_paranoid 2>/dev/null) ||
	has page '^To improve it: sudo setcap cap_perfmon,cap_bpf=ep /'
# As in a container: root without the capabilities, which no program gets by its file there.
"$PERF" doctor | grep -q 'walked in the kernel: \[ on' || exit 0
setpriv --bounding-set=-sys_admin,-perfmon,-bpf --inh-caps=-all "$PERF" doctor >page || true
has page 'walked in the kernel: \[ OFF \]' '^To improve it: docker run --cap-add PERFMON --cap-add BPF '
