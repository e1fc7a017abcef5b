#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: docstrings.py TOP [FOLDER...]; source-style.py checks all FOLDERS, too.

Headers are the manuals of their modules: what a function that one declares does, takes and returns
is said there.

A function's docstring is the comment directly above it, or above the declarations without a blank
line between them that it is one of, and the comment behind it on its last line. It has
- "Returns: ..." or, in a sentence, "Returns ...", unless the function returns nothing;
- "@name" for each parameter whose type does not say what it is (BASIC, and callbacks), but for the
  names that mean the same everywhere (COMMON);
- no "@name" that is not a parameter.
"""
import os
import re
import sys

FOLDERS = ("tools/perf/util", "tools/perf/bench", "tools/perf/python", "tools/perf/builtin",
           "tools/lib")
COMMON = {"ctx", "err", "fmt", "argc", "argv"}
PAIRS = ({"buf", "size"},)
BASIC = re.compile(r"\b(char|void|bool|int|unsigned|long|double|[us](8|16|32|64)|size_t|pid_t)\b")
START = re.compile(r"(?!typedef|extern|#|struct \w+;|enum \w+ \{|struct \w+ \{)[A-Za-z_][\w \t*]*?"
                   r"[ *]((?:perf_event__|\w)+)\(")
COMMENT = re.compile(r"/\*.*?\*/", re.S)


def masked(text):
    """The same length, with comments, strings, directives and bodies in braces blanked."""
    def blank(m):
        return re.sub(r"[^\n]", " ", m.group(0))
    text = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)
    text = re.sub(r"^#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.M)
    text = re.sub(r'^ +"C" \{| extern +\{', blank, text, flags=re.M)
    depth, out = 0, []
    for ch in text:
        depth -= ch == "}"
        out.append(ch if ch == "\n" or not depth else " ")
        depth += ch == "{"
    return "".join(out)


def parameters(inside):
    """[(name, the type says enough)] of what is between a function's parentheses."""
    parts, depth, start = [], 0, 0
    for i, ch in enumerate(inside + ","):
        depth += (ch == "(") - (ch == ")")
        if ch == "," and not depth:
            parts.append(" ".join(inside[start:i].split()))
            start = i + 1
    found = []
    for part in parts:
        m = re.search(r"\(\*(\w+)\)", part)
        if m:
            found.append((m.group(1), False))
            continue
        m = re.match(r"(.*?[ *])(\w+)(\[\w*\])?$", part)
        if m:
            found.append((m.group(2), not BASIC.search(m.group(1)) and not m.group(3)))
    return found


class Function:
    def __init__(self, line, end, name, returns, params, own):
        self.line, self.end, self.name = line, end, name
        self.returns, self.params, self.own = returns, params, own
        self.doc = ""


def functions(text):
    code, lines = masked(text), text.split("\n")
    for m in re.finditer(r"^" + START.pattern, code, re.M):
        depth, i = 1, m.end()
        while depth and i < len(code):
            depth += (code[i] == "(") - (code[i] == ")")
            i += 1
        tail = re.match(r"[^;{]*[;{]", code[i:])
        if not tail or m.group(1) in ("VEC", "CURSOR_READ"):
            continue
        first = code.count("\n", 0, m.start())
        last = code.count("\n", 0, i + tail.end() - 1)
        body = tail.group(0).endswith("{")
        behind = COMMENT.search(lines[last]) if not body else None
        returns = re.sub(r"\b(static|inline|_Noreturn|LIBPERF_API)\b", "",
                         m.group(0)[:-len(m.group(1)) - 1]).strip()
        end = last
        if body:
            while lines[end] != "}":
                end += 1
        yield Function(first, end, m.group(1), returns, parameters(code[m.end():i - 1]),
                       behind.group(0) if behind else "")


def comment_above(lines, line):
    """The comment that ends on the line in front of @line, unless it is behind code."""
    if not line or not lines[line - 1].rstrip().endswith("*/"):
        return ""
    start = line - 1
    while start and "/*" not in lines[start]:
        start -= 1
    return "\n".join(lines[start:line]) if lines[start].lstrip().startswith("/*") else ""


def groups(text):
    """Functions, as lists of those that share the comment above the first one."""
    lines, found = text.split("\n"), []
    for f in functions(text):
        above = comment_above(lines, f.line)
        if not above and found and found[-1][-1].end == f.line - 1:
            f.doc = found[-1][0].doc
            found[-1].append(f)
        else:
            f.doc = above
            found.append([f])
    return found


def check_function(f, problems, where):
    doc = f.doc + f.own
    if not doc:
        problems.append("%s: %s() has no docstring" % (where, f.name))
        return
    if f.returns != "void" and not re.search(r"\b[Rr]eturns?\b", doc):
        problems.append("%s: %s() does not say what it returns" % (where, f.name))
    names = {name for name, _ in f.params}
    common = COMMON.union(*(pair for pair in PAIRS if pair <= names))
    for name, known in f.params:
        if not known and name not in common and not re.search(r"@%s\b" % name, doc):
            problems.append("%s: %s() does not say what @%s is" % (where, f.name, name))


def check(path, text, problems):
    nr = 0
    for group in groups(text):
        for f in group:
            nr += 1
            check_function(f, problems, "%s:%d" % (path, f.line + 1))
        names = {name for f in group for name, _ in f.params}
        docs = group[0].doc + "".join(f.own for f in group)
        for name in sorted(set(re.findall(r"(?<!\w)@(\w+)", docs)) - names):
            problems.append("%s:%d: %s() has no parameter @%s" %
                            (path, group[0].line + 1, group[0].name, name))
    return nr


def headers(top, folders):
    for folder in folders:
        start, prefix = os.path.split(folder) if folder.endswith("builtin") else (folder, "")
        for place, dirs, names in os.walk(os.path.join(top, start)):
            dirs[:] = [] if prefix else sorted(dirs)
            for name in sorted(names):
                if name.endswith(".h") and name.startswith(prefix):
                    yield os.path.relpath(os.path.join(place, name), top)


def check_all(top, folders, problems):
    """Returns the numbers of headers and functions."""
    nr, nr_files = 0, 0
    for path in headers(top, folders):
        with open(os.path.join(top, path), encoding="utf-8") as f:
            nr += check(path, f.read(), problems)
        nr_files += 1
    return nr_files, nr


def main():
    problems = []
    nr_files, nr = check_all(sys.argv[1], sys.argv[2:] or FOLDERS, problems)
    for p in problems:
        print(p)
    print("%d headers, %d functions, %d problems" % (nr_files, nr, len(problems)))
    return 1 if problems or not nr else 0


if __name__ == "__main__":
    sys.exit(main())
