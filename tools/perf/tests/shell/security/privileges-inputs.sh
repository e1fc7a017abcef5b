#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: a perf whose file may read everything shows nobody the recordings and binaries of others
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_python
need_cmd setpriv setcap
python "$PERF_TEST_DIR/lib/made-recording.py" switches x.data
as=(setpriv --reuid=54321 --regid=54321 --clear-groups --inh-caps=-all)
chmod 777 .
cp "$PERF" perf-copy
setcap cap_perfmon,cap_sys_ptrace,cap_dac_read_search=ep perf-copy || skip "files have no capabilities here"
"${as[@]}" ./perf-copy version >out || skip "a file with capabilities cannot be run here"

chmod 600 x.data
cp x.data theirs.data
chown 54321 theirs.data
for c in "report --stdio" "report --header-only" "report --stats" script "script --json" "script -D" "annotate --stdio" \
	evlist buildid-list "data convert --to folded -o -" "data bundle -o x.bundle" "stitch -n" "unwind stats" "inject -o y.data"; do
	# shellcheck disable=SC2086
	if "${as[@]}" ./perf-copy $c -i x.data >out 2>err; then fail "$c: $(cat out err)"; fi
	grep -q 'Permission denied' err || fail "$c: $(cat err)"
done
if "${as[@]}" ./perf-copy diff x.data theirs.data >out 2>err; then fail "diff: $(cat out err)"; fi
has err 'Permission denied'
# Nor binaries, by a cache of one's own, nor what is said to a server.
cp "$PERF" theirs
cp "$PERF" secret
chmod 600 secret
chown 54321 theirs
refused() { # COMMAND...
	if "${home[@]}" ./perf-copy "$@" >out 2>err; then fail "$*: $(cat out err)"; fi
	grep -q 'Permission denied' err || fail "$*: $(cat err)"
}
mkdir -m 777 home
{ cat /etc/passwd; echo "perf-reader:x:54321:54321::$PWD/home:/bin/sh"; } >passwd
# shellcheck disable=SC2016
home=(unshare -m sh -c 'mount --bind "$0" /etc/passwd && exec "$@"' "$PWD/passwd" "${as[@]}") # of the user database
"${home[@]}" true || skip "no mount namespaces here"
refused buildid-cache -a secret
refused buildid-cache -M x.data
refused buildid-cache --target-ns $$ -a "$PWD/theirs"
"${home[@]}" ./perf-copy buildid-cache -a theirs 2>err || fail "$(cat err)"
"${home[@]}" ./perf-copy buildid-cache -l >out 2>err
has out "$PWD/theirs"
has_not out secret
refused data push --url http://127.0.0.1:9/ingest --retry 0 -i theirs.data --header-file secret
"${as[@]}" ./perf-copy script -i theirs.data >out 2>err || fail "$(cat err)"
has out .
