# SPDX-License-Identifier: GPL-2.0-only
"""Usage: script-text.py CALLER [FUNCTION] <TEXT

Reads the text of `perf script` by the rules of a program that reads it, and ends with 1 at the first
line that it would not understand, or would take for something else:

  all          a sample is a line "NAME [PID/]TID [CPU] TIME: [PERIOD] EVENT:" and a line for each
               frame, "ADDRESS NAME (BINARY)", up to an empty line; NAME of a thread may have blanks
  gprof2dot    each line up to the empty one is a frame, and ends with the parenthesis
  speedscope,  no name of a binary has blanks; samples are apart by one empty line; an event's name
  firefox      is the last word of its line; lines with # at their begin, only at the begin, are not
               read; the first line has no blank in front
  collapse     of stackcollapse-perf.pl and inferno: a period may stand before the event; a frame's
               offset in its function is cut off at "+0x"

Prints the number of samples, of frames, and of frames of FUNCTION.
"""
import sys


class Wrong(Exception):
    pass


def is_hex(word):
    return word != "" and all(c in "0123456789abcdef" for c in word)


def thread_line(line, caller):
    """Returns the event; raises where the parts of a sample's first line are not all there."""
    if line[:1].isspace():
        raise Wrong("a sample's line begins with a blank")
    words = line.split()
    times = [i for i, w in enumerate(words)
             if w.endswith(":") and w[:-1].replace(".", "", 1).isdigit() and "." in w]
    if not times or times[0] < 2:
        raise Wrong("no time behind a name and a number")
    before = words[:times[0]]
    if before[-1].startswith("[") and before[-1].endswith("]"):
        if not before.pop()[1:-1].isdigit():
            raise Wrong("no number of a CPU")
    ids = before[-1].split("/")
    if len(before) < 2 or len(ids) > 2 or not all(i.isdigit() for i in ids):
        raise Wrong("no thread's number in front of the CPU or the time")
    rest = words[times[0] + 1:]
    if len(rest) == 2 and rest[0].isdigit():
        rest = rest[1:]
    if len(rest) != 1 or not rest[0].endswith(":"):
        raise Wrong("behind the time is not [PERIOD] EVENT:")
    if caller in ("speedscope", "firefox") and not line.rstrip().endswith(":"):
        raise Wrong("the event is not the last word")
    return rest[0][:-1]


def frame_line(line, caller):
    """Returns the function's name."""
    if not line[:1].isspace():
        raise Wrong("a frame's line begins without a blank")
    address, _, rest = line.strip().partition(" ")
    name, _, binary = rest.rpartition(" (")
    if not is_hex(address) or name.strip() == "" or not binary.endswith(")"):
        raise Wrong("not ADDRESS NAME (BINARY)")
    if caller in ("speedscope", "firefox") and " " in binary:
        raise Wrong("a binary with a blank")
    if caller == "gprof2dot" and line.rstrip("\n") != line.rstrip():
        raise Wrong("blanks at the end")
    head, plus, offset = name.rpartition("+0x")
    return head.strip() if plus and is_hex(offset) else name.strip()


def main():
    caller = sys.argv[1]
    function = sys.argv[2] if len(sys.argv) > 2 else None
    samples = frames = found = nr = 0
    inside = False
    for line in sys.stdin:
        nr += 1
        try:
            if not inside and line.startswith("#"):
                if samples:
                    raise Wrong("a comment between samples")
            elif line.strip() == "":
                inside = False
            elif not inside:
                thread_line(line, caller)
                samples += 1
                inside = True
            else:
                frames += 1
                found += frame_line(line, caller) == function
        except Wrong as what:
            sys.exit("%s, line %d: %s: %r" % (caller, nr, what, line))
    print(samples, frames, found)


main()
