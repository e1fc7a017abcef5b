# SPDX-License-Identifier: GPL-2.0-only
# For the tests of perf data push.
need_push() {
	need_python
	need_event cpu-clock
	python -c 'import ctypes, sys
for name in "libcurl.so.4", "libcurl-gnutls.so.4":
    try: sys.exit(ctypes.CDLL(name) is None)
    except OSError: pass
sys.exit(1)' || skip "needs libcurl"
	export HOME=$PWD no_proxy=127.0.0.1
	# What libcurl and its libraries keep until the process ends is not ours.
	! is_sanitized || export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
}

record_some() { perf record -q -F 500 -g -e "cpu-clock$U" -o "$1" -- "$PERF" test -w deep 20 0.1; }

# store HOW: runs one, $STORE, at $URL, with a log of its own.
store() {
	rm -f port log
	: >log
	python "$PERF_TEST_DIR/lib/profile-store.py" "$1" port log 2>store.err &
	STORE=$!
	wait_until [ -e port ]
	URL=http://127.0.0.1:$(cat port)
}

close_store() {
	kill "$STORE" 2>/dev/null || true
	wait "$STORE" 2>/dev/null || true
}

push() { perf data push --url "$URL${1:-}" --spool spool "${@:2}" 2>err; } # PATH [OPTIONS]
waiting() { find spool -name '*-perf.*' ! -name '*.refused' | wc -l; }
