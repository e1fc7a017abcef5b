#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: report: --parent, -x, --ignore-callees, -U, --symbol-filter, -w, --mmaps
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd gcc strip
need_event cpu-clock:u

cat >w.c <<'END'
volatile long x;
#define NOINLINE __attribute__((noinline, noclone))
NOINLINE void leaf(int n) { for (int i = 0; i < n; i++) x += i; }
NOINLINE void one(void) { leaf(3000); x++; }
NOINLINE void two(void) { leaf(1000); x++; }
NOINLINE void three(void) { two(); x++; }
int main(void)
{
	for (int i = 0; i < 60000; i++) { one(); three(); }
	return 0;
}
END
gcc -O1 -g -o w w.c
perf record -q -e cpu-clock:u -F 2000 -g --defer=copy -o w.data -- ./w
report() { perf report --stdio --no-children -g none -i w.data "$@" 2>err >text; }
# share REGEX: the sum of the percentages of such lines, without decimals.
share() { awk -v re="$1" '$0 !~ /^#/ && $0 ~ re { s += $1 } END { printf "%d\n", s }' text; }
between() { [ "$1" -ge "$2" ] && [ "$1" -le "$3" ] || { cat text; fail "$1 is not from $2 to $3"; }; }

# A sample's parent is the innermost function that matches; with children, too.
report -p '^(one|two|three)$' -s sym
has text '^# Overhead  Symbol +Parent symbol *$'
between "$(share '] leaf +one')" 50 92
between "$(share '] leaf +two')" 8 50
has_not text 'leaf +three'
report --sort parent
between "$(share '[[]other')" 99 100
report -p '^two$' -x -s sym
has text '\] leaf +two'
has_not text '\[other\]' ' one'
between "$(share 'two')" 8 50
fails 1 perf report --stdio -i w.data -p '(' 2>err
has err "is not a regular expression"

# What they call is theirs: the outermost one that matches.
report --ignore-callees '^(two|three)$' -s sym
between "$(share '] three')" 8 50
has_not text '\] two'
between "$(share '] leaf')" 50 92
perf report --stdio -i w.data --ignore-callees '^one$' -s sym -g caller >text
[ "$(grep -c -- 'one' text)" -ge 1 ] || fail "one() is gone"

# Which entries, and how wide.
report --symbol-filter ea
has text '\] leaf'
has_not text '\] (one|two|three|main)'
report -w 0,3,3
has text '^# Overhead  Com  Sha  Symbol' '^ +[0-9.]+%  w    w    \[\.\] leaf'
fails 1 perf report --stdio -i w.data -w 3,x 2>err
has err 'is not a list of widths'
perf report --stdio --mmaps -i w.data >text
has text '^# +pid +tid +ppid  comm' '^ {33,36}[0-9a-f]+-[0-9a-f]+ r-xp [0-9a-f]{8} [0-9a-f]+ .*/w$'

# Without symbols.
perf report --stdio -i w.data -U -I -m --skip-empty --ignore-vmlinux >text
# A caller without a name is not in the graphs.
strip --strip-symbol=two w
perf report --stdio -i w.data -G >text
has text '[-| ]w\+0x[0-9a-f]+$'
perf report --stdio -i w.data -G -U >text
has text '[-| ]three$' '[-| ]leaf$'
has_not text '0x[0-9a-f]+$'
strip -s w
perf record -q -e cpu-clock:u -F 2000 -o w.data -- ./w
report
has text '\] w\+0x[0-9a-f]+'
report -U
has_not text '\] (w\+)?0x[0-9a-f]+'
