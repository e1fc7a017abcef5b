#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: top: shows what runs now, as text; of a process until it ends; -z, -E, -K, -u; no recorder is left
. "$PERF_TEST_DIR/shell/top/lib-top.sh"

./w & w=$!
"$PERF" top --stdio -e cpu-clock:u -F 500 -g --defer=copy -d 0.2 -E 3 --no-children -p $w >>text 2>err & top=$!
shows text '^ .*\[\.\] leaf$'
shows text '^# perf top: [0-9-]+ [0-9:]+$'
shows text '[-| ]one$'
shows text "Samples: [0-9]+ .*of event 'cpu-clock:u'"
has_not text '[-| ]two$'
: >second
shows text '[-| ]two$'
: >end
wait $w
wait $top || fail "status $? when its process has ended"
[ "$(tail -n 60 text | grep -c '^ .*\[\.\]')" -le 6 ] || has text '^# perf top'
rm second end

# Each look by itself: after the change one() is gone.
: >text
./w & w=$!
"$PERF" top --stdio -z -e cpu-clock:u -F 500 -g --defer=copy -d 0.2 -p $w >>text 2>err & top=$!
shows text '[-| ]one$'
: >second
shows text '[-| ]two$'
: >text
shows text '^# perf top'
shows text '[-| ]two$'
: >text
shows text '[-| ]two$'
has_not text '[-| ]one$'
# It ends with its recorder, whoever ends it.
recorder=$(pgrep -P $top)
kill -TERM $top
wait $top || true
while_runs() { local i; for ((i = 0; i < 400; i++)); do kill -0 "$1" 2>/dev/null || return 0; sleep 0.05; done; fail "the recorder still runs"; }
while_runs "$recorder"
: >end
wait $w
rm second end

# What the recorder says is said, and nothing else; mistakes.
fails 1 "$PERF" top --stdio -e cpu-clock:u -p 99999999 >text 2>err
has err '99999999'
has_not err 'nothing was recorded'
for o in "-d nine" "-d 0" "-K -U" "x"; do
	# shellcheck disable=SC2086
	fails 129 "$PERF" top --stdio $o 2>err
done

# An ordinary user is told what is missing, and sees processes of her own.
if [ "$(id -u)" = 0 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ]; then
	chmod 755 .
	user="setpriv --reuid=65534 --regid=65534 --clear-groups"
	# shellcheck disable=SC2086
	fails 1 $user "$PERF" top --stdio -e cpu-clock >text 2>err
	has err '^Error: no permission to open event' '-p PID'
	[ "$(head -n 1 err | grep -c '^Error: no permission')" = 1 ] || fail "$(cat err)"
	: >text
	$user ./w & w=$!
	wait_until grep -qx w /proc/$w/comm # before, it may still be root's
	$user "$PERF" top --stdio -e cpu-clock:u -F 300 -d 0.2 -p $w >>text 2>err & top=$!
	shows text '\[\.\] leaf *$'
	# The same by root, who asks for that user's processes.
	: >of-user
	"$PERF" top --stdio -u 65534 -d 0.2 -F 300 -E 1000 --sort comm >>of-user 2>>err & root=$!
	shows of-user '%  w *$'
	has_not of-user '%  bash *$'
	kill -TERM $root
	wait $root || true
	: >end
	wait $w
	wait $top || fail "an ordinary user: $(cat err)"
	rm end
fi

# The system, as root.
[ "$(id -u)" = 0 ] || exit 0
./w & w=$!
"$PERF" top --stdio -d 0.3 -K -F 300 -E 1000 >text 2>err & top=$!
shows text '\[\.\] leaf *$'
has_not text '\[k\] '
kill -TERM $top
wait $top || true
: >end
wait $w
