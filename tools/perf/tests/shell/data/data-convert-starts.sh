#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf data convert --to pprof: functions have the line that they are declared in, inlined ones, too
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_python
need_cmd gcc

export HOME=$PWD
cat >starts-prog.c <<'END'
static volatile unsigned sink;

static inline __attribute__((always_inline)) void starts_inlined(unsigned n)
{
	while (n--)
		sink += n;
}

__attribute__((noinline)) void starts_other(unsigned n);

__attribute__((noinline)) void starts_other(unsigned n)

{
	starts_inlined(n);
	sink++;
}

int main(void)
{
	for (int i = 0; i < 200; i++)
		starts_other(1000000);
}
END
gcc -O2 -g -o starts-prog starts-prog.c
perf record -q -F 2000 -g -e cpu-clock$U -o s.data -- ./starts-prog
has_samples s.data 20 || skip "the program got too few samples"

# Of debug information, and of what is kept of it.
for run in 1 2; do
	perf data convert -q --to pprof -i s.data -o s.pb.gz
	python "$PERF_TEST_DIR/lib/read-export.py" starts s.pb.gz >starts
	has starts '^starts_inlined 3$' '^starts_other 11$'
done
