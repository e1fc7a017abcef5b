#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: run.py [--cases=PATTERN,...] [--arch=ARCH,...] PERF OUT [SUITE...]      (make check-vm)

Boots the current kernel of each Debian suite in QEMU, records with PERF inside, and checks what
came back: sid's kernel defers user callchains (6.19 and later), those of trixie and bookworm do
not and show the fallback. ARCH is x86_64 (the default), arm64 or s390x: perf is built for it, and
what was recorded there is read here. Kernels and peers come by apt into a cache outside the tree
($PERF_VM_CACHE, else ~/.cache/perf-vm). Recordings, logs and table.md end up in OUT.
With --cases these alone are run; * in a pattern is any text.
Ends with "N passed, N failed, N skipped".
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import time

import apt
import cases
import foreign
import machine

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, os.path.join(os.path.dirname(HERE), "lib"))
import truth  # noqa: E402  (the tests of the recordings use it, too)

SUITES = ("sid", "trixie", "bookworm")
FOREIGN_SUITES = ("sid",)
MOVED_MOST = 0.25    # share of the chains that may begin elsewhere than their sample, in a storm
LIMIT = {"sid": 480}  # seconds for one guest; see also cases.BUDGET
CFLAGS = ["-std=gnu11", "-D_GNU_SOURCE", "-O1", "-g", "-pthread", "-static"]


def need_tools(arch):
    for tool in (arch.qemu, "apt-get", "dpkg", "cpio", "gcc", "zstd", "xz"):
        if not shutil.which(tool, path=os.environ["PATH"] + ":/sbin:/usr/sbin"):
            raise apt.Unavailable("needs %s" % tool)
    if os.uname().machine != "x86_64":
        raise apt.Unavailable("needs x86-64 (this is %s)" % os.uname().machine)
    with open("/proc/meminfo") as f:
        free = int(re.search(r"^MemAvailable: *(\d+)", f.read(), re.M).group(1)) >> 10
    if free < machine.GUEST_MB + 512:
        raise apt.Unavailable("needs %d MB of memory (%d are free)" % (machine.GUEST_MB + 512, free))
    busybox = shutil.which("busybox")
    if not busybox:
        raise apt.Unavailable("needs busybox (busybox-static)")
    return busybox


def build_programs(dest, arch, compiler):
    """The programs of programs/, with frame pointers, and two of them without, too."""
    os.makedirs(dest, exist_ok=True)
    source = os.path.join(HERE, "programs")
    own = ("leaves",) if arch is foreign.X86_64 else () # their instructions are those of x86-64
    jobs = [(n, n, ["-fno-omit-frame-pointer"]) for n in ("threads", "sleepers", "lives", "deep",
                                                          "signals", *own)]
    jobs += [(n + "-nofp", n, ["-fomit-frame-pointer"]) for n in ("threads", "signals", *own)]
    for out, name, flags in jobs:
        subprocess.run([*compiler, *CFLAGS, *arch.flags, *flags, "-o", os.path.join(dest, out),
                        os.path.join(source, name + ".c")], check=True)
    if arch is not foreign.X86_64:
        return
    subprocess.run(["gcc", "-m32", "-O1", "-fno-omit-frame-pointer", "-fno-stack-protector",
                    "-fno-pie", "-no-pie", "-nostdlib", "-ffreestanding", "-static", "-o",
                    os.path.join(dest, "compat32"), os.path.join(source, "compat32.c")], check=True)


def copy_with_libraries(program, root, name):
    dest = os.path.join(root, name)
    os.makedirs(os.path.dirname(dest), exist_ok=True)
    shutil.copy(program, dest)
    libraries = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    for lib in re.findall(r"(/\S+)", libraries):
        to = root + os.path.realpath(os.path.dirname(lib)) + "/" + os.path.basename(lib)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        shutil.copy(lib, to)
    for link in ("lib", "lib64"):
        target = os.readlink("/" + link) if os.path.islink("/" + link) else None
        if target and not os.path.lexists(os.path.join(root, link)):
            os.symlink(target, os.path.join(root, link))


