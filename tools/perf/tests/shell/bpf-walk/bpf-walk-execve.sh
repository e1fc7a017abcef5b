#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=bpf: samples in execve() have the stack of the program that calls it
# limit: 240
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/bpf-walk/lib-bpf-walk.sh"
need_cmd gcc
need_cmd python3
perf record -v -e cpu-clock --defer=bpf -o try.data -- true 2>try.err || fail "$(cat try.err)"
reason=$(sed -n 's/^stacks of samples in execve() are unknown: //p' try.err)
[ ! "$reason" ] || skip "$reason"

# Its functions spell a number, 8 bits. It calls itself, or $OTHER, with the next one, or a child does:
# who is made by vfork() gives the stack back in the midst of it. With a fourth argument a thread calls.
{
	echo '#include <pthread.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <sys/wait.h>
	#include <unistd.h>
	extern char **environ;
	static volatile long n;
	static void call(int v);'
	for level in 0 1 2 3 4 5 6 7; do
		for bit in 0 1; do
			next="call(v)"
			[ $level = 0 ] ||
				next="if (v >> $((level - 1)) & 1) bit1_$((level - 1))(v); else bit0_$((level - 1))(v)"
			echo "static __attribute__((noinline)) void bit${bit}_$level(int v)
			{ volatile char a[PAD + 256 * $bit]; a[1] = v; $next; n += a[1]; }"
		done
	done
	echo 'static int last; static char *self, *thread;
	static __attribute__((noinline)) void scribble(int v)
	{ volatile char a[4096]; for (int i = 0; i < 20000; i++) a[i % 4096] = v; }
	static __attribute__((noinline)) void call(int v)
	{
		char next[16], end[16], *to[] = { self, next, end, thread, NULL }, *other[] = { "true", NULL };
		sprintf(next, "%d", v + 1);
		sprintf(end, "%d", last);
		if (last > 0 && v < last)
			execve(self, to, environ);
		if (last > 0 || vfork())
			return;
		execve("/bin/true", other, environ);
		_exit(1);
	}
	static __attribute__((noinline)) void *top(void *v)
	{
		if ((long)v >> 7)
			bit1_7((long)v);
		else
			bit0_7((long)v);
		n++;
		return NULL;
	}
	int main(int argc, char **argv)
	{
		pthread_t t;
		self = getenv("OTHER");
		if (self)
			setenv("OTHER", argv[0], 1);
		else
			self = argv[0];
		last = atoi(argv[2]);
		thread = argc > 3 ? argv[3] : NULL;
		for (long v = atoi(argv[1]); v < 256; v++) {
			if (!thread)
				top((void *)v);
			else if (!pthread_create(&t, NULL, top, (void *)v))
				pthread_join(t, NULL);
			if (last > 0)
				break;
			scribble(v);
			wait(NULL);
		}
		return 0;
	}'
} >hops.c
build() { gcc -O1 -fno-optimize-sibling-calls -fomit-frame-pointer -pthread "$@" hops.c; }
build -DPAD=64 -o hops || fail gcc

# What a chain spells has to be the number of the process's program, or, behind the moment when the
# kernel says that it is another one, of the program before. Children have their parent's.
cat >check.py <<'END'
import re, sys
BEHIND = {"setup_arg_pages", "elf_load", "elf_map", "map_vdso", "create_elf_tables"}
mode, number = sys.argv[1], {}
children = -2 # the first process is the program itself
kept = whole = wrong = 0
for block in sys.stdin.read().split("\n\n"):
    lines = block.splitlines()
    while lines and "PERF_RECORD_" in lines[0]:
        m = re.search(r"PERF_RECORD_COMM exec: \S+:(\d+)/", lines[0])
        if m and mode == "self":
            number[m[1]] = number.get(m[1], -1) + 1
        m = re.search(r"PERF_RECORD_FORK\((\d+):", lines[0])
        if m and mode == "child":
            children += 1
            number[m[1]] = children
        lines.pop(0)
    if not lines:
        continue
    pid = re.search(r"(\d+)/\d+", lines[0])[1]
    names = [x.split()[1] for x in lines[1:] if len(x.split()) > 1]
    bits = {int(m[2]): int(m[1]) for m in (re.match(r"bit([01])_(\d)$", x) for x in names) if m}
    spelled = sum(b << i for i, b in bits.items()) if len(bits) == 8 else None
    now = number.get(pid)
    if "bprm_execve" not in names or now is None or (mode == "self" and not now):
        continue # not in execve(), or in the one that began it
    kept += 1
    whole += spelled is not None
    allowed = {now} if mode == "child" else {now - 1} if BEHIND & set(names) else {now, now - 1}
    # Down to the program's end, or through libc, whose functions may have no names.
    behind = names[names.index("top") + 1:] if "top" in names else []
    if bits and (spelled not in allowed or ("main" not in behind and len(behind) < 2)):
        wrong += 1
        print(sorted(allowed), spelled, block)
print(f"{mode}: {kept} samples in execve(), {whole} with their stack, {wrong} wrong")
sys.exit(1 if wrong else 2 if kept < 20 else whole < 0.75 * kept)
END
# check MODE ARGUMENT...: of ./hops. The kernel may allow a third of the rate: then again, for more.
check() {
	local mode=$1 i status
	shift
	for ((i = 0; i < 5; i++)); do
		perf record -F 10000 -e cpu-clock --defer=bpf -o perf.data -- "$@" 2>err >/dev/null ||
			fail "$(cat err)"
		status=0
		perf script -i perf.data --show-task-events -F comm,pid,tid,time,event,ip,sym 2>/dev/null |
			python3 check.py $mode >out || status=$?
		[ $status = 2 ] || break
	done
	[ $status = 0 ] || fail "$* $(tail -n 40 out; cat err)"
	cat out
}
check self ./hops 0 127
check child ./hops 0 0
# The kernel ends the leader and gives its number to the thread that calls.
check self ./hops 0 127 thread
# Programs without libraries, by turns, at the same addresses and with other frames.
build -static -DPAD=64 -o one 2>/dev/null && build -static -DPAD=80 -o two || exit 0
OTHER=./two check self ./one 0 127
