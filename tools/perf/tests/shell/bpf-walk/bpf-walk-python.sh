#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer: stacks of Python have the names of its functions, without an agent or an option of its own
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/bpf-walk/lib-bpf-walk.sh"
need_python
python -c 'import sys; v = sys.version_info; sys.exit(not (3, 11) <= v < (3, 15))' ||
	skip "this Python is none of 3.11 to 3.14"
python -c 'import sys; sys.exit(not getattr(sys, "_is_gil_enabled", lambda: True)())' ||
	skip "this Python has no global lock"

# Each function's name is that of its caller, and one letter: called, recursive, by C code, as a
# generator, from an exception's handler, in a thread.
cat >spell.py <<'END_PYTHON'
import sys, threading
def work(): return [i * i for i in range(200)]
def a(n): ab(n), sorted((1, 2), key=ac), list(map(ad, (1, 2))), [x for x in ae(n)], af(9)
def ab(n): work(), abc(n)
def abc(n):
    try: abcd(n)
    except ValueError: abce(n)
def abcd(n): work(); raise ValueError
def abce(n): work()
def ac(n): work(); return n
def ad(n): work(); adb(n)
def adb(n): work()
def ae(n):
    yield 1
    aeb(n)
    yield 2
def aeb(n): work()
def af(n): af(n - 1) if n else afb(n)
def afb(n): work()
def t(n): work(), tb(n)
def tb(n): (lambda x: tbc(x))(n)
def tbc(n): work()
def code(i): exec(f"def g{i}(): work()\ng{i}()", {"work": work})
def run(f, nr):
    for i in range(nr): f(i)
thread = threading.Thread(target=run, args=(t, int(sys.argv[1])))
thread.start()
run(a, int(sys.argv[1]))
run(code, int(sys.argv[1]))
thread.join()
print("done")
END_PYTHON
cat >check.py <<'END_PYTHON'
# Of the samples in work(): how many there are, how many of them spell all their callers, how many
# are wrong, and how many are in code that is made all the time.
import json, re, sys
all_of = good = wrong = made = 0
for line in sys.stdin:
    s = json.loads(line)
    names = [f["sym"].rsplit(".", 1)[-1] for f in s.get("frames", []) if "jit-" in f.get("dso", "")]
    if s.get("type") != "sample" or "work" not in names:
        continue
    all_of += 1
    if any(f.get("sym", "") in ("", "[unknown]") for f in s["frames"]):
        continue # a function that was gone when it was looked at
    names = names[names.index("work") + 1:]
    if "code" in names[:3]:
        # made and thrown away all the time: only the right number, or none
        wrong += not re.fullmatch(r"(g\d+ )?(<module> )?code run( <module>)?", " ".join(names))
        all_of -= 1
        made += 1
        continue
    path = [n for n in names if n not in ("<lambda>", "run", "<module>", "<listcomp>") and
            not n.startswith(("_bootstrap", "Thread")) ]
    root = path and path[-1]
    steps = all(a == b or a[:-1] == b for a, b in zip(path, path[1:]))
    if steps and root in ("a", "t", "code") and "run" in names:
        good += 1
    else:
        wrong += 1
        print(names, file=sys.stderr)
print(all_of, good, wrong, made)
END_PYTHON

record() { # ROUNDS OPTIONS
	perf record -q -e cpu-clock:u -F 1999 --defer=bpf -o data "${@:2}" -- /usr/bin/python3 spell.py $1 >out 2>err
	has out done
	perf script --json -F ip,sym,dso -i data >samples
}
# On a busy machine the recorder may come to the last samples when the program has ended.
for rounds in 1500 6000; do
	record $rounds
	read -r all_of good wrong made < <(python check.py <samples 2>why)
	echo "$all_of samples in work(), $good spell their callers, $wrong are wrong; $made in code that is made all the time"
	[ "$wrong" = 0 ] || fail "$wrong stacks have wrong callers: $(head -n 3 why)"
	[ "$all_of" -lt 100 ] || [ "$good" -lt $((all_of * 7 / 10)) ] || break
done
[ "$all_of" -ge 100 ] || fail "only $all_of samples: $(cat err)"
[ "$good" -ge $((all_of * 7 / 10)) ] || fail "$good of $all_of samples spell their callers"

# Lines: that of the call.
perf script -F ip,sym,srcline -i data 2>err >lines
grep -A1 -w ab lines >called
has called spell.py:4

# The page for newcomers names them, and leaves out the interpreter's functions that call them; these
# are no recursion, behind which what they call would be hidden.
perf report -i data --brief >page 2>err
has page '^Functions of interpreters and JIT compilers, with callees:$' ' % .* work spell.py:[0-9]+$' \
	'^ *[0-9.]+ %  <module> > run > a > .*> work > '

# Nor are they left out of the graph.
perf report -i data --svg w.svg -q 2>err
has w.svg '<title>adb '

record 1500 --runtimes=none
! grep -q '"sym":"work"' samples || fail "functions have names in spite of --runtimes=none"