def copy_python(root):
    """The machine's Python, with what it needs to start by `-S -I`. Without one, its cases say so."""
    python = os.path.realpath("/usr/bin/python3")
    if not os.path.exists(python):
        return
    name = os.path.basename(python)
    copy_with_libraries(python, root, "usr/bin/" + name)
    os.symlink(name, os.path.join(root, "usr/bin/python3"))
    home = "usr/lib/" + name
    shutil.copytree(os.path.join("/", home, "encodings"), os.path.join(root, home, "encodings"))
    for name in ("codecs", "io", "abc", "os", "stat", "posixpath", "genericpath", "_collections_abc"):
        shutil.copy(os.path.join("/", home, name + ".py"), os.path.join(root, home))


def peer_command(tree, perf="usr/bin/perf"):
    """How to run the perf of an unpacked suite: by its own loader, with its own libraries."""
    loader = os.path.join(tree, "usr/lib64/ld-linux-x86-64.so.2")
    if not os.path.exists(loader):
        loader = os.path.join(tree, "lib64/ld-linux-x86-64.so.2")
    paths = [os.path.join(tree, d) for d in ("usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu")]
    version = [os.path.join(tree, "usr/bin", n) for n in sorted(os.listdir(
        os.path.join(tree, "usr/bin"))) if re.match(r"perf(_[\d.]+)?$", n)]
    # bookworm's `perf` may be a script in front of perf_VERSION.
    binary = next((v for v in reversed(version) if open(v, "rb").read(4) == b"\x7fELF"), None)
    return [loader, "--library-path", ":".join(paths), binary or os.path.join(tree, perf)]


def begin_root(root, busybox, suite, chosen):
    """What all have: the script, a shell, and a name for perf."""
    shutil.rmtree(root, ignore_errors=True)
    for name in ("guest", "bin"):
        os.makedirs(os.path.join(root, name))
    shutil.copy(busybox, os.path.join(root, "bin/busybox"))
    os.symlink("/usr/bin/perf", os.path.join(root, "bin/perf"))
    with open(os.path.join(root, "guest/main.sh"), "w") as f:
        f.write(cases.guest_script(suite, chosen))


def build_foreign_root(root, out, debian, arch, chosen):
    """Of an architecture that is not this machine's; what is not for it is not there."""
    sysroot = foreign.sysroot(debian)
    perf = foreign.build(arch, sysroot, os.path.join(out, "build-" + arch.name))
    begin_root(root, os.path.join(sysroot, "usr/bin/busybox"), debian.name, chosen)
    foreign.copy_with_libraries(arch, perf, sysroot, root, "usr/bin/perf")
    shutil.copytree(os.path.join(foreign.TREE, "tools/perf/tests/data"),
                    os.path.join(root, "usr/bin/tests/data"))
    build_programs(os.path.join(root, "w"), arch, foreign.compiler(arch, sysroot))


def build_root(root, busybox, perf, peer, suite, chosen):
    begin_root(root, busybox, suite, chosen)
    copy_with_libraries(perf, root, "usr/bin/perf")
    os.makedirs(os.path.join(root, "agent"))
    shutil.copy(os.path.join(os.path.dirname(perf), "libperf-agent.so"), os.path.join(root, "agent"))
    copy_python(root)
    build_programs(os.path.join(root, "w"), foreign.X86_64, ["gcc"])
    for top in ("usr/lib", "usr/lib64", "lib", "lib64", "usr/bin"):
        if os.path.isdir(os.path.join(peer, top)) and not os.path.islink(os.path.join(peer, top)):
            shutil.copytree(os.path.join(peer, top), os.path.join(root, "peer", top), symlinks=True,
                            ignore=shutil.ignore_patterns("python3*", "perl", "gconv", "perf-core"))
    command = " ".join(a.replace(peer, "/peer") for a in peer_command(peer))
    with open(os.path.join(root, "bin/peer-perf"), "w") as f:
        f.write("#!/bin/sh\nexec %s \"$@\"\n" % command)
    os.chmod(os.path.join(root, "bin/peer-perf"), 0o755)


