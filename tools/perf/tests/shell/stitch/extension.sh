#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf whole, stitch: extensions of the perf that the distribution installed
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

# What `make install-extension` installs: the same program under the names of the commands.
mkdir bin
for c in whole stitch unwind; do ln -s "$PERF" bin/perf-$c; done
bin/perf-stitch -h >help
has help 'Usage: perf stitch'
fails 129 bin/perf-stitch --nonsense 2>err
has err 'nonsense'
bin/perf-unwind -h >help
has help 'perf unwind'
bin/perf-whole -h >help
has help 'Usage: perf whole'
fails 129 bin/perf-whole 2>err
has err 'nothing to record'
bin/perf-whole --version | cmp - <(perf --version)
bin/perf-whole version | cmp - <(perf --version)

# Without a command it records; advice is about itself.
fails 1 bin/perf-whole report --stdio 2>err
has err 'perf whole record -g --defer'
bin/perf-whole -q -e cpu-clock -F 500 -- "$PERF" test -w deep 20 0.3
perf script -F +whole >lines
[ "$(grep -c '(whole)' lines)" -gt 0 ] || fail "$(head -n 3 lines)"
bin/perf-whole report --brief >page
has page '^  perf whole report -i perf.data --about '
perf report --brief >page
has page '^  perf report -i perf.data --about '
# A program with the name of a command.
mkdir programs
printf '#!/bin/sh\necho "it ran"\n' >programs/script
chmod +x programs/script
PATH=$PWD/programs:$PATH bin/perf-whole -q -e cpu-clock -o other.data -- script >out
has out 'it ran'
bin/perf-whole script -i perf.data -F comm >out
has_not out 'it ran'
# record and top are whole there, too.
bin/perf-whole record -e cpu-clock -o other.data -- true 2>err
has err 'whole user stacks'

if [ -e "$PERF_TEST_DIR/../../../Makefile" ] && [ -w "$PERF_TEST_DIR/../../../Makefile" ]; then
	make -n -C "$PERF_TEST_DIR/../../.." install-extension DESTDIR="$PWD/root" prefix=/usr >make.out
	has make.out 'perf-' 'whole stitch unwind' 'ExecStart=/usr/bin/perf-whole '
fi

need_upstream

PATH=$PWD/bin:$PATH
"$UPSTREAM" whole -e cpu-clock -F 500 -o whole.data -- "$PERF" test -w deep 20 0.3 2>err
has err 'whole user stacks \((100|9[0-9])\.'
"$UPSTREAM" script --no-inline -i whole.data -F comm,ip,sym 2>err >lines
grep -Ev "$LOST" err >said || true
has_not said .
has lines ' deep' ' main'
"$UPSTREAM" report --stdio --no-inline -i whole.data 2>err >report
has report 'main'

upstream_record -e cpu-clock --call-graph dwarf -F 500 -m 4M -- "$PERF" test -w deep 20 0.3 ||
	cannot_record
before=$(stat -c %s perf.data)
"$UPSTREAM" stitch 2>err
has err 'whole user stacks'
[ "$(stat -c %s perf.data)" -lt $((before / 5)) ] || fail "from $before to $(stat -c %s perf.data)"
"$UPSTREAM" script --no-inline -F comm,ip,sym 2>err >lines
grep -Ev "$LOST" err >said || true
has_not said .
has lines ' main'
"$UPSTREAM" report --stdio --no-inline 2>err >report
grep -Ev "$LOST" err >said || true
has_not said .
has report 'test|perf'
