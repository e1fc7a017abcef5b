#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: report --hierarchy: parts add up to what they are part of, the last are the flat report's; as in perf
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_cmd gcc
need_python

cat >w.c <<'END'
volatile long x;
#define NOINLINE __attribute__((noinline, noclone))
NOINLINE void leaf(void) { for (int i = 0; i < 100000; i++) x += i; }
NOINLINE void one(void) { for (int i = 0; i < 300000; i++) x += i; leaf(); }
int main(void) { for (int i = 0; i < 500; i++) one(); }
END
gcc -O1 -g -fno-omit-frame-pointer -o w w.c
cp w second
perf record -q -g -F 1000 -e cpu-clock$U -o a.data -- sh -c './w; ./second; :'
report() { perf report -i a.data --stdio --no-inline "$@" 2>err || fail "$(cat err)"; }

# Each line: depth, period, text. Of each level the sum of the parts is that of the whole.
adds_up() { # FILE OF THE FLAT REPORT
	python - "$1" <<'END'
import re, sys
rows = []
for line in open("tree"):
    m = re.match(r"^( *?) {0,4}\d+\.\d+% +(\d+)  ( *)(\S.*?) *$", line)
    if m:
        rows.append((line.index("%"), int(m[2]), m[4]))
begin = min(r[0] for r in rows)
rows = [((at - begin) // 3, period, text) for at, period, text in rows]
depth = max(r[0] for r in rows)
sums = {}
for i, (level, period, text) in enumerate(rows):
    parts = 0
    for below, part, _ in rows[i + 1:]:
        if below <= level:
            break
        parts += part if below == level + 1 else 0
    if level < depth and parts != period:
        sys.exit("%s: %d, its parts %d" % (text, period, parts))
leaves = sorted((p, t) for level, p, t in rows if level == depth)
flat = []
for line in open(sys.argv[1]):
    m = re.match(r"^ +\d+\.\d+% +(\d+)  .*?(\[[.k]\] .*?) *$", line)
    if m:
        flat.append((int(m[1]), m[2]))
if leaves != sorted(flat):
    sys.exit("%s is not %s" % (leaves, sorted(flat)))
print("%d rows of %d levels, %d of the flat report" % (len(rows), depth + 1, len(flat)))
END
}
for keys in comm,dso,sym dso,sym pid,comm,sym sym; do
	report --no-children -g none --show-total-period -s $keys >flat
	report --no-children -g none --show-total-period -s $keys --hierarchy >tree
	adds_up flat || fail "$keys: $(cat tree)"
done
# A function of one name in two programs is one, with two parts.
report --no-children -g none -H -s sym,dso >tree
[ "$(grep -c '^ \{1,6\}[0-9.]*%  *\[\.\] leaf$' tree)" = 1 ] || fail "$(cat tree)"
[ "$(grep -A 2 '\[\.\] leaf$' tree | grep -Ec '^ +[0-9.]+% +(w|second) *$')" = 2 ] || fail "$(cat tree)"
# With callers: each level counts those that it called.
report --children -g none -H -s comm,sym >tree
has tree '^# +Children +Self  Command / Symbol$' '^ +[0-9.]+% +[0-9.]+%     w' \
	'^ {4,}[0-9.]+% +[0-9.]+%     \[\.\] one$'
# What is too small is left out, and said where nothing is left; call graphs stand below the last level.
report --no-children -g none -s comm >flat
limit=$(awk '$2 == "w" { print 0.97 * $1 }' flat) # each of its functions has less
report --no-children -g none -H -s comm,sym --percent-limit "$limit" >tree
has tree '^ +[0-9.]+% +w *$' '^ +no entry >= [0-9.]+%$'
report --no-children -H -s comm,sym -g caller >tree
has tree '^ +main$' '^ +[-|]+.*leaf|^ +leaf$'
# Without a key there are no levels.
report --no-children -g none -F overhead >flat
report --no-children -g none -F overhead -H >tree
cmp flat tree
for o in --tui --json --brief "-w 10" "--html x.html"; do
	# shellcheck disable=SC2086
	fails 129 perf report -i a.data -H $o 2>err
	has err 'leave out --tui'
done

need_upstream
for o in "-s comm,dso" "-s pid,dso -n" "-s dso,comm --show-total-period" "-s pid,comm,dso --percent-limit 5" "-s dso"; do
	# shellcheck disable=SC2086
	"$UPSTREAM" report -i a.data --stdio --no-inline --no-children -g none --hierarchy $o >theirs 2>/dev/null ||
		skip "the other perf has no --hierarchy"
	# shellcheck disable=SC2086
	report --no-children -g none --hierarchy $o >ours
	# Where perf has equals it prints them in any order. 6.1 makes room for addresses that it does
	# not print.
	for f in ours theirs; do
		grep -Ev '^# User stacks|^# \(Tip|^#? *$|^# \.' $f | sed 's/ *$//' | sort >$f.text
	done
	diff theirs.text ours.text || fail "$o differs from $("$UPSTREAM" version)"
done
