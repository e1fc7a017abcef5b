#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf-host.service: systemd takes it, and its command records
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/data/lib-push.sh"
need_cmd systemd-analyze
UNIT=$PERF_TEST_DIR/../service/perf-host.service
[ -e "$UNIT" ] || UNIT=$(cd -P "$PERF_TEST_DIR" && pwd -P)/../service/perf-host.service

# The installed perf may be elsewhere: of this one, systemd is asked.
sed "s|^ExecStart=/usr/bin/perf |ExecStart=$PERF |" "$UNIT" >perf-host.service
systemd-analyze verify --man=no --recursive-errors=no ./perf-host.service >verify 2>&1 || fail "$(cat verify)"
has_not verify 'perf-host'

# Its command, but for the part of the system that is another user's.
need_root
need_push
store good
sed -e ':a' -e '/\\$/{N;s/\\\n//;ba' -e '}' "$UNIT" | sed -n 's|^ExecStart=/usr/bin/perf ||p' >command
[ -s command ] || fail "no command"
export PERF_PUSH_URL=$URL PERF_PUSH_SPOOL=$PWD/spool PERF_PUSH_LABELS=env=prod PERF_PUSH_SERVICE=web
eval "perf $(sed "s|/run/perf-host/||" command) -- \"\$PERF\" test -w noploop 0.5" >out 2>err
has log '^took .* web \{"env":"prod","host":"'
close_store
