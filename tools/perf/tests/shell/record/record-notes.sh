#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: its account of user stacks is in the recording, wherever that goes
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_event page-faults

# Copies of two sizes of stack: of the deeper one they are too short.
"$PERF" test -w deep 1 0.01 >/dev/null
program=(sh -c '"$0" test -w deep 3 0.1; "$0" test -w deep 60 0.1; ls -R /etc >/dev/null 2>&1' "$PERF")
recorded() { # FILE OPTIONS...: sets $said, the account that was printed
	perf record --defer=copy --stack-size 4096 -F 2000 -o "$1" "${@:2}" -- "${program[@]}" 2>err || fail "$(cat err)"
	said=$(sed -n 's/^\[ perf record: \([0-9].* samples, .*\) \]$/\1/p' err)
	[ "$said" ] || fail "record said: $(cat err)"
}
account() { perf report --stdio -g none -i "$1" 2>/dev/null | sed -n 's/^# User stacks: //p'; }
says() { # FILE: the account is still that
	local now
	now=$(account "$1")
	[ "$now" = "$said" ] || fail "$1: '$now', recorded: '$said'"
}

recorded a.data -e cpu-clock$U -e page-faults$U
case $said in *"copy too short"*) ;; *) fail "all stacks are whole: $said" ;; esac
[ "$(sed 's/.* samples, \([0-9,]*\) whole.*/\1/' <<<"$said")" != 0 ] || fail "no stack is whole: $said"
says a.data
# Each copy of it: stitched, compressed, through pipes, injected, in a bundle.
perf stitch -q -i a.data -o stitched.data
says stitched.data
[ ! -e stitched.data.old ]
perf stitch -q -i stitched.data # in place, with nothing to do: so nothing is kept
[ ! -e stitched.data.old ] || fail "an original was kept that lacks nothing"
says stitched.data
perf stitch -q -z -i a.data -o packed.data
says packed.data
perf stitch -q -i a.data -o - >stream
says stream
perf stitch -q -i - -o - <stream | cat >stream2
says stream2
perf script -F whole -G -i a.data | sort | uniq -c >words
cat stream2 | perf script -F whole -G -i - | sort | uniq -c | diff words -
perf inject -b -i a.data -o injected.data
says injected.data
perf data bundle -i a.data 2>/dev/null
says a.data.bundle
# What is taken from the file is all there is to it: the same lines of JSON.
perf script --json -i a.data | grep '"type":"sample"' >json
perf script --json -i stream2 | grep '"type":"sample"' | cmp json -
[ "$(grep -c '"by":\[\["start",1\]' json)" -gt 20 ] || fail "no methods: $(head -c 300 json)"

# Recorded in other ways.
recorded z.data -e cpu-clock$U -z
says z.data
recorded - -e cpu-clock$U >pipe.data
says pipe.data
if [ -z "$U" ]; then
	recorded o.data -e cpu-clock --off-cpu
	says o.data
	perf stitch -q -i o.data -o o2.data
	says o2.data
fi

# Without an end: what is lost is not there, and what is there is as it was.
size=$(stat -c %s a.data)
head -c $((size * 2 / 3)) a.data >cut.data
perf script -F time,whole -G -i cut.data 2>/dev/null >cut.lines || true
perf script -F time,whole -G -i a.data | head -n "$(wc -l <cut.lines)" | cmp cut.lines -
[ -s cut.lines ]

# Each of several files has its own.
mkdir several
perf record -q --defer=copy --stack-size 4096 -F 2000 -e cpu-clock$U --switch-output=40K -o several/perf.data -- \
	"${program[@]}" 2>err
[ "$(ls several | wc -l)" -gt 1 ] || fail "one file: $(ls -l several)"
for f in several/perf.data.*; do
	all=$(perf script -F comm -G -i "$f" | wc -l)
	[ "$all" != 0 ] || continue
	perf script -G -F whole -i "$f" >words
	has_not words 'as recorded'
	[[ $(account "$f") == "$all sample"* ]] || fail "$f: '$(account "$f")' of $all"
done
