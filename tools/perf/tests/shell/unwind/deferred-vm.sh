#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: deferred callchains: our recordings on a 7.2 kernel, every chain checked for truth
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_cmd zstd
data=$PERF_TEST_DIR/data/vm

check() { # NAME PROGRAM SAMPLES CHECKED [OPTION]: so many were checked when it was recorded
	zstd -qdc "$data/$1.data.zst" >"$1.data"
	perf script -i "$1.data" -F comm,tid,time,ip,sym 2>err | python "$PERF_TEST_DIR/lib/truth.py" ${5:-} \
		"$data/symbols.txt" "$2" >out || { cat out err; fail "$1"; }
	has out "^$3 samples, $4 checked, 0 wrong, 0 bogus, 0 out of order$"
}
check lives lives 3183 264
check events threads 2697 1251
check tid threads 366 237 --threads-only
check pipe threads 4069 192
check lossy threads 10064 5030 --threads-only

# The checker itself must see a chain that belongs to another round, and another order.
perf script -i events.data -F comm,tid,time,ip,sym >text
sed -E 's/^(t[0-9]+\.)[0-9]+ /\163 /' text >renamed
fails 1 python "$PERF_TEST_DIR/lib/truth.py" "$data/symbols.txt" threads <renamed >out
has out ' [1-9][0-9]* wrong, 0 bogus, 0 out of order'
if tac text | python "$PERF_TEST_DIR/lib/truth.py" "$data/symbols.txt" threads >out; then fail "reversed"; fi
has out '[1-9][0-9]* out of order'

# Signals: the record is made when the kernel returns, and so now and then where a handler begins or
# where one returns to. Otherwise each chain begins at the instruction that its sample has, and the
# number of each handler in it is of the right thread and of its place among them.
zstd -qdc "$data/signals.data.zst" >raw.data
perf stitch -i raw.data -o stitched.data 2>err
for file in raw stitched; do
	perf script -i "$file.data" -F comm,tid,time,ip,sym,symoff,uregs 2>err >text
	python "$PERF_TEST_DIR/lib/truth.py" "$data/symbols.txt" signals <text >out ||
		{ cat out err; fail "signals, $file"; }
	has out '^3845 samples, 1490 checked, 0 wrong, 0 bogus, 0 out of order, 3714 placed, 111 moved$'
done
# What the checker must see: another instruction, another thread, another handler.
for change in 's| IP:0x40| IP:0x4|' 's|^( *[sh][0-9]*)1\.|\12.|' 's|^( *)h2|\1h4|'; do
	sed -E "$change" text >changed
	fails 1 python "$PERF_TEST_DIR/lib/truth.py" "$data/symbols.txt" signals <changed >out
	has out ' [1-9][0-9]* wrong, 0 bogus, 0 out of order'
done
