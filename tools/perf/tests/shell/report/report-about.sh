#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: --about: callers, callees, lines and paths of a function, also with hostile names; JSON; bounds
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd gcc
need_python
need_event cpu-clock

cat >program.c <<'END2'
#include <stdlib.h>
#define NOINLINE __attribute__((noinline, noclone))
static volatile unsigned long sum;
NOINLINE void work(long n)
{
	for (long i = 0; i < n; i++)
		sum += i; /* hot */
}
NOINLINE void often(void) { work(30000); sum++; }
NOINLINE void seldom(void) { work(10000); sum++; }
NOINLINE void hostile_function____(void) { work(10000); sum++; }
NOINLINE void quoted_function_____(void) { hostile_function____(); work(10000); sum++; }
int main(int argc, char **argv)
{
	for (long i = atol(argv[1]); i; i--) {
		often();
		seldom();
		quoted_function_____();
	}
	return 0;
}
END2
gcc -O1 -g -fno-omit-frame-pointer -o plain program.c
python - <<'END2'
data = open("plain", "rb").read()
for name, other in (b"quoted_function_____", b"it's $(touch pwned) "), (b"hostile_function____", b"it's $(touch pwned)\n"):
    assert len(name) == len(other) and name in data
    data = data.replace(name, other)
open("program", "wb").write(data)
END2
chmod +x program
perf record -q -e cpu-clock:u -F 4000 -g --defer=copy -o p.data -- ./program 10000
perf report -i p.data --about work >out
has out '^p.data: work \[program\]$' '^  own time [0-9.]+ % ±[0-9.]+, with callees'
has out '^ +[3-7][0-9]\.[0-9] %  often$' '^ +[0-9.]+ %  seldom$' '^ +[0-9.]+ %  \(nothing: own time\)$'
has out '%  main > often > work$' 'program\.c:7$'
has out '^  perf report -i p.data --about often +#' '^  perf annotate -i p.data --stdio -s work '
# Sums are those of the report.
perf report -i p.data --about work --json >json
perf report -i p.data --stdio -q --children -g none -s sym -F overhead_children,overhead,sym >table
python - "$PERF_TEST_DIR" <<'END2'
import json
about, end = [json.loads(line) for line in open("json")]
rows = [line.split(None, 3) for line in open("table") if line.strip()]
(row,) = [r for r in rows if r[3].strip() == "work"]
assert abs(about["percent_with_callees"] - float(row[0].strip("%"))) < 0.01, (about, row)
assert abs(about["percent"] - float(row[1].strip("%"))) < 0.01, (about, row)
assert abs(sum(c["percent"] for c in about["callers"]) - about["percent_with_callees"]) < 0.05, about
assert about["lines"][0]["line"].endswith("program.c:7"), about
assert end["complete"]
END2
schema=$PERF_TEST_DIR/../../../Documentation/perf-report-json.schema.json
[ ! -e "$schema" ] || python "$PERF_TEST_DIR/lib/json-schema.py" "$schema" json >types
# A name that a shell would run is quoted, one with a new line is not proposed.
perf report -i p.data --about "it's \$(touch pwned) " >out
has out '^  own time' '^ +[0-9.]+ %  it.s .*\?$'
[ "$(grep -c -- --about out)" = 2 ] || fail "$(cat out)"
perf report -i p.data --about hostile >none
has none "no function is called 'hostile'"
perf report -i p.data --about 'touch pwned' >out
has out 'these contain that:$' "it's"
perf report -i p.data --about work | grep "^  perf report" >commands || true
perf report -i p.data --about main | grep "^  perf report" >>commands
perf report -i p.data --brief | grep "^  perf " >>commands
while read -r _ command; do
	(set +o pipefail; eval "perf ${command%%  #*}") >page 2>err </dev/null || fail "perf $command: $(cat err)"
	[ "$(wc -c <page)" -le 3500 ] || [[ $command != *--about* ]] || fail "$command: $(wc -c <page) bytes"
done <commands
[ ! -e pwned ] || fail "a name was run: $(cat commands)"
# Frames that are not recorded are no callers.
perf report -i p.data --max-stack 1 --about work >out
! grep -q 'often$' out || fail "$(cat out)"
fails 129 perf report --about main --tui 2>err
has err '--about prints a separate text'

# The kernel's name has brackets of its own.
perf record -q -e cpu-clock -F 5000 -g -o k.data -- dd if=/dev/zero of=/dev/null bs=1M count=2000 2>err || exit 0
perf report --brief -i k.data >text 2>err
has_not text '\[\[' '\]\]'
for name in $(sed -nE 's/^ +[0-9.]+ % [^ ]+ +([^ ]+) \[kernel.*/\1/p' text | head -n 1); do
	perf report --about "$name" -i k.data >text
	has text "^k.data: $name \[kernel\.kallsyms\]$"
done
