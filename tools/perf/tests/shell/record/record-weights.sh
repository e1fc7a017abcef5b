#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -W, --data-page-size, ...: weights, page sizes, memory information
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

work=("$PERF" test -w noploop 0.1)
attr() { perf report --header-only -i "$1" >header; has header "$2"; }

perf record -q -W -d --data-page-size --code-page-size -e cpu-clock -o w.data -- "${work[@]}"
perf script -i w.data -F weight,ins_lat,retire_lat,data_page_size,code_page_size >lines
has lines '^ +0 +0 +0 N/A [0-9]+[KM]$'
attr w.data 'ADDR.*DATA_SRC'
perf record -q --sample-mem-info -R -e cpu-clock -o m.data -- "${work[@]}"
attr m.data 'CPU.*RAW.*DATA_SRC'
