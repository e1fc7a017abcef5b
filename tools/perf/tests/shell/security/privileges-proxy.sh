#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: data push of a perf with capabilities of its file: no proxy that the environment names
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_python
need_cmd setpriv setcap
! is_sanitized || skip "the sanitizers look up variables of their own"
ls /usr/lib/*/libcurl.so.4 /usr/lib/*/libcurl-gnutls.so.4 >libraries 2>/dev/null || [ -s libraries ] || skip "needs libcurl"
as=(setpriv --reuid=54321 --regid=54321 --clear-groups --inh-caps=-all)
chmod 755 .
cp "$PERF" plain
cp "$PERF" perf-copy
setcap cap_perfmon=ep perf-copy || skip "files have no capabilities here"
"${as[@]}" ./perf-copy version >out || skip "a file with capabilities cannot be run here"
mkdir mine
python "$PERF_TEST_DIR/lib/made-recording.py" switches mine/x.data
chown -R 54321 mine

# A proxy that hangs up, and writes down that it was asked.
cat >proxy.py <<'END'
import os, socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen()
with open("port.new", "w") as f:
    f.write(str(s.getsockname()[1]))
os.rename("port.new", "port")
while True:
    s.accept()[0].close()
    with open("asked", "a") as f:
        f.write("asked\n")
END
python proxy.py &
trap 'kill $!' EXIT
wait_until [ -e port ]
push() { # PERF
	(cd mine && "${as[@]}" env -u no_proxy -u NO_PROXY "http_proxy=http://127.0.0.1:$(cat ../port)" \
		"../$1" data push --url http://127.0.0.1:9/ingest --retry 0 -i x.data --spool spool >../out 2>&1) || true
	has out 'not sent to http://127.0.0.1:9/ingest'
}
push perf-copy
[ ! -e asked ] || fail "it asked the proxy"
push plain
wait_until [ -e asked ]
