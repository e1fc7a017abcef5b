#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: README.md: one screen, its pictures are there, and its commands work
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_source
need_event cpu-clock

[ "$(wc -l <"$SOURCE/README.md")" -le 120 ] || fail "README.md has more than 120 lines"
grep -o '(Documentation/pictures/[^)]*)' "$SOURCE/README.md" | tr -d '()' >pictures
[ "$(wc -l <pictures)" -ge 2 ]
while read -r picture; do
	[ "$(head -c 4 "$SOURCE/$picture" | tr -d '\211')" = PNG ] || fail "$picture is no PNG"
done <pictures

block() { awk -v open="\`\`\`$1" '$0 == open { on = 1; next } /^```/ { on = 0 } on' "$SOURCE/README.md"; }

# PROGRAM is somebody's; perf is the one that people have, or else this one.
mkdir bin
printf '#!/bin/sh\nexec "%s" test -w deep 20 0.3\n' "$PERF" >bin/PROGRAM
chmod +x bin/PROGRAM
ln -s "$PERF" bin/perf-whole
perf=$PERF
for other in /usr/bin/perf; do [ ! -x $other ] || perf=$other; done
ln -s "$perf" bin/perf
block sh >commands
[ "$(grep -c . commands)" = 3 ] || fail "README.md has not three commands"
while IFS= read -r line; do
	PATH=$PWD/bin:$PATH bash -e -o pipefail -c "$line" >out 2>err </dev/null || { cat err; fail "$line"; }
done <commands
[ -s perf.data ] && [ -s page.html ] || fail "no recording, or no page"

# What is built and installed: the goals are there.
block console | sed 's/#.*//; s/&&/\n/g' | awk '$1 == "make" { print $2 ? $2 : "all" }' >goals
[ "$(wc -l <goals)" -ge 5 ]
while read -r goal; do
	grep -hqE "^([a-z-]+ )*$goal( [a-z-]+)*:" "$SOURCE/Makefile" "$SOURCE"/packaging/*.mk ||
		fail "make $goal: there is no such goal"
done <goals
