#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: manuals: perf CMD --help is perf help CMD, by man where there is a terminal
. "$PERF_TEST_DIR/shell/lib.sh"
need_terminal
need_python

perf help stitch >text
has text '^perf-stitch\(1\)$' '^OPTIONS$'
perf stitch --help | cmp - text
perf help perf >out
has out '^perf\(1\)$'
# Behind other options it is -h, and in a command to run it is the command's own.
perf stitch -n --help >out
has out '^ Usage: perf stitch'
fails 1 perf help no/such 2>err
has err "there is no manual page for 'no/such'"

# man is asked for our own page, whatever is installed.
cat >on-terminal.py <<'END'
import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:], lambda fd: os.read(fd, 4096))))
END
# on_terminal PATH COMMAND...: its output in out
on_terminal() {
	PATH=$1 python on-terminal.py "${@:2}" </dev/null >raw
	tr -d '\r' <raw >out
}
export PERF_PAGER=cat
mkdir real script empty old old/man
ln -s /bin/echo real/man
printf '#!/bin/sh\necho not here\n' >script/man
chmod +x script/man
for dir in script empty; do
	ln -s "$(command -v sh)" "$(command -v cat)" $dir
	on_terminal "$PWD/$dir" "$PERF" stitch --help
	cmp out text
done
if [ -e "$(dirname "$PERF")/man/perf-stitch.1" ] ||
	[ -e "$(dirname "$PERF")/../share/man/man1/perf-stitch.1" ]; then
	on_terminal "$PWD/real" "$PERF" stitch --help
	has out '^-l /.*/perf-stitch\.1$'
fi

# Where nothing but the program was installed, there are at least its options.
cp "$PERF" old/perf-stitch
if ! old/perf-stitch --help | grep -q '^perf-stitch(1)'; then
	old/perf-stitch --help >out
	has out '^ Usage: perf stitch' '--dry-run'
fi
