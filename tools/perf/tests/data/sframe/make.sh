#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Usage: make.sh AS240 AS244 AS247 AS247-AARCH64 AS247-S390X [CC-OF-SID...]
#
# Builds steps_* from steps.c. Each AS... is a directory with the `as' and `ld' of that version of
# binutils (Debian bookworm, trixie, sid); where they need libraries of their release, small
# scripts that call its ld.so. The compilers are bookworm's gcc and its cross compilers; the rest
# is a command that compiles with sid's gcc and binutils, such as "chroot /sid gcc", in a
# directory that it sees, too.
set -e
cd "$(dirname "$0")"
common="-O2 -g0 -w -fasynchronous-unwind-tables -Wl,--build-id=none -Wl,-z,norelro -Wa,--gsframe"
build() { # NAME DIRECTORY CC OPTIONS...
	name=$1 dir=$2 cc=$3
	shift 3
	"$cc" -B"$dir/" $common "$@" -o "steps_$name" steps.c
}
none=-fcf-protection=none
build x86_v1 "$1" gcc $none -Wl,-z,lazy
build x86_v2 "$2" gcc $none -Wl,-z,lazy
build x86_v3 "$3" gcc $none -Wl,-z,lazy
build x86_v3_ibt "$3" gcc -fcf-protection=full -Wl,-z,ibtplt -Wl,-z,lazy
build x86_v3_nopie "$3" gcc $none -Wl,-z,now -no-pie
build x86_v3_fp "$3" gcc $none -fno-omit-frame-pointer -Wl,-z,lazy
build a64_v3 "$4" aarch64-linux-gnu-gcc -Wl,-z,lazy
build a64_v3_pac "$4" aarch64-linux-gnu-gcc -mbranch-protection=standard -Wl,-z,lazy
build s390x_v3 "$5" s390x-linux-gnu-gcc -Wl,-z,lazy
build s390x_v3_fp "$5" s390x-linux-gnu-gcc -mbackchain -fno-omit-frame-pointer -Wl,-z,lazy
shift 5
[ $# = 0 ] || "$@" $common $none -Wl,-z,lazy -o steps_x86_v3_gcc16 steps.c
