# SPDX-License-Identifier: GPL-2.0-only
# For system tests: `. "$PERF_TEST_DIR/shell/lib.sh"` is their first command.
#
# A test runs as `bash NAME.sh` in an empty directory of its own, with $PERF (the perf to test)
# and $PERF_TEST_DIR (tests/). Its comment lines may say "# description: TEXT", "# limit: SECONDS"
# and "# exclusive" (see tests/runner.h). Any command that fails ends it as failed; use `|| true`,
# `if` or fails() where failure is what is expected.
set -Eeu -o pipefail
# Words of a failure go where the test's output goes, wherever a function's output goes in which it
# fails; behind what the last command of `... 2>err` has said.
exec {OUTPUT}>&1
trap 'words "$?" "$LINENO" "$BASH_COMMAND" >&$OUTPUT' ERR
words() {
	[ ! -s err ] || { echo "err says:"; tail -n 20 err; }
	echo "$0:$2: \"$3\" failed ($1)"
}

# The settings of whoever runs the tests are not theirs.
export PERF_CONFIG=/dev/null

fail() { echo "$0:${BASH_LINENO[0]}: $*" >&$OUTPUT; exit 1; }
skip() { echo "$*"; exit 77; }

perf() { "$PERF" "$@"; }

need_root() { [ "$(id -u)" = 0 ] || skip "needs root"; }
need_cmd() { local c; for c in "$@"; do command -v "$c" >/dev/null || skip "needs $c"; done; }
need_terminal() { [ -e /dev/pts/ptmx ] || skip "needs pseudo-terminals: /dev/pts is not mounted"; }
need_python() { [ -x /usr/bin/python3 ] || skip "needs /usr/bin/python3"; }
# A perf that runs scripts. Python keeps some memory of what it has imported until the process ends.
need_scripts() {
	"$PERF" version --build-options | grep -q "python3: \[ on" || skip "this perf was built without Python"
	! is_sanitized || export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
}
python() { /usr/bin/python3 "$@"; }

is_sanitized() { grep -q __asan_init "$PERF"; } # built with SANITIZE=address

# need_source: $SOURCE is the top of the source tree; an installed perf has none.
need_source() {
	SOURCE=$(cd -P "$PERF_TEST_DIR/../../.." && pwd -P)
	[ -e "$SOURCE/tools/perf/builtin.h" ] || skip "the source tree is not there"
}

# need_libraries: their sources are at $SOURCE, what was built is in $BUILD, and can be installed and used.
need_libraries() {
	need_cmd make gcc pkg-config
	need_source
	BUILD=$(dirname "$PERF")
	[ -e "$BUILD/features.mk" ] || skip "the build is not there"
	! is_sanitized || skip "programs cannot be linked with libraries that were built with a sanitizer"
}

