#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: make archive: programs that run from any folder, with the libraries beside them
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
need_source
need_cmd make xz tar patchelf readelf strip ldd git
need_event cpu-clock
is_sanitized && skip "the libraries of the sanitizers are not packed"
out=$(dirname "$PERF")
[ -e "$out/features.mk" ] || skip "the build is not there"

LEVEL=-0 "$SOURCE/packaging/archive" "$out" "$PWD/made" >said
has said 'tar\.xz: [0-9]+ bytes; needs GLIBC 2\.[0-9]+ or later'
mkdir "some where"
tar -xf made/*.tar.xz -C "some where"
mv "some where"/* there
[ "$(du -sk there | cut -f 1)" -lt 30000 ] || fail "it is large: $(du -sk there/*/* there/*/*/*)"
ldd there/libexec/perf-whole/perf >libraries
awk '/=>/ && $1 !~ /^(libc|libm|ld-|linux-vdso)/ && $3 !~ /there\/libexec\/perf-whole\/lib\// { print; bad = 1 }
	END { exit bad }' libraries || fail "libraries of this machine"
there/bin/perf-whole -q -e cpu-clock -o x.data -- "$PERF" test -w deep 20 0.2
there/bin/perf-whole report -i x.data --stdio >report
has report main
there/bin/perf-whole help record | cmp - <(perf help record)
[ -s there/libexec/perf-whole/licences/LICENSE ] || fail "no licences"
# What it records does not get its libraries.
there/bin/perf-whole -q -e cpu-clock -o y.data -- cat /proc/self/maps >maps
has_not maps there/
