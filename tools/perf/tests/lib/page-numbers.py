#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: page-numbers.py {inlined | plain}...

Compares the views of KIND.html, a page of `perf report --html` with what `perf report --stdio` prints of the same
recording: KIND.folded is that of `--no-children -g caller,0,folded,count`, KIND.table of `--children -g none
--sort sym,dso`, both with `--percent-limit 0`. With inlined functions, a table of --stdio counts what they
have themselves for the function around them, so that it is not compared.
"""
import collections
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

# All lines of the call tree, as [path, samples, samples of its own], and of the functions with two
# levels of callers. A sample has one period here.
LINES = """
const page = perfPage, p = page.p, base = p.events[Number(page.state.e)].base;
const name = (f) => p.names[f], out = { tree: [], functions: [] };
const go = (items, list, path, most, to) => {
    for (const item of list) {
        const here = path.concat(name(item.func));
        to.push([here, item.total === undefined ? -1 : item.total / base, item.self / base]);
        if (here.length < most)
            go(items, items.kids(item), here, most, to);
    }
};
page.go({ v: 'tree', r: '1' });
go(page.table.items, page.table.items.roots(), [], 1e9, out.tree);
page.go({ v: 'table', r: '1' });
go(page.table.items, page.table.items.roots(), [], 3, out.functions);
return out;
"""


def plain(name):
    """The same word for what only one of both has a name for."""
    name = name.removesuffix(" (inlined)")
    return "?" if name.startswith(("[", "0x")) or "+0x" in name else name


def read_folded(path):
    """What the call tree must be: by path the samples, and those that end there."""
    total, self = collections.Counter(), collections.Counter()
    callers = collections.Counter()
    for line in open(path):
        found = re.match(r"(\d+) (\S.*)", line)
        if not found:
            continue
        nr, names = int(found[1]), [plain(n) for n in found[2].split(";")]
        for i in range(len(names)):
            total[tuple(names[:i + 1])] += nr
        self[tuple(names)] += nr
        for i in range(1, 4):
            if i <= len(names):
                callers[tuple(reversed(names[-i:]))] += nr
    return total, self, callers


def read_table(path):
    """By name: samples, and own ones, in percent, of each function."""
    out = collections.defaultdict(list)
    for line in open(path):
        found = re.match(r" *([\d.]+)% +([\d.]+)%  \[.\] (.*?)  +(\S+)", line)
        if found and plain(found[3]) != "?":
            out[plain(found[3])].append((float(found[1]), float(found[2])))
    return out


def without_marks(path):
    return tuple(plain(n) for n in path if not n.startswith("[not whole: "))


def check_tree(lines, total, self):
    have, have_self = collections.Counter(), collections.Counter()
    for path, nr, own in lines:
        key = without_marks(path)
        if key and not path[-1].startswith("[not whole: "):
            have[key] += nr
            have_self[key] += own
    assert len(have) > 20, "a call tree of %d lines" % len(have)
    compare(have, total, "the call tree")
    compare(have_self, self, "what lines of the call tree have themselves")


def compare(have, want, what):
    for key in set(have) | set(want):
        if abs(have[key] - want[key]) > 1e-6:
            raise AssertionError("%s, %s: %s, stdio says %s" % (what, ";".join(key), have[key], want[key]))


def check_functions(lines, callers, table, samples, inlined):
    have, columns = collections.Counter(), collections.defaultdict(list)
    for path, nr, own in lines:
        key = without_marks(path)
        if len(path) == 1 and key and key[0] != "?":
            columns[key[0]].append((100 * nr / samples, 100 * own / samples))
        if key and not path[-1].startswith("[not whole: "):
            have[key] += own
    compare(have, callers, "callers of functions")
    assert len(table) > 20, "a table of %d functions" % len(table)
    for name, want in table.items():
        # Two functions of one name in one binary are one here; then their sums, unless one calls the other.
        total, own = (sum(c[i] for c in columns[name]) - sum(w[i] for w in want) for i in (0, 1))
        near = 0.00501 * len(want)
        one = len(columns[name]) == len(want)
        if (abs(total) > near if one else total > near) or (not inlined and abs(own) > near):
            raise AssertionError("%s: %s, stdio says %s" % (name, columns[name], want))


def main():
    with Browser(os.getcwd()) as page:
        for kind in sys.argv[1:]:
            total, self, callers = read_folded(kind + ".folded")
            page.open(kind + ".html")
            lines = page.run(LINES)
            samples = page.run("return perfPage.main.samples[0]")
            assert samples == sum(self.values()), (samples, sum(self.values()))
            check_tree(lines["tree"], total, self)
            check_functions(lines["functions"], callers, read_table(kind + ".table"), samples, kind == "inlined")


if __name__ == "__main__":
    main()
