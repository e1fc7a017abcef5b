#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf connects to nothing, except report, script, stitch and buildid-cache where DEBUGINFOD_URLS is set
# limit: 100
. "$PERF_TEST_DIR/shell/report/lib-debuginfod.sh"

# Ends with a signal whatever makes a socket for the network: seccomp(2), inherited by all children.
cat >offline.py <<'END'
import ctypes, os, struct, sys
numbers = {"x86_64": (0xc000003e, 41), "aarch64": (0xc00000b7, 198)}
if os.uname().machine not in numbers:
    sys.exit(77)
arch, socket = numbers[os.uname().machine]
LD, JEQ, RET, KILL, ALLOW = 0x20, 0x15, 0x06, 0x80000000, 0x7fff0000
code = [(LD, 0, 0, 4), (JEQ, 1, 0, arch), (RET, 0, 0, ALLOW), (LD, 0, 0, 0), (JEQ, 0, 4, socket),
        (LD, 0, 0, 16), (JEQ, 1, 0, 2), (JEQ, 0, 1, 10), (RET, 0, 0, KILL), (RET, 0, 0, ALLOW)]
filter = b"".join(struct.pack("HBBI", *c) for c in code)
buf = ctypes.create_string_buffer(filter)
prog = struct.pack("HxxxxxxP", len(code), ctypes.addressof(buf))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, prog, 0, 0):
    sys.exit(77)
os.execv(sys.argv[1], sys.argv[1:])
END
offline() { /usr/bin/python3 offline.py "$PERF" "$@"; }
offline version >out || [ $? != 77 ] || skip "no seccomp filters here"
make_stripped
serve good
url=$DEBUGINFOD_URLS
! /usr/bin/python3 offline.py /usr/bin/python3 -c 'import socket; socket.socket()' || fail "the filter does not work"

with() {
	offline "$@" -i x.data >out 2>err || fail "$*: $? $(cat err)"
}
# Whatever the environment says of servers, nothing but what reads recordings asks them.
offline record -q -F 2000 --defer=copy --no-stitch -e cpu-clock$U -o x.data -- ./prog test -w deep 12 0.2
offline record -q -F 2000 --buildid-cache -e cpu-clock$U -o y.data -- ./prog test -w deep 12 0.1
offline buildid-cache -u "$PWD/prog"
with buildid-list
with unwind stats
[ ! -s log ] || fail "asked: $(cat log)"
# And these only where it says so.
unset DEBUGINFOD_URLS
for with in 'report --stdio' 'report --stdio -s srcline' script 'script --unwind=libdw' 'stitch -n'; do
	DEBUGINFOD_URLS='' with $with
	with $with
done
[ ! -s log ] && [ ! -e client ] || fail "asked: $(cat log)"
# The filter and the server would have noticed.
export DEBUGINFOD_URLS=$url
offline report --stdio -i x.data >out 2>err
has err 'did not send a file'
[ ! -s log ] || fail "asked through the filter: $(cat log)"
perf report --stdio -i x.data >out
[ -s log ] || fail "the server was not asked"
