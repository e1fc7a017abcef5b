#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: the terminal interface opens, zooms, sorts, filters and saves what --stdio prints
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/report/lib-tui.sh"
need_event cpu-clock:u

# Two threads: in all of the samples, work() has called leaf() by way of one() or two().
cat >w.c <<'END'
#include <pthread.h>
#include <time.h>
volatile long x;
#define NOINLINE __attribute__((noinline, noclone))
NOINLINE void leaf(int n) { for (int i = 0; i < n; i++) x += i; }
NOINLINE void one(void) { leaf(3000); x++; }
NOINLINE void two(void) { leaf(1000); x++; }
NOINLINE void *work(void *a)
{
	struct timespec t = {};
	do { one(); two(); clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); } while (!t.tv_sec && t.tv_nsec < 400000000);
	return a;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	work(NULL);
	return pthread_join(t, NULL);
}
END
need_cmd gcc
gcc -O1 -g -pthread -o w w.c
perf record -q -e cpu-clock:u -F 1000 -g --defer=copy -o w.data -- ./w

# The first screen has the entries of --stdio, in their order.
perf report -i w.data --stdio 2>/dev/null | grep -E '^ +[0-9.]+% +[0-9.]+%' | head -n 8 |
	sed 's/^ *//; s/ *$//' >text
browse
shows "^Samples: .* of event 'cpu-clock:u'"
shows 'Children +Self +Command +Shared Object +Symbol'
shows '^\+ .*\[\.\] leaf$'
sed -n '3,10p' screen.text | sed 's/^[+-] *//; s/ *$//' >rows
diff text rows || fail "the rows are not those of --stdio"

# Call graphs: one level, all levels, closed; towards the callers.
keys / && answer 'Functions whose names contain' leaf
shows 'Symbol: leaf$'
shows '^\+ .*\[\.\] leaf$'
keys Enter
shows '^- .*\[\.\] leaf$'
shows '^   [+] [0-9.]+% (clone3|_start|__clone)'
keys e; keys e
shows '^      [ +-] [0-9.]+% (one|two)$'
keys C
shows '^\+ .*\[\.\] leaf$'
keys G
shows 'to its callers'
keys +
shows '^      [ +-] [0-9.]+% one$'
# Only the stacks through one().
keys f && answer 'Find in the rows' '% one'
keys s
shows 'stacks with: one'
keys Escape
keys Escape
shows '^\+ .*\[\.\] (work|main)$'
if grep -q 'stacks with\|Symbol: leaf' screen.text; then fail "ESC does not zoom out"; fi

# Other keys: without reading again, and with.
keys o && answer 'Sort by' 'tid,sym'
shows 'Tid:Command +Symbol'
shows ':w +\[\.\] leaf$'
[ "$(grep -c '\[\.\] leaf$' screen.text)" = 2 ] || fail "there are not two threads in leaf()"
keys t
shows 'Thread: [0-9]+'
keys t
keys o && answer 'Sort by' 'srcline'
shows 'w\.c:5 *$'
keys o && answer 'Sort by' 'colour'
shows 'colour'
keys o && answer 'Sort by' 'comm,dso,sym'
shows 'Shared Object'
# A time range: fewer samples.
all=$(perf report -i w.data --json 2>/dev/null | wc -l)
[ "$all" -gt 0 ] || fail "no entries"
keys T && answer 'Time range' '0%-50%'
shows 'time slices: 0%-50%'
keys T && answer 'Time range' 'yesterday'
shows 'yesterday'
keys T && answer 'Time range' '0%-100%'
shows 'time slices: 0%-100%'

# Texts: help, account, header, menu.
keys '?'
shows 'UP/DOWN/?.*'
shows 'open or close the whole call tree'
keys q
keys w
shows 'Total Lost Samples: 0'
keys q
keys i
shows 'captured on'
keys q
keys m
shows 'Choose an action'
keys q
shows "^Samples: "

# What is saved is what --stdio prints.
keys L && shows 'less than this percentage' && keys C-u && answer 'Leave out' 0.5
keys P
shows 'perf.hist.0: written'
perf report -i w.data --stdio --percent-limit 0.5 --time 0%-100% 2>/dev/null |
	sed -n '/^# Samples: /,$p' >text
sed -n '/^# Samples: /,$p' perf.hist.0 >saved
diff text saved || fail "what P has saved is not what --stdio prints"

# Any size, at any time.
for size in '5 3' '1 1' '30 4' '200 60' '80 25'; do
	terminal resize-window -t perf -x "${size% *}" -y "${size#* }"
	keys Down; keys Up
done
shows "^Samples: "
keys q
ended 0

# Names that command a terminal do not: they are shown as '?'. Not UTF-8: neither.
name=$(printf 'e\033[7mx\303\244\377')
ln -s "$PWD/w" "$name"
perf record -q -e cpu-clock:u -F 1000 -o w.data -- "./$name"
browse --comms "'$name'" -s comm,sym
shows "of event"
keys q
ended 0
browse -s comm,sym
shows 'e\?\[7mxä\? '
keys q
ended 0
export LC_ALL=C
terminal set-environment -g LC_ALL C
browse -s comm,sym
shows 'e\?\[7mx\?\?\? '
# ^C ends it, too.
keys C-c
ended 1
# Without colours, and where the terminal cannot do it.
terminal set-environment -g NO_COLOR 1
browse -g none
shows "^Samples: "
keys q
ended 0
browse --stdio
ended 0
terminal set-environment -g PERF_CONFIG "$PWD/settings"
printf '[tui]\n\treport = false\n' >settings
terminal set-environment -g PERF_PAGER cat
browse
ended 0
terminal set-environment -g PERF_CONFIG /dev/null
terminal new-session -d -s perf -x 80 -y 24 "TERM=nonsense \"$PERF\" report --tui -i w.data 2>messages; echo \$? >status; sleep 1000"
ended 1
has messages "'nonsense' is unknown here"
# refuses REGEX OPTIONS...: where the terminal interface cannot be.
refuses() {
	local regex=$1
	shift
	fails "$PERF" report --tui "$@" </dev/null >messages 2>&1
	has messages "$regex"
}
refuses 'not a terminal: use --stdio' -i w.data
refuses 'standard input' -i -
refuses 'leave out --tui' --json
