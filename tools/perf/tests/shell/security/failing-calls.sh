#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf: a system call that fails is said, or does not matter; nothing crashes or hangs
# limit: 600
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd strace zstd timeout
strace -f --seccomp-bpf -o trace true 2>err || skip "strace cannot trace here: $(tail -n 1 err)"
! is_sanitized || skip "the sanitizers' own calls would fail"
! grep -q __gcov_dump "$PERF" || skip "the calls of gcov would fail, and what it has counted be lost"
export DEBUGINFOD_URLS= PERF_BUILDID_DIR=/dev/null
TIMES=${PERF_TEST_THOROUGH:+4} # so many calls of a kind fail, one per run
: "${TIMES:=2}"

# The error that each of them gives.
ERRORS='openat=EMFILE read=EIO pread64=EIO mmap=ENOMEM fstat=EIO newfstatat=EIO lseek=EINVAL
	write=ENOSPC writev=ENOSPC pwrite64=ENOSPC ftruncate=ENOSPC close=EIO clone=EAGAIN clone3=EAGAIN
	pipe2=EMFILE socketpair=EMFILE memfd_create=EMFILE rename=EACCES fsync=EIO fallocate=ENOSPC
	dup=EMFILE dup3=EMFILE fcntl=EBADF poll=ENOMEM ppoll=ENOMEM perf_event_open=EMFILE ioctl=ENOMEM
	sched_setaffinity=EINVAL prctl=EINVAL getdents64=EIO readlink=EACCES
	timerfd_create=EMFILE signalfd4=EMFILE eventfd2=EMFILE epoll_ctl=ENOMEM'

varies='' # set: each run writes something else

# COMMAND: its output is in out, words in err, what it has made in made
run() {
	rm -rf made
	timeout -k 5 60 "$@" >out 2>err
}

# The calls of this name that are to fail, by number: the first ones, then fewer and fewer. Those of
# the dynamic linker, which ends by unmapping its cache, are not ours.
some_of() { # NAME
	awk -v name="$1(" -v times="$TIMES" '
		/ munmap\(/ { linked = 1 }
		index($2, name) == 1 { linked ? n++ : before++ }
		END {
			for (i = 0; i < times && i < n; i++)
				print before + 1 + (n <= times ? i : int((n - 1) * (i / (times - 1)) ^ 2))
		}' trace | sort -nu
}

check() { # STATUS ERROR COMMAND...
	local status=$1 what=$2
	shift 2
	[ "$status" != 124 ] && [ "$status" != 137 ] || fail "$what: it hangs: $*"
	[ "$status" -lt 128 ] || fail "$what: status $status: $*: $(tail -n 5 err)"
	[ "$status" = 0 ] || { [ -s err ] || fail "$what: status $status without words: $*"; return 0; }
	[ ! -e want.made ] || [ -e made ] || fail "$what: nothing was written: $*"
	[ -z "$varies" ] || { perf script -i made >script.out 2>&1 || fail "$what: it cannot be read: $*"; return 0; }
	same_samples out want.out && { [ ! -e want.made ] || same_chains; } || ! cmp -s err want.err ||
		fail "$what: another output without a word: $*"
}

# A binary that cannot be read takes names, and callers, but no sample.
samples_of() { grep -E '^[^ \t#].*: |^# (Samples|Event count)' "$1" | sed 's/ *([a-z ]*) *$//'; }
same_samples() { cmp -s <(samples_of "$1") <(samples_of "$2"); }

# How frames were found may differ.
chains_of() { perf script --no-inline -F comm,tid,time,event,ip,whole -i "$1" 2>err.chains; }
same_chains() { cmp -s <(chains_of made) <(chains_of want.made); }

fail_calls() { # COMMAND...
	local pair name nr runs=0 status
	rm -rf want.made
	run "$@"
	mv out want.out
	mv err want.err
	[ ! -e made ] || cp made want.made
	run strace -f -qq -o trace "$@"
	for pair in $ERRORS; do
		name=${pair%=*}
		for nr in $(some_of "$name"); do
			in_share 3 || continue
			status=0
			run strace -f --seccomp-bpf -qq -o trace.now -e "trace=$name" \
				-e "inject=$name:error=${pair#*=}:when=$nr" "$@" || status=$?
			check $status "$name number $nr fails with ${pair#*=}" "$@"
			((++runs))
		done
	done
	echo "$runs runs of ${*:2:1}"
}

zstd -qdc "$PERF_TEST_DIR/data/deferred/f4.pipe.zst" >pipe
perf stitch -q -i pipe -o file
fail_calls "$PERF" report --stdio --no-inline -i file
if [ -n "${PERF_TEST_THOROUGH:-}" ]; then
	fail_calls "$PERF" script --no-inline -i file
	fail_calls "$PERF" stitch -i pipe -o made
fi

need_event cpu-clock
perf record -q -e cpu-clock -F 500 --no-stitch --defer=copy -o copies -- "$PERF" test -w noploop 1
fail_calls "$PERF" stitch -i copies -o made
[ -z "${PERF_TEST_THOROUGH:-}" ] || fail_calls "$PERF" script --no-inline -i copies
varies=1
fail_calls "$PERF" record -q -e cpu-clock -F 500 --defer=copy -o made -- "$PERF" test -w noploop 0.1
