#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: hotspot: what it looks for before it records, its command lines, and its parser
. "$PERF_TEST_DIR/shell/callers/lib-callers.sh"
need_event cpu-clock
need_program

perf version --build-options >options
has options 'zstd: \[ (on  |OFF )\]' 'aio: \[ on  \]' 'libtraceevent: \[ on  \]'
perf record --help >help 2>&1 || perf record -h >help
has help '--switch-events' '--sample-cpu'
# It records with a fifo for control and one for acknowledgements, stacks copied or by frame pointers.
mkfifo control ack
perf record --control=fifo:"$PWD/control,$PWD/ack" -o hotspot.data --call-graph dwarf --sample-cpu --switch-events \
	-e cpu-clock$U ./two >out 2>err
perf record -o fp.data --call-graph fp -m 128 -e cpu-clock$U ./two >out 2>err
perf buildid-list -i hotspot.data >ids
has ids '^[0-9a-f]{40} .*/two$'
parser=$(installed /usr/lib/*/libexec/hotspot-perfparser /usr/libexec/hotspot-perfparser)
[ -n "$parser" ] || skip "its command lines work; hotspot is not installed"
for f in hotspot.data fp.data; do
	"$parser" --input $f --output parsed >out 2>err || fail "$(tail -n 3 err)"
	strings parsed >names
	has names '^work_net$' '^work_disk$'
done
