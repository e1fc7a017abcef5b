#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: each variable that perf and its libraries ask for is in the manual, or known to give no rights
# limit: 240
. "$PERF_TEST_DIR/shell/lib.sh"
need_source
need_python
need_cmd gcc timeout
! is_sanitized || skip "the sanitizers look up variables of their own"
need_event cpu-clock

gcc -O1 -shared -fPIC -DLOG="\"$PWD/log\"" -o logger.so "$PERF_TEST_DIR/shell/security/env-logger.c" -ldl
perf record -q -F 500 -g -e cpu-clock$U -o x.data -- "$PERF" test -w deep 20 0.1
echo 'print("ran")' >x.py
mkdir home
export HOME=$PWD/home TERM=xterm
unset PERF_CONFIG
logged() { LD_PRELOAD=$PWD/logger.so timeout "${LIMIT:-60}" "$@" </dev/null >out 2>err || true; }
for c in "report --stdio -s srcline,sym" "script" "script -s x.py" "annotate --stdio" evlist buildid-list "stitch -n" \
	"data convert --to folded -o -" "data convert --to sqlite -o x.db" "unwind stats" "report --html x.html" \
	"inject -o y.data" "data bundle -o x.bundle" "script --unwind libdw" "diff" "report --brief" \
	"data push --url http://127.0.0.1:9/ingest --retry 0"; do
	# shellcheck disable=SC2086
	logged "$PERF" $c -i x.data
done
logged "$PERF" diff x.data x.data
for c in "archive x.data" "buildid-cache -a $PERF" "buildid-cache -M x.data" "help record" "config -l" "check reader" list \
	doctor gone "record -q -o z.data -e cpu-clock$U --defer -- true" "top --stdio -d 0.2 -e cpu-clock$U -p $$"; do
	# shellcheck disable=SC2086
	LIMIT=5 logged "$PERF" $c
done
DEBUGINFOD_URLS=http://127.0.0.1:9/ logged "$PERF" report --stdio -i x.data
# On a terminal: the browser, the pager.
printf 'q' >key
for c in "report -i x.data" "script -i x.data"; do
	# shellcheck disable=SC2086
	LD_PRELOAD=$PWD/logger.so timeout 20 script -qec "$PERF $c" /dev/null <key >out 2>err || true
done
python "$PERF_TEST_DIR/shell/security/env-logged.py" log "$PERF" "$SOURCE/Documentation"
