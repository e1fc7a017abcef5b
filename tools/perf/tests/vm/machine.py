# SPDX-License-Identifier: GPL-2.0-only
"""A small virtual machine: a kernel, a root file system in memory, one command. Used by run.py.

The root is a directory, sent as an initramfs. /out of the guest is brought back through a raw
disk that holds one tar archive, which is far faster than a shared file system under emulation.
"""
import os
import re
import shutil
import subprocess
import tarfile
import time

import foreign

INIT = """#!/bin/busybox sh
b=/bin/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sys /sys
$b mount -t devtmpfs dev /dev
for m in $($b cat /lib/modules/load); do $b insmod /lib/modules/$m; done
$b mkdir -p /dev/shm /dev/pts
for d in /tmp /out /dev/shm; do $b mount -t tmpfs -o mode=1777 tmp $d; done
$b mount -t tracefs tracefs /sys/kernel/tracing
$b ip link set lo up
$b chmod 755 /sys/kernel/tracing
$b --install -s /bin
export PATH=/bin:/usr/bin HOME=/root TERM=dumb PAGER=cat LC_ALL=C
export GCOV_PREFIX=/out/coverage # of scripts/coverage.py; others write nothing there
ulimit -n 65536
echo GUEST-START $($b cut -d' ' -f1 /proc/uptime)
/bin/sh /guest/main.sh </dev/null >/out/main.log 2>&1
echo $? >/out/status
echo GUEST-END $($b cut -d' ' -f1 /proc/uptime)
$b tar -C /out -cf /dev/vda . && $b sync
$b poweroff -f
"""


GUEST_MB = 3072


class Failure(Exception):
    pass


class NoVerdict(Failure):
    """It did not come to user space, so not to anything of ours; or the emulated kernel died; or
    the machine was too busy."""


def _module_files(kernel_dir):
    found = {}
    for top, _, names in os.walk(kernel_dir):
        for name in names:
            m = re.match(r"([\w-]+)\.ko(\.xz|\.zst|\.gz)?$", name)
            if m:
                found[m.group(1).replace("-", "_")] = os.path.join(top, name)
    return found


def _copy_module(files, name, dest, order):
    """Unpacks a module after those that its .modinfo says it depends on."""
    name = name.replace("-", "_")
    if name not in files or name + ".ko" in order:
        return
    unpack = {".xz": ["xz", "-dc"], ".zst": ["zstd", "-dcq"], ".gz": ["gzip", "-dc"]}
    how = unpack.get(os.path.splitext(files[name])[1], ["cat"])
    image = subprocess.run([*how, files[name]], capture_output=True, check=True).stdout
    depends = re.search(rb"\0depends=([^\0]*)\0", image)
    for dep in filter(None, (depends.group(1).decode() if depends else "").split(",")):
        _copy_module(files, dep, dest, order)
    with open(os.path.join(dest, name + ".ko"), "wb") as f:
        f.write(image)
    order.append(name + ".ko")


def pack(root, kernel_dir, path):
    """Adds the init program and the few modules it needs to @root; writes the initramfs."""
    modules = os.path.join(root, "lib/modules")
    shutil.rmtree(modules, ignore_errors=True)
    os.makedirs(modules)
    order = []
    files = _module_files(kernel_dir)
    for name in ("virtio_pci", "virtio_blk"): # none, where the kernel has it built in
        _copy_module(files, name, modules, order)
    with open(os.path.join(modules, "load"), "w") as f:
        f.write("\n".join(order) + "\n")
    for name in ("proc", "sys", "dev", "tmp", "out", "root", "etc"):
        os.makedirs(os.path.join(root, name), exist_ok=True)
    with open(os.path.join(root, "init"), "w") as f:
        f.write(INIT)
    os.chmod(os.path.join(root, "init"), 0o755)
    with open(os.path.join(root, "etc/passwd"), "w") as f:
        f.write("root:x:0:0:root:/root:/bin/sh\nuser:x:1000:1000:user:/tmp:/bin/sh\n")
    names = subprocess.run(["find", ".", "-print0"], cwd=root, capture_output=True, check=True).stdout
    with open(path, "wb") as f:
        subprocess.run(["cpio", "-o0", "-H", "newc", "-R", "0:0", "--quiet"], cwd=root, input=names,
                       stdout=f, check=True)


