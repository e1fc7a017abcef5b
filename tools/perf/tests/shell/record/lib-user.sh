# SPDX-License-Identifier: GPL-2.0-only
# For the tests of perf record by an ordinary user: user() runs perf as one, as() a command.
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
need_root
need_cmd setpriv
level=$(cat /proc/sys/kernel/perf_event_paranoid)
[ "$level" = 2 ] || skip "kernel.perf_event_paranoid is $level, others may do more or less"

# A copy, since the folder that perf lies in may be closed to others. Without more memory to be
# locked than the kernel gives everybody.
cp "$PERF" perf-copy
chmod 777 .
# Of this run alone: the kernel counts the memory of rings by user.
uid=$((54000 + $$ % 1000)) other=$((53000 + $$ % 1000))
as() { local id=$1; shift; (ulimit -l 64; exec setpriv --reuid=$id --regid=$id --clear-groups --inh-caps=-all "$@"); }
user() { as $uid ./perf-copy "$@"; }
work=(./perf-copy test -w deep 12 0.3)
