# SPDX-License-Identifier: GPL-2.0-only
"""What is recorded inside the virtual machine, and what must come of it. Used by run.py.

Each case is a piece of shell that writes $OUT/NAME.data; $REC is `perf record` of this tree and
$W the directory of the programs. $PEER_REC is that of the suite's own perf, for `peer` cases.
"""
import fnmatch
from collections import namedtuple

Case = namedtuple("Case", "name script status checked share log peer suites rounds times raw "
                  "registers archs")
X86 = ("x86_64",)
OTHERS = ("arm64", "s390x")  # where the kernel defers nothing, nor walks stacks by a program of ours
ANY = X86 + OTHERS


def case(name, script, status=0, checked=0, share=0.0, log=None, peer=None, suites=("sid",),
         rounds=True, times=True, raw=False, registers=False, archs=X86):
    """checked: least number of chains that spell their thread; share: least share of samples
    with a user part, None where nothing is recorded; log: what the recorder must say; peer: the same load by the suite's perf;
    rounds: False where COMM records may be lost, so that names are late;
    times: False where samples have none;
    raw: True where deferred callchains are left in the file, which is stitched then; else it must
    have none;
    registers: samples have the user's instruction, and chains must begin there but for signals;
    archs: architectures of the guest."""
    return Case(name, script, status, checked, share, log, peer, suites, rounds, times, raw,
                registers, archs)


# Seconds of guest time after which no further case is begun: those left are failures, but what
# was recorded comes back.
# Under emulation the guest's clock may run two or three times too fast.
BUDGET = {"sid": 850, "trixie": 250, "bookworm": 250, "bullseye": 250}

# The recorder's account.
WHOLE = "samples, [0-9,]+ whole user stacks"
NOT_EXITED = WHOLE + r"(?!.* exited)"

ALL = ("sid", "trixie", "bookworm")
OLD = ("bullseye",) # if it is asked for
READ_BY_PEER = ("raw", "passed", "rest", "pipe", "switch", "copy", "copy-all", "fallback", "auto", "compress", "per-thread")
K = "-g --defer=kernel -e cpu-clock"
# Without its build-id pass, which merges callchains at a cost that grows with the waiting threads.
PEER = "-B -N --call-graph fp,defer -e cpu-clock"

# What runs already keeps its old name until it next changes it: rounds cannot be compared.
ATTACH = """
$W/threads 60 32 & load=$!
sleep 1
{how} -o $OUT/{name}.data {target} -- sleep 2
status=$?
kill $load; wait $load
exit $status
"""

USER = """
echo {paranoid} >/proc/sys/kernel/perf_event_paranoid
su user -s /bin/sh -c "cd /tmp && $REC -g --defer -e cpu-clock -o /tmp/u.data -- $W/threads 1 4"
status=$?
su user -s /bin/sh -c "$PEER_REC -e cpu-clock:u -o /tmp/p.data -- $W/threads 1 4; rm -f /tmp/p.data"
echo -1 >/proc/sys/kernel/perf_event_paranoid
[ -e /tmp/u.data ] && cat /tmp/u.data >$OUT/{name}.data
rm -f /tmp/u.data
exit $status
"""

# An ordinary user's events are those of tasks alone: the record of a task's last stay in the kernel
# is never written, nor is that of the program before an exec.
LIVES_USER = """
echo 1 >/proc/sys/kernel/perf_event_paranoid
su user -s /bin/sh -c "cd /tmp && $REC -g --defer=kernel -e cpu-clock -F 6000 -o /tmp/u.data -- $W/lives 2"
status=$?
echo -1 >/proc/sys/kernel/perf_event_paranoid
cat /tmp/u.data >$OUT/lives-user.data
rm -f /tmp/u.data
exit $status
"""

# As in a rootless container: root there, without rights that count.
USERNS = USER.replace('cd /tmp && $REC', 'cd /tmp && unshare -r $REC')

# Yama restricts who may attach as a debugger, which a profiler is not.
YAMA = """
echo {scope} >/proc/sys/kernel/yama/ptrace_scope
echo 2 >/proc/sys/kernel/perf_event_paranoid
su user -s /bin/sh -c "$W/threads-nofp 60 16 & cd /tmp
	sleep 1
	$REC -g --defer=copy -e cpu-clock -F 1000 -o /tmp/u.data -p \\$! -- sleep 2
	status=\\$?
	kill \\$!
	exit \\$status"
status=$?
grep -q {scope} /proc/sys/kernel/yama/ptrace_scope || status=1
echo -1 >/proc/sys/kernel/perf_event_paranoid
cat /tmp/u.data >$OUT/yama{scope}.data
rm -f /tmp/u.data
exit $status
"""