def program_ranges(program):
    """Where a program's functions are that truth.py asks for; registers have no symbols."""
    names = subprocess.run(["nm", "-S", "--defined-only", program], capture_output=True, text=True,
                           check=True).stdout
    return [(int(m[1], 16), int(m[1], 16) + int(m[2] or "10", 16), m[3]) for m in re.finditer(
        r"^(\w+) (?:(\w+) )?[tT] (bit[01]|spell|_start|__restore_rt|on_\w+)$", names, re.M)]


def script_tally(perf, data, root, c):
    """What `perf script` of @perf (a command) says of a recording; None and its words if it fails."""
    fields = "comm,tid,time,ip,sym" if c.times else "comm,tid,ip,sym"
    if c.registers:
        fields += ",symoff,uregs"
    run = subprocess.Popen([*perf, "script", "--no-inline", "-i", data, "--symfs", root, "-F", fields],
                           stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, errors="replace",
                           env={**os.environ, "DEBUGINFOD_URLS": "", "PERF_BUILDID_DIR": "/dev/null"})
    ranges = program_ranges(os.path.join(root, "w/signals")) if c.registers else ()
    tally = truth.check(run.stdout, c.rounds, ranges)
    words = run.stderr.read()
    return tally, run.wait(), words


# A name that was lost, or came when its samples had been written. A processor of the machine may
# stand still between the time that a record gets and its end, which no reader can know.
LATE = re.compile(r"lost [\d,]+ records|[\d,]+ records? out of order")
DEFER_BITS = 38, 39  # defer_callchain, defer_output, in the flags of an attr


def says_deferred(path):
    """Does an attr of this file (not a pipe's) say that callchains are deferred?"""
    with open(path, "rb") as f:
        head = f.read(40)
        big = head.startswith(b"2ELIFREP")
        order = ">" if big else "<"
        if len(head) < 40 or struct.unpack_from(order + "Q", head, 8)[0] < 40:
            return False
        entry, at, size = struct.unpack_from(order + "3Q", head, 16)
        f.seek(at)
        attrs = f.read(size)
    # The first of C's bits is the lowest one of a number, or the highest.
    mask = sum(1 << (63 - bit if big else bit) for bit in DEFER_BITS)
    return any(struct.unpack_from(order + "Q", attrs, i + 40)[0] & mask
               for i in range(0, size, entry))


