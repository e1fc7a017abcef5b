#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: unwind: programs built without unwind information: a stack that counts as whole is
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
[ "$(uname -m)" = x86_64 ] || skip "the start of the programs is assembly of x86_64"
need_event cpu-clock
need_cmd cc

cat >start.s <<'END'
	.globl	_start
	.type	_start, @function
_start:	xor	%ebp, %ebp
	call	main
	mov	%eax, %edi
	mov	$231, %eax
	syscall
	hlt
	.size	_start, . - _start
	.section .note.GNU-stack, "", @progbits
END
cat >main.c <<'END'
extern int middle(int);
int main(void)
{
	int sum = 0;

	for (int i = 0; i < 400000; i++)
		sum += middle(i);
	return sum & 1;
}
END
cat >middle.c <<'END'
extern int inner(int);
int middle(int n)
{
	int sum = inner(n);

	sum += inner(n + 1);
	return sum + 1;
}
END
cat >inner.c <<'END'
extern int spin(int);
__attribute__((noinline)) static int deeper(int n)
{
	int sum = spin(n);

	sum += spin(n + 1);
	return sum + 1;
}
int inner(int n)
{
	return deeper(n) + 1;
}
END
cat >spin.c <<'END'
int spin(int n)
{
	volatile int sum = 0;

	for (int i = 0; i < 300; i++)
		sum += i * n;
	return sum;
}
END
no_rows='-O2 -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-stack-protector
	 -fno-optimize-sibling-calls'
no_fp=-fomit-frame-pointer fp=-fno-omit-frame-pointer

build() { # NAME, then of each file whether it keeps frame pointers
	local name=$1 objects= file
	shift
	for file in main middle inner spin; do
		# shellcheck disable=SC2086
		cc $no_rows "$1" -c $file.c -o "$name-$file.o" 2>cc.log ||
			skip "cc does not compile: $(head -n 1 cc.log)"
		objects+=" $name-$file.o"
		shift
	done
	# In an order in which main and its callees are neighbours of _start.
	# shellcheck disable=SC2086
	cc -nostdlib -static start.s $objects -o "$name" 2>cc.log ||
		skip "cc does not link: $(head -n 1 cc.log)"
}

# What is whole, by the account, has all of the functions; and most are whole.
check() {
	local all whole right
	perf record -q -e cpu-clock -F 999 -g --defer=copy -o data --no-stitch -- "./$1"
	perf stitch -i data -o "$1.data" >log 2>&1
	all=$(sed -n 's/.*: \([0-9,]*\) samples, .*/\1/p' log | tr -d ,)
	whole=$(sed -n 's/.*, \([0-9,]*\) whole.*/\1/p' log | tr -d ,)
	perf script -i "$1.data" -F ip,sym | awk '
		/^$/ { if (s) print s; s = ""; next }
		$1 !~ /^ffff/ { s = s " " $2 }
		END { if (s) print s }' >stacks
	right=$(grep -Ec "$stack" stacks) || true
	[ "$all" -ge 50 ] || fail "$1: only $all samples"
	[ "$whole" -le "$right" ] || {
		grep -Ev "$stack" stacks | sort | uniq -c
		fail "$1: $whole of $all are called whole, $right are: $(cat log)"
	}
	[ $((whole * 100)) -ge $((all * 90)) ] || fail "$1: only $whole of $all: $(cat log)"
}

stack='^( ((((spin )?deeper )?inner )?middle )?main)? _start$'
build plain $no_fp $no_fp $no_fp $no_fp
check plain
build above $fp $fp $no_fp $no_fp
check above
build below $no_fp $no_fp $fp $fp
check below
# Without symbols, too, the ends of stacks are not invented: as many as with them.
cp plain stripped
strip stripped 2>/dev/null || exit 0
perf record -q -e cpu-clock -F 999 -g --defer=copy -o data -- ./stripped
right=$(perf script -i data -F ip | awk '
	/^$/ { if (nr >= 2) stacks[nr]++; nr = 0; next } { nr++ } END { print stacks[6] + 0 }')
[ "$right" -ge 50 ] || fail "stripped: only $right stacks of 6 frames"