# Every kernel has to take them, the oldest too: what it does not know is asked for first.
OPTIONS = """
status=0
try() {
	"$@" >/tmp/o.log 2>&1 || { echo "FAILED $*: $(head -n 3 /tmp/o.log)"; status=1; }
	rm -f /tmp/o.data /tmp/o.log
}
rec="$REC -e cpu-clock -F 1000 -o /tmp/o.data"
many='-g -I --user-regs -W -d --data-page-size --code-page-size -s -R -P -k mono --switch-events'
read='-e {cpu-clock,page-faults}:S --running-time --tail-synthesize'
try $rec $many --phys-data --all-cgroups --namespaces --no-buffering -- $W/threads 1 4
try $rec $read -- $W/threads 1 4
try $rec -a --overwrite --affinity=cpu -- $W/threads 1 4
echo 2 >/proc/sys/kernel/perf_event_paranoid
for with in "$many" "$read" '--per-thread --overwrite'; do
	try su user -s /bin/sh -c "cd /tmp && $rec $with -- $W/threads 1 4"
done
echo -1 >/proc/sys/kernel/perf_event_paranoid
$REC -g --defer=copy --overwrite -m 4M -e cpu-clock -F 1000 -o $OUT/options.data -- $W/threads-nofp 2 16
exit $((status + $?))
"""

# So has the one that walks stacks; chains are compared with copies of the same stacks.
WALK = """
$REC -v -e cpu-clock -F 500 --defer=bpf,check -o $OUT/walk.data -- /bin/perf test -w deep 60 8 2>/tmp/walk
status=$?
tail -n 30 /tmp/walk
[ $status = 0 ] && awk '/ compared with copies/ { exit $4 < 100 || $10 }' /tmp/walk || exit 1
# Children begin with their parent's table; under emulation it may come too late for them.
$REC -v -e cpu-clock -F 500 --defer=bpf,check -o $OUT/forks.data -- /bin/perf test -w forker 40 0.05 2>/tmp/walk
status=$?
tail -n 30 /tmp/walk
[ $status = 0 ] && awk '/ compared with copies/ { wrong = $10 } /^tables:/ { taken = $6 }
	END { print taken + 0 " tables of parents"; exit wrong }' /tmp/walk
"""

# Samples in execve() have the stack of the shell that calls it, whose code has no unwind information,
# but for the one in which perf becomes the shell.
EXECVE = """
cat >/tmp/turns <<END
i=0
while [ \\$i -lt 60 ]; do /bin/perf test -w noploop 0.001; i=\\$((i + 1)); done
END
$REC -v -e cpu-clock -F 5000 --defer=bpf -o $OUT/execve.data -- sh /tmp/turns 2>/tmp/walk
status=$?
tail -n 30 /tmp/walk
grep '^stacks of samples in execve() are unknown' /tmp/walk && exit 1
[ $status = 0 ] || exit 1
/bin/perf script -i $OUT/execve.data -F ip,sym,whole 2>/dev/null | awk -v RS= '
	/ (setup_arg_pages|load_elf_binary|bprm_execve)/ { n++; gone += /gone in execve/ }
	END { print n + 0 " samples in execve(), " gone + 0 " without a stack"; exit n < 20 || gone > 0.2 * n }'
"""

# The BPF program has to pass the verifier of each kernel. Ids are those of the register but for the
# moment in which the thread changes both, so the last digits are not compared. Where to look is told
# while it runs: on another CPU a sample may have begun before.
ACTIVITY = """
$REC -v -e cpu-clock:u -F 1000 --{regs}-regs=r15 --activity=tls:perf_test_activity {options} \\
	-o $OUT/{name}.data -- /bin/perf test -w activity value 2 2 2>/tmp/said
status=$?
tail -n 30 /tmp/said
[ $status = 0 ] || exit 1
/bin/perf script -i $OUT/{name}.data -F activity,{regs1}regs >/tmp/ids
awk '{{ r = $NF; sub(/.*R15:/, "", r) }}
	r !~ /^0xa5[0-4][0-9a-f]0000/ {{ next }}
	$1 == "-" {{ missing += seen > 4; next }}
	{{ seen++ }}
	substr($1, 1, 15) != substr(r, 1, 15) {{ wrong++ }}
	END {{ print seen + 0 " ids, " missing + 0 " missing, " wrong + 0 " wrong";
	      exit seen < 100 || missing || wrong }}' /tmp/ids
status=$?
head -n 3 /tmp/ids; rm /tmp/ids
{more}
exit $status
"""

# One program does both; what it walks is compared with copies of the same stacks.
BOTH = """awk '/ compared with copies/ { print $4 + 0 " chains, " $10 + 0 " different"; wrong = $4 < 100 || $10 }
	END { exit wrong }' /tmp/said || status=1"""

