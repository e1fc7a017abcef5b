#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer: whole user stacks, small files, raw copies on request
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

work() { echo "$PERF" test -w deep 20 0.5; }
whole() { # FILE: of the samples in user code, how many reach the start of the program, in %
	perf script -i "$1" -F comm,ip,sym | awk -v RS= '
		/deep/ { n++; if (/_start/) w++ }
		END { if (!n) exit 1; printf "%d\n", 100 * w / n }'
}

perf record --defer=copy -e cpu-clock -o copy.data -- $(work) 2>err
has err '^\[ perf record: [0-9,]+ samples, [0-9,]+ whole user stacks'
[ "$(whole copy.data)" -ge 95 ] || fail "only $(whole copy.data) % of the stacks are whole"
perf script -i copy.data -F ip,sym >lines
has lines ' main'
perf record -q --defer=copy --no-stitch -e cpu-clock -o raw.data -- $(work)
[ "$(whole raw.data)" -ge 95 ] || fail "raw: only $(whole raw.data) % are whole"
perf record -q --call-graph dwarf -e cpu-clock -o dwarf.data -- $(work)
big=$(stat -c %s raw.data) small=$(stat -c %s copy.data)
[ "$big" -gt $((small * 5)) ] || fail "stitched $small bytes, raw $big"

# auto says what it took, and why, to those who ask: there is nothing to worry about.
perf record --defer -e cpu-clock -o auto.data -- $(work) 2>err
has_not err 'this kernel|CONFIG|defer'
perf record -v --defer -e cpu-clock -o auto.data -- $(work) 2>err
has err '^--defer=(copy \(unwound while recording\)|kernel): '
if grep -q 'does not support deferred' err; then
	fails 1 perf record --defer=kernel -- true 2>err
	has err '6\.19' 'CONFIG_UNWIND_USER' '--defer=copy'
else
	perf record --defer=kernel -e cpu-clock -o kernel.data -- $(work) 2>err
	has err 'perf record: [0-9,]+ samples, [0-9,]+ whole user stacks'
	perf script -i kernel.data -F comm,ip,sym >lines
	has lines 'deep|spin'
	# All CPUs: the records come in the rings of a dummy event.
	perf record -a --defer=kernel -e cpu-clock -o kernel.data -- $(work) 2>err
	has err '[0-9,]+ whole user stacks'
	has_not err 'left unstitched'
fi
# Copies that are too short are counted, not glued.
perf record --defer=copy --stack-size 256 -e cpu-clock -o short.data -- $(work) 2>err
has err 'copy too short'

# By default they are as large as the rings allow: here stacks of some 12 kB.
deep() { echo "$PERF" test -w deep 220 0.5; }
perf record --defer=copy --stack-size 8192 -F 999 -e cpu-clock:u -o short.data -- $(deep) 2>err
has err '[0-9,]+ copy too short' '^Warning: [0-9]+ user stacks are longer than their copies: perf record -g --defer copies'
perf report --stdio -i short.data >out 2>err
has err '^Warning: [0-9]+ user stacks are longer than their copies'
perf report --brief -i short.data >out
has out 'of the user stacks are cut: [0-9]+ user stacks are longer than'
perf record -v --defer=copy -F 999 -e cpu-clock:u -o whole.data -- $(deep) 2>err
if grep -q 'copies of at most 65528 bytes' err; then
	has err ' whole user stacks \((100|9[5-9])\.'
else
	echo "no room for large copies: $(grep 'copies of' err)"
fi
# What stays in the file is as upstream has it.
perf record -v --defer=copy --no-stitch -F 999 -e cpu-clock:u -o raw.data -- $(deep) 2>err
has err 'copies of at most 8192 bytes'

# Copies of the top of the stack belong to what the kernel defers, and do not stay in the file.
for with in --no-stitch --user-regs=ip --tail-synthesize; do
	fails 129 perf record --defer=copy --leaf-copy $with -e cpu-clock -- true 2>err
	has err '\-\-leaf-copy needs --defer, and excludes'
done
fails 129 perf record --leaf-copy=70000 --defer -- true 2>err
has err 'stack size'
perf record -v --defer=copy --leaf-copy=64 -e cpu-clock:u -o copy.data -- $(deep) 2>err
has_not err 'copies of at most 64 bytes'
