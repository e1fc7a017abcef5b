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
host=$(hostname)
series=" perf \\{\"__name__\":\"process_cpu\",\"env\":\"test\",\"host\":\"$host\"\\} -"
has log " perf \\{\"env\":\"test\",\"host\":\"$host\"\\} - /ingest\\?name=perf%7Bhost%3D$host%2Cenv%3Dtest%7D&from=[0-9]*&until=[0-9]*&format=pprof" \
	'/ingest\?key=1&name=' "$series /push" "$series /profiles/writeraw" 'name=web___1_%7Bhost' \
	" perf \\{\"env\":\"test\",\"host.arch\":\"[^\"]*\",\"host.name\":\"$host\",\"os.type\":\"linux\",.*\\} - /v1development" \
	' web: "1" \{.*\} - /v1development'
[ "$(waiting)" = 0 ] || fail "$(ls spool)"
[ "$(awk '{ print $2 }' log | sort -u | wc -l)" = 4 ] || fail "two of pprof by labels, two of OTLP: $(cat log)"

# Labels and the name by the environment, as a unit has them; names as Prometheus has them.
PERF_PUSH_LABELS='host=other,a.b={x}=1' PERF_PUSH_SERVICE=web push '' -i c.data
has log ' web \{"a_b":"_x_=1","host":"other"\} - /ingest'
PERF_PUSH_LABELS='host.name=other' push /v1development/profiles -i c.data
has log ' perf \{"host.arch":"[^"]*","host.name":"other","os'

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
for labels in env 1a=b a=1,a=2 a=$'x\ty'; do
	fails 129 perf data push --url http://localhost/ingest --labels "$labels" 2>err
	has err '--labels'
done
PERF_PUSH_LABELS=env fails 129 perf data push --url http://localhost/ingest 2>err
has err 'PERF_PUSH_LABELS is a list'
