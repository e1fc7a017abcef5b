#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: modes.py [--perf PERF] [--share | --thorough | --all] [--part N/M] [--show] COMMAND...

Runs each option of the COMMANDs ("report", "data convert"), as their help lists them, with good and
bad values, alone and beside others, over recordings. What must not happen: a signal, a finding of a
sanitizer (of a PERF built with SANITIZE=address,undefined), too much CPU time or memory, waiting
without end, a status that the manual does not have, an option that has no values here.

--share     options with a good or a bad value on one recording, and one other option beside it, one in
            three of these; which they are follows from the option's name (default). A PERF with
            sanitizers, which needs ten times as long, runs a part of that, another one of each version
--runs N    this part is so many commands, or twice as many (9)
--thorough  each good value on two recordings, and four bad ones of each option
--all       each value on each recording, and each two options together
--part N/M  of these the Nth of M parts
--show      prints each command and its status
--covers    only checks that each command of PERF is tried, or known to read no recording

Environment: PERF, PERF_TEST_DIR; both have defaults in the source tree.
"""
import argparse
import glob
import itertools
import json
import os
import pty
import re
import resource
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib

TESTS = os.environ.setdefault("PERF_TEST_DIR",
                              os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

import option_values  # noqa: E402
import recordings  # noqa: E402

# How each command is told what to read. {format}: one of --to, in turns.
READERS = {
    "report": ["-f", "-i", "perf.data"],
    "script": ["-f", "-i", "perf.data"],
    "annotate": ["-f", "-i", "perf.data"],
    "diff": ["-f", "perf.data", "other.data"],
    "stitch": ["-f", "-i", "perf.data", "-o", "out.data"],
    "inject": ["-f", "-i", "perf.data", "-o", "out.data"],
    "evlist": ["-f", "-i", "perf.data"],
    "buildid-list": ["-f", "-i", "perf.data"],
    "buildid-cache": [],
    "archive": ["-f", "perf.data"],
    "data convert": ["-f", "-i", "perf.data", "-o", "out", "--to={format}"],
    "data bundle": ["-f", "-i", "perf.data", "-o", "out.bundle"],
    "unwind rows": ["{elf}"],
    "unwind check": ["{elf}"],
    "unwind sample": ["-f", "-i", "perf.data", "1"],
    "unwind stats": ["-f", "-i", "perf.data"],
    "unwind chains": ["-f", "-i", "perf.data"],
    "unwind cache": [],
}
# These read no recording, or run what reads them: record and what it has written have their own tests.
OTHERS = {"bench", "check", "config", "doctor", "help", "list", "record", "test", "top", "version", "data push",
          "data", "unwind"}
STATUS = {"diff": {0, 1, 2, 129}}
SANITIZER = re.compile(r"(Address|Leak|UndefinedBehavior|Memory|Thread)Sanitizer|runtime error:|"
                       r"^==\d+==ERROR", re.M)
OPTION = re.compile(r"^    (?:-(?P<short>\S), )?--(?P<name>[\w-]+)"
                    r"(?P<value>(?: <[^>]+>+| \[<[^>]+>+\]|\[=?<[^>]+>\]))?(?:\s+(?P<help>\S.*))?$")
# What is typed at the browsers, in turns, and what ends them whatever they show.
KEYS = [*"hjklnNeEaAcCdDpPtzmsSfFiGHLwqx+-0123 \t\r\x1b[]{}<>\x0c", "/main\r", "f%\r", "otid,sym\r", "osrcline\r",
        "T10%-90%\r", "L5\r", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[5~", "\x1b[6~"]
END_KEYS = ["\x1b", "\x1b", "q", "q", "q", "\r", "\x1b", "q", "y", "q"]
# A command that waits uses no CPU time; on a busy machine one that does may take long.
CPU_SEC, WAIT_SEC, LAST_SEC, MEMORY_KB = 30, 120, 960, 3 << 20


class Option:
    """One line of a help: @value is the word for its value, or ""; @must: not without it; @next:
    the value may be the next word."""

    def __init__(self, command, name, value, text):
        self.command, self.name, self.help = command, name, text
        self.must, self.next = value.startswith(" <"), value.startswith(" ")
        self.value = value.strip(" []=")[1:-1] if value else ""


class Failure(Exception):
    pass


def drain(terminal):
    """Reads what was shown; False: there will be no more."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


def cpu_ticks(session):
    """What the processes of a session, and those that they have waited for, have used by now."""
    ticks = 0
    for stat in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(stat, "rb") as f:
                fields = f.read().rpartition(b")")[2].split()
        except OSError:
            continue  # it has ended
        if int(fields[3]) == session:
            ticks += sum(map(int, fields[11:15]))
    return ticks


