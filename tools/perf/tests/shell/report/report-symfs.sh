#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report --symfs=DIR,LAYOUT: binaries and debug files below a directory, or in it
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_cmd objcopy readelf
need_python

cp "$PERF" prog
objcopy --only-keep-debug prog prog.debug
objcopy -S --add-gnu-debuglink=prog.debug prog
perf record -q -N -g -e cpu-clock$U -F 2000 -o x.data -- ./prog test -w deep 20 0.2
perf script -i x.data -F ip,sym >named
has named workload_
mkdir -p flat "tree$PWD"
mv prog prog.debug flat
cp flat/* "tree$PWD"
named() { perf script -i x.data -F ip,sym "$@" >out 2>err; grep -q workload_ out; }
! named || fail "it reads the same without the program"
! named --symfs flat || fail "files without their folders were found by paths"
! named --symfs tree,flat || fail "files in folders were found by names alone"
for symfs in flat,flat tree tree,hierarchy; do
	named --symfs $symfs || fail "--symfs $symfs: $(cat err)"
	# Libraries are not there.
	cmp <(grep workload_ named) <(grep workload_ out)
done

# The debug file alone, found by the build-id. What it says of where segments are in a file is not true
# of the program: binutils say that code has no bytes, and begins at 0; those of 2026 that it begins in
# the second page, as constants do, which have bytes.
id=$(readelf -n flat/prog | awk '/Build ID/ { print $3 }')
file=only/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
mkdir -p "${file%/*}"
cp flat/prog.debug "$file"
named --symfs only || fail "the debug file alone: $(cat err)"
cmp <(grep workload_ named) <(grep workload_ out)
cat >code.py <<'END'
import struct, sys
offset, file_size, size = (int(arg) for arg in sys.argv[2:])
data = bytearray(open(sys.argv[1], "rb").read())
at, entry, nr = struct.unpack_from("<Q", data, 32) + struct.unpack_from("<HH", data, 54)
for i in range(at, at + entry * nr, entry):
    kind, flags = struct.unpack_from("<II", data, i)
    if kind == 1 and flags & 1:
        struct.pack_into("<Q", data, i + 8, offset)
        struct.pack_into("<Q", data, i + 32, file_size)
        if size:
            struct.pack_into("<Q", data, i + 40, size)
    elif kind == 1 and flags == 4:
        struct.pack_into("<Q", data, i + 8, offset)
        struct.pack_into("<Q", data, i + 32, 1 << 30)
open(sys.argv[1], "wb").write(data)
END
for numbers in '4096 0' '0 100000'; do
	python code.py "$file" $numbers 0
	named --symfs only || fail "the debug file alone, $numbers: $(cat err)"
	cmp <(grep workload_ named) <(grep workload_ out)
done
python code.py "$file" 0 0 4096
! named --symfs only || fail "names are those of a file with less code"
