#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: signals that ask for the end get it, others change nothing
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

"$PERF" test -w deep 20 300 & load=$!
for sig in INT:130 TERM:143 HUP:129 PIPE:130 USR2:130; do
	rm -f sig.data
	"$PERF" record --defer=copy -e cpu-clock -o sig.data -p $load 2>err & rec=$!
	wait_until has_samples sig.data 1
	kill -"${sig%:*}" $rec
	case $sig in PIPE*|USR2*)
		wait_until has_samples sig.data $(($(samples sig.data) + 1))
		kill -INT $rec ;;
	esac
	status=0
	wait $rec || status=$?
	[ "$status" = "${sig#*:}" ] || fail "$sig: status $status: $(cat err)"
	[ "$(samples sig.data)" = "$(captured)" ] || fail "$sig: $(samples sig.data) samples: $(cat err)"
done
end $load
