#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: no name commands a terminal or begins a line, in any text output; exports keep its bytes
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
need_python

# What commands print is collected, and looked at once: no line has a control character, or begins
# with what is behind the line end in a name.
cat >harmless.py <<'END'
import sys, unicodedata
TURNS = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
def does_harm(c):
    return (c != "\t" and unicodedata.category(c) in ("Cc", "Zl", "Zp") or
            unicodedata.bidirectional(c) in TURNS or 0xdc80 <= ord(c) < 0xdca0)
bad, command = [], None
for line in open("all", encoding="utf-8", errors="surrogateescape", newline="\n"):
    line = line.rstrip("\n")
    if line.startswith("==> "):
        command = line
    elif line.lstrip().startswith("FORGED") or any(map(does_harm, line)):
        bad.append("%s: %r" % (command, line))
if bad:
    sys.exit("\n".join(["%d lines do harm:" % len(bad)] + bad[:20]))
END
NR=0
harmless() { # COMMAND...: what it prints, whether it fails or not; names are in what $NR commands print
	local status=0
	printf '==> %q\n' "$*" >>all
	"$@" >out 2>err </dev/null || status=$?
	[ $status -lt 128 ] || [ $status = 129 ] || fail "$*: status $status"
	cat out err >>all
	! grep -q FORGED out || NR=$((NR + 1))
}
listed() { sed -n "s/^Hint: $1 are \([^;]*\).*/\1/p" err | tr -d ,; } # WORD: the names in a hint

python "$PERF_TEST_DIR/lib/made-recording.py" harmful h.data
awk 'BEGIN { print "ffffffff81000000 T _stext"; print "ffffffff81000100 T h\033[2J\r\302\233FORGED" }' >kallsyms
cp h.data h2.data
export PERF_BUILDID_DIR=$PWD/cache

# Each key to sort by, and each field of a sample, alone.
fails perf report -i h.data -s no-such 2>err
for key in $(listed keys); do
	in_share 3 || continue
	harmless perf report -i h.data --stdio -s "$key" --kallsyms kallsyms
	harmless perf diff -s "$key" h.data h2.data
done
fails perf script -i h.data -F no-such 2>err
for field in $(listed fields); do
	in_share 3 || continue
	harmless perf script -i h.data -F "$field"
	harmless perf script -i h.data -F "+$field" --json
done
[ "$NR" -ge 10 ] || fail "names are in the text of $NR commands only"

# Each option without a value, alone, of each command that reads a recording.
for command in report script annotate evlist buildid-list diff stitch; do
	NR=0
	for option in $("$PERF" $command --list-opts); do
		case $option in
		--html | --svg | --tui | --gen-script | --script | --list | --output | --jobs) continue ;; # files, screens, scripts
		esac
		in_share 4 || continue
		case $command in
		diff) harmless perf diff "$option" h.data h2.data ;;
		stitch) harmless perf stitch "$option" -i h.data -o s.data ;;
		*) harmless perf $command "$option" -i h.data ;;
		esac
	done
	[[ $command = @(annotate|stitch) ]] || [ "$NR" -ge 1 ] || fail "perf $command prints names with $NR options only"
done
for options in '--header' '--show-task-events --show-mmap-events --show-bpf-events --show-cgroup-events -F +cgroup' '-D'; do
	harmless perf script -i h.data $options
done
for options in '--hierarchy' '-g caller -s comm,dso' '-g folded' '-g flat' '-s comm -t ;' '-s comm -w 5,70' '--about 0x500200' \
	'--mmaps' '--brief --json' '--json -s comm,dso,cgroup' '--children -s dso,sym -g function' '-v' '--sort comm --group'; do
	harmless perf report -i h.data $options
done
harmless perf diff --runs --paths --all h.data h2.data -- h.data h2.data
harmless perf diff --runs --paths --all --format markdown h.data h2.data -- h.data h2.data
harmless perf stitch --stats -i h.data -o s.data
harmless perf stitch --stats --json -f -i h.data -o s.data
name=$(printf '/h\033[2J\nFORGED\302\233')
harmless perf report -i "$name"
harmless perf annotate -i h.data -s "$name"
harmless perf report -i h.data --about "$name"
python harmless.py

# One line for each sample, as what parses it expects, and every line is as long as its fields say.
perf script -i h.data -F comm,tid,time,event >out 2>err
[ "$(wc -l <out)" = 16 ] || fail "16 samples are $(wc -l <out) lines"
[ "$(grep -Ec '^[cd]h\?\[2J\?FORGED.* 471[12] +0\.00000[0-9]: .*: *$' out)" = 16 ] || fail "$(cat out)"

# Formats for programs have the bytes, escaped as the format does.
perf script -i h.data --json -F comm >json 2>err
python - <<'END'
import json
names = {json.loads(line)["comm"] for line in open("json") if '"comm"' in line}
assert len(names) == 2, names
for name in names:
    assert name[1:] == ("h\x1b[2J\nFORGED\r\ufffd\x85FORGED\t\x9b31m\u2028FORGED\u202ek\ufffd31m\x7f"), ascii(name)
END
