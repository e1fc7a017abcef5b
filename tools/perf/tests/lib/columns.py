#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: columns.py check QUERIES A.sqlite B.sqlite...
       columns.py csv FOLDER A.sqlite B.sqlite...
       columns.py rows QUERY.sql A.sqlite B.sqlite...

Puts recordings together as Documentation/design/columns.md says. "check" compares what the queries of
the folder QUERIES say of all of them with what is computed here, from the tables of each; "csv"
writes the tables that were put together; "rows" prints the rows of a query, as sqlite3 does.
"""
import collections
import csv
import os
import sqlite3
import sys

TABLES = ("cost", "cost_stack", "symbol")


def merge(names):
    db = sqlite3.connect(":memory:")
    for i, name in enumerate(names):
        db.execute("ATTACH ? AS f", (name,))
        for table, key in zip(TABLES, (None, "stack", "frame")):
            if not i:
                db.execute("CREATE TABLE %s AS SELECT * FROM f.%s LIMIT 0" % (table, table))
                if key:
                    db.execute("CREATE UNIQUE INDEX %s_key ON %s(%s)" % (table, table, key))
            db.execute("INSERT OR IGNORE INTO %s SELECT * FROM f.%s" % (table, table))
        db.commit()
        db.execute("DETACH f")
    return db


def samples(name):
    """Yields event, thread, stack from outside on, period, runnable or None, of each sample."""
    db = sqlite3.connect(name)
    assert db.execute("SELECT schema FROM source").fetchall() == [(2,)]
    frames = {r[0]: r[1:] for r in db.execute(
        "SELECT r.id, f.name, m.path FROM frame r JOIN function f ON f.id = r.function"
        " LEFT JOIN module m ON m.id = f.module")}
    stacks = {0: ()}
    for node, caller, frame in db.execute("SELECT id, caller, frame FROM stack ORDER BY id"):
        stacks[node] = stacks[caller] + (frames[frame],)
    for event, comm, stack, period, runnable in db.execute(
            "SELECT e.name, c.name, s.stack, s.period, s.runnable FROM sample s"
            " JOIN event e ON e.id = s.event JOIN comm c ON c.id = s.comm"):
        yield event, comm, stacks[stack], period, runnable


def parts(period, runnable):
    if runnable is None:
        return [("running", period, 1)]
    return [("blocked", period - runnable, 1)] + ([("runnable", runnable, 0)] if runnable else [])


def expect(names):
    out = {q: collections.defaultdict(lambda: [0, 0]) for q in ("top-self", "top-total", "folded")}
    for name in names:
        for event, comm, stack, period, runnable in samples(name):
            for state, value, nr in parts(period, runnable):
                keys = [("top-self", (event, state) + (stack[-1] if stack else (None, None)))]
                keys += [("top-total", (event, state) + f) for f in set(stack)]
                keys.append(("folded", (";".join([comm] + [f[0] for f in stack]),)))
                for query, key in keys:
                    out[query][key][0] += value
                    out[query][key][1] += nr
    return out


def rows(db, query):
    with open(query, encoding="utf-8") as f:
        return db.execute(f.read().rstrip().rstrip(";")).fetchall()


def check(queries, names):
    db = merge(names)
    all_of = expect(names)
    total = [sum(v[i] for v in all_of["top-self"].values()) for i in (0, 1)]
    for query, width in ("top-self", 4), ("top-total", 4), ("folded", 1):
        got = rows(db, "%s/%s.sql" % (queries, query))
        values = {r[:width]: list(r[width:]) for r in got}
        wanted = {k: v if width > 1 else v[:1] for k, v in all_of[query].items()}
        assert len(values) == len(got), "%s: rows twice" % query
        assert values == wanted, "%s: %r" % (query, set(map(str, values.items())) ^ set(
            map(str, wanted.items())))
    for query in "by-service", "whole":
        got = rows(db, "%s/%s.sql" % (queries, query))
        assert sorted(sum(r[i] for r in got) for i in (-2, -1)) == sorted(total), query
    waits = rows(db, queries + "/waits.sql")
    waited = sum(v for (_, state, *_), (v, _) in all_of["top-self"].items() if state != "running")
    assert sum(r[2] for r in waits) == waited, waits
    print("%d samples, %d rows, %d waits by %s" % (
        total[1], db.execute("SELECT COUNT(*) FROM cost").fetchone()[0], sum(r[3] for r in waits),
        ", ".join(sorted({str(r[1]) for r in waits}))))
    shared(names)


def shared(names):
    """Stacks of the first two recordings that are the same thing have the same identity."""
    of = []
    for name in names[:2]:
        db = sqlite3.connect(name)
        frames = dict(db.execute("SELECT frame, function FROM symbol"))
        links = {s: (c, frames[f]) for s, c, f in db.execute("SELECT * FROM cost_stack")}
        of.append(links)
    both = [s for s in of[0] if s in of[1]]
    assert all(of[0][s] == of[1][s] for s in both)
    print("%d and %d stacks, %d in both" % (len(of[0]), len(of[1]), len(both)))


def write_csv(folder, names):
    db = merge(names)
    for table in TABLES:
        result = db.execute("SELECT * FROM " + table)
        with open(os.path.join(folder, table + ".csv"), "w", encoding="utf-8", newline="") as f:
            writer = csv.writer(f)
            writer.writerow(c[0] for c in result.description)
            writer.writerows(result)


if sys.argv[1] == "check":
    check(sys.argv[2], sys.argv[3:])
elif sys.argv[1] == "csv":
    write_csv(sys.argv[2], sys.argv[3:])
else:
    for row in rows(merge(sys.argv[3:]), sys.argv[2]):
        print("|".join("" if v is None else str(v) for v in row))
