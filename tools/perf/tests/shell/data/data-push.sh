#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf data push: each kind of store understands what it is sent, and has all samples
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/data/lib-push.sh"
need_push

record_some c.data
n=$(samples c.data)
store good
for path in '' /ingest '/ingest?key=1' /push.v1.PusherService/Push /profiles/writeraw /v1development/profiles; do
	push "$path" -i c.data --labels env=test
	has err "$n samples; 1 profiles sent, .* 0 wait in spool"
done
push '' --format otlp -i c.data --service 'web: "1"'
push '' -i c.data --service 'web: "1"'
[ "$(wc -l <log)" = 8 ] || fail "$(cat log)"
[ "$(grep -c "^took [0-9a-f]* $n " log)" = 8 ] || fail "$(cat log)"
has log " perf \{\} - /ingest\?name=perf&from=[0-9]*&until=[0-9]*&format=pprof" '/ingest\?key=1&name=' \
	' perf \{"__name__":"process_cpu","env":"test"\} - /push' \
	' perf \{"__name__":"process_cpu","env":"test"\} - /profiles/writeraw' \
	' web: "1" \{\} - /v1development' 'name=web___1_&'
[ "$(waiting)" = 0 ] || fail "$(ls spool)"
[ "$(awk '{ print $2 }' log | sort -u | wc -l)" = 3 ] || fail "one pprof file, two of OTLP: $(cat log)"

# Secrets: in the environment, and in a file that is nobody else's.
export PERF_PUSH_SPOOL=$PWD/spool
PERF_PUSH_TOKEN=abc perf data push -q --url "$URL" -i c.data
has log ' Bearer_abc '
echo 'Authorization: Basic eDp5' >head
chmod 644 head
fails 1 push '' -i c.data --header-file head
has err "'head' can be read by others"
chmod 600 head
push '' -i c.data --header-file head
has log ' Basic_eDp5 '
close_store

fails 129 perf data push --url http://user:pw@localhost/ 2>err
has err 'password, which everybody can read'
fails 129 perf data push --url http://localhost/other 2>err
has err 'must end in /ingest, '
fails 129 perf data push --url http://localhost/ingest --format otlp 2>err
has err 'this path needs pprof'
fails 129 perf data push 2>err
has err '--url needs an address'