# Whose words the agent's are: the stack spells the number that the variable has, in its last twelve
# bits; in the first instructions of agent_leaf it has the number before. Under emulation handlers
# take long, so that samples are taken in them.
AGENT = """
export PERF_EXEC_PATH=/agent
REC="$REC {options} --agent --activity=tls:perf_test_activity -e cpu-clock -F 300 -o $OUT/{name}.data"
{run} || exit 1
/bin/perf script --no-inline -i $OUT/{name}.data -F activity,ip,sym >/tmp/chains
awk 'function hex(s, i, n) {{ for (i = length(s) - 2; i <= length(s); i++)
		n = n * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
		return n }}
	function judge() {{ if (bits == 12) {{ spelled++
		if (id != "-") {{ found++; d = (truth - hex(id) + 4096) % 4096; wrong += d > 1 }} }} }}
	NF == 1 {{ judge(); id = $1; at = 0; bits = 0; truth = 0; next }}
	$2 == "agent_leaf" {{ at = 1; weight = 1; next }}
	at && bits < 12 && $2 ~ /^agent_(one|zero)$/ {{ bits++; truth += weight * ($2 == "agent_one"); weight *= 2 }}
	END {{ judge(); print spelled + 0 " spelled, " found + 0 " with a record, " wrong + 0 " wrong"
	       exit spelled < 30 || wrong || found * 100 < spelled * {least} }}' /tmp/chains
status=$?
rm /tmp/chains
exit $status
"""

BEGUN = "$REC -- /bin/perf test -w agent {mode} 2 2"
# Of a process that waits for a recorder.
ATTACHED = """LD_PRELOAD=/agent/libperf-agent.so /bin/perf test -w agent plain 60 2 & pid=$!
until grep -q memfd:perf-agent /proc/$pid/maps; do sleep 0.1; done
$REC -p $pid -- sleep 4; status=$?
kill $pid
[ $status = 0 ]"""

# The functions of Python in each stack are those that call each other, in order: g calls f, h calls g.
PYTHON = """
export PERF_EXEC_PATH=/agent
[ -x /usr/bin/python3 ] || {{ echo "no Python here"; exit 0; }}
cat >/tmp/work.py <<END
def f(n):
    s = 0
    for i in range(n):
        s += i * i
    return s
def g(n):
    return max(map(f, [n, n]))
def h(n):
    return g(n)
import time
end = time.process_time() + 3
while time.process_time() < end:
    h(3000)
END
{prepare}
{run} "$REC --agent {options} -F 300 -o /tmp/python.data -- /usr/bin/python3 -S -I /tmp/work.py" || exit 1
/bin/perf script -f --no-inline -i /tmp/python.data -F ip,sym,dso >/tmp/chains
seconds=$(/bin/perf script -f -i /tmp/python.data -F period | awk '{{ s += $NF }} END {{ print s / 1e9 }}')
cat /tmp/python.data >$OUT/{name}.data
rm -rf /tmp/python.data*
echo -1 >/proc/sys/kernel/perf_event_paranoid
awk -v seconds=$seconds 'function judge() {{ if (substr(names, 1, 3) == " f ") {{ if (names == " f g h <module>") good++; else wrong++ }} }}
	/python-[0-9]+-[0-9]+/ {{ names = names " " $2; next }}
	/^$/ {{ judge(); names = "" }}
	/ \\[k|kernel/ {{ kernel++ }}
	END {{ judge(); print good + 0 " stacks of Python, " wrong + 0 " wrong, " kernel + 0 " frames of the kernel, " seconds " s"
	       exit good < {least} || wrong || {kernel} || seconds < {seconds} }}' /tmp/chains
status=$?
rm /tmp/chains /tmp/work.py
exit $status
"""
# What depends on the order of bytes, and how frames are laid out here. The results alone are of use.
UNITS = """
/bin/perf test -u -j 2 {names} >/tmp/units
status=$?
grep -E 'FAILED|skipped' /tmp/units | head -n 40
tail -n 3 /tmp/units
exit $status
"""
# More take longer under emulation than a case may.
UNIT_NAMES = "walk_ leaf_ root_ runtime_ python_ v8_ hotspot_"

WITH_EVENTS = dict(prepare="", run="sh -c", options="-e cpu-clock", kernel="!kernel", least=100, seconds=0)
# Debian's kernels refuse perf events to ordinary users at 3, as containers do. Where the guest's clock
# ticks late, one sample stands for many ticks: together for the 3 s of the program, but for the last.
BY_TIMERS = dict(prepare="echo 3 >/proc/sys/kernel/perf_event_paranoid; cd /tmp", run="su user -s /bin/sh -c",
                 options="--user-only-clock", kernel="kernel", least=20, seconds=2.5)

