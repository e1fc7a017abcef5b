#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: every option of Linux perf 6.1 and 7.2 is known, if only to be refused
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"

long='affinity aio all-cgroups all-cpus all-kernel all-user aux-sample branch-any branch-filter
buildid-all buildid-mmap call-graph cgroup clang-opt clang-path clockid code-page-size
compression-level control count cpu data data-mmap data-page-size debuginfod delay dry-run event
exclude-perf filter freq group intr-regs kcore kernel-callchains latency max-size mmap-flush
mmap-pages namespaces no-bpf-event no-buffering no-buildid no-buildid-cache no-inherit no-samples
num-thread-synthesize off-cpu off-cpu-thresh output overwrite per-thread period phys-data pid
proc-map-timeout quiet raw-samples realtime running-time sample-cpu sample-identifier
sample-mem-info setup-filter snapshot stat strict-freq switch-events switch-max-files
switch-output switch-output-event synth tail-synthesize threads tid timestamp timestamp-boundary
timestamp-filename transaction uid user-callchains user-regs verbose vmlinux weight'
refused='aux-sample clang-opt clang-path debuginfod kcore setup-filter snapshot
threads vmlinux'

for o in $long; do
	in_share 3 || continue
	perf record --dry-run --$o >out 2>&1 </dev/null || true
	has_not out "unknown option"
	case " $(echo $refused) " in
	*" $o "*) has out "^Error: option \`$o' of Linux perf is not supported: ." ;;
	*) has_not out 'of Linux perf is not supported' ;;
	esac
done
for o in a b B c C d D e F g G I i j k m N n o P p q R r S s t T u v W z; do
	in_share 3 || continue
	perf record --dry-run -$o >out 2>&1 </dev/null || true
	has_not out 'unknown switch'
done

# The other perf, if it has any that we do not know.
for p in $(type -aP perf) /usr/bin/perf; do
	"$p" version 2>/dev/null | grep -Eq '^perf version [4-9]\.' || continue
	for o in $("$p" record -h 2>&1 | grep -oE '^ {4}(-[a-zA-Z], | {4})--[a-z-]+' | grep -oE -- '--.*'); do
		in_share 5 || continue
		perf record --dry-run "$o" >out 2>&1 </dev/null || true
		has_not out 'unknown option'
	done
done
