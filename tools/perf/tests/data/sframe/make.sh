#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Usage: make.sh AS240 AS244 AS247 [CC-OF-SID...]
#
# Builds steps_* from steps.c. Each AS... is a directory with the `as' and `ld' of that version of
# binutils (Debian bookworm, trixie, sid); where they need libraries of their release, small
# scripts that call its ld.so. The rest is a command that compiles with sid's gcc and binutils,
# such as "chroot /sid gcc", in a directory that it sees, too.
set -e
cd "$(dirname "$0")"
common="-O2 -g0 -w -fasynchronous-unwind-tables -fcf-protection=none -Wl,--build-id=none -Wl,-z,norelro"
build() { # NAME DIRECTORY OPTIONS...
	name=$1 dir=$2
	shift 2
	gcc -B"$dir/" $common -Wa,--gsframe "$@" -o "steps_$name" steps.c
	echo "steps_$name: $(readelf -SW "steps_$name" | grep -c sframe) section"
}
build x86_v1 "$1" -Wl,-z,lazy
build x86_v2 "$2" -Wl,-z,lazy
build x86_v3 "$3" -Wl,-z,lazy
build x86_v3_ibt "$3" -fcf-protection=full -Wl,-z,ibtplt -Wl,-z,lazy
build x86_v3_nopie "$3" -Wl,-z,now -no-pie
build x86_v3_fp "$3" -fno-omit-frame-pointer -Wl,-z,lazy
shift 3
[ $# = 0 ] || "$@" $common -Wa,--gsframe -Wl,-z,lazy -o steps_x86_v3_gcc16 steps.c
