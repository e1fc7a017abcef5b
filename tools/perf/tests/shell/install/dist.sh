#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: make dist: the same bytes each time, of the commit, and a tree that needs no git
# limit: 400
. "$PERF_TEST_DIR/shell/lib.sh"
need_source
need_cmd git xz tar awk make
git -C "$SOURCE" rev-parse -q --verify HEAD >commit 2>err || skip "no git: $(cat err)"

export LEVEL=-0
one() { (umask "$1"; cd / && TMPDIR=$2 "$SOURCE/packaging/dist" "$HERE/$3"); }
HERE=$PWD
mkdir here there
one 022 "$PWD/here" one.tar.xz
one 077 "$PWD/there" two.tar.xz
[ "$(git -C "$SOURCE" rev-parse HEAD)" = "$(cat commit)" ] || skip "somebody has committed meanwhile"
cmp one.tar.xz two.tar.xz
tar -tvf one.tar.xz >list
has list ' 0/0 .* perf-whole-[0-9a-g.~]+/Makefile$' 'Documentation/man/perf-whole\.1$'
has_not list '/\.git/' ' perf-whole[^/]*/build/'

tar -xf one.tar.xz
tree=$(echo perf-whole-*)
commit=$(cut -c 1-12 commit)
# Its version is the commit's, also where the archive lies in a repository of somebody else.
[ "$("$tree/packaging/dist" --version)" = "${tree#perf-whole-}" ] || fail "the version differs"
"$tree/tools/build/version" >version
has version "^#define PERF_VERSION \"0\.[0-9.]+(\.g$commit)?\"$"
make -n -C "$tree" O="$PWD/built" help >out
has out 'sed'
# Warnings of later compilers do not stop those who build it from the archive.
printf 'include Makefile\n$(info errors: $(WERROR))\n' >ask.mk
for top in "$tree" "$SOURCE"; do make -s -C "$top" -f "$PWD/ask.mk" help; done | grep ^errors >out
[ "$(tr '\n' , <out)" = "errors: ,errors: 1," ] || fail "$(cat out)"
