#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --agent: runtimes and interpreters that call each other are in one stack, in order
# limit: 400
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/record/lib-agent.sh"
need_agent

# in_order INNERMOST NAMES...: of samples below INNERMOST, how many have exactly these functions of
# runtimes, innermost first, and how many have not.
in_order() {
	chains b.data >chains
	python - "$@" <<'END'
import sys
good = wrong = 0
for chain in open("chains").read().split("\n\n"):
    frames = [line.split("|") for line in chain.splitlines()]
    names = [f[0] for f in frames if len(f) == 3 and ("/functions-" in f[2] or "/python-" in f[2])]
    if names[:1] != sys.argv[1:2]:
        continue
    good += names == sys.argv[1:]
    wrong += names != sys.argv[1:]
    if names != sys.argv[1:]:
        print("WRONG", names)
print(good, "good", wrong, "wrong")
# What a call of the other runtime does before and behind the call of Python may be between two states.
sys.exit(good < 100 or wrong * 100 > good)
END
}

# An interpreter within another one: each has its own state, and its own calls.
cat >sub.py <<'END'
try:
    import _xxsubinterpreters as interpreters
    run = interpreters.run_string
except ImportError:
    import _interpreters as interpreters
    run = interpreters.run_string if hasattr(interpreters, "run_string") else interpreters.exec
code = """
import time
def sub_leaf(n):
    s = 0
    for i in range(n):
        s += i * i
    return s
def sub_work(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sub_leaf(2000)
sub_work(0.4)
"""
def caller():
    i = interpreters.create()
    run(i, code)
    interpreters.destroy(i)
caller()
END
nr=0
for python in $(pythons); do
	"$python" sub.py || { echo "$python has no subinterpreters"; continue; }
	"$PERF" record --agent -F 2000 -o b.data -- "$python" sub.py 2>err || fail "$python: $(cat err)"
	in_order sub_leaf sub_work "<module>" caller "<module>" || fail "$python: subinterpreters"
	nr=$((nr + 1))
done
[ $nr -gt 0 ] || skip "needs Python 3.11, 3.12, 3.13 or 3.14"

[ "$(type -P gcc)" ] || skip "the rest needs gcc"
from=$(dirname "$(dirname "$(dirname "$(realpath "$PERF_TEST_DIR")")")")/tools/lib/perf-agent
[ -e "$from/include/perf/agent.h" ] || skip "the rest needs perf's sources"
# A runtime that is called by Python, and calls it: Python > C > other > C > Python > ...
cat >other.c <<'END'
#include <perf/agent.h>
struct call { const char *name; struct call *caller; };
static __thread struct call *innermost __attribute__((tls_model("initial-exec")));
static void walk(struct perf_agent_walk *w, const void *context, void *ctx)
{
	for (struct call *c = innermost; c; c = c->caller)
		perf_agent_frame(w, &(struct perf_agent_function){ c->name, "other.src", 1, 9 }, 5, c);
}
int other_begin(void) { return perf_agent_follow(walk, (void *)0); }
int other_call(const char *name, int (*f)(void))
{
	volatile struct call c = { name, innermost };
	int ret;
	innermost = (struct call *)&c;
	ret = f();
	innermost = c.caller;
	return ret;
}
END
gcc -O2 -Wall -Wno-unused-parameter -Werror -shared -fPIC -o libother.so other.c -I"$from/include"
cat >both.py <<'END'
import ctypes
import time
lib = ctypes.CDLL("./libother.so")
call = ctypes.CFUNCTYPE(ctypes.c_int)
def leaf(n):
    s = 0
    for i in range(n):
        s += i * i
    return s
@call
def inner():
    leaf(4000)
    return 0
@call
def outer():
    lib.other_call(b"second", inner)
    return 0
def main():
    end = time.thread_time() + 0.5
    while time.thread_time() < end:
        lib.other_call(b"first", outer)
assert lib.other_begin() == 0
main()
END
for python in $(pythons); do
	"$python" -c 'import ctypes' || { echo "$python has no ctypes"; continue; }
	"$PERF" record --agent -F 2000 -o b.data -- "$python" both.py 2>err || fail "$python: $(cat err)"
	in_order leaf inner second outer first main "<module>" || fail "$python: two runtimes"
done

# A Python whose frames are not known is said, and nothing is read of it: this one has no frames at all.
cat >none.c <<'END'
#include <stdint.h>
unsigned long Py_Version = VERSION;
int PyCode_Type;
uint64_t _PyRuntime[100] = { 0x7970677562656478, VERSION, FREE };
void Py_Initialize(void) {}
void *PyGILState_GetThisThreadState(void) { return (void *)8; }
int main(void)
{
	for (volatile long i = 0; i < 200000000; i++)
		;
	return 0;
}
END
unknown() { # VERSION FREE WORDS
	gcc -rdynamic -DVERSION="$1" -DFREE="$2" -o none none.c
	"$PERF" record --agent -F 2000 -o n.data -- ./none 2>err || fail "$(cat err)"
	has err "$3.*so stacks lack its functions"
	[ "$(matched err)" -gt 20 ] || fail "$(cat err)"
}
unknown 0x030d00f0 1 'Python 3.13: a free-threaded build'
unknown 0x030f00f0 0 'Python 3.15: the layout of its frames is unknown'
