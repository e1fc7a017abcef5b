#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: unwind: rows are kept on disk, from command to command, and change no stack
# limit: 60
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

kept=$HOME/.debug/.unwind

perf record -q -e cpu-clock -F 499 --call-graph dwarf -- "$PERF" test -w deep 20 0.3
perf stitch -q --no-unwind-cache -o plain.data
[ ! -e "$kept" ] || fail "--no-unwind-cache: $(ls "$kept")"

# same DATA: it has the stacks that were unwound without anything kept.
same() { cmp plain.data "$1" || fail "$1 is not as plain.data"; }

perf stitch -q -o first.data
same first.data
perf unwind cache >list
has list '^ *[0-9]+ +[1-9][0-9]* +[1-9][0-9]*  [0-9a-f]{40}-[0-9a-f]{16}$' ' in [1-9][0-9]* files$'
[ "$(stat -c %a "$kept")" = 700 ] || fail "mode of the directory"

# Nothing new is compiled: nothing is written.
stat -c '%n %i' "$kept"/* >before
perf stitch -q -o second.data
same second.data
perf script >/dev/null
stat -c '%n %i' "$kept"/* >after
cmp before after || fail "the second run has made rows"

# Damage, another version, a cut: made again.
for f in "$kept"/*; do
	size=$(stat -c %s "$f")
	printf 'damage' | dd of="$f" bs=1 seek=$((size - 100)) conv=notrunc status=none
done
fails 1 perf unwind cache >list 2>err
has list ': damaged$'
has err 'cannot be used; they will be rebuilt when needed'
perf stitch -q -o third.data
same third.data
perf unwind cache >list
for f in "$kept"/*; do
	printf 'x' | dd of="$f" bs=1 seek=30 conv=notrunc status=none
done
perf stitch -v -o fourth.data 2>err
has err 'kept rows .*: written by another build of perf'
same fourth.data
for f in "$kept"/*; do truncate -s 1000 "$f"; done
perf stitch -q -o fifth.data
same fifth.data
perf unwind cache >list

# What others could have written is not read: no file, and no word but for -v.
chmod 777 "$kept"
perf stitch -v -o sixth.data 2>err
has err "unwind tables are not kept on disk: '.unwind' can be written to by others"
same sixth.data
chmod 700 "$kept"
if [ "$(id -u)" = 0 ]; then
	mkdir user
	chown 65534 user
	HOME=$PWD/user perf stitch -v -o seventh.data 2>err
	has err "unwind tables are not kept on disk: '.*/user/' belongs to another user"
	same seventh.data
	[ ! -e user/.debug ] || fail "root has made something in a user's home"
fi
HOME=/dev/null perf stitch -v -o eighth.data 2>err
has err "unwind tables are not kept on disk: "
same eighth.data

# Elsewhere, as the user says it, or another perf that runs this one.
"$PERF" --buildid-dir "$PWD/named" stitch -q -o tenth.data
same tenth.data
[ -n "$(ls named/.unwind)" ] || fail "nothing is kept in --buildid-dir"
perf --buildid-dir /dev/null stitch -q -o eleventh.data
same eleventh.data
fails 129 perf --buildid-dir 2>err
has err 'needs a value'
PERF_BUILDID_DIR=$PWD/other perf stitch -q -o ninth.data
same ninth.data
[ -n "$(ls other/.unwind)" ] || fail "nothing is kept in PERF_BUILDID_DIR"

perf unwind cache clear >list
has list '^[1-9][0-9]* files of [0-9]+ kB removed$'
[ -z "$(ls -A "$kept")" ] || fail "cleared: $(ls -A "$kept")"

# While recording, unless -N says not to.
perf record -q -N -e cpu-clock -F 499 -g --defer=copy -o live.data -- "$PERF" test -w deep 20 0.2 2>err
[ -z "$(ls -A "$kept")" ] || fail "record -N: $(ls -A "$kept")"
perf record -q -e cpu-clock -F 499 -g --defer=copy -o live.data -- "$PERF" test -w deep 20 0.2 2>err
[ -n "$(ls -A "$kept")" ] || fail "record has kept nothing"