# need_upstream: $UPSTREAM is a perf of the kernel's tools.
need_upstream() {
	for UPSTREAM in $(type -aP perf) /usr/bin/perf /usr/lib/linux-tools/*/perf; do
		[ ! "$UPSTREAM" -ef "$PERF" ] &&
			"$UPSTREAM" version 2>/dev/null | grep -Eq '^perf version [5-9]' && return
	done
	skip "no perf of the kernel's tools is installed"
}

# What either perf says when a busy machine let it lose something, or of chains by frame pointers, as a regex.
LOST='^$|^Warning:$|^Processed .* lost|^Check IO/CPU overload|records were lost while recording|user stacks end at once'

# upstream_record OPTIONS... [-- COMMAND]: tried again where it dies, or dies of what it has written.
# While another session asks for build-ids in mappings, Linux 6.18 says of everyone's that they have one,
# and its stack protector acts.
upstream_record() {
	local try got i file=perf.data
	for ((i = 1; i < $#; i++)); do
		case ${!i} in
		-o) ((i++)); file=${!i} ;;
		--) break ;;
		esac
	done
	[ "$file" != - ] || file=upstream.out
	for try in 1 2 3 4 5; do
		got=0
		"$UPSTREAM" record -q "$@" >upstream.out 2>upstream.err || got=$?
		[ $got -lt 128 ] || continue
		"$UPSTREAM" script -F comm -i "$file" >/dev/null 2>&1 || [ $? -lt 128 ] || continue
		break
	done
	[ $got = 0 ] || return $got
	cat upstream.out
}
cannot_record() { skip "upstream cannot record here: $(grep . upstream.err | tail -n 1 || echo "it says nothing")"; }

# own_mounts: as the first command: what gets mounted (tracefs, by perf as root) is for this test only.
own_mounts() {
	[ "$(id -u)" = 0 ] && [ -z "${OWN_MOUNTS:-}" ] && unshare -m true 2>/dev/null || return 0
	OWN_MOUNTS=1 exec unshare -m bash "$0"
}

# offered EVENT: the kernel lets us open it: a software event, or a tracepoint.
offered() {
	local top id status=0
	case $1 in
	cpu-clock | task-clock | page-faults) "$PERF" test -w opener >opener.log || status=$? ;;
	*:*)
		for top in /sys/kernel/tracing /sys/kernel/debug/tracing; do
			id=$(cat "$top/events/${1/://}/id" 2>/dev/null) && break
		done
		[ "${id:-}" ] || return
		"$PERF" test -w opener 2 "$id" >opener.log || status=$?
		;;
	*) return 1 ;;
	esac
	[ $status -le 1 ] || fail "perf test -w opener: status $status"
	return $status
}

# shared FILE COMMAND...: FILE is here, as COMMAND makes it here, which runs once for all tests of a
# run. It is a copy: what a test does with it does not concern the others.
SHARED=${PERF_TEST_SHARED:-$PWD/shared}
shared() { make_shared "$@" && cp "$SHARED/$1" "$1"; }
make_shared() {
	local file=$1
	shift
	[ ! -e "$SHARED/$file" ] || return 0
	mkdir -p "$SHARED"
	(
		flock 9
		[ -e "$SHARED/$file" ] || { "$@" 9>&-; mv "$file" "$SHARED/$file"; }
	) 9>"$SHARED/$file.lock"
}

# What perf keeps of the kernel's symbols is made once for all tests of a run, too: that takes longer
# than nearly everything that they do.
keep_kernel_symbols() {
	"$PERF" record -q -g -e cpu-clock -o kernel.data -- ls -R /proc/self/task >kernel.out 2>&1 &&
		"$PERF" report --stdio -i kernel.data >kernel.out 2>&1 || true
	cp "$HOME/.debug/.kernel/"* kernel-symbols 2>/dev/null || : >kernel-symbols
	rm -rf kernel.* "$HOME/.debug"
}
take_kernel_symbols() {
	make_shared kernel-symbols keep_kernel_symbols
	[ -s "$SHARED/kernel-symbols" ] || return 0
	mkdir -m 700 "$HOME/.debug" "$HOME/.debug/.kernel"
	ln "$SHARED/kernel-symbols" "$HOME/.debug/.kernel/$(</proc/sys/kernel/random/boot_id)"
}
[ -z "${PERF_TEST_SHARED:-}" ] || [ -e "$HOME/.debug" ] || take_kernel_symbols

# in_share NUMBER: of very many cases, which ask one after the other, one in NUMBER is tried; with
# `perf test --thorough` all are.
cases=0
in_share() { [ -n "${PERF_TEST_THOROUGH:-}" ] || ((cases++ % $1 == 0)); }

# need_event EVENT: recording it works here (no permission, no PMU, no tracefs: skipped). A perf that
# fails where the kernel does not is no reason to skip. $U is what the name of a software event
# gets from perf where only user space may be counted: ":u".
U=''
try_event() { # writes event.EVENT: nothing, ":u", or why not
	local status=0
	"$PERF" record -q -e "$1" -o need-event.data -- true >need-event.log 2>&1 || status=$?
	if [ $status = 0 ]; then
		"$PERF" report --header-only -i need-event.data >need-event.log
		! grep -q "name = $1:u," need-event.log || U=:u
		echo "$U" >"event.$1"
		rm -f need-event.data need-event.log
		return
	fi
	case $status in 1 | 129) ;; *) fail "perf record: status $status: $(cat need-event.log)" ;; esac
	! offered "$1" || fail "perf cannot record $1, which the kernel offers: $(cat need-event.log)"
	echo "cannot record $1 here: $(head -n 1 need-event.log)" >"event.$1"
}
need_event() {
	local verdict
	case $1 in
	cpu-clock | task-clock | page-faults) shared "event.$1" try_event "$1" ;;
	*) try_event "$1" ;; # of tracepoints, mounts may differ from test to test
	esac
	verdict=$(cat "event.$1")
	rm "event.$1"
	case $verdict in cannot*) skip "$verdict" ;; *?) U=$verdict ;; esac
}

# wait_until COMMAND...: it succeeds at last. Nothing that is waited for takes a certain time: a
# minute is for machines that are busy beyond measure, and each test's own limit is above all.
wait_until() {
	local i
	for ((i = 0; i < 1200; i++)); do
		"$@" && return
		sleep 0.05
	done
	fail "a minute later '$*' still fails"
}
# What to wait for: FILE, which is perhaps being written, has at least NUMBER samples; PID is the
# program NAME (it is a copy of us before that); PID has that many threads.
samples() { { "$PERF" script --force -i "$1" -F comm 2>/dev/null || true; } | wc -l; }
captured() { sed -n 's/.*(\([0-9]*\) samples).*/\1/p' "${1:-err}"; } # FILE: what perf record said
has_samples() { [ -s "$1" ] && [ "$(samples "$1")" -ge "$2" ]; } # FILE NUMBER
runs() { [ "$(cat "/proc/$1/comm" 2>/dev/null)" = "$2" ]; }     # PID NAME
has_threads() { [ "$(ls "/proc/$1/task" 2>/dev/null | wc -l)" -ge "$2" ]; } # PID NUMBER
has_events() { ls -l "/proc/$1/fd" 2>/dev/null | grep -q perf_event; } # PID: a recorder that is at work
# As a command to record, in place of `sleep`: until PID has used the CPU for so many SECONDS.
while_on_cpu() { echo "$PERF" test -w waiter "$1" "$2"; }

# Capabilities (capabilities(7)): status_field PID[/task/TID] NAME; caps BIT...: the number of these, without
# those that we do not have; check_caps PID NUMBER: it has exactly these, no thread more, and none to come.
status_field() { awk -v f="$2:" '$1 == f { print $2 }' "/proc/$1/status"; }
caps() {
	local bit set=0
	for bit; do set=$((set | 1 << bit)); done
	echo $((set & 16#$(status_field self CapEff)))
}
check_caps() {
	local thread name
	for thread in "/proc/$1/task/"*; do
		thread=${thread#/proc/}
		for name in CapEff CapPrm CapInh; do
			[ $((16#$(status_field "$thread" $name) & ~$2)) = 0 ] ||
				fail "$thread: $name is $(status_field "$thread" $name), expected $(printf %x "$2")"
		done
		[ "$(status_field "$thread" NoNewPrivs)" = 1 ] || fail "$thread could get them back"
	done
	[ $((16#$(status_field "$1" CapEff))) = "$2" ] ||
		fail "CapEff is $(status_field "$1" CapEff), expected $(printf %x "$2")"
}

# end PID...: ends what the test has started, and waits for it.
end() {
	kill "$@" 2>/dev/null || true
	wait "$@" 2>/dev/null || true
}

# fails [STATUS] COMMAND...: the command must fail, with that status, and not by a signal.
fails() {
	local want='' got=0
	case $1 in [0-9]*) want=$1; shift ;; esac
	"$@" || got=$?
	[ "$got" != 0 ] || fail "'$*' did not fail"
	[ "$got" -lt 128 ] || [ "$got" = 129 ] || fail "'$*' ended with status $got"
	[ -z "$want" ] || [ "$got" = "$want" ] || fail "'$*': status $got, expected $want"
}

# has FILE REGEX..., has_not FILE REGEX...: (extended) each must, must not, match a line.
has() {
	local f=$1 re
	shift
	for re in "$@"; do
		grep -Eq -- "$re" "$f" || { head -n 40 "$f"; fail "nothing in $f matches '$re'"; }
	done
}
has_not() {
	local f=$1 re
	shift
	for re in "$@"; do
		! grep -E -m 5 -- "$re" "$f" || fail "$f matches '$re'"
	done
}
