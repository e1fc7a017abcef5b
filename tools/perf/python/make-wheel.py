#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: make-wheel.py FOLDER OUT VERSION

Packs FOLDER/perf into the wheel OUT/perf-VERSION-cp311-abi3-linux_ARCH.whl, by the rules of
https://packaging.python.org/en/latest/specifications/binary-distribution-format/, and prints its
name. Needs neither setuptools nor the network. Equal contents make equal bytes.
"""
import base64
import hashlib
import os
import re
import sys
import zipfile

METADATA = """Metadata-Version: 2.1
Name: perf
Version: %s
Summary: Recordings of perf, and its events
License: GPL-2.0-only
Requires-Python: >=3.11
"""
WHEEL = """Wheel-Version: 1.0
Generator: make-wheel
Root-Is-Purelib: false
Tag: %s
"""


def entry(name, mode):
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.external_attr = (0o100000 | mode) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def contents(folder, version, tag):
    """(name in the wheel, bytes), without RECORD."""
    package = os.path.join(folder, "perf")
    for name in sorted(os.listdir(package)):
        if not name.startswith("__pycache__"):
            with open(os.path.join(package, name), "rb") as f:
                yield "perf/" + name, f.read()
    info = "perf-%s.dist-info/" % version
    yield info + "METADATA", (METADATA % version).encode()
    yield info + "WHEEL", (WHEEL % tag).encode()


def main():
    folder, out, version = sys.argv[1:]
    version = re.sub(r"[^0-9.]", "", version) or "0"
    tag = "cp311-abi3-linux_%s" % os.uname().machine
    path = os.path.join(out, "perf-%s-%s.whl" % (version, tag))
    record = ""
    with zipfile.ZipFile(path + ".new", "w") as z:
        for name, data in contents(folder, version, tag):
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += "%s,sha256=%s,%d\n" % (name, digest, len(data))
            z.writestr(entry(name, 0o755 if name.endswith(".so") else 0o644), data)
        name = "perf-%s.dist-info/RECORD" % version
        z.writestr(entry(name, 0o644), record + name + ",,\n")
    os.replace(path + ".new", path)
    print("  WHEEL   " + path)


if __name__ == "__main__":
    main()
