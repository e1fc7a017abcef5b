#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=copy: a program that was only ever in memory
# limit: 300
. "$PERF_TEST_DIR/shell/record/lib-lives.sh"

need_python
cat >memory.py <<'END'
import os
fd = os.memfd_create("prog", os.MFD_CLOEXEC)
with open(os.environ["PERF"], "rb") as f:
    os.write(fd, f.read())
os.execve(fd, ["prog", "test", "-w", "deep", "20", "0.3"], os.environ)
END
record memory . 90 -- /usr/bin/python3 memory.py
