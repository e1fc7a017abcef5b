#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: confined-commands.py PERF EVENT

Looks into /proc/PID/status of each command, which waits for its recording or shows it: whether the
process that parses is confined, and whether what opens files for it ends with it, although that waits
for a FIFO which nobody writes. "in.data" is a recording, "input" such a FIFO.
"""
import glob
import os
import pty
import subprocess
import sys
import time

PERF, EVENT = sys.argv[1:3]
# Wait for their recording.
WAIT = """annotate --stdio -i input
archive input
buildid-cache -M input
buildid-list -i input
data bundle -i input -o x
data convert --to folded -i input -o x
data push --url http://127.0.0.1:9/ingest --spool spool -i input
diff input in.data
evlist -i input
inject -i input -o x
inject -j -i input -o x
report --stdio -i input
report --brief -i input
report --html x -i input
script -i input
script -g python -i input
script --per-event-dump -i input
stitch -i input -o x
unwind stats -i input""".split("\n")
# Show it until somebody presses a key, on a terminal; or what runs.
SHOW = ["annotate -i in.data", "report -i in.data", "top --stdio -p %d -e %s" % (os.getpid(), EVENT),
        "top --tui -p %d -e %s" % (os.getpid(), EVENT)]
# Read nothing that others made, but files of the system, or their programs are the user's (reader.md).
NOTHING = "bench check config doctor help list test version whole".split()
NOT_CONFINED = ["record -q -e %s -o y.data -- sleep 100" % EVENT]
SCRIPT = "script -s s.py -i in.data"


def fail(text):
    sys.exit("confined-commands: " + text)


def status(pid):
    try:
        with open("/proc/%d/status" % pid) as f:
            return dict(line.rstrip("\n").split(":\t", 1) for line in f if ":\t" in line)
    except OSError:
        return {}


def with_children(pid):
    found = [pid]
    for name in glob.glob("/proc/%d/task/*/children" % pid):
        try:
            with open(name) as f:
                for child in f.read().split():
                    found += with_children(int(child))
        except OSError:
            pass
    return found


def is_confined(pid):
    """Has a filter, can gain no rights, and has none."""
    s = status(pid)
    return s.get("Seccomp") == "2" and s.get("NoNewPrivs") == "1" and int(s.get("CapPrm", "1"), 16) == 0


def wait_until(what, condition):
    end = time.monotonic() + 60
    while not condition():
        if time.monotonic() > end:
            fail(what)
        time.sleep(0.01)


def start(command, terminal=False):
    if not terminal:
        return subprocess.Popen([PERF] + command.split(), stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL), None
    master, slave = pty.openpty()
    process = subprocess.Popen([PERF] + command.split(), stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    return process, master


def finish(command, process, master):
    whole = with_children(process.pid)
    process.terminate()
    process.wait()
    if master is not None:
        os.close(master)
    wait_until("%s: it has ended, and left %s" % (command, [p for p in whole if status(p)]),
               lambda: not any(status(p).get("State", "Z")[0] != "Z" for p in whole))


def check_confined(command, terminal=False):
    process, master = start(command, terminal)
    wait_until("%s: nothing of it is confined" % command,
               lambda: any(is_confined(p) for p in with_children(process.pid)))
    finish(command, process, master)


def check_not(command, condition):
    process, _ = start(command)
    wait_until("%s did not begin" % command, lambda: condition(process.pid))
    if is_confined(process.pid):
        fail("%s is confined: reader.md and security.md say that it is not" % command)
    finish(command, process, None)


def records(pid):
    try:
        return any("perf_event" in os.readlink(f) for f in glob.glob("/proc/%d/fd/*" % pid))
    except OSError:
        return False


def main():
    for command in WAIT:
        check_confined(command)
    for command in SHOW:
        check_confined(command, terminal=True)
    for command in NOT_CONFINED:
        check_not(command, records)
    options = subprocess.run([PERF, "version", "--build-options"], stdout=subprocess.PIPE).stdout
    if b"python3: [ on" in options:
        with open("s.py", "w") as f:
            f.write("import time\ndef trace_begin():\n\topen('begun', 'w').close()\n\ttime.sleep(100)\n")
        check_not(SCRIPT, lambda pid: os.path.exists("begun"))
    seen = set(NOTHING) | {c.split()[0] for c in WAIT + SHOW + NOT_CONFINED}
    folder = os.path.join(os.environ["PERF_TEST_DIR"], "..")
    for name in subprocess.run([PERF, "--list-cmds"], stdout=subprocess.PIPE).stdout.decode().split():
        if name not in seen and os.path.exists(os.path.join(folder, "builtin-%s.c" % name)):
            fail("perf %s is new: is it confined while it reads what others made?" % name)
    print("%d commands are confined" % len(WAIT + SHOW))


main()
