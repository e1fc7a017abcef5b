# SPDX-License-Identifier: GPL-2.0-only
# Beside lib.sh, for tests of what root's recorder loads into the kernel.

# leaves_no_program RECORD-OPTIONS...: a recorder of the system that is killed takes its BPF program
# with it.
leaves_no_program() {
	local pid id
	touch on
	"$PERF" record -q "$@" -o killed.data -a -- bash -c 'while [ -e on ]; do sleep 0.05; done' 2>err &
	pid=$!
	program() { id=$(grep -hs '^prog_id:' /proc/$pid/fdinfo/* | awk '{ print $2; exit }') && [ "$id" ]; }
	there() { python "$PERF_TEST_DIR/lib/bpf-programs.py" >programs && grep -qx "$id" programs; }
	gone() { ! there; }
	wait_until program
	there || fail "program $id is not in the kernel's list"
	kill -9 $pid
	wait $pid || true
	wait_until gone
	rm on
}
