#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: annotate: code of JIT compilers with a jitdump, the vDSO; words for the kernel and perf maps; hostile names
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd gcc objdump
need_event cpu-clock:u

# The vDSO has no file.
cat >t.c <<'END'
#include <time.h>
int main(void)
{
	struct timespec t;

	do clock_gettime(CLOCK_MONOTONIC, &t), clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (!t.tv_sec && t.tv_nsec < 300000000);
	return 0;
}
END
gcc -O1 -o t t.c
perf record -q -e cpu-clock:u -F 2000 -o t.data -- ./t
if perf report -i t.data --stdio --sort dso 2>/dev/null | grep -q '\[vdso\]'; then
	perf annotate --stdio -d '[vdso]' -i t.data >text
	has text 'Disassembly of \[vdso\] for' '^ +[0-9.]+ : +[0-9a-f]+: +[a-z]+'
fi

# A name with an escape, and a function whose size is a lie.
cat >h.s <<'END'
	.globl main
	.type main, @function
main:	mov $300000000, %ecx
1:	dec %ecx
	jnz 1b
	xor %eax, %eax
	ret
	.size main, 0x7fffffff
	.section .note.GNU-stack
END
if [ "$(uname -m)" = x86_64 ]; then
	gcc -o h h.s
	perf record -q -e cpu-clock:u -F 2000 -o h.data -- ./h
	perf annotate --stdio -i h.data main >text
	has text ' : +[0-9a-f]+: +jne +[0-9a-f]+ <main\+0x5>$'
fi

# What disassembles it has no rights to gain, no time without end, and nobody to ask.
cat >asks <<'END'
#!/bin/sh
{
	echo "cpu $(ulimit -t) core $(ulimit -c) servers ${DEBUGINFOD_URLS-none} $(ls /proc/self/fd | tr '\n' ' ')"
	grep -E '^(CapEff|CapPrm|NoNewPrivs)' /proc/self/status
} >seen
exec objdump "$@"
END
chmod 755 asks
DEBUGINFOD_URLS=http://127.0.0.1:9 perf annotate --stdio --objdump ./asks -i t.data main >text
has seen '^cpu 60 core 0 servers none ' '^NoNewPrivs:[[:space:]]*1$' \
	'^CapEff:[[:space:]]*0*[04]$' '^CapPrm:[[:space:]]*0*[04]$' # DAC_READ_SEARCH at most

# The kernel's code is in no file here; it is said once.
if [ "$(id -u)" = 0 ]; then
	perf record -q -e cpu-clock -F 2000 -o k.data -- ls -lR /usr/include >ls.text
	perf annotate --stdio -i k.data >text 2>err || true
	has err 'the code of \[kernel.kallsyms\] is not here' '--vmlinux'
	[ "$(grep -c kernel.kallsyms err)" = 1 ] || fail "it is said more than once"
fi

# Code that was made at run time: by a jitdump file, and without one.
if [ "$(uname -m)" = x86_64 ] && [ -x /usr/bin/python3 ]; then
	perf record -q -k 1 -e cpu-clock:u -F 2000 -o j.data -- /usr/bin/python3 \
		"$PERF_TEST_DIR/lib/made-jit.py" 0.3 >pid
	perf annotate --stdio -i j.data made_inner >text
	has text '^ +[0-9.]+ : +[0-9a-f]+: +jne +[0-9a-f]+ <made_inner\+0x9>' ' : +[0-9a-f]+: +ret$'
	awk '/ (jne|dec) / { s += $1 } END { exit !(s > 90) }' text || fail "the loop has few samples"
fi
