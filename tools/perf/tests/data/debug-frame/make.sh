#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Makes prog and the three forms of its debug file; gcc and binutils of Debian 12 made those that
# are committed.
set -e
cd "$(dirname "$0")"
gcc -O1 -g -fno-toplevel-reorder -nostdlib -static -fomit-frame-pointer -fno-stack-protector -fno-pie -no-pie \
	-fno-asynchronous-unwind-tables -fno-unwind-tables -fcf-protection=none \
	-ffile-prefix-map="$PWD"=. -Wl,--build-id -Wl,-z,noseparate-code -Wl,-z,norelro \
	-o prog prog.c
objcopy --only-keep-debug prog prog.debug
objcopy --compress-debug-sections=zlib-gabi prog.debug prog.gabi.debug
objcopy --compress-debug-sections=zlib-gnu prog.debug prog.gnu.debug
strip prog
objcopy --add-gnu-debuglink=prog.debug prog
