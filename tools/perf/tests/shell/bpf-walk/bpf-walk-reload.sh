#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=bpf: while a program loads and unloads code its stacks are whole, and true
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/bpf-walk/lib-bpf-walk.sh"

# reload LEAST ARGS...: so many percent are whole. A chain that is in the leaf of one plugin has that
# plugin's entry, and that its host; what says that it is not whole begins with the right frames.
reload() {
	local least=$1
	shift
	perf record -v -F 1999 -e cpu-clock:u -g --defer=bpf -o r.data -- "$PERF" test -w plugin "$@" 2>err ||
		fail "$(cat err)"
	perf data convert --to folded -i r.data -o - -q >folded
	has_not err 'no file behind the address'
	awk -v least="$least" '
		{ all += $NF }
		/^[^;]*;\[/ || /^\[/ { cut += $NF }
		/plugin_a_leaf/ || /plugin_b_leaf/ {
			n += $NF
			right = /host_a;plugin_a_entry;plugin_a_leaf/ || /host_b;plugin_b_entry;plugin_b_leaf/
			if (!right && !/mappings changed|\[/) { wrong += $NF; print }
		}
		END {
			print n, "in plugins,", wrong + 0, "wrong,", cut + 0, "of", all, "not whole"
			exit wrong || !n || 100 * cut > (100 - least) * all
		}' folded >counts || { grep -E 'counted at|whole' err; fail "$* : $(cat counts)"; }
	cat counts
}

perf record -v -e cpu-clock --defer=bpf -o try.data -- true 2>err || fail "$(cat err)"
# Where mappings are not counted, chains are lost until the recorder knows of the change.
counted=99.5
! is_sanitized || counted=97 # a slower recorder learns of them later
grep -q 'code mappings are not counted at mmap_lock_released' err && counted=0
reload $counted 8 0.15
reload 0 20000 0.00002
reload 0 20000 0.00002 over
