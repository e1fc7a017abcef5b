#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf: never runs itself as the other one, by a link, a copy or a script
. "$PERF_TEST_DIR/shell/cli/lib-other-perf.sh"

ln -s "$PERF" own/perf
cp "$PERF" copy/perf
for dirs in own copy own:copy copy:own; do
	path=
	for d in ${dirs//:/ }; do path+=$PWD/$d:; done
	fails 1 run "$path$PWD/sys" stat 2>err
	has err "^perf: 'stat' is a command of Linux perf"
	[ "$(wc -l <err)" = 1 ] || fail "$dirs: $(cat err)"
	fails 3 run "$path$o" stat x >out
	has out '^other: stat x$'
	run "$path$o" --list-cmds >out
	has out ' newer *$'
done
for exec in exec ''; do
	printf '#!/bin/sh\n%s "%s" "$@"\n' "$exec" "$PERF" >loop/perf
	chmod +x loop/perf
	fails 1 run "$PWD/loop:$PWD/sys" stat 2>err
	has err "^perf: 'stat' is a command of Linux perf"
done
# But what the other one runs may be a perf again.
printf '#!/bin/sh\n[ "$1" = stat ] || exit 5\nshift\n"%s" "$@"\n' "$PERF" >other/perf
fails 5 run "$o" stat trace
run "$o" stat version >out
has out '^perf version'
