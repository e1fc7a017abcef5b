#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: valgrind finds no error in commands that read recordings, nor memory that is lost
# limit: 600
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd valgrind
! is_sanitized || skip "sanitizers and valgrind do not fit together"
need_event cpu-clock

deep=("$PERF" test -w deep 20 0.05)
rec() { perf record -q -F 500 -e cpu-clock$U -o "$@"; }
rec fp.data -g -- "${deep[@]}"
rec copies.data --defer=copy --no-stitch -- "${deep[@]}"
rec whole.data --defer=copy -z -- "$PERF" test -w inlineloop 0.05
rec threads.data -g -s -- "$PERF" test -w thloop 0.05 3
rec forks.data -g -d -- "$PERF" test -w forker 3 0.02

checked() { # COMMAND...: also in the processes that it forks
	timeout 300 valgrind -q --leak-check=full --errors-for-leak-kinds=definite,indirect \
		--error-exitcode=99 --log-file=log.%p "$PERF" "$@" >out 2>err || fail "$*: $? $(cat err log.*)"
	! grep -E '^==[0-9]+== ' log.* || fail "$*: see above"
	rm log.*
}

# It runs, as it is known there that this process cannot be confined.
valgrind -q "$PERF" check reader >out 2>err || true
has out 'OFF.*valgrind'

commands=("report --stdio" "script -F +srcline" "stitch -o out.data" "annotate --stdio" "data convert --to pprof -o out.pb")
recordings=(fp copies whole threads forks)
for ((c = 0; c < 5; c++)); do
	for ((r = 0; r < 5; r++)); do
		# One each, and --thorough all.
		[ -n "${PERF_TEST_THOROUGH:-}" ] || [ $c = $r ] || continue
		# shellcheck disable=SC2086
		checked ${commands[c]} -i "${recordings[r]}.data"
	done
done
