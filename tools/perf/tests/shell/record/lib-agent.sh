# SPDX-License-Identifier: GPL-2.0-only
# For tests of `perf record --agent`: `. "$PERF_TEST_DIR/shell/record/lib-agent.sh"` behind lib.sh.

# need_agent: the agent can be loaded and signalled here; perf built with sanitizers has one without.
need_agent() {
	need_event cpu-clock
	need_python
	[ "$(uname -m)" = x86_64 ] || skip "the agent is for x86-64"
	"$PERF" record --agent -q -o need-agent.data -- true >need-agent.log 2>&1 ||
		skip "no agent here: $(head -n 1 need-agent.log)"
}

# agent_of FILE NAME: the number in front of NAME in what `perf record --agent` said, or nothing.
agent_of() { sed -n "s/.*agent: .*[ ,:]\([0-9]*\) $2.*/\1/p" "$1"; }
matched() { sed -n 's/.*agent: \([0-9]*\) of \([0-9]*\) samples.*/\1/p' "$1"; }
matched_of() { sed -n 's/.*agent: \([0-9]*\) of \([0-9]*\) samples.*/\2/p' "$1"; }
# unmatched FILE REASON...: so many samples have no record for these reasons.
unmatched() {
	local file=$1 reason n sum=0
	shift
	for reason; do
		n=$(agent_of "$file" "$reason")
		sum=$((sum + ${n:-0}))
	done
	echo $sum
}
# The busier a machine, the more samples hit the agent and other handlers, and are lost: nine tenths of
# the others have a record, and LEAST percent (50) of all. More REASONs may be lawful in a test.
mostly_matched() { # FILE [LEAST [REASON...]]
	local all have others least=${2:-50}
	all=$(matched_of "$1") have=$(matched "$1")
	others=$(unmatched "$1" 'in agent' 'other handler' 'not unwound' exited lost "${@:3}")
	((have * 100 > (all - others) * 90 && have * 100 >= all * least))
}
# All, but for those.
all_matched() { [ $(($(matched "$1") + $(unmatched "$1" exited lost))) = "$(matched_of "$1")" ]; } # FILE

# pythons: one path a line of each interpreter of 3.11 to 3.14 that is installed, or in $PYTHONS.
pythons() {
	local p v
	for p in ${PYTHONS:-} /usr/bin/python3 $(type -aP python3.11 python3.12 python3.13 python3.14 python3 || :) \
		"${PYENV_ROOT:-${HOME:-}/.pyenv}"/versions/3.*/bin/python3; do
		v=$("$p" -c 'import sys; v = sys.version_info; print("%d.%d" % v[:2], sys.executable)' \
			2>/dev/null) || continue
		case $v in 3.1[1234]\ *) echo "$v" ;; esac
	done | sort -u -k1,1 | cut -d' ' -f2
}

# chains FILE: each sample as lines "NAME|FILE:LINE|BINARY", innermost first, and an empty line.
chains() {
	"$PERF" script --no-inline -i "$1" -F ip,sym,dso,srcline >chains.txt 2>chains.err
	python - <<'END'
import re
frame = None
for line in open("chains.txt", errors="replace"):
    line = line.rstrip("\n")
    m = re.match(r"\s+[0-9a-f]+ (.*) \(([^()]*|\[.*\])\)$", line)
    if m:
        if frame:
            print("%s||%s" % frame)
        frame = m.group(1), m.group(2)
    elif not line.strip():
        if frame:
            print("%s||%s" % frame)
        print()
        frame = None
    elif frame:
        print("%s|%s|%s" % (frame[0], line.strip(), frame[1]))
        frame = None
if frame:
    print("%s||%s" % frame)
END
}
