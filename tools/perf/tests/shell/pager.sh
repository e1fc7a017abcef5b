#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf help: a pager keeps the terminal until it ends, whatever keys are pressed
. "$PERF_TEST_DIR/shell/lib.sh"
need_python

cat >on-terminal.py <<'END'
import os, pty, sys, time
pid, terminal = pty.fork()
if not pid:
    os.execv(sys.argv[1], sys.argv[1:])
for _ in range(1000):
    if os.path.exists("begun"):
        break
    time.sleep(0.02)
os.write(terminal, b"\x03")
try:
    while os.read(terminal, 4096):
        pass
except OSError: # the last one has closed it
    pass
status = os.waitpid(pid, 0)[1]
sys.exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
END
# The text of the manual goes through the pager where there is no man.
mkdir bin
for c in sh cat sleep; do ln -s "$(command -v $c)" bin; done
export PERF_PAGER="trap '' INT; : >begun; cat >text; sleep 0.5; : >ended"
status=0
PATH=$PWD/bin python on-terminal.py "$PERF" help record || status=$?
[ "$status" = 130 ] || fail "^C: status $status"
[ -e ended ] || fail "perf left the terminal to two programs"
has text '^perf-record'
