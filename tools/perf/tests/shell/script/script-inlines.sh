#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: inlined functions: frames of script, report, JSON and Python, with their lines
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/script/lib-python-module.sh"
need_event cpu-clock
need_cmd gcc

cat >inl.c <<'END'
#define INLINE static inline __attribute__((always_inline))
volatile unsigned sink;
INLINE void deep(unsigned n)
{
	while (n--)
		sink += n;
}
INLINE void middle(unsigned n)
{
	deep(n);
	sink++;
}
__attribute__((noinline)) void outer(unsigned n)
{
	middle(n);
	sink--;
}
INLINE void all(unsigned n)
{
	outer(n);
	sink += 3;
}
int main(void)
{
	for (int i = 0; i < 400; i++)
		all(500000);
	return 0;
}
END
gcc -g -O2 -o inl inl.c
perf record -q --defer=copy -e cpu-clock:u -F 499 -o x.data -- ./inl 2>err

# One address, one offset, in front of the function that has them; each with the line in it.
perf script -i x.data -F ip,sym,symoff,dso,srcline 2>err >out
awk '/ deep\+/ { n = 10 } n-- > 0' out | sed -E 's/^\t *[0-9a-f]+ /@ /; s/\+0x[0-9a-f]+/+N/' |
	sed -n 1,10p >lines
cat >want <<'END'
@ deep+N
  inl.c:6 (inlined)
@ middle+N
  inl.c:10 (inlined)
@ outer+N (DIR/inl)
  inl.c:15
@ all+N
  inl.c:20 (inlined)
@ main+N (DIR/inl)
  inl.c:26
END
sed -i "s|inl\.c:5 |inl.c:6 |; s|($PWD/|(DIR/|" lines
cmp want lines
awk '/ deep\+/ { d = $1 " " $2; sub("deep", "", d); getline; getline; m = $1 " " $2;
	sub("middle", "", m); if (d != m) exit 1; n++ } END { exit !n }' out
# Where lines are not asked for, and none is shown as inlined that is not.
perf script -i x.data -F ip,sym 2>err >out
has out '^\s+[0-9a-f]+ deep \(inlined\)$'
has_not out '(outer|main) \(inlined\)'
perf script -i x.data --no-inline -F ip,sym,srcline 2>err >out
has_not out 'inlined| (deep|middle|all)\b'
has out '^  inl.c:[56]$'

# They are callers and callees, but no sample's own function.
perf report -i x.data --stdio --no-children -g caller -s sym 2>err >out
has out '\[\.\] outer$'
has out 'deep \(inlined\)'
has out 'all \(inlined\)'
has_not out '\] deep'
perf report -i x.data --stdio --children -g none -s sym 2>err >out
has out '^ +[0-9.]+% +0\.00%  \[\.\] all \(inlined\)$'
perf report -i x.data --stdio --no-inline -g caller -s sym 2>err >out
has_not out 'inlined'
perf report -i x.data --stdio --no-children -g none -s srcfile,srcline 2>err >out
has out '% +inl\.c +inl\.c:[56]'
perf report -i x.data --stdio --no-children -g none -s symoff 2>err >out
has out '\[\.\] outer\+0x'

perf script -i x.data --json 2>err >out
has out '"sym":"deep","off":[0-9]+,"inlined":true'
perf report -i x.data --json -s sym 2>err >out
has out '"sym":"all","inlined":true'

(need_module) || exit 0
need_module
python - >out <<'END'
import perf
for s in perf.recording("x.data"):
    print(" ".join("%s/%d/%s" % (f.symbol, f.inlined, f.line) for f in s.frames[:5]))
END
has out '^deep/1/inl\.c:[56] middle/1/inl\.c:10 outer/0/inl\.c:15 all/1/inl\.c:20 main/0/inl\.c:26$'
python -c 'import perf
for s in perf.recording("x.data", inlines=False):
    assert not any(f.inlined for f in s.frames)'
