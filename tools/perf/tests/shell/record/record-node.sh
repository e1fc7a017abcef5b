#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer: stacks of Node are whole and have names, without an option of its own
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_cmd node
need_python
! is_sanitized || skip "with sanitizers perf unwinds too late to read names: fuzz_v8 and v8_* try the same code"
[ "$(uname -m)" = x86_64 ] || skip "of this architecture compiled code cannot be followed"
case $(node -p process.versions.node 2>/dev/null) in
2[0-4].*) ;;
*) skip "this Node is not one of 20 to 24" ;;
esac

# Each function calls the next one by its letter; the argument is the path. Closures that are made
# all the time, exceptions, and garbage, so that the collector moves what frames refer to.
cat >spell.js <<'END_JS'
'use strict';
let sum = 0, kept = [];
function leaf() { for (let i = 0; i < 300; i++) sum = (sum + (i ^ sum)) | 0; return 1; }
function a(path, at) { return next(path, at) + 1; }
function b(path, at) { try { return next(path, at) + 2; } finally { sum++; } }
function c(path, at) { return (function closure() { return next(path, at) + 3; })(); }
function next(path, at) {
    if (at === path.length) return leaf();
    switch (path[at]) {
    case 'a': return a(path, at + 1);
    case 'b': return b(path, at + 1);
    default: return c(path, at + 1);
    }
}
function abcab(path) { return next(path, 0); }
function ccabacc(path) { return next(path, 0); }
function collect(at) { kept[at % 100] = new Array(100).fill({ at }); }
function main(end) {
    for (let i = 0; i < end; i++) {
        abcab('abcab');
        ccabacc('ccabacc');
        collect(i);
    }
}
main(+process.argv[2]);
console.log('done');
END_JS
# Nothing is inlined, so that all functions are in the stack.
apart=(--max-inlined-bytecode-size{,-cumulative,-small}=0 --max-semi-space-size=1)
node "${apart[@]}" spell.js 1 >out 2>&1 || skip "no Node program runs here: $(cat out)"

cat >check.py <<'END_PYTHON'
# Of the samples in leaf() and what it calls: how many there are, how many are whole, how many of
# these have callers that their path does not spell, and how many have frames without a name
import json, re, sys
# Where a script is not known yet, there is the function's name alone.
OURS = re.compile(r"JS:(?:(\S+) \S*/spell\.js|(next|closure|leaf|[abc]))$")
all_of = whole = wrong = nameless = 0
for line in sys.stdin:
    s = json.loads(line)
    names = [f.get("sym", "") for f in s.get("frames", [])]
    ours = [m[1] or m[2] for m in map(OURS.match, reversed(names)) if m]
    if s.get("type") != "sample" or "leaf" not in ours:
        continue
    all_of += 1
    has_nameless = "" in names or any("InterpreterEntryTrampoline" in n for n in names[1:])
    nameless += has_nameless
    if not s["user_stack"]["whole"]:
        continue
    whole += 1
    if has_nameless:
        continue
    path = ours[2] if len(ours) > 2 else ""
    steps = [step for letter in path for step in ["next", letter] + ["closure"] * (letter == "c")]
    good = ours == ["(anonymous)", "main", path] + steps + ["next", "leaf"]
    wrong += not good
    if not good:
        print(path, ours, names, file=sys.stderr)
print(all_of, whole, wrong, nameless)
END_PYTHON

# compiled PERF_RECORD_OPTIONS...: what a busy machine has written before there was time to unwind
# it has no names, so that all of it may have none.
compiled() {
	perf record -q -e cpu-clock$U -F 999 -g -o data "$@" >out 2>err
	[ "$(perf script -F ip,sym -i data | grep -c 'JS:leaf')" -ge 50 ]
}

check() { # WORDS SHARE: of what data is; one in so many may have code without a name
	perf script --json -F ip,sym -i data >samples 2>err
	read -r all_of whole wrong nameless < <(python check.py <samples 2>why)
	echo "$1: $all_of samples in leaf(), $whole whole, $wrong wrong, $nameless with frames without a name"
	[ "$all_of" -ge 50 ] || fail "only $all_of samples in leaf(): $(head -n 3 err)"
	[ "$wrong" = 0 ] || fail "$wrong stacks have wrong callers: $(head -n 3 why)"
	[ "$whole" -ge $((all_of * 9 / 10)) ] || fail "$whole of $all_of samples are whole"
	[ "$nameless" -le $((all_of / $2)) ] || fail "$nameless of $all_of samples have code without a name"
}

# By all compilers, by the first one, and by none.
for options in "" "--always-sparkplug --no-opt" "--no-opt --no-sparkplug"; do
	end=60000
	[ -z "$options" ] || end=20000
	wait_until compiled --defer=copy -- node "${apart[@]}" $options spell.js $end
	has out done
	check "${options:-default}" 4
done

perf record -q --runtimes=none -e cpu-clock$U -F 999 -g --defer=copy -o data -- node "${apart[@]}" spell.js 10000 >out 2>err
perf script -F ip,sym -i data >samples
! grep JS: samples || fail "functions have names in spite of --runtimes=none"

# One that runs already.
node "${apart[@]}" spell.js 1000000000 >out 2>&1 &
pid=$!
wait_until compiled --defer -p $pid -- sleep 1
check "--defer -p" 4
kill $pid
wait $pid || true
