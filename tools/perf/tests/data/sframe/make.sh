#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Usage: make.sh AS240 AS244 AS245 AS247 [CC-OF-SID...]
#
# Builds steps_* from steps.c. Each AS... is a directory with the `as' and `ld' of that version of
# binutils (Debian bookworm, trixie, Ubuntu 25.10, Debian sid), of the last two with folders
# aarch64 and s390x for those; where they need libraries of their release, small scripts that
# call its ld.so. The compilers are bookworm's gcc and its cross compilers; the rest is a
# command that compiles with sid's gcc and binutils, such as "chroot /sid gcc", in a directory
# that it sees, too.
set -e
cd "$(dirname "$0")"
common="-O2 -g0 -w -fasynchronous-unwind-tables -Wl,--build-id=none -Wl,-z,norelro -Wa,--gsframe"
build() { # NAME DIRECTORY CC OPTIONS...
	name=$1 dir=$2 cc=$3
	shift 3
	"$cc" -B"$dir/" $common "$@" -o "steps_$name" steps.c
}
object() { # NAME AS OPTIONS... SOURCE
	name=$1 as=$2
	shift 2
	"$as" --gsframe "$@" -o "$name"
}
none=-fcf-protection=none
build x86_v1 "$1" gcc $none -Wl,-z,lazy
build x86_v2 "$2" gcc $none -Wl,-z,lazy
build x86_v2p "$3" gcc $none -Wl,-z,lazy
build a64_v2p_pac "$3/aarch64" aarch64-linux-gnu-gcc -mbranch-protection=standard -Wl,-z,lazy
build s390x_v2p "$3/s390x" s390x-linux-gnu-gcc -Wl,-z,lazy
build x86_v3 "$4" gcc $none -Wl,-z,lazy
build x86_v3_ibt "$4" gcc -fcf-protection=full -Wl,-z,ibtplt -Wl,-z,lazy
build x86_v3_nopie "$4" gcc $none -Wl,-z,now -no-pie
build x86_v3_fp "$4" gcc $none -fno-omit-frame-pointer -Wl,-z,lazy
build a64_v3 "$4/aarch64" aarch64-linux-gnu-gcc -Wl,-z,lazy
build a64_v3_pac "$4/aarch64" aarch64-linux-gnu-gcc -mbranch-protection=standard -Wl,-z,lazy
build s390x_v3 "$4/s390x" s390x-linux-gnu-gcc -Wl,-z,lazy
build s390x_v3_fp "$4/s390x" s390x-linux-gnu-gcc -mbackchain -fno-omit-frame-pointer -Wl,-z,lazy
object cases_x86_v2p.o "$3/as" cases_x86.s
object restore_state_x86_v2p.o "$3/as" restore_state_x86.s
object cases_a64_v2p.o "$3/aarch64/as" cases_a64.s
object cases_a64be_v2p.o "$3/aarch64/as" -EB cases_a64.s
object cases_s390x_v2p.o "$3/s390x/as" cases_s390x.s
shift 4
[ $# = 0 ] || "$@" $common $none -Wl,-z,lazy -o steps_x86_v3_gcc16 steps.c