class Guest:
    """A suite on an architecture: its kernel booted, its cases run, their recordings judged."""

    def __init__(self, perf, out, suite, arch, patterns):
        self.perf, self.out, self.arch = perf, out, arch
        self.of, self.suite = suite, suite if arch is foreign.X86_64 else "%s-%s" % (suite, arch.name)
        self.cases = cases.choose(suite, arch.name, patterns)
        self.rows, self.failures, self.passed = [], [], 0

    def boot(self, cache, busybox):
        debian = apt.Suite(cache, self.of, self.arch.debian)
        self.version, kernel = debian.kernel()
        self.root = os.path.join(self.out, self.suite + ".root")
        if self.arch is foreign.X86_64:
            self.peer_tree = debian.perf()
            build_root(self.root, busybox, self.perf, self.peer_tree, self.of,
                       self.cases)
        else:
            build_foreign_root(self.root, self.out, debian, self.arch, self.cases)
        initramfs = os.path.join(self.out, self.suite + ".initramfs")
        machine.pack(self.root, kernel, initramfs)
        self.dir = os.path.join(self.out, self.suite)
        tries = machine.accelerators(self.arch)
        for attempt, accel in enumerate(tries):
            try:
                self.boot_time, self.took = machine.boot(kernel, initramfs, self.dir, truth.CPUS,
                                                         LIMIT.get(self.of, 150), accel, self.arch)
                break
            except machine.Failure as e:
                if attempt + 1 == len(tries):
                    if isinstance(e, machine.NoVerdict):
                        raise apt.Unavailable("no guest comes up here, or stays up: %s" % e)
                    raise
                print("%s: boot failed, trying again: %s" % (self.suite, e), flush=True)
        os.unlink(initramfs)
        with open(os.path.join(self.dir, "results")) as f:
            self.status = {w[0]: int(w[1]) for w in map(str.split, f)}

    def read(self, name):
        try:
            with open(os.path.join(self.dir, name), errors="replace") as f:
                return f.read()
        except OSError:
            return ""

    def judge(self, c):
        """Problems of one case, as a list of sentences."""
        got = self.status.get(c.name)
        log = self.read(c.name + ".log")
        if got is None:
            return ["it did not run"]
        if c.status == "fails":
            if got == 0 or got >= 128:
                return ["status %d; it should have failed with words" % got]
            return [] if re.search(c.log, log) else ["it does not say /%s/: %s" % (c.log, log)]
        problems = []
        if c.status is not None and got != c.status:
            problems.append("status %d, expected %d: %s" % (got, c.status, log.strip()[-400:]))
        if c.log and not re.search(c.log, log):
            problems.append("it does not say /%s/: %s" % (c.log, log.strip()[-400:]))
        return problems if c.share is None else problems + self.judge_recording(c)

    def judge_recording(self, c):
        late = LATE.search(self.read(c.name + ".log"))
        if late and c.rounds:
            print("%-8s %-14s the recorder says '%s': names are not compared" % (
                self.suite, c.name, late.group()), flush=True)
            c = c._replace(rounds=False)
        data = os.path.join(self.dir, c.name + ".data")
        if not os.path.exists(data):
            return ["no recording"]
        problems = self.judge_chains(c, data, "ours")
        if c.raw:
            stitched = os.path.join(self.dir, c.name + ".stitched")
            run = subprocess.run([self.perf, "stitch", "-i", data, "-o", stitched],
                                 capture_output=True, text=True)
            if run.returncode:
                return problems + ["perf stitch ended with %d: %s" % (run.returncode,
                                                                      run.stderr.strip()[-300:])]
            problems += self.judge_chains(c, stitched, "stitched")
            data = stitched
        if says_deferred(data):
            problems.append("%s says that it has deferred callchains" % os.path.basename(data))
        return problems

    def judge_chains(self, c, data, recorder):
        tally, status, words = script_tally([self.perf], data, self.root, c)
        self.add_row(c.name, recorder, "ours", tally)
        problems = []
        if status:
            problems.append("perf script ended with %d: %s" % (status, words.strip()[-300:]))
        if tally.wrong or tally.bogus or tally.unordered:
            problems.append("%d wrong, %d bogus addresses, %d out of order %s" % (
                tally.wrong, tally.bogus, tally.unordered, tally.examples))
        if tally.checked < c.checked:
            problems.append("only %d chains could be checked, expected %d" % (tally.checked,
                                                                              c.checked))
        if c.registers and not 5 <= tally.moved <= MOVED_MOST * (tally.placed + tally.moved):
            problems.append("signals moved %d of %d chains" % (tally.moved,
                                                               tally.placed + tally.moved))
        if tally.samples == 0 or tally.with_user < c.share * tally.samples:
            problems.append("%d of %d samples have a user part" % (tally.with_user, tally.samples))
        return problems

    def add_row(self, name, recorder, reader, t):
        self.rows.append((self.suite, name, recorder, reader, t.samples, t.with_user, t.checked,
                          t.wrong, t.bogus, t.unordered, t.moved))

    def compare_peer(self, c):
        """The peer on both files, ours on the peer's: figures for the table; it must read ours."""
        peer = peer_command(self.peer_tree)
        for data, recorder in ((c.name, "ours"), (c.name + ".peer", "peer")):
            path = os.path.join(self.dir, data + ".data")
            if not os.path.exists(path):
                continue
            tally, status, words = script_tally(peer, path, self.root, c)
            self.add_row(c.name, recorder, "peer", tally)
            if status:
                self.failures.append("%s/%s: the suite's perf ended with %d: %s" % (
                    self.suite, data, status, words.strip()[-200:]))
            if recorder == "peer":
                tally, status, words = script_tally([self.perf], path, self.root, c)
                self.add_row(c.name, recorder, "ours", tally)
                if status or tally.wrong or tally.bogus or tally.unordered:
                    self.failures.append("%s/%s: ours on the peer's file: status %d, %d wrong, "
                                         "%d bogus, %d out of order" % (
                                             self.suite, c.name, status, tally.wrong, tally.bogus,
                                             tally.unordered))

    def run(self):
        for c in self.cases:
            problems = self.judge(c)
            if problems:
                self.failures.append("%s/%s: %s" % (self.suite, c.name, "; ".join(problems)))
            else:
                self.passed += 1
            print("%-8s %-14s %s" % (self.suite, c.name, "FAILED: " + "; ".join(problems)
                                     if problems else "Ok"), flush=True)
            if self.arch is foreign.X86_64 and (c.peer or c.name in cases.READ_BY_PEER):
                self.compare_peer(c)


