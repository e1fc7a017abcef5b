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

# burns: $pid runs a BPF program, "burner", all the time; what it has printed is in the file out, and
# $bpf is the number of the system call.
# Skips where that cannot be.
burns() {
	case $(uname -m) in
	x86_64) bpf=321 ;;
	aarch64) bpf=280 ;;
	*) skip "the number of the system call bpf is not known here" ;;
	esac
	[ "$(cat /proc/sys/net/core/bpf_jit_enable 2>/dev/null || echo 1)" != 0 ] || skip "programs are not compiled"
	/usr/bin/python3 "$PERF_TEST_DIR/lib/bpf-burner.py" $bpf >out 2>why &
	pid=$!
	loaded() { grep -qs loaded out || ! kill -0 $pid 2>/dev/null; }
	wait_until loaded
	grep -q loaded out || skip "no BPF program can be loaded: $(cat why)"
}
