#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: source: the files of commands parse options, and leave the work to rooms
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_source
check=$PERF_TEST_DIR/source/thin-commands.py

python "$check" "$SOURCE"

# It must see what it is there for.
mkdir -p t/tools/perf
seq 150 >t/tools/perf/builtin-one.c
seq 200 >t/tools/perf/builtin.h
python "$check" t
echo >>t/tools/perf/builtin-one.c
touch t/tools/perf/builtin-one-options.h
fails 1 python "$check" t >out
has out 'builtin-one.c: 151 lines, at most 150' 'builtin-one-options.h: a header' \
	'3 files, 2 problems'
