#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: a pager keeps the terminal until it ends, and is given nothing that commands it
. "$PERF_TEST_DIR/shell/lib.sh"
need_terminal
need_python

cat >on-terminal.py <<'END'
import os, pty, sys, time
pid, terminal = pty.fork()
if not pid:
    os.execv(sys.argv[2], sys.argv[2:])
for _ in range(1000):
    if not sys.argv[1] or os.path.exists("begun"):
        break
    time.sleep(0.02)
os.write(terminal, sys.argv[1].encode())
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
export PERF_PAGER="trap '' INT; read -r l; : >begun; { echo \"\$l\"; cat; } >text; sleep 0.5; : >ended"
status=0
PATH=$PWD/bin python on-terminal.py $'\003' "$PERF" help record || status=$?
[ "$status" = 130 ] || fail "^C: status $status"
[ -e ended ] || fail "perf left the terminal to two programs"
has text '^perf-record'

# It is started before a recording is opened, but does not show itself where nothing is printed.
rm -f begun
python on-terminal.py "" "$PERF" report --stdio -i gone || true
[ ! -e begun ] || fail "the pager was shown for nothing"

# Names that command a terminal are as harmless behind a pager as on the terminal itself, whoever
# started it: the command, --paginate, or the settings.
need_event cpu-clock:u
name=$(printf 'e\033[7mx')
ln -s /bin/sh "$name"
perf record -q -e cpu-clock:u -o e.data -- "./$name" -c 'i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done'
perf script -i e.data >text
has text '^ *e\?\[7mx '
export PERF_PAGER="cat >text"
for command in "report --stdio" script "--paginate report --stdio" "--paginate script" \
	"--paginate stitch -n --stats -v" "--paginate report --header-only"; do
	rm -f text
	# shellcheck disable=SC2086
	python on-terminal.py "" "$PERF" $command -i e.data || fail "$command: status $?"
	has text 'e\?\[7mx'
	if grep -q $'\033\\[7m' text; then fail "$command: commands the terminal"; fi
done
printf '[pager]\n\tscript = true\n' >settings
rm -f text
PERF_CONFIG=$PWD/settings python on-terminal.py "" "$PERF" script -i e.data
has text 'e\?\[7mx'
