#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf: command table, options undone, unknown and external commands, full disk
. "$PERF_TEST_DIR/shell/lib.sh"

fails 1 perf >out
has out ' help +Show' ' test +Run' ' version +Show' "'perf help COMMAND' shows"
perf --help | cmp - out
perf --version >out
has out '^perf version [0-9]+\.[0-9]+'
perf -v | cmp - out
perf version --build-options >out
has out ' libdw: \[ on  \]  # HAVE_LIBDW_SUPPORT, [0-9.]+$' ' libelf: \[ on  \]' ' libzstd: \[ on  \]'

perf check feature libdw,LIBELF >found
has found '^ +libdw: \[ on  \]  # HAVE_LIBDW_SUPPORT' '^ +libelf: '
perf check feature -q HAVE_LIBDW_SUPPORT >found
fails 1 perf check -q feature dwarf,libperl >>found 2>&1
fails 1 perf check feature -q dwarf,xyzzy >>found 2>&1
[ ! -s found ] || fail "perf check -q prints"
fails 1 perf check feature libperl >found
has found '^ +libperl: \[ OFF \]  # HAVE_LIBPERL_SUPPORT$'
fails 1 perf check feature dwarf,xyzzy,zstd >found 2>err
has found '^ +dwarf: \[ on ' '^ +zstd: \[ on '
has err "unknown feature 'xyzzy': 'perf version --build-options' lists them"
status=0
perf check feature dwarf zstd 2>err || status=$?
[ "$status" = 255 ] || fail "perf check feature dwarf zstd: status $status"
has err "too many arguments: 'zstd'; put commas"
fails 129 perf check feature 2>err
has err 'no feature is given'
fails 129 perf check xyzzy 2>err
has err "name what to check: 'feature'"

fails 1 perf tset 2>err
has err "'tset' is not a perf command. Did you mean test\?"
fails 1 perf xyzzy 2>err
has err "'xyzzy' is not a perf command\. See"
fails 129 perf --no-such-option 2>err
has err "unknown option '--no-such-option'"
fails 129 perf version --buidl-options 2>err
has err 'Did you mean --build-options'

mkdir bin
printf '#!/bin/sh\necho "outside: $*"\nexit 7\n' >bin/perf-outside
chmod +x bin/perf-outside
fails 7 env PATH="$PWD/bin:$PATH" "$PERF" outside a -b >out
has out '^outside: a -b$'

for c in help version 'test list'; do
	fails 1 perf $c >/dev/full 2>err
	has err 'cannot write to standard output: No space left on device'
done

# Each option can be undone, or says that it cannot.
for c in bench inject record report script stitch test unwind version; do
	perf $c -h >options
	args=(-i no-such.data)
	case $c in record) args=(--dry-run -- true) ;; test) args=(list) ;; bench | version) args=() ;; esac
	for o in $(grep -oE -- ' --[a-z][a-z-]*' options); do
		in_share 5 || continue
		[ "$c" != test ] || [ "$o" != --workload ] || continue
		got=0
		"$PERF" $c --no-${o#--} "${args[@]}" >out 2>err || got=$?
		case $got in 0 | 1 | 129) ;; *) fail "perf $c --no-${o#--}: status $got" ;; esac
	done
done
