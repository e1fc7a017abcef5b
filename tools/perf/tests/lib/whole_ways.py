# SPDX-License-Identifier: GPL-2.0-only
"""Ways of recording whole stacks, and whether one of them has fewer than another."""
import math

WAYS = {"bpf": ["--defer=bpf"], "copy": ["--defer=copy"], "user": ["--defer"]}


def as_user(uid):
    """The beginning of a command that an ordinary user runs."""
    return ["setpriv", "--reuid", str(uid), "--regid", str(uid), "--clear-groups", "--inh-caps=-all"]


def lack(one, other):
    """
    By how many percent points @one has fewer whole stacks than @other, and the variance of that.
    @one, @other: (whole, samples), at least one sample each
    """
    parts = [(whole + 1) / (samples + 2) for whole, samples in (one, other)]  # never all or nothing
    variance = sum(p * (1 - p) / n for p, (_, n) in zip(parts, (one, other)))
    return 100 * (other[0] / other[1] - one[0] / one[1]), 100 * 100 * variance


def is_less(one, other, margin):
    """Whether @one lacks more than @margin points, and more than chance explains."""
    points, variance = lack(one, other)
    return points > margin + 3 * math.sqrt(variance)


def is_less_on_average(pairs, margin):
    """The same of the mean of many programs. Returns: that, and the mean."""
    lacks = [lack(one, other) for one, other in pairs]
    mean = sum(points for points, _ in lacks) / len(lacks)
    deviation = math.sqrt(sum(variance for _, variance in lacks)) / len(lacks)
    return mean > margin + 3 * deviation, mean