def table(guests):
    rows = ["| kernel of | case | recorder | reader | samples | with user part | checked | wrong "
            "| cookies as addresses | out of order | moved by signals |", "|" + "---|" * 11]
    for g in guests:
        rows += ["| %s |" % " | ".join("%s" % v for v in row) for row in g.rows]
    return "\n".join(rows) + "\n"


def main(argv):
    patterns, archs = ["*"], "x86_64"
    if len(argv) > 1 and argv[1].startswith("--cases="):
        patterns = argv.pop(1).partition("=")[2].split(",")
    if len(argv) > 1 and argv[1].startswith("--arch="):
        archs = argv.pop(1).partition("=")[2]
    if len(argv) < 3:
        print(__doc__)
        return 2
    perf, out, suites = os.path.abspath(argv[1]), os.path.abspath(argv[2]), argv[3:]
    for name in archs.split(","):
        if name not in foreign.ARCHS:
            print("no ARCH is called '%s': there are %s" % (name, ", ".join(foreign.ARCHS)))
            return 2
    cache = os.environ.get("PERF_VM_CACHE") or os.path.expanduser("~/.cache/perf-vm")
    os.makedirs(out, exist_ok=True)
    guests, skipped, start = [], 0, time.monotonic()
    for arch, suite in ((foreign.ARCHS[a], s) for a in archs.split(",") for s in
                        suites or (SUITES if a == "x86_64" else FOREIGN_SUITES)):
        guest = Guest(perf, out, suite, arch, patterns)
        if not guest.cases:
            print("%s: no case has such a name" % guest.suite)
            skipped += 1
            continue
        try:
            guest.boot(cache, need_tools(arch))
        except apt.Unavailable as e:
            print("%s: skipped: %s" % (guest.suite, e))
            skipped += 1
            continue
        except machine.Failure as e:
            guest.failures.append("%s: %s" % (guest.suite, e))
            guests.append(guest)
            continue
        print("%s: Linux %s, %.1f s to user space, %.1f s in all" % (
            guest.suite, guest.version, guest.boot_time, guest.took), flush=True)
        guest.run()
        guests.append(guest)
    with open(os.path.join(out, "table.md"), "w") as f:
        f.write(table(guests))
    checked = sum(r[6] for g in guests for r in g.rows if r[3] == "ours")
    wrong = sum(r[7] for g in guests for r in g.rows if r[3] == "ours")
    failures = [f for g in guests for f in g.failures]
    print("\n%d chains checked, %d wrong; %.0f s; table in %s" % (
        checked, wrong, time.monotonic() - start, os.path.join(out, "table.md")))
    for f in failures:
        print("FAILED " + f)
    print("%d passed, %d failed, %d skipped" % (sum(g.passed for g in guests), len(failures),
                                                skipped))
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(sys.argv))
