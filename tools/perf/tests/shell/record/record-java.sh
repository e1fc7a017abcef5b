#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer: stacks of Java are whole and have names, without an agent or an option of its own
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_cmd java javac
need_python
[ "$(uname -m)" = x86_64 ] || skip "of this architecture compiled code cannot be followed"

# Each method calls the next one by its letter; the argument is the path. Another class for each
# second number, so that code is made all the time.
cat >Spell.java <<'END_JAVA'
public class Spell {
    static long sum;
    static int leaf() { for (int i = 0; i < 300; i++) sum += i ^ sum; return 1; }
    static int a(String path, int at) { return next(path, at) + 1; }
    static int b(String path, int at) { return next(path, at) + 2; }
    static int c(String path, int at) { return next(path, at) + 3; }
    static int next(String path, int at) {
        if (at == path.length()) return leaf();
        switch (path.charAt(at)) {
            case 'a': return a(path, at + 1);
            case 'b': return b(path, at + 1);
            default: return c(path, at + 1);
        }
    }
    static int abcab(String path) { return next(path, 0); }
    static int ccabacc(String path) { return next(path, 0); }
    static int a(String path) { return next(path, 0); }
    public static void main(String[] args) throws Exception {
        long end = Long.parseLong(args[0]);
        for (long i = 0; i < end; i++) {
            abcab("abcab");
            ccabacc("ccabacc");
            a("a");
        }
        System.out.println("done");
    }
}
END_JAVA
# Nothing is inlined, so that all methods are in the stack.
always=(-XX:+UseSerialGC -Xmx64m -XX:CompileCommand=quiet "-XX:CompileCommand=dontinline,Spell.*")
javac Spell.java 2>log || skip "no Java program can be compiled: $(cat log)"
java() { command java "${always[@]}" "$@"; }
java Spell 1 >out 2>&1 || skip "no Java program runs here: $(cat out)"

cat >check.py <<'END_PYTHON'
# Of the samples in leaf(): how many there are, how many are whole, how many of these have callers
# that their path does not spell, and how many frames of Java have no name
import json, re, sys
METHOD = re.compile(r"int Spell\.(\w+)\(java\.lang\.String(, int)?\)$")
all_of = whole = wrong = nameless = 0
for line in sys.stdin:
    s = json.loads(line)
    names = [f.get("sym", "") for f in s.get("frames", [])]
    if s.get("type") != "sample" or "int Spell.leaf()" not in names:
        continue
    all_of += 1
    has_nameless = "" in names or "Interpreter" in names[1:]
    nameless += has_nameless
    if not s["user_stack"]["whole"]:
        continue
    whole += 1
    if has_nameless:
        continue
    calls = [m for m in map(METHOD.match, reversed(names)) if m]
    steps = [m[1] for m in calls if m[2]]
    path = calls[0][1] if calls and not calls[0][2] else ""
    want = [step for letter in path for step in ("next", letter)] + ["next"]
    good = steps == want and len(calls) == len(steps) + 1 and "start_thread" in names
    wrong += not good
    if not good:
        print(path, steps, names, file=sys.stderr)
print(all_of, whole, wrong, nameless)
END_PYTHON

# What a busy machine has written before there was time to unwind it has no names.
check() { # WORDS SHARE: of what data is; one in so many may have code without a name
	perf script --json -F ip,sym -i data >samples 2>err
	read -r all_of whole wrong nameless < <(python check.py <samples 2>why)
	echo "$1: $all_of samples in leaf(), $whole whole, $wrong wrong, $nameless with frames without a name"
	[ "$all_of" -ge 50 ] || fail "only $all_of samples in leaf(): $(head -n 3 err)"
	[ "$wrong" = 0 ] || fail "$wrong stacks have wrong callers: $(head -n 3 why)"
	[ "$whole" -ge $((all_of * 9 / 10)) ] || fail "$whole of $all_of samples are whole"
	[ "$nameless" -le $((all_of / $2)) ] || fail "$nameless of $all_of samples have code without a name"
}

# By one compiler and by the other, and by none.
for way in copy auto; do
	options=-XX:TieredStopAtLevel=1
	[ $way = copy ] || options=-XX:-TieredCompilation
	perf record -q -e cpu-clock$U -F 999 -g --defer=$way -o data -- java "${always[@]}" $options Spell 500000 >out 2>err
	has out done
	check "--defer=$way $options" 4
done

perf record -q -e cpu-clock$U -F 999 -g --defer=copy -o data -- java "${always[@]}" -Xint Spell 10000 >out 2>err
has out done
check -Xint 4

perf record -q --runtimes=none -e cpu-clock$U -F 999 -g --defer=copy -o data -- java "${always[@]}" -Xint Spell 1000 >out 2>err
perf script -F ip,sym -i data >samples
! grep Spell samples || fail "methods have names in spite of --runtimes=none"

# One that runs already.
command java "${always[@]}" Spell 2000000000 >out 2>&1 &
pid=$!
compiled() {
	perf record -q -e cpu-clock$U -F 999 -g --defer -o data -p $pid -- sleep 2 >log 2>err
	[ "$(perf script -F ip,sym -i data | grep -c 'Spell.leaf')" -ge 100 ]
}
wait_until compiled
check "--defer -p" 2
kill $pid
wait $pid || true
