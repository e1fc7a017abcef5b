#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: source: rooms know only those that they may; no cycles of includes or calls
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_source
graph=$PERF_TEST_DIR/source/include-graph.py

python "$graph" "$SOURCE"

# It must see what it is there for.
make_tree() {
	rm -rf t
	mkdir -p t/tools/perf/util/{base,data,live,cli} t/tools/lib/perf/include/perf t/tools/perf/tests
	echo '#include "b.h"' >t/tools/perf/util/base/a.c
	echo >t/tools/perf/util/base/b.h
	echo '#include <perf/event.h>' >t/tools/perf/util/live/l.c
	echo '#include "../base/b.h"' >t/tools/perf/util/data/d.h
	echo >t/tools/lib/perf/include/perf/event.h
}
make_tree
python "$graph" t
echo '#include "../data/d.h"' >t/tools/perf/util/base/a.c
fails 1 python "$graph" t >out
has out 'a.c:1: ../data/d.h: base must not know data'
make_tree
echo '#include "c.h"' >>t/tools/perf/util/base/b.h
echo '#include "b.h"' >t/tools/perf/util/base/c.h
fails 1 python "$graph" t >out
has out 'include each other: .*base/b.h, .*base/c.h$'
make_tree
printf 'int b(void)\n{\n\treturn 0;\n}\n' >t/tools/perf/util/cli/b.c
echo 'int a(void) { return b(); }' >t/tools/perf/util/data/a.c
fails 1 python "$graph" t >out
has out 'data/a.c calls tools/perf/util/cli/b.c: data must not know cli'
make_tree
printf 'int b(void)\n{\n\treturn 0;\n}\n' >t/tools/perf/util/base/b.c
printf 'int c(void)\n{\n\treturn b();\n}\n' >t/tools/perf/util/base/c.c
python "$graph" t
printf 'int b(void)\n{\n\treturn a();\n}\n' >t/tools/perf/util/base/b.c
printf 'int a(void)\n{\n\treturn c();\n}\n' >t/tools/perf/util/base/a.c
fails 1 python "$graph" t >out
has out 'these call each other: .*base/a.c, .*base/b.c, .*base/c.c$'
make_tree
mkdir t/tools/lib/perf/include/internal
echo >t/tools/lib/perf/include/internal/mmap.h
echo '#include <internal/mmap.h>' >t/tools/perf/util/live/rings.c
python "$graph" t
echo '#include <internal/mmap.h>' >t/tools/perf/util/cli/x.c
fails 1 python "$graph" t >out
has out 'x.c:1: internal/mmap.h: libperf.s internal headers'
make_tree
echo '#include "../../perf/util/base/b.h"' >t/tools/lib/perf/evlist.c
fails 1 python "$graph" t >out
has out 'libperf includes perf'