class Modes:
    """Runs commands of a perf in a folder of its own."""

    def __init__(self, perf, folder, show):
        self.perf, self.folder, self.show = perf, folder, show
        self.run_dir = os.path.join(folder, "run")
        with open(perf, "rb") as f:
            self.sanitized = b"__asan_init" in f.read()
        home = os.path.join(folder, "home")
        os.mkdir(home)
        os.mkdir(self.run_dir)
        self.env = dict(os.environ, HOME=home, PERF_CONFIG="/dev/null", PAGER="cat", TERM="xterm",
                        LC_ALL="C.UTF-8", COLUMNS="100", LINES="30", TMPDIR=folder)
        for name in ("DEBUGINFOD_URLS", "PERF_BUILDID_DIR", "PERF_PAGER", "DISPLAY"):
            self.env.pop(name, None)
        self.elf = self.find_elf()
        self.version = self.text("version")
        self.runs, self.cpu, self.statuses, self.failures = 0, 0.0, {}, []
        self.known = {}  # facts of recordings, by their names

    def find_elf(self):
        """A small program with call frame information."""
        path = os.path.join(self.folder, "prog")
        shutil.copy(os.path.join(recordings.DATA, "sframe/ok_ld244_v2_x86"), path)
        return path

    def text(self, *words):
        done = subprocess.run([self.perf, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env=self.env, cwd=self.run_dir, check=False)
        return done.stdout.decode(errors="replace")

    def options(self, command):
        """As the help has them, which must be those that completion gets."""
        words, out = command.split(), []
        for line in self.text(*words, "-h").split("\n"):
            found = OPTION.match(line)
            if found:
                out.append(Option(command, found["name"], found["value"] or "", found["help"] or ""))
            elif line.startswith(" " * 30) and out:
                out[-1].help += " " + line.strip()
        names = {o.name for o in out}
        for flag, ours in (("--list-opts", names), ("--list-values", {o.name for o in out if o.next})):
            listed = set(re.findall(r"--([\w-]+)", self.text(*(words[:1] if words[0] == "unwind" else words), flag)))
            if listed != ours:
                raise Failure("perf %s %s and the help differ in %s" % (command, flag, sorted(listed ^ ours)))
        return out

    def prepare(self, recording, other):
        shutil.rmtree(self.run_dir, ignore_errors=True)
        os.mkdir(self.run_dir)
        for name, r in (("perf.data", recording), ("other.data", other)):
            os.link(r.path(), os.path.join(self.run_dir, name))
        with open(recording.path(), "rb") as f:
            data = f.read(200000)
        for name, text in (("cut.data", data[:len(data) * 2 // 3]), ("names", b"perf\n\nmain\n" * 3),
                           ("kallsyms", b"ffffffff81000000 T _stext\nffffffff81000100 T f\tm]\n"),
                           ("script.py", b"def process_event(d):\n    str(d)\ndef trace_end():\n    print(1)\n")):
            with open(os.path.join(self.run_dir, name), "wb") as f:
                f.write(text)

    def first_lines(self, recording):
        """Of what perf script prints: so many, and it ends as it would in a pipe to head."""
        fields = "comm,pid,time,event,ip,sym,dso"
        with subprocess.Popen([self.perf, "script", "-f", "--json", "-F", fields, "--symfs", recording.symfs,
                               "--no-inline", "-i", recording.path()], stdin=subprocess.DEVNULL, env=self.env,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.run_dir) as child:
            return list(itertools.islice(child.stdout, 100))

    def facts(self, recording):
        """Words of the recording for the values that ask for such."""
        if recording.name not in self.known:
            fact = {"comm": "perf", "pid": "1", "event": "cpu-clock", "dso": "libc.so.6", "sym": "main",
                    "ip": "0x400100", "time": "0.000001"}
            for line in self.first_lines(recording):
                try:
                    sample = json.loads(line)
                except ValueError:
                    continue
                for part in [sample] + (sample.get("frames") or []):
                    fact.update((k, str(v)) for k, v in part.items() if k in fact and v != "")
            if fact["time"].isdigit():
                fact["time"] = "%d.%09d" % divmod(int(fact["time"]), 10 ** 9)
            self.known[recording.name] = {k: v.replace("\0", "") for k, v in fact.items()}
        return self.known[recording.name]

    def limits(self):
        cpu = CPU_SEC * (4 if self.sanitized else 1)
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
        os.setsid()

    def wait(self, child, terminal, keys):
        """Returns (status, CPU seconds, kilobytes); feeds a terminal with @keys, one by one."""
        start = time.monotonic()
        look, typed, ticks = start + WAIT_SEC, 0, 0
        pidfd = os.pidfd_open(child.pid)
        try:
            ready = []
            while pidfd not in ready:
                if time.monotonic() > look:
                    before, ticks = ticks, cpu_ticks(child.pid)
                    look += WAIT_SEC
                    if ticks == before or look > start + LAST_SEC:
                        os.killpg(child.pid, signal.SIGKILL)
                        os.wait4(child.pid, 0)
                        raise Failure("did not end in %d s" % (look - start - WAIT_SEC))
                wanted = [pidfd] if terminal is None else [pidfd, terminal]
                ready = select.select(wanted, [], [], 1 if terminal is None else 0.05)[0]
                if ready == [terminal] and not drain(terminal):
                    terminal = None  # nothing has it open any more
                elif not ready and terminal is not None:
                    os.write(terminal, keys[typed % len(keys)].encode())
                    typed += 1
        finally:
            os.close(pidfd)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        return child.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss

    def spawn(self, command, env, keys):
        master = slave = None
        with open(self.folder + "/err", "wb") as err, open(self.run_dir + "/perf.data", "rb") as data:
            if keys:
                master, slave = pty.openpty()
            try:
                child = subprocess.Popen(command, stdin=slave or data, stdout=slave or subprocess.DEVNULL,
                                         stderr=err, env=env, cwd=self.run_dir, preexec_fn=self.limits)
                if slave:
                    os.close(slave)
                return self.wait(child, master, keys)
            finally:
                if master:
                    os.close(master)

    def run(self, command, words, keys):
        """One command; returns its status. What is wrong with it goes to the failures."""
        env = self.env
        words = [w.replace("\0", "").encode("utf-8", "surrogateescape") for w in words]
        if any(b"script.py" in w for w in words) and self.sanitized:  # Python keeps memory until the end
            env = dict(env, ASAN_OPTIONS=env.get("ASAN_OPTIONS", "") + ":detect_leaks=0")
        status, why = None, ""
        try:
            status, cpu, memory = self.spawn([self.perf.encode(), *command.encode().split(), *words], env, keys)
            self.cpu += cpu
            if status < 0:
                why = "signal %s" % signal.Signals(-status).name
            elif status not in STATUS.get(command, {0, 1, 129}) | ({130} if keys else set()):
                why = "status %d" % status
            elif memory > MEMORY_KB:
                why = "%d MB of memory" % (memory >> 10)
        except Failure as failure:
            why = str(failure)
        with open(self.folder + "/err", encoding="utf-8", errors="replace") as f:
            said = f.read(1 << 20)
        if SANITIZER.search(said):
            why = "a sanitizer's finding"
        self.runs += 1
        self.statuses[status] = self.statuses.get(status, 0) + 1
        shown = "perf %s %s" % (command, " ".join(shlex.quote(w.decode(errors="replace")[:300]) for w in words))
        if self.show:
            print("%s: %s%s" % (shown, status, ", keys %r" % keys if keys else ""), flush=True)
        if why:
            self.failures.append("%s: %s%s\n%s" % (shown, why, ", keys %r" % keys if keys else "", said[:6000]))
            print(self.failures[-1], flush=True)
        return status


def pick(number, *of):
    """The same number below @number for the same words."""
    return zlib.crc32(repr(of).encode()) % max(number, 1)


class Command:
    """What is tried of one command."""

    def __init__(self, modes, name, tiny):
        self.modes, self.name, self.tiny = modes, name, tiny
        self.good, self.bad = [], []  # lists of (option, [words])
        for option in modes.options(name):
            self.add(option)
        self.formats = [words[0][5:] for o, words in self.good if o == "to"] or ["folded"]

    def ask(self, option):
        """What perf says of this option with a value that it does not know."""
        self.modes.prepare(self.tiny, self.tiny)
        return self.modes.text(*self.name.split(), *READERS[self.name], "--%s=no-such" % option.name)

    def add(self, option):
        name = option.name
        if not option.must:
            self.good.append((name, ["--" + name]))
        if not option.value:
            self.bad.append((name, ["--no-" + name]))
            return
        for value in option_values.good(option, self.ask):
            self.good.append((name, ["--%s=%s" % (name, value)]))
        for value in option_values.BAD:
            self.bad.append((name, ["--%s=%s" % (name, value)]))

    def words(self, more, recording, turn):
        plain = {"format": self.formats[turn % len(self.formats)], "symfs": recording.symfs, "elf": self.modes.elf}

        def fill(m):
            return plain.get(m[1]) or self.modes.facts(recording).get(m[1], m[0])
        out = [re.sub(r"\{(\w+)\}", fill, word) for word in READERS[self.name] + more]
        shows = {"report", "annotate", "script", "unwind rows", "unwind sample", "data convert", "stitch", "diff"}
        if self.name in shows and not any("--symfs" in w for w in more):
            if not self.name.startswith("diff") or turn % 2:
                out.append("--symfs=" + recording.symfs)
        return out

    def one(self, more, recording, other, turn):
        """Alone if it does not go together."""
        modes = self.modes
        modes.prepare(recording, other)
        keys = []
        if "--tui" in more or (self.name in ("report", "annotate") and turn % 16 == 0 and "--stdio" not in more):
            keys = [KEYS[pick(len(KEYS), more, turn, i)] for i in range(10)] + END_KEYS
        return modes.run(self.name, self.words(more, recording, turn), keys)


def cases(command, recs, level):
    """(words, words of another option, number of the recording)"""
    good, bad, nr = command.good, command.bad, len(recs)
    if level == "all":
        for (_, words), i in itertools.product(good, range(nr)):
            yield words, [], i
        for n, (_, words) in enumerate(bad):
            yield words, [], n % nr
        for (a, one), (b, two) in itertools.combinations(good, 2):
            if a != b:
                yield one, two, pick(nr, one, two)
        return
    for group in (good, bad):
        for name, of in itertools.groupby(group, key=lambda u: u[0]):
            of = list(of)
            if level == "share" or group is bad:
                first = pick(len(of), command.name, name)
                of = (of[first:] + of[:first])[:1 if level == "share" else 4]
            for _, words in of:
                for n in range(2 if level == "thorough" and group is good else 1):
                    partner = good[pick(len(good), n, words)]
                    together = group is good and partner[0] != name
                    yield words, partner[1] if together else [], pick(nr, command.name, n, words)


def usable(recs, start):
    """Those that can be made here, from number @start on, round and round."""
    return (r for r in itertools.chain(recs[start:], itertools.cycle(recs)) if r.path())


def try_command(modes, name, recs, opts):
    command = Command(modes, name, next(r for r in recs if r.name == "made-switches"))
    if name == "annotate":  # shows code
        recs = [r for r in recs if r.symfs != "no-such"]
    level = "all" if opts.all else "thorough" if opts.thorough else "share"
    part, parts = opts.part
    if level == "share" and not modes.sanitized:
        parts = max(parts, 3)
    elif level == "share":
        parts = max(len(list(cases(command, recs, level))) // opts.runs, 1)
        part = pick(parts, name, modes.version)
    for turn, (words, more, i) in enumerate(cases(command, recs, level)):
        if turn % parts != part % parts:
            continue
        recording, other = itertools.islice(usable(recs, i), 2)
        status = command.one(words + more, recording, other, turn)
        if more and status == 129:
            command.one(words, recording, other, turn)
    return len({name for name, _ in command.good})


def covers(modes):
    """Each command is one of those above."""
    names = set(modes.text("--list-cmds").split("version")[0].split()) | {"version"}
    for outer in ("data", "unwind"):
        inner = set(modes.text(outer, "--list-cmds").split())
        names |= {"%s %s" % (outer, n) for n in inner}
    unknown = names - set(READERS) - OTHERS
    if unknown:
        raise Failure("not in READERS or OTHERS of modes.py: %s" % sorted(unknown))


def arguments():
    p = argparse.ArgumentParser(usage=__doc__.split("\n\n")[0][7:], add_help=True)
    p.add_argument("--perf", default=os.environ.get("PERF", os.path.join(TESTS, "../../../build/perf")))
    p.add_argument("--share", action="store_true")
    p.add_argument("--thorough", action="store_true")
    p.add_argument("--all", action="store_true")
    p.add_argument("--covers", action="store_true")
    p.add_argument("--show", action="store_true")
    p.add_argument("--part", default="0/1")
    p.add_argument("--runs", type=int, default=9)
    p.add_argument("commands", nargs="*")
    opts = p.parse_args()
    opts.part = [int(n) for n in opts.part.split("/")]
    opts.commands = opts.commands or ([] if opts.covers else list(READERS))
    return opts


def main():
    opts = arguments()
    folder = tempfile.mkdtemp(prefix="modes.", dir=os.getcwd())
    try:
        modes = Modes(os.path.abspath(opts.perf), folder, opts.show)
        if opts.covers:
            covers(modes)
        most, fuzzed = (1 << 30, 100) if opts.all else (300000, 30) if opts.thorough else (65000, 10)
        live = opts.all or opts.thorough or not modes.sanitized
        recs = recordings.collect(folder, modes.perf if live else None, modes.env, most, fuzzed)
        nr = sum(try_command(modes, name, recs, opts) for name in opts.commands)
        print("%d options, %d recordings, %d runs, %.0f s of CPU, by status %s" %
              (nr, len(recs), modes.runs, modes.cpu, modes.statuses))
        if modes.failures:
            sys.exit("%d of %d runs failed" % (len(modes.failures), modes.runs))
    except (Failure, KeyError) as failure:
        sys.exit(failure.args[0])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
