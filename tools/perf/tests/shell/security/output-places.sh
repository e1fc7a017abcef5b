#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: outputs: pipes, devices, FIFOs and own links work as ever; root's stay root's anywhere
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

record() { perf record -q -e "cpu-clock$U" "$@" -- "$PERF" test -w noploop 0.1 2>err; }
samples() { perf script -i "$1" -F comm | grep -c perf; }

record -o /dev/null
[ -c /dev/null ] || fail "it is no device any more"
record -o /dev/stdout >redirected
record -o /dev/stdout | cat >piped
mkfifo fifo
cat fifo >taken & reader=$!
record -o fifo
wait $reader
mkdir elsewhere
ln -s elsewhere/target link
record -o link
for f in redirected piped taken elsewhere/target; do
	[ "$(samples $f)" -gt 10 ] || fail "$f: $(samples $f) samples"
done
[ -L link ] || fail "the link is gone"
# With something in it, what it was is kept, as for a file.
record -o link
[ -L link.old ] && [ -f link ] || fail "$(ls -l)"
# Exports replace what a link leads to, and /dev/stdout is no file.
ln -s elsewhere/folded export
perf data convert --to folded -i redirected -o export 2>err
[ -L export ] && [ -s elsewhere/folded ] || fail "$(ls -l . elsewhere)"
perf data convert --to folded -i redirected -o /dev/stdout 2>err | cmp - elsewhere/folded
perf data convert --to folded -i redirected -o /dev/stdout 2>err >export2
cmp export2 elsewhere/folded

need_root
# In the folder of another user root records, reports and stitches as in its own.
mkdir -m 755 theirs
chown 54321:54321 theirs
record -o theirs/x
record -o theirs/x
[ "$(stat -c '%u %a' theirs/x)" = '0 600' ] || fail "$(ls -ln theirs)"
[ "$(samples theirs/x)" -gt 10 ] && [ "$(samples theirs/x.old)" -gt 10 ] || fail "$(ls -ln theirs)"
perf stitch -q -i theirs/x
mkdir theirs/below
chown 54321 theirs/below
(cd theirs/below && record -o x && record -o ../x) || fail "$(cat theirs/below/err)"
# His links are not followed, nor is a folder used that he may not write to.
ln -s ../target theirs/link
fails 1 record -o theirs/link
has err "cannot open theirs/link for writing: another user can change a link or '..' in its path" 'Name the file'
(cd theirs && fails 1 record -o ../y) # he can move his folder elsewhere
[ ! -e target ] && [ ! -e y ] || fail "it has made the target of another user's link"
chmod 555 theirs
fails 1 record -o theirs/y
has err "cannot open theirs/y for writing: the owner of its folder, user 54321, may not write there"
chmod 755 theirs
need_cmd setpriv
fails 1 setpriv --bounding-set=-setuid --inh-caps=-all "$PERF" record -q -e cpu-clock -o theirs/z -- true 2>err
has err 'root cannot become that user here .CAP_SETUID, CAP_SETGID.' 'run perf as that user'
