#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: options: a mistake shows the help of its own option, -h that of all or of some
. "$PERF_TEST_DIR/shell/lib.sh"

# mistake MESSAGE OPTIONS COMMAND...: the message, the usage, and the help of these options only.
mistake() {
	local message=$1 options=$2
	shift 2
	fails 129 "$PERF" "$@" >out 2>err </dev/null
	[ ! -s out ] || fail "'$*' writes to standard output"
	head -n 1 err >first
	has first "^Error: $message"
	has err "^ Usage: perf $1 " "^ See 'perf $1 -h' for all options\.$"
	sed -nE 's/^    (-[a-zA-Z], )?(--?[a-zA-Z-]+).*/\2/p' err | sort | tr '\n' ' ' >shown
	[ "$(cat shown)" = "$options" ] || { cat err; fail "'$*' shows '$(cat shown)'"; }
}

mistake "option .count' requires a value" '--count ' record --count
mistake "option .count' requires a value" '--count ' record -c
mistake "option .quiet' takes no value" '--quiet ' record --quiet=3
mistake "option .no-inherit' takes no value" '--no-inherit ' record --no-inherit=3
mistake "unknown option .cuont'" '--count ' record --cuont 3
mistake "unknown option .xyzzy'" '' record --xyzzy
mistake "unknown switch .='" '' record -g=fp true
mistake "option .no-buil' is ambiguous" '--no-buildid --no-buildid-cache ' record --no-buil
mistake '-F and -c exclude' '--count --freq ' record -F 9 -c 9 true
mistake "-F '-c9' " '--freq ' record -F -c9 true
mistake "option .gtk' of Linux perf is not supported" '--stdio --tui ' report --gtk
mistake "-j '0' is not" '--jobs ' stitch -j 0
mistake "unexpected argument 'x--json'" '--input --output ' stitch x--json

# How all options are shown, of a command in two words, too.
for to in 'data push --url=http://localhost x' 'data convert --to=svg x'; do
	read -r -a words <<<"$to"
	fails 129 "$PERF" "${words[@]}" 2>err
	has err "^ See 'perf data ${words[1]} -h' for all options\.$"
done
fails 129 "$PERF" data 2>err
has err '^Error: name a command: bundle, convert or push$' '^ Usage: perf data bundle'
fails 129 "$PERF" script -F comm,nosuch 2>err
has err "^Error: unknown field 'nosuch'$" '^Hint: fields are comm, tid, .*, cgroup, brstack'

perf record -h >all
has all '^ Usage: perf record' ' -F, --freq' ' --defer'
perf record -h FREQ >out
has out '^ Usage: perf record' '^    -F, --freq' '^    --strict-freq'
has_not out ' --defer'
perf record -h -c --defer >out
has out '^    -c, --count' '^    --defer'
has_not out ' --freq' "for all options"
