#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=bpf: who fills the tables takes them from others once a second at most
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/bpf-walk/lib-bpf-walk.sh"
need_cmd gcc
# Two libraries with 40,000 rules each, all different: there is room for 65,536.
for k in 0 1; do
	cat >rules$k.s <<END
.text
.globl spin$k
.type spin$k,@function
spin$k:
	.cfi_startproc
1:	dec %rdi
	jnz 1b
	ret
	.cfi_endproc
.balign 16
.set n, $((k * 40000 + 1))
.rept 40000
	.cfi_startproc
	.cfi_def_cfa_offset n * 8
	nop
	.set n, n + 1
.balign 16
	.cfi_endproc
.endr
.section .note.GNU-stack
END
	gcc -shared -o rules$k.so rules$k.s || skip "this gcc does not make it"
done
cat >hostile.c <<'END'
extern void spin0(long), spin1(long);
int main(void) { for (;;) { spin0(1000000); spin1(1000000); } }
END
gcc -O1 -o hostile hostile.c ./rules0.so ./rules1.so -Wl,-rpath,.
cat >both <<'END'
#!/bin/bash
./hostile &
"$PERF" test -w deep 30 1.8
kill $!
wait
END
chmod +x both
export PERF
begun=${EPOCHREALTIME%.*}
perf record -v -F 1000 -e cpu-clock:u --defer=bpf -o perf.data -- ./both 2>err || fail "$(cat err)"
seconds=$((${EPOCHREALTIME%.*} - begun + 1))
anew=$(sed -nE 's/.*tables were full, and rebuilt ([0-9]+) times.*/\1/p' err)
[ "${anew:-0}" -ge 1 ] || fail "the tables were not full: $(cat err)"
[ "$anew" -le $((seconds + 1)) ] || fail "$anew times in $seconds s"
# What was walked before is believed still.
dropped=$(sed -nE 's/.*: ([0-9]+) chains dropped because mappings had changed.*/\1/p' err)
[ "${dropped:-0}" -le 10 ] || fail "$(cat err)"
# The other program's stacks are whole, and walked for the most part.
[ "$(walked err)" -ge 1000 ] || fail "$(cat err)"
perf script -i perf.data -F ip,sym | awk -v RS= '
	/workload_deep/ { n++; if (/_start/) whole++ }
	END { printf "%d of %d\n", whole, n; exit !(whole >= 300 && whole >= n * 0.9) }' >counts || fail "$(cat counts err)"
