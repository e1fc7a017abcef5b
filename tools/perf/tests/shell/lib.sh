# SPDX-License-Identifier: GPL-2.0-only
# For system tests: `. "$PERF_TEST_DIR/shell/lib.sh"` is their first command.
#
# A test runs as `bash NAME.sh` in an empty directory of its own, with $PERF (the perf to test)
# and $PERF_TEST_DIR (tests/). Its comment lines may say "# description: TEXT", "# limit: SECONDS"
# and "# exclusive" (see tests/runner.h). Any command that fails ends it as failed; use `|| true`,
# `if` or fails() where failure is what is expected.
set -Eeu -o pipefail
trap 'echo "$0:$LINENO: \"$BASH_COMMAND\" failed ($?)"' ERR

fail() { echo "$0:${BASH_LINENO[0]}: $*"; exit 1; }
skip() { echo "$*"; exit 77; }

perf() { "$PERF" "$@"; }

need_root() { [ "$(id -u)" = 0 ] || skip "needs root"; }
need_cmd() { local c; for c in "$@"; do command -v "$c" >/dev/null || skip "needs $c"; done; }
need_python() { [ -x /usr/bin/python3 ] || skip "needs /usr/bin/python3"; }
python() { /usr/bin/python3 "$@"; }

# need_source: $SOURCE is the top of the source tree; an installed perf has none.
need_source() {
	SOURCE=$(cd -P "$PERF_TEST_DIR/../../.." && pwd -P)
	[ -e "$SOURCE/tools/perf/builtin.h" ] || skip "the source tree is not there"
}

# need_upstream: $UPSTREAM is a perf of the kernel's tools.
need_upstream() {
	for UPSTREAM in $(type -aP perf) /usr/bin/perf /usr/lib/linux-tools/*/perf; do
		[ ! "$UPSTREAM" -ef "$PERF" ] &&
			"$UPSTREAM" version 2>/dev/null | grep -Eq '^perf version [5-9]' && return
	done
	skip "no perf of the kernel's tools is installed"
}

# upstream_record OPTIONS... [-- COMMAND]: tried again where it dies. While another session asks for
# build-ids in mappings, Linux 6.18 says of everyone's that they have one, and its stack protector acts.
upstream_record() {
	local try got=0
	for try in 1 2 3 4 5; do
		got=0
		"$UPSTREAM" record -q "$@" >upstream.out 2>upstream.err || got=$?
		[ $got -ge 128 ] || break
	done
	[ $got = 0 ] || return $got
	cat upstream.out
}
cannot_record() { skip "upstream cannot record here: $(tail -n 1 upstream.err)"; }

# own_mounts: as the first command: what gets mounted (tracefs, by perf as root) is for this test only.
own_mounts() {
	[ "$(id -u)" != 0 ] || [ -n "${OWN_MOUNTS:-}" ] || OWN_MOUNTS=1 exec unshare -m bash "$0"
}

# need_event EVENT: recording it works here (no permission, no PMU, no tracefs: skipped).
need_event() {
	"$PERF" record -q -e "$1" -o need-event.data -- true >need-event.log 2>&1 ||
		skip "cannot record $1 here: $(head -n 1 need-event.log)"
	rm -f need-event.data need-event.log
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