# Its functions are named without an agent, by the program that walks stacks. Each one's name is that
# of its caller, and one letter.
WALK_PYTHON = """
[ -x /usr/bin/python3 ] || { echo "no Python here"; exit 0; }
cat >/tmp/spell.py <<END
import _thread, time
def work(): return [i * i for i in range(300)]
def a(): ab(3), sorted((2, 1), key=ac), [x for x in ad()]
def ab(n): ab(n - 1) if n else abc()
def abc():
    try: abcd()
    except ValueError: abce()
def abcd():
    work()
    raise ValueError
def abce(): work()
def ac(n): return acb() or n
def acb(): work()
def ad():
    yield 1
    adb()
    yield 2
def adb(): work()
def t(): (lambda: tb())()
def tb(): work()
end = time.monotonic() + 8
def run(f):
    while time.monotonic() < end: f()
_thread.start_new_thread(run, (t,))
run(a)
time.sleep(10) # names are read while it lives, which a slow recorder does late
END
$REC -v --defer=bpf -e cpu-clock:u -F 400 -o /tmp/spell.data -- /usr/bin/python3 -S -I /tmp/spell.py 2>/tmp/said & rec=$!
sleep 4
echo "steps of the verifier:" $(cat /proc/$rec/fdinfo/* | grep verified_insns)
wait $rec; status=$?
tail -n 30 /tmp/said
[ $status = 0 ] || exit 1
/bin/perf script --no-inline -i /tmp/spell.data -F ip,sym,dso >/tmp/chains
cat /tmp/spell.data >$OUT/walk-python.data
awk 'function judge(  n, i, name, last, bad) {
		n = split(names, of, " ")
		for (i = 1; i <= n && of[i] ~ /<listcomp>$/; i++)
			continue
		if (of[i] != "work" || !python)
			return
		if (unknown) {
			nameless++
			return
		}
		for (last = ""; ++i <= n && of[i] != "run"; last = name) {
			name = of[i]
			sub(/.*[.]/, "", name)
			if (name ~ /^</)
				name = last
			else if (last != "" && last != name && substr(last, 1, length(last) - 1) != name)
				bad = 1
		}
		if (bad || last !~ /^[at]$/ || i > n) {
			wrong++
			print names
		} else
			good++
	}
	NF == 0 { judge(); names = ""; unknown = python = 0; next }
	/jit-[0-9]+/ { names = names " " $2; python = 1 }
	$2 == "[unknown]" { unknown = 1 }
	END { judge(); print good + 0 " stacks of Python, " nameless + 0 " not all named, " wrong + 0 " wrong"
	      exit good < 100 || wrong || nameless > good / 20 }' /tmp/chains
status=$?
rm -rf /tmp/chains /tmp/spell*
exit $status
"""

