#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: unwind-rows.py READELF ROWS

Compares what `readelf -wF FILE` and `perf unwind rows FILE` say of one binary: each row of
.eh_frame must have its rule over the whole of its extent. Prints the differences, then how many
rows were compared. CFAs that readelf prints as "exp" must have a rule that is no plain one; of
those there may be any, so they are compared by other tests.
"""
import bisect
import collections
import re
import sys

ENTRY = re.compile(r"([0-9a-f]{8,}) [0-9a-f]{16} [0-9a-f]{8,} "
                   r"(?:CIE .* ra=(\d+)|FDE cie=([0-9a-f]+) pc=([0-9a-f]+)\.\.([0-9a-f]+))$")
ROW = re.compile(r"([0-9a-f]{16}) (.*)$")
OURS = re.compile(r"([0-9a-f]{16})-([0-9a-f]{16}) (\w*) +(.*)$")


def read_ours(path):
    rows = []
    with open(path, encoding="utf-8", errors="replace") as f:
        for m in filter(None, map(OURS.match, f)):
            rows.append((int(m[1], 16), int(m[2], 16), m[4]))
    return rows


def read_readelf(path):
    """[(start, end, {column: rule})]"""
    cies, columns_ra, rows, entry, columns = {}, {}, [], None, None
    found = []

    def finish():
        if not entry or entry[0] == "CIE":
            return
        if not found:
            found.append((entry[1], cies.get(entry[3], {})))
        for i, (start, rule) in enumerate(found):
            rule = dict(rule, column=columns_ra.get(entry[3]))
            end = found[i + 1][0] if i + 1 < len(found) else entry[2]
            if start < end:
                rows.append((start, end, rule))

    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            line = re.sub(r" \((\w+)\)", "", line.rstrip())  # r10 (r10): once is enough
            m = ENTRY.match(line)
            if m:
                finish()
                found.clear()
                columns = None
                entry = ("CIE", m[1]) if m[2] else ("FDE", int(m[4], 16), int(m[5], 16), m[3])
                if m[2]:
                    columns_ra[m[1]] = m[2]
            elif line.lstrip().startswith("LOC "):
                columns = line.split()[1:]
            elif columns and entry and ROW.match(line):
                m = ROW.match(line)
                rule = dict(zip(columns, m[2].split()))
                if entry[0] == "CIE":
                    cies.setdefault(entry[1], rule)
                else:
                    found.append((int(m[1], 16), rule))
        finish()
    return rows


# readelf's names of registers that it knows by number only; the frame pointers.
NAMES = {"r%d" % i: n for i, n in enumerate("rax rdx rcx rbx rsi rdi rbp rsp".split())}
FLOATS = {"r%d" % (16 + i): "f%d" % n
          for i, n in enumerate((0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15))}
FP = {"rsp": "rbp", "sp": "x29", "r15": "r11"}
LINK = {"rsp": "16", "sp": "30", "r15": "14"}


def place(what, rule, names):
    if rule in ("u", "s"):
        return ""
    m = re.fullmatch(r"([cv])([+-]\d+)", rule)
    if m:
        return " %s=%s" % (what, "*(cfa%s)" % m[2] if m[1] == "c" else "cfa" + m[2])
    return " %s=%s" % (what, names.get(rule, rule))


def agrees(rule, text, sp):
    """@sp: the stack pointer's name, by which the architecture is known."""
    names = {"rsp": NAMES, "r15": FLOATS}.get(sp, {})
    fp = FP[sp]
    ra, saved_fp, cfa = rule.get("ra", "u"), rule.get(fp, "u"), rule["CFA"]
    if ra == "u" and rule["column"] != LINK[sp]:
        ra = sp[0].replace("s", "x") + rule["column"]  # the address is in another register
    plain = "cfa=%s%s%s" % (cfa, place("ra", ra, names), place(fp, saved_fp, names))
    if text == "outermost" or (ra == "u" and sp == "rsp"):
        return ra == "u" and text == "outermost"
    if cfa == "exp":
        return text == "by evaluation" or "cfa=*(" in text or "8 more" in text
    if "exp" in (ra, saved_fp) or "vexp" in (ra, saved_fp):
        return text != "nothing known"
    if rule.get(sp, "u") not in ("u", "s") and text == "by evaluation":
        return True
    return text.replace(" signal", "").replace(" signed", "") == plain


def main():
    ours, problems = read_ours(sys.argv[2]), 0
    theirs = read_readelf(sys.argv[1])
    starts = [row[0] for row in ours]
    bases = collections.Counter(re.split("[+-]", rule["CFA"])[0] for _, _, rule in theirs)
    sp = max(FP, key=lambda name: bases[name])
    for start, end, rule in theirs:
        i = bisect.bisect_right(starts, start) - 1
        if i >= 0 and ours[i][1] >= end and agrees(rule, ours[i][2], sp):
            continue
        problems += 1
        if problems <= 20:
            print("%x-%x %s: %s" % (start, end, rule, ours[i] if i >= 0 else "no row"))
    print("%d rows, %d differ" % (len(theirs), problems))
    return 1 if problems or not theirs else 0


if __name__ == "__main__":
    sys.exit(main())
