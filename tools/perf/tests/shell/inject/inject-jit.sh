#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf inject -j: code of jitdump files becomes ELF files and mappings in the recording
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/inject/lib-jit.sh"
need_cmd readelf

perf record -q -k mono -F 500 -e cpu-clock:u --call-graph dwarf,16384 -o raw -- \
	/usr/bin/python3 "$PERF_TEST_DIR/lib/made-jit.py" 1 >pid
pid=$(cat pid)
# A link that waits there is not followed.
echo precious >precious
ln -s precious "jitted-$pid-1.so"
perf inject -j -i raw -o injected 2>err
has_not err .
has precious precious
[ "$(ls jitted-"$pid"-*.so | wc -l)" = 3 ] || fail "files: $(ls)"
readelf -W --debug-dump=decodedline,frames-interp -s "jitted-$pid-1.so" >out 2>&1
has out 'FUNC.*made_inner' 'up\.src +8 ' 'rsp\+32'
has_not out '[Ww]arning|[Ee]rror'
# The files stand for the dump, which is not needed any more.
rm "jit-$pid.dump"
perf script -i injected -F ip,sym,dso >out 2>err
has_not err .
all_whole out
has out "made_inner .*jitted-$pid-1.so"
perf inject -j <raw 2>err >again
has err 'gone'
perf inject -i injected | perf script -i - -F ip,sym,dso >piped
cmp out piped

# Folders where nothing can be written: a warning, and a recording without these functions.
perf record -q -k mono -F 500 -e cpu-clock:u -g -o raw -- \
	/usr/bin/python3 "$PERF_TEST_DIR/lib/made-jit.py" 0.3 >pid
mkdir "jitted-$(cat pid)-0.so" "jitted-$(cat pid)-1.so"
perf inject -j -i raw -o injected 2>err
has err '2 functions are missing, because their files could not be written: /.*/jitted-'
perf script -i injected -F ip,sym >out
has_not out made_inner
fails 1 perf inject -j -i nothing.data -o out 2>err
has err nothing.data
