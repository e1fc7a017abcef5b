#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: a perf with capabilities of its file says which options and settings count for nothing
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_python
need_cmd setpriv setcap
need_event cpu-clock
! is_sanitized || skip "the sanitizers look up variables of their own"

as=(setpriv --reuid=54321 --regid=54321 --clear-groups --inh-caps=-all env -u PERF_CONFIG)
cp "$PERF" perf-copy
chmod 777 .
setcap cap_perfmon=ep perf-copy || skip "files have no capabilities here"
"${as[@]}" ./perf-copy version >out || skip "a file with capabilities cannot be run here"
mkdir ids
chown 54321 ids

for option in --buildid-dir --debugfs-dir --exec-path; do
	"${as[@]}" ./perf-copy "$option=$PWD/ids" version >out 2>err
	has err "$option has no effect: the file of this perf has capabilities"
	has out '^perf version'
	"${as[@]}" "$PERF" "$option=$PWD/ids" version >out 2>err
	has_not err .
done
# Without capabilities the folder is used.
"${as[@]}" "$PERF" --buildid-dir "$PWD/ids" buildid-cache -a "$PERF"
[ -d ids/.build-id ] || fail "nothing was added"

"${as[@]}" "$PERF" record -q -e cpu-clock:u -o x.data -- "$PERF" test -w deep 20 0.1
# No pager is what anybody may ask for.
printf '#!/bin/sh\ncat >/dev/null\necho paged >%s/paged\n' "$PWD" >less
chmod 755 less
paged() { # OPTION...: on a terminal
	rm -f paged
	"${as[@]}" PATH="$PWD:$PATH" /usr/bin/python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' \
		./perf-copy "$@" </dev/null >out 2>&1
	[ -e paged ]
}
paged report --stdio -i x.data || fail "there is no pager: $(cat out)"
! paged --no-pager report --stdio -i x.data || fail "--no-pager has no effect"