CASES = [
    case("threads", f"$REC {K} -F 3000 -o $OUT/threads.data -- $W/threads 2 96",
         checked=2000, share=0.99, log=WHOLE, peer=f"$PEER_REC {PEER} -F 3000 -o $OUT/threads.peer.data "
         "-- $W/threads 2 96"),
    case("all", f"$REC {K} -F 2000 -a -o $OUT/all.data -- $W/threads 2 64", checked=300,
         peer=f"$PEER_REC {PEER} -F 2000 -a -o $OUT/all.peer.data -- $W/threads 2 64"),
    case("syscalls", "$REC -g --defer=kernel -e raw_syscalls:sys_enter -o $OUT/syscalls.data "
         "-- $W/threads 4 64", checked=10000, share=0.99,
         peer="$PEER_REC -B -N --call-graph fp,defer -e raw_syscalls:sys_enter "
         "-o $OUT/syscalls.peer.data -- $W/threads 2 64"),
    case("switches", "$REC -g --defer=kernel -e sched:sched_switch -a -o $OUT/switches.data "
         "-- $W/threads 2 64", checked=500,
         peer="$PEER_REC -B -N --call-graph fp,defer -e sched:sched_switch -a "
         "-o $OUT/switches.peer.data -- $W/threads 2 64"),
    case("events", "$REC -g --defer=kernel -e cpu-clock,page-faults,sched:sched_switch -F 2000 "
         "-o $OUT/events.data -- $W/threads 2 32", checked=500, share=0.98),
    case("sleepers", f"$REC {K} -e sched:sched_switch -F 4000 -o $OUT/sleepers.data -a "
         "-- $W/sleepers 3 500 8", checked=200),
    # Most of the threads sleep when the recording ends, in a system call that was sampled.
    case("asleep", f"""
$W/sleepers 60 750 4 & load=$!
$W/sleepers 60 750 4 & load="$load $!"
sleep 2
$REC {K} -e sched:sched_switch -F 2000 -a -v -o $OUT/asleep.data -- sleep 3
status=$?
kill $load; wait $load
exit $status
""", checked=200, rounds=False,
         log=WHOLE + r"(?!.* in kernel at end)"),
    # Of all that runs, perf too: what is cut is below functions that use the frame pointer register for
    # something else, and reaches further than the copy.
    case("off-cpu", f"""
$W/sleepers 60 750 4 & load=$!
sleep 2
$REC {K} --off-cpu -F 500 -a -o $OUT/off-cpu.data -- sleep 3 2>/tmp/err
status=$?
cat /tmp/err
kill $load; wait $load
# Stacks of threads that sleep at the end are read when all that was recorded is known.
cut=$(/bin/perf script -i $OUT/off-cpu.data --no-inline --cut-only -F ip,sym | grep -c leaf_block)
echo "$cut stacks of sleepers are cut"
[ $cut -lt 100 ] || grep -q 'records lost' /tmp/err || status=1
exit $status
""", checked=200, rounds=False, log=WHOLE + r" \((9[0-9]|100)[.0-9]* %"),
    # A CPU comes back while it is recorded, and goes and comes back at once: the command begins when
    # perf has begun.
    case("hotplug", """
echo 0 >/sys/devices/system/cpu/cpu1/online
$REC -g --defer=copy -e cpu-clock --off-cpu -F 500 -a -o $OUT/hotplug.data -- sh -c "
	sleep 1; echo 1 >/sys/devices/system/cpu/cpu1/online; sleep 1
	echo 0 >/sys/devices/system/cpu/cpu1/online; echo 1 >/sys/devices/system/cpu/cpu1/online
	sleep 1; taskset 2 $W/threads-nofp 2 2"
status=$?
/bin/perf script -i $OUT/hotplug.data -C 1 -F cpu,comm,event | grep -v swapper |
	awk '/cpu-clock/ { on++ } /offcpu-time/ { off++ }
		END { print on + 0 " samples on the CPU that came, " off + 0 " waits" }'
exit $status
""", checked=20, rounds=False, suites=ALL,
         log="2 times a CPU came online(?s:.*)[1-9][0-9]+ samples on the CPU that came, [1-9]"),
    # The program that walks stacks runs there, too.
    case("hotplug-walk", """
echo 0 >/sys/devices/system/cpu/cpu1/online
$REC -v --defer=bpf,check -e cpu-clock --off-cpu -F 500 -a -o $OUT/hotplug-walk.data -- sh -c "
	sleep 1; echo 1 >/sys/devices/system/cpu/cpu1/online; sleep 1; taskset 2 $W/threads-nofp 2 2"
status=$?
/bin/perf script -i $OUT/hotplug-walk.data -C 1 --whole-only -F cpu,comm,event | grep -v swapper |
	awk '/cpu-clock/ { on++ } /offcpu-time/ { off++ }
		END { print on + 0 " whole stacks on the CPU that came, " off + 0 " of waits" }'
exit $status
""", checked=20, rounds=False, suites=ALL,
         log="compared with copies, 0 different(?s:.*)[1-9][0-9]+ whole stacks on the CPU that came, [1-9]"),
    # Of the first of two files: its sleepers go on sleeping in the second one.
    case("asleep-switch", f"""
$W/sleepers 60 750 4 & load=$!
sleep 2
$REC {K} -e sched:sched_switch -F 1000 -p $load --switch-output=1s -o $OUT/asleep -- sleep 5
status=$?
kill $load; wait $load
set -- $OUT/asleep.2*
mv $1 $OUT/asleep-switch.data
shift
mv $1 $OUT/asleep-next.data
rm -f $OUT/asleep.2*
exit $status
""", checked=100, share=0.998, rounds=False),
    case("asleep-next", "[ -e $OUT/asleep-next.data ]", checked=100, share=0.998, rounds=False),
    # Without permission to record every task, records come with the samples until the end.
    case("asleep-user", """
echo 1 >/proc/sys/kernel/perf_event_paranoid
su user -s /bin/sh -c "cd /tmp; $W/sleepers 60 400 4 & load=\\$!
	sleep 2
	$REC -g --defer=kernel -e cpu-clock -e context-switches -F 1000 -o /tmp/u.data -p \\$load -- sleep 3
	status=\\$?
	kill \\$load
	exit \\$status"
status=$?
echo -1 >/proc/sys/kernel/perf_event_paranoid
cat /tmp/u.data >$OUT/asleep-user.data
rm -f /tmp/u.data
exit $status
""", checked=100, share=0.995, rounds=False),
    # The records of exiting tasks come through events of their own, the tracker: without it, some
    # hundred samples are missing their user part because their thread exited.
    case("lives", f"$REC {K} -F 6000 -o $OUT/lives.data -- $W/lives 2", checked=5,
         log=NOT_EXITED, peer=f"$PEER_REC {PEER} -F 6000 -o $OUT/lives.peer.data -- $W/lives 2"),
    case("lives-user", LIVES_USER, checked=5, share=0.99, log=NOT_EXITED),
    # Without copies of the top of the stack some 20 chains have all callers.
    case("leaves", f"$REC {K} -F 3000 -o $OUT/leaves.data -- $W/leaves 2 32", checked=500,
         share=0.99),
    case("lives-all", f"$REC {K} -F 6000 -a -o $OUT/lives-all.data -- $W/lives 2", checked=5),
    case("signals", f"$REC {K} --no-stitch --user-regs=ip -F 3000 -o $OUT/signals.data "
         "-- $W/signals 3 16", checked=200, share=0.98, registers=True, raw=True,
         peer=f"$PEER_REC {PEER} --user-regs=ip -F 3000 -o $OUT/signals.peer.data "
         "-- $W/signals 3 16"),
    # Samples on the way to a handler and back.
    case("signals-events", "$REC -g --defer=kernel --user-regs=ip -e raw_syscalls:sys_enter "
         "-e raw_syscalls:sys_exit -e signal:signal_generate -e signal:signal_deliver "
         "-o $OUT/signals-events.data -- $W/signals 2 8", checked=1000, share=0.98, registers=True),
    case("signals-copy", "$REC -g --defer=copy -e cpu-clock -F 2000 -o $OUT/signals-copy.data "
         "-- $W/signals-nofp 2 8", checked=100, share=0.95, suites=("sid", "trixie"), archs=ANY),
    case("raw", f"$REC {K} --no-stitch -F 3000 -o $OUT/raw.data -- $W/threads 2 96",
         checked=2000, share=0.99, log=WHOLE, raw=True),
    case("raw-lives", f"$REC {K} --no-stitch -F 6000 -o $OUT/raw-lives.data -- $W/lives 2",
         checked=5, raw=True),
    case("passed", f"$REC {K} -e sched:sched_switch -F 4000 --max-pending 64k --no-stitch-rest "
         "-o $OUT/passed.data -a -- $W/sleepers 3 500 8", checked=200, log="passed unmerged",
         raw=True),
    case("rest", f"$REC {K} -e sched:sched_switch -F 4000 --max-pending 64k "
         "-o $OUT/rest.data -a -- $W/sleepers 3 500 8", checked=200,
         log=r"passed unmerged(?s:.*)perf stitch: "),
    case("switch", f"""
$REC {K} -F 2000 --switch-output=1s -o $OUT/switched -- $W/threads 3 32
status=$?
set -- $OUT/switched.*
mv $1 $OUT/switch.data
shift
mv $1 $OUT/switch-next.data
rm -f $OUT/switched*
exit $status
""", checked=20, share=0.8),
    # Each of 32 threads may be in the kernel when a file ends, with a sample or two.
    case("switch-next", "[ -e $OUT/switch-next.data ]", checked=20, share=0.8),
    case("pipe-stitch", f"$REC {K} -F 2000 -o - -- $W/threads 2 32 | "
         "perf stitch -i - -o - >$OUT/pipe-stitch.data", checked=100, share=0.99, raw=True),
    case("pipe-report", f"$REC {K} -F 2000 -o - -- $W/threads 2 32 | tee $OUT/pipe-report.data | "
         "perf report -i - --stdio", checked=100, share=0.99, log="bit1", raw=True),
    # Attached, since MMAP records are lost as well when a program starts under such a recorder.
    case("lossy", ATTACH.format(name="lossy", how=f"$REC {K} -m 1 -F 20000", target="-p $load"),
         checked=500, rounds=False,
         peer=ATTACH.format(name="lossy.peer", how=f"$PEER_REC {PEER} -m 1 -F 20000",
                            target="-p $load")),
    case("pid", ATTACH.format(name="pid", how=f"$REC {K} -F 2000", target="-p $load"),
         checked=100, rounds=False),
    case("tid", ATTACH.format(name="tid", how=f"$REC {K} -F 2000", target="-t $(ls "
                              "/proc/$load/task | tail -n 8 | tr '\\n' ',' | sed 's/,$//')"),
         checked=20, rounds=False),
    case("user-mode", "$REC -g --defer=kernel -e cpu-clock:u -F 3000 -o $OUT/user-mode.data "
         "-- $W/threads 3 16", checked=20, share=1.0),
    case("deep", f"$REC {K} -F 1000 -o $OUT/deep.data -- $W/deep 1 600", share=0.99),
    case("compat32", f"$REC {K} -F 4000 -o $OUT/compat32.data -- $W/compat32", share=0.99),
    case("contexts", f"""
echo 2 >/proc/sys/kernel/perf_event_max_contexts_per_stack
$REC {K} -F 3000 -o $OUT/contexts.data -- $W/threads 1 16
status=$?
echo 8 >/proc/sys/kernel/perf_event_max_contexts_per_stack
exit $status
"""),
    case("two", f"""
$W/threads 60 32 & load=$!
sleep 1
$REC {K} -F 500 -o $OUT/two-other.data -p $load -- sleep 2 & other=$!
$REC {K} -F 2000 -a -o $OUT/two.data -- sleep 2
status=$?
wait $other || status=$?
kill $load; wait $load
exit $status
""", checked=100, rounds=False),
    # At the end events are disabled one after the other, COMM records on one CPU first.
    case("interrupt", f"""
$REC {K} -F 2000 -o $OUT/interrupt.data -- $W/threads 30 16 & rec=$!
for i in $(seq 100); do
	[ "$(wc -c 2>/dev/null <$OUT/interrupt.data || echo 0)" -lt 200000 ] || break
	sleep 0.25
done
kill -INT $rec
wait $rec
""", status=None, checked=50, rounds=False),
    case("pipe", f"$REC {K} -F 2000 -a -o - -- $W/threads 2 32 >$OUT/pipe.data", checked=100,
         raw=True),
    case("compress", f"$REC {K} -z -F 2000 -o $OUT/compress.data -- $W/threads 1 32",
         checked=50, share=0.98),
    case("compress-pipe", f"$REC {K} -z -F 2000 -o - -- $W/threads 1 16 "
         ">$OUT/compress-pipe.data", checked=20, raw=True),
    case("per-thread", ATTACH.format(name="per-thread", how=f"$REC {K} --per-thread -F 2000",
                                     target="-p $load"),
         checked=100, share=0.95, rounds=False, times=False),
    case("per-thread-time", ATTACH.format(
        name="per-thread-time", how=f"$REC {K} --per-thread -T -F 2000", target="-p $load"),
         checked=100, share=0.95, rounds=False),
    case("per-thread-copy", ATTACH.format(
        name="per-thread-copy", how="$REC -g --defer=copy --per-thread -e cpu-clock -F 1000",
        target="-p $load"), checked=50, share=0.95, rounds=False),
    case("auto", "$REC -v -g --defer -e cpu-clock -F 2000 -o $OUT/auto.data -- $W/threads 1 16",
         checked=50, share=0.98, log="kernel"),
    case("auto-nofp", "$REC -v -g --defer -e cpu-clock -F 2000 -o $OUT/auto-nofp.data "
         "-- $W/threads-nofp 1 16", checked=50, share=0.95, log="copy"),
    case("copy", "$REC -g --defer=copy -e cpu-clock -F 2000 -o $OUT/copy.data "
         "-- $W/threads-nofp 2 16", checked=100, share=0.98, suites=ALL, archs=ANY),
    case("copy-all", "$REC -g --defer=copy -e cpu-clock -F 1000 -a -o $OUT/copy-all.data "
         "-- $W/threads-nofp 2 16", checked=20, suites=ALL, archs=ANY),
    case("copy-lives", "$REC -g --defer=copy -e cpu-clock -F 4000 -o $OUT/copy-lives.data "
         "-- $W/lives 2", checked=5, suites=ALL),
    case("foreign-auto", "$REC -v -g --defer -e cpu-clock -F 2000 -o $OUT/foreign-auto.data "
         "-- $W/threads 1 16", checked=50, share=0.98, log="copy", suites=ALL, archs=OTHERS),
    *[case("foreign-" + what, f"$REC {how} -e cpu-clock -o /tmp/no.data -- true", status="fails",
           log=log, suites=ALL, archs=OTHERS)
      for what, how, log in (("defer", "-g --defer=kernel", "6.19|only those of x86"),
                             ("walk", "--defer=bpf", "x86-64 only"),
                             ("agent", "--agent", "x86-64 only"))],
    case("foreign-runtimes", "$REC --defer --runtimes=java -o /tmp/no.data -- true", status=129,
         share=None, log="x86-64 only", suites=ALL, archs=OTHERS),
    case("foreign-units", UNITS.format(names=UNIT_NAMES), share=None, suites=ALL, archs=OTHERS),
    case("refused", "$REC -g --defer=kernel -e cpu-clock -o $OUT/refused.data -- $W/threads 1 4",
         status="fails", log="6.19", suites=("trixie", "bookworm")),
    case("fallback", "$REC -v -g --defer -e cpu-clock -F 2000 -o $OUT/fallback.data "
         "-- $W/threads 1 16", checked=50, share=0.98, log="copy", suites=("trixie", "bookworm")),
    # A kernel that takes no program that walks stacks: bullseye's 5.10.
    case("old", "$REC -v -g --defer -e cpu-clock -F 2000 -o $OUT/old.data -- $W/threads-nofp 2 16",
         checked=100, share=0.98, log="5.17 to walk stacks; this is 5.10", suites=OLD),
    case("old-all", "$REC -g --defer -e cpu-clock -F 1000 -a -o $OUT/old-all.data "
         "-- $W/threads-nofp 2 16", checked=20, suites=OLD),
    case("old-bpf", "$REC -g --defer=bpf -e cpu-clock -o $OUT/old-bpf.data -- $W/threads 1 4",
         status="fails", log="5.17 to walk stacks; this is 5.10", suites=OLD),
    *[case(f"paranoid{p}", USER.format(name=f"paranoid{p}", paranoid=p), checked=n, status=s,
           log=log, suites=ALL, archs=ANY)
      for p, n, s, log in ((-1, 20, 0, None), (0, 20, 0, None), (1, 20, 0, None),
                           (2, 5, 0, None), (3, 0, "fails", "perf_event_paranoid"))],
    *[case(f"userns{p}", USERNS.format(name=f"userns{p}", paranoid=p), checked=n, status=s,
           log=log, suites=ALL, archs=ANY)
      for p, n, s, log in ((2, 5, 0, "this is a user namespace"),
                           (3, 0, "fails", "outside of this user namespace"))],
    *[case(f"yama{n}", YAMA.format(scope=n), checked=5, share=0.95, rounds=False)
      for n in (1, 2)],
    case("activity", ACTIVITY.format(name="activity", regs="user", regs1="u", options="", more=""),
         log="[0-9]+ ids, 0 missing, 0 wrong", suites=ALL),
    case("walk-activity", ACTIVITY.format(name="walk-activity", regs="intr", regs1="i",
                                          options="--defer=bpf,check", more=BOTH),
         log="(?s)[0-9]{3,} ids, 0 missing, 0 wrong.*[0-9]{3,} chains, 0 different", suites=ALL),
    case("agent", AGENT.format(name="agent", options="--defer=copy", least=70,
                                run=BEGUN.format(mode="plain")),
         log="spelled, [0-9]+ with a record, 0 wrong", suites=ALL),
    # Kernels that defer: the record with the sample's cookie has to agree.
    *[case("cookie-" + mode, AGENT.format(name="cookie-" + mode, options="", least=least,
                                           run=BEGUN.format(mode=mode) if mode != "attached" else ATTACHED),
           log="(?s)[0-9]{2,} with their cookie.*spelled, [0-9]+ with a record, 0 wrong")
      for mode, least in (("plain", 60), ("timer", 40), ("drop30", 20), ("swallow30", 20),
                           ("attached", 60))],
    case("python", PYTHON.format(name="python", **WITH_EVENTS),
         log="no Python|[0-9]+ stacks of Python, 0 wrong", suites=ALL),
    case("python-timers", PYTHON.format(name="python-timers", **BY_TIMERS),
         log="no Python|[0-9]+ stacks of Python, 0 wrong, 0 frames of the kernel", suites=ALL),
    case("walk", WALK, log="[0-9]+ of them compared with copies, 0 different", suites=ALL),
    case("walk-python", WALK_PYTHON, log="[0-9]{3,} stacks of Python, [0-9]+ not all named, 0 wrong",
         suites=ALL),
    case("execve", EXECVE, log="[0-9]+ samples in execve", suites=ALL),
    case("options", OPTIONS, checked=20, share=0.9, suites=ALL, archs=ANY),
]


