#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: stacks of Java go through compiled code with names and lines, by libperf-jvmti.so
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_cmd java javac jcmd
need_python
AGENT=$(dirname "$(realpath "$PERF")")/libperf-jvmti.so
[ -e "$AGENT" ] || AGENT=$PERF_EXEC_PATH/libperf-jvmti.so
[ -e "$AGENT" ] || skip "this perf was built without jvmti.h"
[ "$(uname -m)" = x86_64 ] || skip "of this architecture compiled code cannot be followed"

cat >Deep.java <<'END_JAVA'
public class Deep {
    static long sum;
    static int deep(int n) {
        if (n == 0) { for (int i = 0; i < 200; i++) sum += i ^ sum; return 1; }
        return deep(n - 1) + 1;
    }
    static long work(String[] names) {
        return deep(30) + names.length;
    }
    public static void main(String[] args) throws Exception {
        long end = Long.parseLong(args[0]);
        for (long i = 0; i < end; i++) sum += work(args);
        System.out.println("done");
    }
}
END_JAVA
javac Deep.java 2>log || skip "no Java program can be compiled: $(cat log)"
export JITDUMPDIR=$PWD
java() { command java -XX:+UseSerialGC -Xmx64m "$@"; }
java Deep 1 >out 2>&1 || skip "no Java program runs here: $(cat out)"

cat >check.py <<'END_PYTHON'
# Of the samples in Deep.deep(): how many there are, how many are whole, how many of these did not
# come through work(), and how many frames of deep() have a line of it
import json, sys
all_of = whole = wrong = lines = 0
for line in sys.stdin:
    s = json.loads(line)
    names = [f.get("sym", "") for f in s.get("frames", [])]
    deep = [f for f in s.get("frames", []) if f.get("sym") == "int Deep.deep(int)"]
    if s.get("type") != "sample" or not deep:
        continue
    all_of += 1
    if s.get("user_stack", {}).get("whole"):
        whole += 1
        at = max(i for i, n in enumerate(names) if n == "int Deep.deep(int)")
        # The virtual machine tells of code a little after it is there: until then it has no name.
        caller = names[at + 1] if at + 1 < len(names) else "none"
        wrong += len(deep) > 31 or not (caller == "" or "Deep.work" in caller or "Deep.main" in caller or caller == "Interpreter")
    lines += any("Deep.java:%d" % n in f.get("srcline", "") for f in deep for n in (4, 5))
print(all_of, whole, wrong, lines)
END_PYTHON
for fp in + -; do
	perf record -q -k mono -N -e cpu-clock$U -F 999 --call-graph dwarf,16384 -o java.data -- \
		java -agentpath:"$AGENT" -XX:${fp}PreserveFramePointer Deep 4000000 >out 2>err
	has out done
	perf script --json -F ip,sym,srcline -i java.data >samples 2>err
	read -r all_of whole wrong lines < <(python check.py <samples)
	echo "PreserveFramePointer $fp: $all_of samples in deep(), $whole whole, $wrong wrong, $lines with lines"
	[ "$all_of" -ge 50 ] || fail "only $all_of samples in deep()"
	# What the virtual machine is about to compile again returns to somewhere else.
	[ "$wrong" -le $((all_of / 50)) ] || fail "$wrong stacks of deep() without its caller"
	least=95
	[ $fp = + ] || least=75
	[ "$whole" -ge $((all_of * least / 100)) ] || fail "$whole of $all_of samples are whole"
	[ "$lines" -ge $((all_of * 8 / 10)) ] || fail "$lines of $all_of samples have a line"
	rm jit-*.dump
done

# Into one that runs already: what was compiled before is told, too.
command java -XX:+UseSerialGC -Xmx64m Deep 2000000000 >out 2>&1 &
pid=$!
attached() { jcmd $pid JVMTI.agent_load "$AGENT" >log 2>&1; }
wait_until attached
told() { grep -qa 'int Deep.deep(int)' jit-$pid.dump; }
wait_until told
# Names are those of the language, files have their package; a Java program calls one of these often.
typed() { grep -qaE 'int java\.lang\.StringLatin1\.hashCode\(byte\[\]\)|boolean java\.lang\.String\.equals\(java\.lang\.Object\)' jit-$pid.dump; }
wait_until typed
grep -qa 'java/lang/String[A-Za-z0-9]*\.java' jit-$pid.dump || fail "no file with its package"
kill $pid
wait $pid || true

# A folder that is not there is no reason not to run.
java -agentpath:"$AGENT=$PWD/none" Deep 1 >out 2>err
has out done
has err 'libperf-jvmti: cannot make the file in .*/none: No such file'

# Nothing that lies under the file's name is written to: the new one is this user's alone.
echo kept >victim
cat >planted.sh <<'END'
case $1 in
link) ln -s "$PWD/victim" "jit-$$.dump" ;;
file) ln victim "jit-$$.dump" ;;
folder) mkdir "jit-$$.dump" ;;
esac
[ "$(id -u)" != 0 ] || chown -h 1 "jit-$$.dump"
echo $$ >pid
exec java -agentpath:"$AGENT" Deep 1
END
export AGENT
for what in link file folder; do
	bash planted.sh $what >out 2>err
	has out done
	[ "$(cat victim)" = kept ] || fail "$what: what was there was written to"
	[ $what = folder ] || [ "$(stat -c '%F %a %u %h' "jit-$(cat pid).dump")" = "regular file 600 $(id -u) 1" ] ||
		fail "$what: $(ls -ln jit-*.dump)"
done
has err 'libperf-jvmti: cannot make the file'
