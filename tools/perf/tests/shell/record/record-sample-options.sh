#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: what else samples may contain leaves them readable
# limit: 240
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
work=("$PERF" test -w noploop)

all=(--data-page-size --code-page-size --data-mmap -W --transaction --sample-identifier --switch-events -R)
[ "$U" ] || all+=(--phys-data --all-cgroups)
[ "$U" ] || [ "$(id -u)" != 0 ] || all+=(--namespaces)
for with in "${all[@]}"; do
	perf record -q $with -g -e cpu-clock -o w.data -- "${work[@]}" 0.1
	perf script -i w.data -F comm,ip,sym >lines
	has lines noploop
done
