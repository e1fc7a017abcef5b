# SPDX-License-Identifier: GPL-2.0-only
# For tests of perf record --activity: beside lib.sh.
need_python
need_root
need_event cpu-clock
[ "$(uname -m)" = x86_64 ] || skip "thread-local variables are read on x86-64 only"

# try_activity: one of these recordings works here.
try_activity() {
	perf record -q -e cpu-clock --activity=tls:x -o try.data -- true 2>try.err && return
	grep -Eq 'refuses|PID namespace|BTF|btf' try.err || fail "$(cat try.err)"
	skip "$(head -n 1 try.err)"
}
try_activity

# record_ids FILE WHAT COMMAND...: with the register that has the truth.
record_ids() {
	local file=$1 what=$2
	shift 2
	perf record -F 2000 -e cpu-clock:u --user-regs=r15 "--activity=$what" -o "$file" -- "$@" 2>err
}

# check_ids FILE LEAST [PID]: each id is that of the register, or the one before it, which the thread was
# about to replace; from the first id on each sample of a process in its loop has one; and at least
# so many have. Of other programs' registers one in 50 million looks like an id of the workload; with
# PID only that process counts, where all CPUs were recorded and other tests run, too. With regs=iregs the
# register is that of --intr-regs.
check_ids() {
	perf script -i "$1" -G -F "comm,pid,tid,time,activity,ip,${regs:-uregs}" >ids.txt
	python - "$2" "${3:-}" <<'END'
import collections, re, sys
seen, known, missing, wrong, threads = 0, set(), collections.Counter(), [], set()
for line in open("ids.txt"):
    m = re.search(r"(\d+)/(\d+) +[\d.]+: +(.*?) +[0-9a-f]+ ABI:2 +R15:0x(a5[0-4][0-9a-f]0000[0-9a-f]{8}) *$", line)
    if not m or sys.argv[2] not in ("", m[1]):
        continue
    pid, tid, text, truth = m[1], m[2], m[3], int(m[4], 16)
    if text == "-":
        missing[pid] += pid in known
        continue
    if text.startswith("0x"):
        got = int(text, 16)
    elif text.startswith("{id="):
        continue # bytes that are no text
    else:
        got = int.from_bytes(bytes.fromhex(text[:16]), "little")
    known.add(pid)
    threads.add(tid)
    seen += 1
    if got not in (truth, truth - 1):
        wrong.append(line)
print(f"{seen} ids of {len(threads)} threads, {sum(missing.values())} missing, {len(wrong)} wrong")
sys.stdout.writelines(wrong[:5])
sys.exit(bool(wrong) or any(missing.values()) or seen < int(sys.argv[1]))
END
}
