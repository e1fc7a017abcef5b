#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report, diff -t: no name becomes a formula of the spreadsheet that reads the columns
. "$PERF_TEST_DIR/shell/lib.sh"
need_python

python "$PERF_TEST_DIR/lib/made-recording.py" formulas f.data
cp f.data f2.data
awk 'BEGIN { print "ffffffff81000000 T _stext"; print "ffffffff81000100 T =f,@g;-h" }' >kallsyms

cat >cells.py <<'END'
import csv, re, sys
separator, nr = sys.argv[1], 0
with open("out", newline="\n", encoding="utf-8", errors="replace") as f:
    for row in csv.reader(f, delimiter=separator):
        for cell in row:
            cell = cell.strip()
            if re.match("[=+@\uff1d\"-]", cell) and not re.fullmatch(r"[-+][0-9.]+%?", cell):
                sys.exit("a formula: %r in %r" % (cell, row))
            nr += cell.startswith("'")
print(nr)
END
NR=0
text() { # SEPARATOR COMMAND...: its cells are text or numbers; counts what was made text in $NR
	local separator=$1 nr
	shift
	"$@" -t "$separator" 2>err >out 2>err || fail "$*: $(cat err)"
	nr=$(python cells.py "$separator") || fail "$* -t '$separator'"
	NR=$((NR + nr))
}
for options in '--header' '-s comm,pid,cgroup' '--hierarchy' '-g caller' '-g folded' '-g flat' '-g none -w 3,70'; do
	text , perf report -i f.data --stdio --kallsyms kallsyms $options
done
text ';' perf report -i f.data --header -s comm,dso,sym
text '|' perf report -i f.data -g folded
text , perf diff -s comm,dso,sym --kallsyms kallsyms f.data f2.data
text ';' perf diff -s comm,pid -F -p f.data f2.data
[ $NR -ge 50 ] || fail "$NR cells would have been formulas"

# A name keeps its place: as many columns in each line as there are titles.
perf report -i f.data -t , -s comm,dso -g none >out
awk -F , '/^# .*,Command/ { titles = NF } /^[^#].*=c/ { nr++; wrong += NF != titles } END { exit !nr || wrong }' out ||
	fail "$(cat out)"
has out "^[^#]*,'=c\.-cmd"
