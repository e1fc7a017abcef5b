#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --agent: functions made by exec() and freed again never have each other's names
# limit: 300
# PYTHONS="/a/python3 /b/python3" BURN=12000 perf test -v record-agent-names: of more interpreters, nearly each function.
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/record/lib-agent.sh"
need_agent

# Each function is called below others that spell its number, so that the stack says what it is.
cat >names.py <<'END'
import os
turns = int(os.environ.get("BURN", 700))
def burn():
    s = 0
    for i in range(turns):
        s += i
    return s
src = "def d%d(rest, f):\n    return f() if not rest else globals()['d' + rest[0]](rest[1:], f)\n"
for d in range(10):
    exec(src % d)
def spell(n, f):
    text = "%05d" % n
    return globals()["d" + text[0]](text[1:], f)
for n in range(10000):
    names = {"burn": burn}
    exec(compile("def f%05d():\n    return burn() + burn()\n" % n, "made", "exec"), names)
    spell(n, names["f%05d" % n])
END
cat >check.py <<'END'
import re
import sys

seen, wrong, made = 0, 0, set()
for sample in re.split(r"\n\s*\n", open("chains").read()):
    names = [m.group(1) for m in re.finditer(r"^\s+[0-9a-f]+ (\S+) \(\S*/python-\S+\)$", sample, re.M)]
    digits = "".join(n[1] for n in reversed(names) if re.match(r"d\d$", n))
    for n in names:
        if re.match(r"f\d{5}$", n) and len(digits) == 5:
            seen += 1
            made.add(n)
            if n != "f" + digits:
                wrong += 1
                print("WRONG: %s is %s" % (digits, n))
print("%d samples of %d made functions, %d misnamed" % (seen, len(made), wrong))
sys.exit(wrong != 0 or seen < 300)
END
for python in ${PYTHONS:-/usr/bin/python3}; do
	"$PERF" record --agent -g -F 4000 -o n.data -- "$python" names.py 2>err || fail "$(cat err)"
	"$PERF" script --no-inline -i n.data -F ip,sym,dso >chains 2>err2
	python check.py >out || { tail -n 20 out; fail "$python: wrong names"; }
	echo "$python: $(tail -n 1 out)"
done

# The page for newcomers names Python's functions, and begins paths with them.
"$PERF" report -i n.data --brief >page 2>err2
has page '^Functions of interpreters and JIT compilers, with callees:$' ' [0-9.]+ % .*<module> names.py:[0-9]+$' '%  <module> > spell > d'
