#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: env-logged.py LOG PERF MANUALS

Compares what env-logger.c wrote of perf and the libraries in its processes with the manual pages in
the folder MANUALS, and with the list below. Fails for a variable of perf that no page has, and for
one of a library that the list does not know.
"""
import glob
import os
import re
import sys

# Why what a library asks for gives nobody the capabilities of perf's file. (Of programs that perf
# runs, execve() takes these away.)
LIBRARIES = [
    (r"libtinfo|libncurses", r"TERMINFO(_DIRS)?|TERMCAP|TERMPATH|HOME",
     "taken away by secure_env__forget_files() before the screen is opened"),
    (r"libtinfo|libncurses", r"TERM|COLUMNS|LINES|ESCDELAY|NCURSES_\w+|BAUDRATE|NC_TRACE",
     "how a terminal looks"),
    (r"libsqlite3", r"(SQLITE_)?TMPDIR", "taken away before the process is confined, where it is used"),
    (r"libdebuginfod", r"DEBUGINFOD_\w+|HOME|XDG_CACHE_HOME",
     "loaded only if DEBUGINFOD_URLS counts, which it does not with capabilities"),
    # What libcurl is built on. `data push` takes all variables away before it loads it, and
    # libdebuginfod, which loads it, see above.
    (r"libcurl|libcrypto|libssl|libgnutls|libnettle|libhogweed|libp11-kit|libldap|liblber|libsasl"
     r"|libkrb5|libgssapi|libnghttp|librtmp|libssh|libidn|libunistring|libgcrypt|libpsl",
     r"\w+", "loaded behind secure_env__forget(), or by libdebuginfod"),
    (r"libpython|\.so$|lib-dynload", r"PYTHON\w+|__PYVENV_LAUNCHER__|PATH|LC_ALL|LANG|HOME",
     "isolated, and loaded behind reader__drop_privileges_of_file()"),
    (r"libbfd|libopcodes", r"GNUTARGET", "of objdump, which is another program"),
    (r"libstdc\+\+", r"GLIBCXX_\w+|GLIBCPP_\w+", "sizes of its memory pool"),
    (r"libgomp", r"\w+", "numbers of threads"),
]
LINE = re.compile(r"(?:secure_)?getenv (\S+) (.+)")


def of_manuals(folder):
    """The variables that sections ENVIRONMENT describe."""
    names = set()
    for page in glob.glob(folder + "/*.txt"):
        with open(page, encoding="utf-8") as f:
            part = f.read().split("\nENVIRONMENT\n", 1)
        for line in part[1].split("\n") if len(part) > 1 else ():
            if re.fullmatch(r"[A-Z_, ]+::", line):
                names.update(re.findall(r"[A-Z_]+", line))
    return names


def main():
    with open(sys.argv[1], "rb") as f:
        text = f.read()
    length = int.from_bytes(text[:8], sys.byteorder)
    seen = {m.groups() for m in map(LINE.fullmatch, text[8:8 + length].decode().split("\n")) if m}
    perf, libraries, problems = set(), set(), []
    known = of_manuals(sys.argv[3])
    for name, place in sorted(seen):
        base = os.path.basename(place)
        if os.path.basename(sys.argv[2]) == base:
            perf.add(name)
            if name not in known:
                problems.append("perf asks for %s, which no section ENVIRONMENT has" % name)
        elif ".so" in base:
            libraries.add((base, name))
            if not any(re.search(who, base) and re.fullmatch(what, name) for who, what, _ in LIBRARIES):
                problems.append("%s asks for %s: why does that give nobody a right?" % (base, name))
    for p in problems:
        print(p)
    print("%d variables of perf, %d of libraries, %d problems" %
          (len(perf), len(libraries), len(problems)))
    return 1 if problems or len(perf) < 15 else 0


sys.exit(main())