def _vmlinuz(kernel_dir):
    for top, _, names in os.walk(kernel_dir):
        for name in names:
            if name == "vmlinuz" or name.startswith("vmlinuz-"):
                return os.path.join(top, name)
    raise Failure("no vmlinuz in %s" % kernel_dir)


START_LIMIT = 60  # seconds to user space; more means that it will not come
PATIENCE = 5      # so many times as long on the clock, while others have the CPU


def _read(path):
    try:
        with open(path, errors="replace") as f:
            return f.read()
    except OSError:
        return ""


def _cpu_seconds(pid):
    """How long a process has been on the CPU."""
    with open("/proc/%d/stat" % pid) as f:
        user, system = f.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def give_up(took, cpu, started, limit):
    """(words, whether the machine was too busy) for why to stop a guest; None to go on.

    A busy machine gives it less of the CPU, so what it has used counts, not what the clock says.
    """
    bounds = [(limit, "past the limit of %d s")]
    if not started:
        bounds.append((START_LIMIT, "not in user space after %d s"))
    for bound, words in bounds:
        if min(took, cpu) > bound:
            return words % bound, False
        if took > bound * PATIENCE:
            return "%s (%d s on the clock, %d s on the CPU)" % (words % bound, took, cpu), cpu < bound / 2
    return None


def _wait(qemu, console, limit):
    """What give_up() says, once the machine had to be stopped; None when it ended by itself."""
    begin = time.monotonic()
    while True:
        try:
            qemu.wait(0.2)
            return None
        except subprocess.TimeoutExpired:
            took = time.monotonic() - begin
        stopped = give_up(took, _cpu_seconds(qemu.pid), "GUEST-START" in _read(console), limit)
        if stopped:
            qemu.kill()
            qemu.wait()
            return stopped


def accelerators(arch=foreign.X86_64):
    """What to try, in this order. That /dev/kvm is there does not mean that it works; and a thread
    for each CPU makes emulation hardly faster, but unsafe (proves_nothing())."""
    native = arch.name == os.uname().machine
    kvm = ["kvm"] if native and os.access("/dev/kvm", os.R_OK | os.W_OK) else []
    return kvm + ["tcg,thread=single"] * 2


def proves_nothing(accel, stopped, console):
    """Whether a guest that brought nothing back leaves open what perf would have done in it.

    Linux patches its code while it runs, and emulation, above all that with a thread for each CPU,
    now and then executes half of a patch: the kernel panics, in its scheduler or its timers, or
    resets without a word.
    """
    reset = accel != "kvm" and not stopped and "GUEST-END" not in console
    return reset or "Kernel panic" in console or "GUEST-START" not in console


def boot(kernel_dir, initramfs, out, cpus, limit, accel, arch=foreign.X86_64):
    """Runs the guest once; its /out ends up in @out. Returns (boot s, all s); raises Failure."""
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    disk, console = os.path.join(out, "disk"), os.path.join(out, "console.log")
    with open(disk, "wb") as f:
        f.truncate(16 << 30)
    start = time.monotonic()
    with open(os.path.join(out, "qemu.log"), "w") as log:
        qemu = subprocess.Popen([
            arch.qemu, "-accel", accel, "-cpu", foreign.cpu(arch, accel),
            "-smp", str(cpus), "-m", str(GUEST_MB), "-nodefaults", "-display", "none", "-no-reboot",
            *[o.format(console=console) for o in arch.options], "-monitor", "none",
            "-kernel", _vmlinuz(kernel_dir), "-initrd", initramfs,
            "-drive", "file=%s,if=none,id=out,format=raw,cache=unsafe" % disk,
            "-device", arch.disk + ",drive=out", "-append",
            "quiet panic=-1 mitigations=off random.trust_cpu=on nowatchdog audit=0 " + arch.append],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        stopped = _wait(qemu, console, limit)
    took = time.monotonic() - start
    try:
        with tarfile.open(disk, "r:") as tar:
            tar.extractall(out)
    except tarfile.TarError:
        pass
    finally:
        os.unlink(disk)
    text = _read(console)
    if not os.path.exists(os.path.join(out, "status")):
        words, starved = stopped or ("nothing came back", False)
        why = NoVerdict if starved or proves_nothing(accel, stopped, text) else Failure
        raise why("%s: %s; the console's end:\n%s" % (
            accel, words, "\n".join(
                text.splitlines()[-25:] + _read(os.path.join(out, "qemu.log")).splitlines()[-3:])))
    began = re.search(r"GUEST-START ([\d.]+)", text)
    return float(began.group(1)) if began else 0.0, took
