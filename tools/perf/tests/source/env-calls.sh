#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: source: one module asks for the environment and loads code
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_source
check=$PERF_TEST_DIR/source/env-calls.py

python "$check" "$SOURCE"

# It must see what it is there for.
mkdir -p t/tools/perf/util/{io,cli,annotate}
echo 'char *f(void) { return getenv("A"); }' >t/tools/perf/util/io/secure-env.c
cat >t/tools/perf/util/cli/pager.c <<'END'
/* getenv("B") in a comment */
void g(void) { puts("dlopen(x)"); secure_env__get("C"); execlp("sh", "sh", NULL); }
END
echo 'void h(void) { execvp(argv[0], argv); }' >t/tools/perf/util/annotate/objdump.c
python "$check" t
echo 'void i(void) { dlopen(getenv("D"), 1); }' >>t/tools/perf/util/cli/pager.c
: >t/tools/perf/util/annotate/objdump.c
fails 1 python "$check" t >out
has out 'cli/pager.c:3: dlopen' 'cli/pager.c:3: getenv' 'objdump.c: execvp.. is called less often'
[ "$(grep -c ': ' out)" = 3 ] || fail "$(cat out)"
