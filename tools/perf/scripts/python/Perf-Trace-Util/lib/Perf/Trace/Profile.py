# SPDX-License-Identifier: GPL-2.0-only
"""What scripts that sum up samples by function share."""
CLOCKS = ("cpu-clock", "task-clock")


def base_event(name):
    """cpu-clock for cpu-clock:u."""
    return name.split(":")[0]


def frame_name(frame):
    """The function of a frame; where that is unknown, its file."""
    if "sym" in frame:
        return frame["sym"]["name"]
    return "[%s]" % frame.get("dso", "unknown").rsplit("/", 1)[-1]


def sample_frames(sample):
    """Names of functions, innermost first; that of the sampled address where there is no chain."""
    if sample["callchain"]:
        return [frame_name(f) for f in sample["callchain"]]
    if "symbol" in sample:
        return [sample["symbol"]]
    return ["[%s]" % sample.get("dso", "unknown").rsplit("/", 1)[-1]]


class Functions:
    """Self and total periods by function; total counts a function once a sample."""

    def __init__(self):
        self.own, self.total = {}, {}
        self.all = self.samples = 0

    def add(self, sample):
        frames, period = sample_frames(sample), sample["sample"]["period"]
        self.own[frames[0]] = self.own.get(frames[0], 0) + period
        for name in set(frames):
            self.total[name] = self.total.get(name, 0) + period
        self.all += period
        self.samples += 1

    def share(self, name, own=False):
        """In percent."""
        return 100 * (self.own if own else self.total).get(name, 0) / self.all if self.all else 0


def print_table(heads, rows):
    """@heads: of columns, those of numbers with a blank in front; @rows: tuples of strings."""
    rows = [[str(c) for c in row] for row in rows]
    right = [h.startswith(" ") for h in heads]
    heads = [h.strip() for h in heads]
    widths = [max([len(h)] + [len(r[i]) for r in rows]) for i, h in enumerate(heads)]
    for row in [heads] + rows:
        cells = [c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right)]
        print("  ".join(cells).rstrip())
