#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --agent: Python's functions lie among the native frames, each below its caller
# limit: 300
# PYTHONS="/a/python3 /b/python3" ROUNDS=2500 perf test -v record-agent-python: of more interpreters, more calls.
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/record/lib-agent.sh"
need_agent

cat >truth.py <<'END'
import os
import threading
def leaf(n):
    s = 0
    for i in range(n):
        s += i * i
    return s
def deep(d):
    return leaf(200) if d == 0 else deep(d - 1)
def mapped(d):
    return sum(map(mapped_one, [d] * 3))
def mapped_one(d):
    return deep(d)
def key(x):
    return leaf(20)
def sorting():
    return sorted(range(50), key=key)
def numbers(n):
    for i in range(n):
        yield leaf(50)
def generating():
    return max(numbers(30))
def catching():
    try:
        raising()
    except ValueError:
        return leaf(30)
def raising():
    raise ValueError(leaf(30))
class Thing:
    def __init__(self):
        self.v = leaf(40)
    def __add__(self, other):
        return leaf(40)
def adding():
    return Thing() + Thing()
async def waiting():
    return leaf(60)
def awaiting():
    c = waiting()
    try:
        c.send(None)
    except StopIteration:
        pass
def work(rounds):
    for i in range(rounds):
        deep(i % 40)
        mapped(i % 5)
        sorting()
        generating()
        catching()
        adding()
        awaiting()
def run():
    rounds = int(os.environ.get("ROUNDS", 300))
    threads = []
    for _ in range(3): # no comprehension: that is a function in 3.11, and none later
        threads.append(threading.Thread(target=work, args=(rounds,)))
    for t in threads:
        t.start()
    work(rounds)
    for t in threads:
        t.join()
run()
END

cat >check.py <<'END'
import ast
import sys
CALLS = {("leaf", c) for c in ("deep", "key", "numbers", "catching", "raising", "Thing.__init__",
                               "Thing.__add__", "waiting")}
CALLS |= {(f, "work") for f in ("deep", "mapped", "sorting", "generating", "catching", "adding",
                                "awaiting")}
CALLS |= {("deep", "deep"), ("deep", "mapped_one"), ("mapped_one", "mapped"), ("key", "sorting"),
          ("numbers", "generating"), ("raising", "catching"), ("Thing.__init__", "adding"),
          ("Thing.__add__", "adding"), ("waiting", "awaiting"), ("work", "run"),
          ("work", "Thread.run"), ("run", "<module>")}
# The body of a class is code of its own, which runs once.
CALLS.add(("Thing", "<module>"))
# Native functions of the interpreter, and who alone calls them here.
NATIVE = {"builtin_sorted": "sorting", "list_sort_impl": "sorting", "builtin_sum": "mapped",
          "map_next": "mapped", "builtin_max": "generating"}
RANGES = {}
for node in ast.walk(ast.parse(open("truth.py").read())):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        RANGES[node.name] = (node.lineno, node.end_lineno)
edges = lines = native = wrong = 0
def complain(what):
    global wrong
    wrong += 1
    print("WRONG: " + what)
def check(chain):
    global edges, lines, native
    python = [(f, l) for f, l, d in chain if "/python-" in d]
    ours = ["truth.py" in l for f, l in python]
    for k, (f, l) in enumerate(python):
        if not ours[k]:
            continue
        if f.split(".")[-1] in RANGES:
            first, last = RANGES[f.split(".")[-1]]
            lines += 1
            if not first <= int(l.rsplit(":", 1)[1]) <= last:
                complain("%s at %s" % (f, l))
        if k + 1 == len(python):
            if f != "<module>":
                complain("%s has no caller" % f)
        elif ours[k + 1] or f not in ("<module>", "__init__"):
            edges += 1
            # 3.13 calls __init__ by a piece of code of its own, of that name.
            if (f, python[k + 1][0]) not in CALLS and python[k + 1][0] != "__init__":
                complain("%s called by %s" % (f, python[k + 1][0]))
    for k, (f, l, d) in enumerate(chain):
        name = f.split(".")[0]
        if name in NATIVE and "/python-" not in d:
            caller = next((c for c in chain[k:] if "/python-" in c[2]), ("nobody", "", ""))
            if "truth.py" in caller[1]:
                native += 1
                if caller[0] != NATIVE[name]:
                    complain("native %s called by %s" % (name, caller[0]))
chain = []
for line in sys.stdin:
    if line.strip():
        chain.append(line.rstrip("\n").split("|"))
    elif chain:
        check(chain)
        chain = []
if chain:
    check(chain)
print("%d edges, %d lines, %d native functions, %d wrong" % (edges, lines, native, wrong))
sys.exit(1 if wrong else 0)
END

nr=0
for python in $(pythons); do
	"$PERF" record --agent -F 2000 -o p.data -- "$python" truth.py 2>err || fail "$python: $(cat err)"
	[ "$(matched err)" -gt 50 ] || fail "$python: $(cat err)"
	mostly_matched err || fail "$python: $(cat err)"
	chains p.data >chains
	python check.py <chains >out || { tail -n 20 out; fail "$python: wrong callers"; }
	[ "$(sed 's/ edges.*//' out)" -gt 200 ] || fail "$python: $(tail -n 1 out)"
	# As any chain, it begins with the code that was interrupted.
	! awk -F'|' 'NR == 1 || last == "" { if ($3 ~ "/python-") exit 0 } { last = $0 } END { exit 1 }' chains ||
		fail "$python: a chain begins with a function of Python"
	echo "$python: $(tail -n 1 out); $(matched err) of $(matched_of err) matched"
	nr=$((nr + 1))
done
[ $nr -gt 0 ] || skip "needs Python 3.11, 3.12, 3.13 or 3.14"
