#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf connects to nothing, whatever the environment says of servers of debug files
# limit: 60
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_event cpu-clock:u

cat >listen.py <<'END'
import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen()
open("port.new", "w").write(str(s.getsockname()[1]))
import os
os.rename("port.new", "port")
while True:
    s.accept()[0].close()
    open("connected", "w").close()
END
python listen.py & server=$!
trap 'kill $server' EXIT
wait_until test -e port
export DEBUGINFOD_URLS="http://127.0.0.1:$(cat port)/" DEBUGINFOD_CACHE_PATH=$PWD/cache
perf record -q -F 2000 --defer=copy --no-stitch -e cpu-clock:u -o x.data -- "$PERF" test -w deep 12 0.2
for with in 'report --stdio' 'report --stdio -s srcline' 'script' 'script --unwind=libdw' 'stitch -n'; do
	perf $with -i x.data >out 2>err || fail "$with: $(cat err)"
done
[ ! -e connected ] || fail "something was asked of the server"
[ ! -e cache ] || fail "a cache of debug files was made"
# The server would have noticed.
python -c 'import socket, sys; socket.create_connection(("127.0.0.1", int(sys.argv[1])))' "$(cat port)"
wait_until test -e connected