def quoted(name, script):
    return "run %s '%s'" % (name, script.replace("'", "'\\''"))


def choose(suite, arch, patterns):
    """The cases of @suite on @arch whose name one of @patterns fits."""
    return [c for c in CASES if suite in c.suites and arch in c.archs and
            any(fnmatch.fnmatchcase(c.name, p) for p in patterns)]


def guest_script(suite, chosen):
    """The shell script that runs these cases in the guest of @suite."""
    lines = [
        "export OUT=/out W=/w REC='/bin/perf record' PEER_REC='/bin/peer-perf record'",
        "echo -1 >/proc/sys/kernel/perf_event_paranoid",
        "echo 0 >/proc/sys/kernel/kptr_restrict",
        "echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent",
        "cat /proc/kallsyms >/out/kallsyms",
        "run() { # NAME SCRIPT",
        "	t=$(cut -d' ' -f1 /proc/uptime)",
        "	[ ${t%%.*} -lt %d ] || return" % BUDGET[suite],
        "	timeout -s KILL 150 /bin/sh -c \"$2\" >/out/$1.log 2>&1",
        "	echo $1 $? $t $(cut -d' ' -f1 /proc/uptime) >>/out/results",
        "}",
    ]
    ours, peers = [], []
    for c in chosen:
        ours.append(quoted(c.name, c.script))
        if c.peer:
            peers.append(quoted(c.name + ".peer", c.peer))
    return "\n".join(lines + ours + peers) + "\n"
