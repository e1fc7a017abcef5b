#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: source: no writable globals but those that are listed, no function that nobody calls
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_cmd nm
objects=$PERF_TEST_DIR/source/objects.py
build=$(dirname "$(readlink -f "$PERF")")
[ -e "$build/tools/perf/perf.o" ] || skip "the objects of this build are not there"
! is_sanitized || skip "the sanitizers make globals of their own"

python "$objects" "$build"

# It must see what it is there for.
need_cmd cc
mkdir -p t/tools/perf/util/base t/tools/perf/tests/unit
compile() { cc -O1 -fPIC -c -x c -o "t/tools/perf/$1.o" -; }
compile util/base/a <<< 'int a(void) { return 1; } static const char *const names[] = { "x" };
const char *name(int i) { return names[i]; } '
compile util/base/b <<< 'int a(void); const char *name(int); int main(void) { return a() + *name(0); }'
python "$objects" t
compile util/base/b <<< 'int a(void); const char *name(int); static int calls;
int main(void) { return a() + calls++ + *name(0); }'
fails 1 python "$objects" t >out
has out 'b: calls is a writable global'
compile util/base/b <<< 'const char *name(int); int main(void) { return *name(0); }'
fails 1 python "$objects" t >out
has out 'base/a\.o: a\(\) is called by no other file'
compile tests/unit/t <<< 'int a(void); int test(void) { static int often; return a() + often++; }'
fails 1 python "$objects" t >out
has out 'base/a\.o: a\(\) is called by tests only' '^3 objects, 1 problems'
