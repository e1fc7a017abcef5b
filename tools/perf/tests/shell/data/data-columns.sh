#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: columns: recordings that are put together by SQL have exactly the sums of each, in SQLite and in DuckDB
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_event cpu-clock
perf check -q feature sqlite3 || skip "perf was built without SQLite"
QUERIES=$(perf --exec-path)/scripts/columns
[ -d "$QUERIES" ] || fail "there are no queries at $QUERIES"

# The same program twice, and another.
for i in 1 2; do perf record -q -F 500 -g -e "cpu-clock$U" -o $i.data -- "$PERF" test -w deep 20 0.2; done
perf record -q -F 500 -g -e "cpu-clock$U" -o 3.data -- "$PERF" test -w noploop 0.2
LAST=3
# Waits, where they can be recorded: of a program that sleeps between its work.
if perf record -q --off-cpu -g -e "cpu-clock$U" -o 4.data -- sh -c 'sleep 0.1; sleep 0.1' 2>err; then LAST=4; fi
for i in $(seq $LAST); do perf data convert --to sqlite --no-lines --no-inline -i $i.data -o $i.sqlite 2>/dev/null; done

python "$PERF_TEST_DIR/lib/columns.py" check "$QUERIES" [1-4].sqlite >out
has out '^[1-9][0-9]* samples' 'stacks, [1-9][0-9]* in both'
[ $LAST = 3 ] || has out ' [1-9][0-9]* waits by .*(nanosleep|wait)'

node -e 'require("@duckdb/node-api")' 2>/dev/null || exit 0 # `npm install @duckdb/node-api`, and NODE_PATH
python "$PERF_TEST_DIR/lib/columns.py" csv . [1-4].sqlite
for q in "$QUERIES"/*.sql; do
	node "$PERF_TEST_DIR/shell/data/columns-duckdb.cjs" . "$q" | sort >duckdb.txt
	python "$PERF_TEST_DIR/lib/columns.py" rows "$q" [1-4].sqlite | sort >sqlite.txt
	cmp duckdb.txt sqlite.txt || fail "$q: $(diff duckdb.txt sqlite.txt)"
done
