# SPDX-License-Identifier: GPL-2.0-only
"""What a guest of another architecture needs: its QEMU, and perf and programs built for it here.

Headers and libraries are those of the suite that the guest is of, unpacked into a folder that the
cross compiler takes for the root. Used by run.py and machine.py.
"""
import os
import re
import shutil
import subprocess
from collections import namedtuple

import apt

TREE = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../.."))

# debian: its name there; options: of QEMU; append: to the kernel's command line; disk: a device
Arch = namedtuple("Arch", "name debian triple qemu options append disk flags")
X86_64 = Arch("x86_64", "amd64", "x86_64-linux-gnu", "qemu-system-x86_64",
              ["-serial", "file:{console}"],
              "console=ttyS0 tsc=reliable clocksource=tsc no_timer_check", "virtio-blk-pci",
              ["-fcf-protection=none"])
ARCHS = {a.name: a for a in (
    X86_64,
    # The architecture's own algorithm of pointer authentication takes most of the time in emulation.
    Arch("arm64", "arm64", "aarch64-linux-gnu", "qemu-system-aarch64",
         ["-M", "virt", "-serial", "file:{console}"], "console=ttyAMA0", "virtio-blk-pci",
         ["-mbranch-protection=standard"]),
    Arch("s390x", "s390x", "s390x-linux-gnu", "qemu-system-s390x",
         ["-M", "s390-ccw-virtio", "-chardev", "file,id=c,path={console}", "-device",
          "sclpconsole,chardev=c"], "", "virtio-blk-ccw", []))}


def cpu(arch, accel):
    if accel == "kvm":
        return "host"
    return "max,pauth-impdef=on" if arch.name == "arm64" else "max"


def libraries(names):
    """Debian's packages with what perf is built from: lines of tools/build/packages."""
    with open(os.path.join(TREE, "tools/build/packages")) as f:
        lines = [line.split() for line in f if re.match(r"(build|optional) ", line)]
    return [w[2] for w in lines if not w[1].startswith("cmd:")] + names


def sysroot(suite):
    """A folder with the suite's libraries and their headers, laid out as a root."""
    root = suite.unpack(suite.closure(*libraries(["libstdc++6", "busybox-static"])),
                        suite.path("sysroot"))
    for name in ("bin", "sbin", "lib", "lib64"):
        if not os.path.lexists(os.path.join(root, name)):
            os.symlink("usr/" + name, os.path.join(root, name))
    return root


def compiler(arch, root):
    return [arch.triple + "-gcc", "--sysroot=" + root]


def build(arch, root, out):
    """Builds the tree for @arch in @out, by its headers and libraries in @root. Returns: perf."""
    if not shutil.which(arch.triple + "-gcc"):
        raise apt.Unavailable("needs gcc-%s" % arch.triple)
    lib = os.path.join(root, "usr/lib", arch.triple)
    env = {**os.environ, "PKG_CONFIG_SYSROOT_DIR": root, "PKG_CONFIG_LIBDIR": ":".join(
        (os.path.join(lib, "pkgconfig"), os.path.join(root, "usr/share/pkgconfig")))}
    # What make has told the make that runs this is of the other build.
    for name in ("MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS"):
        env.pop(name, None)
    subprocess.run(["make", "-C", TREE, "-j%d" % (os.cpu_count() or 1), "O=" + out,
                    "CROSS_COMPILE=%s-" % arch.triple, "CC=" + " ".join(compiler(arch, root)),
                    "programs"], env=env, check=True, stdout=subprocess.DEVNULL)
    return os.path.join(out, "perf")


def _needed(program, triple):
    text = subprocess.run([triple + "-readelf", "-dlW", program], capture_output=True, text=True,
                          check=True).stdout
    names = re.findall(r"\(NEEDED\).*\[(.*)\]", text)
    loader = re.search(r"program interpreter: (\S+)\]", text)
    return names, loader and loader.group(1)


def copy_with_libraries(arch, program, sysroot_dir, root, name):
    """Copies a program of @arch, and what it is linked with, from the one root to the other."""
    os.makedirs(os.path.join(root, os.path.dirname(name)), exist_ok=True)
    shutil.copy(program, os.path.join(root, name))
    lib = os.path.join("usr/lib", arch.triple)
    os.makedirs(os.path.join(root, lib), exist_ok=True)
    wanted, loader = _needed(program, arch.triple)
    while wanted:
        soname = wanted.pop()
        source, to = (os.path.join(r, lib, soname) for r in (sysroot_dir, root))
        if os.path.exists(to) or not os.path.exists(source):
            continue
        shutil.copy(source, to)
        wanted += _needed(source, arch.triple)[0]
    if not os.path.lexists(os.path.join(root, "lib")):
        os.symlink("usr/lib", os.path.join(root, "lib"))
    if loader and not os.path.exists(root + loader):
        shutil.copy(sysroot_dir + loader, root + loader)
