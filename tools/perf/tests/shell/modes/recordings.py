# SPDX-License-Identifier: GPL-2.0-only
"""The recordings that commands are tried on: those in tests/data, those that lib/made-recording.py
makes, inputs of fuzz targets, some with their byte order swapped, and some of this machine."""
import glob
import importlib.util
import os
import subprocess
import sys

TESTS = os.environ["PERF_TEST_DIR"]
DATA = os.path.join(TESTS, "data")
FUZZED = {"report": 1, "reader": 0}  # targets whose inputs are recordings, and the bytes in front

# Of this machine, as far as it lets us.
LIVE = {
    "fp": ["-g", "--", "PERF", "test", "-w", "deep", "30", "0.1"],
    "copy": ["--defer=copy", "--no-stitch", "--", "PERF", "test", "-w", "deep", "30", "0.1"],
    "stitched": ["--defer=copy", "--", "PERF", "test", "-w", "inlineloop", "0.1"],
    "threads": ["-s", "-g", "-z", "--", "PERF", "test", "-w", "thloop", "0.1", "3"],
    "children": ["-g", "--", "PERF", "test", "-w", "forker", "4", "0.02"],
    "off-cpu": ["--off-cpu", "-g", "--", "sh", "-c", "sleep 0.02; sleep 0.02"],
    "group": ["-e", "{cpu-clock,page-faults}", "-g", "-d", "-W", "--", "PERF", "test", "-w", "faulter", "0.1"],
    "all": ["-a", "-g", "-e", "sched:sched_switch", "-e", "cpu-clock", "--", "sleep", "0.05"],
    "activity": ["--activity", "perf_test_activity", "-g", "--", "PERF", "test", "-w", "activity", "value", "0.1"],
}


class Recording:
    """Is made when somebody wants it. @make: writes the file of that name; may fail. @symfs: where its
    binaries are, or no folder."""

    def __init__(self, folder, name, make, symfs="no-such"):
        self.name, self.make, self.symfs = name, make, symfs
        self.file = os.path.join(folder, name)

    def path(self):
        """The file, or None where it cannot be made here."""
        if self.make:
            try:
                self.make(self.file)
            except (OSError, subprocess.CalledProcessError):
                pass
            self.make = None
        return self.file if os.path.exists(self.file) else None


def run(words, **more):
    more = dict({"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}, **more)
    subprocess.run(words, stderr=subprocess.DEVNULL, check=True, **more)


def unzstd(source):
    def make(target):
        with open(target, "wb") as out:
            run(["zstd", "-dqc", source], stdout=out)
    return make


def kept(folder, most):
    """What is in tests/data, of at most @most bytes as it lies there."""
    for source in sorted(glob.glob(DATA + "/*/*.data.zst") + glob.glob(DATA + "/*/*.pipe.zst")):
        if os.path.getsize(source) > most:
            continue
        part = os.path.basename(os.path.dirname(source))
        symfs, program = "no-such", os.path.join(DATA, part, "deep.zst")
        if os.path.exists(program):
            symfs = os.path.join(folder, "symfs-" + part)
            os.makedirs(symfs + "/usr/bin", exist_ok=True)
            unzstd(program)(symfs + "/usr/bin/deep")
        yield Recording(folder, "%s-%s" % (part, os.path.basename(source)[:-4]), unzstd(source), symfs)


def made(folder):
    spec = importlib.util.spec_from_file_location("made", TESTS + "/lib/made-recording.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def maker(content):
        def make(target):
            with open(target, "wb") as f:
                f.write(content())
        return make
    for name, content in sorted(module.MADE.items()):
        yield Recording(folder, "made-" + name, maker(content))


def swapped(folder, recordings):
    def maker(recording):
        return lambda target: run([sys.executable, TESTS + "/lib/swap-bytes.py", recording.path() or "", target])
    for r in recordings:
        yield Recording(folder, r.name + ".swapped", maker(r), r.symfs)


def live(folder, perf, env):
    def maker(words):
        def make(target):
            event = [] if "-e" in words else ["-e", "cpu-clock"]
            run([perf, "record", "-q", "-F", "2000", "-o", target, *event,
                 *[perf if w == "PERF" else w for w in words]], env=env)
        return make
    for name, words in LIVE.items():
        yield Recording(folder, "live-" + name, maker(words), "/")


def fuzzed(folder, number):
    """Some @number inputs of each target, without what is in front of the recording."""
    def maker(archive, member, skip):
        def make(target):
            with open(target, "wb") as f:
                run(["tar", "--zstd", "-xOf", archive, member], stdout=f)
            with open(target, "rb+") as f:
                data = f.read()[skip:]
                f.seek(0)
                f.write(data)
                f.truncate()
        return make
    for target, skip in FUZZED.items():
        archive = "%s/fuzz/%s.tar.zst" % (DATA, target)
        names = sorted(subprocess.run(["tar", "--zstd", "-tf", archive], stdout=subprocess.PIPE, check=True,
                                      text=True).stdout.split())
        for name in names[::max(len(names) // number, 1)]:
            yield Recording(folder, "fuzz-%s-%s" % (target, name), maker(archive, name, skip))


def collect(folder, perf, env, most, number):
    """All: of those in tests/data those of at most @most bytes, and some @number inputs of each target.
    @perf: what records; None: nothing is recorded."""
    out = list(kept(folder, most))
    out += made(folder)
    out += swapped(folder, [r for r in out if r.name.startswith("made-") or r.name.startswith("notes-")])
    out += live(folder, perf, env) if perf else []
    out += fuzzed(folder, number)
    return out
