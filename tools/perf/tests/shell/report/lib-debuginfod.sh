# SPDX-License-Identifier: GPL-2.0-only
# For the tests of debuginfod: a recording of a program without names, whose debug file is elsewhere.
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_event cpu-clock
need_cmd objcopy
/usr/bin/python3 -c 'import ctypes; ctypes.CDLL("libdebuginfod.so.1")' 2>/dev/null || skip "needs libdebuginfod"

# What others have set is not meant here.
unset DEBUGINFOD_URLS DEBUGINFOD_VERBOSE DEBUGINFOD_PROGRESS
export HOME=$PWD/home DEBUGINFOD_CACHE_PATH=$PWD/client
server=
trap '[ -z "$server" ] || kill $server' EXIT

make_stripped() {
	mkdir -p home away
	cp "$PERF" prog
	objcopy --only-keep-debug prog away/prog.debug
	cp prog away/prog
	objcopy -S prog
	id=$(perf buildid-list -i prog)
	perf record -q -N -e cpu-clock$U -F 2000 -- ./prog test -w deep 1 0.1
}

# serve HOW [FILE]: a server that answers so; what was asked for before is forgotten.
serve() {
	[ -z "$server" ] || end $server
	rm -rf client port log
	touch log
	/usr/bin/python3 "$PERF_TEST_DIR/lib/debug-server.py" "$1" "${2:-away/prog.debug}" "$id" port log & \
		server=$!
	wait_until test -e port
	export DEBUGINFOD_URLS="http://127.0.0.1:$(cat port)/"
}

# report: into the files report and err.
report() { perf report --stdio -s sym -g none "$@" >report 2>err || fail "$(cat err)"; }
asked() { grep -c "/$id/$1" log || true; } # debuginfo, executable
