#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --agent: functions made by exec() and freed again never have each other's names
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/record/lib-agent.sh"
need_agent

# Each function is called below others that spell its number, so that the stack says what it is.
cat >names.py <<'END'
def burn():
    s = 0
    for i in range(700):
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
"$PERF" record --agent -g -F 4000 -o n.data -- /usr/bin/python3 names.py 2>err || fail "$(cat err)"
"$PERF" script --no-inline -i n.data -F ip,sym,dso >chains 2>err2
python - <<'END'
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

# The page for newcomers names Python's functions, and begins paths with them.
"$PERF" report -i n.data --brief >page 2>err2
has page '^Functions of Python, with what they call:$' ' [0-9.]+ % .*<module> names.py:[0-9]+$' '%  <module> > spell > d'
