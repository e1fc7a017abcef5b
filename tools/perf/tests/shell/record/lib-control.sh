# SPDX-License-Identifier: GPL-2.0-only
# For the tests of --control fifo:ctl,ack: ask COMMAND waits for the answer.
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

mkfifo ctl ack
exec 7<>ctl 8<>ack
ask() { echo "$1" >&7; read -r -t 60 answer <&8 || fail "no answer to $1"; [ "$answer" = ack ]; }
