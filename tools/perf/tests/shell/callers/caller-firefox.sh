#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: the Firefox Profiler reads perf script as text, and gecko files with the folders of sources
. "$PERF_TEST_DIR/shell/callers/lib-callers.sh"
need_python
need_recording

# It looks at the first line of 20 kB that is no comment; its documentation asks for these fields.
for fields in "" "-F +pid" "-F comm,tid,time,event,ip,sym,dso"; do
	perf script $fields --header -i two.data >text 2>err
	head -c 20480 text | grep -v '^#' | grep -m 1 . >first
	has first '^[^ ]+ +([0-9]+/)?[0-9]+ +(\[[0-9]+\] +)?[0-9.]+:'
	reads firefox work_net text
done
perf data convert -q --to gecko -i two.data -o two.gecko
python "$PERF_TEST_DIR/lib/read-export.py" two.gecko >read 2>&1 || true
has two.gecko "$PWD/net/util.c" "$PWD/disk/util.c"
