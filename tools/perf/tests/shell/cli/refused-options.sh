#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report, script, record: what other perfs have besides is refused by its name
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"

refused() { # COMMAND OPTION: with a reason, and with what else there is
	fails 129 perf "$1" "$2" >out 2>err
	has err "^Error: option .* of Linux perf is not supported: ."
	has_not err 'unknown option|ambiguous'
}
for o in --stitch-lbr --total-cycles; do refused report $o; done
for o in --insn-trace --dlfilter --xed; do refused script $o; done
refused report --total-c
# An abbreviation means what there is.
fails 1 perf report --show-n -i no-such.data 2>err
has err 'no-such.data'
# Where there is another perf, it is named.
mkdir other
printf '#!/bin/sh\n' >other/perf
chmod +x other/perf
fails 129 env PATH="$PWD/other:$PATH" "$PERF" report --total-cycles 2>err
has err "^This other perf may support it: $PWD/other/perf$"

# Each of the table, and none that is there.
if header=$PERF_TEST_DIR/../builtin-refused.h && [ -e "$header" ]; then
	for c in annotate diff inject report script top; do
		perf $c --list-opts | tr ' ' '\n' | sort >ours
		sed -n "/define ${c^^}_REFUSED/,/^\$/s/.*OPT_REFUSED([^\"]*\"\([^\"]*\)\".*/--\1/p" "$header" | sort >table
		[ "$(wc -l <table)" -gt 2 ] || fail "of $c only: $(cat table)"
		comm -12 ours table >both
		has_not both .
		for o in $(cat table); do ! in_share 3 || refused $c $o; done
	done
fi

# And of whatever upstream there is.
need_upstream
for c in annotate diff inject report script record top; do
	perf $c --list-opts | tr ' ' '\n' | sort >ours
	"$UPSTREAM" $c --list-opts | tr ' ' '\n' | sort -u | grep . >theirs || true
	[ "$(wc -l <theirs)" -gt 12 ] || skip "$UPSTREAM does not list its options"
	for o in $(comm -13 ours theirs); do ! in_share 3 || refused $c $o; done
done
