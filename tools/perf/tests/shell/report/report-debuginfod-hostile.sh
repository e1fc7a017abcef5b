#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: report: a debuginfod that is slow, lies or sends rubbish is survived, and said
# limit: 300
. "$PERF_TEST_DIR/shell/report/lib-debuginfod.sh"
make_stripped

for how in other rubbish short close huge silent trickle; do
	serve $how
	SECONDS=0
	DEBUGINFOD_TIMEOUT=1 report
	has_not report workload_
	echo "$how: $SECONDS s: $(cat err)"
	case $how in
	other | rubbish) has err 'sent [0-9]+ files? of other build-ids|did not send a file' ;;
	short | close | trickle) ;; # the library may say that they are not there
	*) has err 'DEBUGINFOD_URLS did not send a file' ;;
	esac
	[ "$(wc -l <log)" -le 12 ] || fail "$how: it was asked $(wc -l <log) times"
done
# A file that grows for ever has an end, too: by the time, or because it may not be larger.
for limit in unlimited 40000; do
	serve endless
	SECONDS=0
	(
		ulimit -f $limit 2>/dev/null || true # an ordinary user may only lower it
		DEBUGINFOD_TIMEOUT=1 DEBUGINFOD_MAXTIME=3 report
	)
	has_not report workload_
	echo "endless, files to $limit: $SECONDS s, asked $(wc -l <log) times: $(cat err); kept:"
	ls -lR client
	# The library may say that it is not there, and does so in 1 of 50 runs under load.
	[ ! -s err ] || has err 'DEBUGINFOD_URLS did not send a file'
	[ -s log ] || fail "nothing was asked for"
	[ "$(du -sk client | cut -f1)" -lt 10000 ] || fail "$(du -sk client) kB are left in the cache"
done

# Nobody is there, and no such name.
end $server
server=
rm -rf client
report
has err 'did not send a file'
rm -rf client
DEBUGINFOD_URLS='nonsense://x file:///nowhere' report
has_not report workload_
