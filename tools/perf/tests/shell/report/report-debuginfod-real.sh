#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: report: names come from the debuginfod server of elfutils
# limit: 200
. "$PERF_TEST_DIR/shell/report/lib-debuginfod.sh"
need_cmd debuginfod
make_stripped

mkdir -p home served
cp away/prog.debug served
port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
env -u DEBUGINFOD_URLS debuginfod -p "$port" -d "$PWD/index.sqlite" -t 1 -F served >server.log 2>&1 & server=$!
has_it() {
	/usr/bin/python3 - "http://127.0.0.1:$port/buildid/$id/debuginfo" <<-END
		import sys, urllib.request
		urllib.request.urlopen(sys.argv[1]).read(1)
	END
}
is_ready() { kill -0 $server 2>/dev/null || fail "$(tail server.log)"; has_it; }
wait_until is_ready 2>/dev/null
export DEBUGINFOD_URLS="http://127.0.0.1:$port"
report
has report workload_spin
has_not err .
