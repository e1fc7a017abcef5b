#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --buildid-cache: a deleted program, its debug file and the kernel are kept; else nothing is
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_cmd objcopy

export HOME=$PWD/home
mkdir home
cp "$PERF" prog
mkdir -p .debug
objcopy --only-keep-debug prog .debug/prog.debug
objcopy -S --add-gnu-debuglink=.debug/prog.debug prog
id=$(perf buildid-list -i prog)
there=home/.debug/.build-id/${id:0:2}/${id:2}

for o in '' -N '-N --buildid-cache'; do
	perf record -q $o -e cpu-clock$U -F 2000 -- ./prog test -w noploop 0.1
	perf buildid-cache -l >out
	[ ! -s out ] || fail "$o: kept $(cat out)"
done
PERF_CONFIG=$PWD/config
printf '[record]\n\tbuild-id = cache\n' >config
perf record -q -e cpu-clock$U -F 2000 -- ./prog test -w noploop 0.1
PERF_CONFIG=/dev/null
cmp prog "$there/elf"
cmp .debug/prog.debug "$there/debug"
perf buildid-cache -M perf.data >out
if [ -z "$U" ] && grep -q '[1-9a-f]' <(head -n 1 /proc/kallsyms | cut -d' ' -f1); then
	[ ! -s out ] || fail "left out: $(cat out)"
	ls home/.debug/'[kernel.kallsyms]'/*/kallsyms
fi
perf buildid-cache -P
# It is deleted while it runs.
perf record -q --buildid-cache -e cpu-clock$U -F 2000 -- sh -c \
	'./prog test -w noploop 0.3 & until grep -q prog /proc/$!/comm; do sleep 0.01; done; rm prog; wait'
rm -r .debug
perf report --stdio -s sym -g none >report 2>err
has report noploop
has_not err 'prog was'
