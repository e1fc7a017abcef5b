#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record by an ordinary user: a program whose file is gone has whole stacks
# limit: 240
. "$PERF_TEST_DIR/shell/record/lib-user.sh"

as $uid sh -c 'cp perf-copy gone; ./gone test -w deep 20 300 & echo $! >gone.pid'
wait_until runs "$(cat gone.pid)" gone
rm gone
user record --defer=copy -e cpu-clock -o gone.data -p "$(cat gone.pid)" -- $(while_on_cpu "$(cat gone.pid)" 0.3) 2>err
has err ' whole user stacks \((100|9[0-9])\.'
kill "$(cat gone.pid)"
