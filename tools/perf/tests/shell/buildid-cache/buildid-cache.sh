#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf buildid-cache: what it adds is found after the binary was replaced, and removed again
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

export HOME=$PWD/home
mkdir home
id_of() { perf buildid-list -i "$1"; }
entry() { echo "home/.debug/.build-id/${1:0:2}/${1:2}"; }

cp "$PERF" prog
id=$(id_of prog)
perf record -q -N -e cpu-clock$U -F 2000 -- ./prog test -w noploop 0.1
perf buildid-cache -M perf.data >out
has out "^$id $PWD/prog$"
perf buildid-cache -v -a prog 2>err
has err "$id $PWD/prog was added"
perf buildid-cache -v -a ./prog 2>err
has err 'in the cache already'
perf buildid-cache -l >out
has out "^$id $PWD/prog$"
perf buildid-cache -M perf.data >out
has_not out "$PWD/prog"
[ "$(readlink "$(entry "$id")")" = "../..$PWD/prog/$id" ] || fail "link to $(readlink "$(entry "$id")")"
cmp prog "$(entry "$id")/elf"
# A program stays one, for its owner alone.
[ "$(stat -c %a "$(entry "$id")/elf")" = 700 ] || fail "$(ls -l "$(entry "$id")/elf")"

# What was recorded is found, though another program has its name; and nothing is taken for it.
cp /bin/sh prog
perf report --stdio -s sym -g none >report 2>err
has report noploop
has_not err 'prog was replaced'
echo damage >"$(entry "$id")/elf"
perf report --stdio -s sym -g none >report 2>err
has_not report 'workload_|noploop'
has err "$PWD/prog was replaced"
cp "$PERF" prog
perf buildid-cache -a prog
has_not "$(entry "$id")/elf" ELF
perf buildid-cache -u prog
cmp prog "$(entry "$id")/elf"

# By the build-id of the file that is there now, and by name.
cp /bin/sh prog
fails 1 perf buildid-cache -r prog 2>err
has err 'not in the cache'
rm prog
fails 1 perf buildid-cache -r prog 2>err
perf buildid-cache -v -p "$PWD/prog" 2>err
has err "$id $PWD/prog was removed"
[ ! -e "$(entry "$id")" ] && [ ! -e "home/.debug$PWD" ] || fail "it is still there: $(find home)"
fails 1 perf buildid-cache -p "$PWD/prog" 2>err
perf buildid-cache -a /bin/sh,/bin/ls
[ "$(perf buildid-cache -l | wc -l)" = 2 ] || fail "not two: $(perf buildid-cache -l)"
perf buildid-cache -P
perf buildid-cache -l >out
[ ! -s out ] || fail "left: $(cat out)"

fails 1 perf buildid-cache -a no-such-file 2>err
has err 'no-such-file: No such file'
echo text >text
fails 1 perf buildid-cache -a text,/bin/ls 2>err
has err 'text is not an ELF file'
perf buildid-cache -l >out
has out '/ls$'
fails 129 perf buildid-cache 2>err
fails 129 perf buildid-cache prog 2>err
