#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: ReBench reads perf report as text: entries, and their graphs
. "$PERF_TEST_DIR/shell/callers/lib-callers.sh"
need_python
need_event cpu-clock
need_program

perf record -g -F 999 --call-graph fp -e cpu-clock --output=profile.perf ./two >out 2>err
perf report -g graph --no-children --stdio --input=profile.perf >report 2>err
# An entry is "SHARE%  COMMAND  BINARY  [.] FUNCTION"; below it parts of its graph begin with "--SHARE%--", and a
# line of it is bars, a part, or a function; an empty line ends it.
python - <<'END'
import re
names, parts, frames = [], 0, 0
for line in open("report"):
    line = line.rstrip("\n")
    if line.startswith("#") or line.strip(" |") == "":
        continue
    words = line.split()
    if words[0].endswith("%") and words[0][:-1].replace(".", "").isdigit():
        share, command, binary, kind, name = words
        assert re.fullmatch(r"\d+\.\d\d%", share) and re.fullmatch(r"\[\S\]", kind), line
        assert line.endswith(name) and "  " + command + "  " in line, line
        names.append(name)
    elif "--" in line and "%--" in line:
        share, _, name = line.lstrip(" |").partition("%--")
        assert share.startswith("--") and float(share[2:]) <= 100 and " " not in name, line
        parts += 1
    else:
        assert len(line.strip(" |-").removesuffix(" (inlined)").split()) == 1, line
        frames += 1
assert {"work_net", "work_disk"} <= set(names) and frames > 1, (names, parts, frames)
END
