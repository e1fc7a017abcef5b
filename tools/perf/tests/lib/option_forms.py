# SPDX-License-Identifier: GPL-2.0-only
"""For tests: with each form of a command's output, each option changes it, is refused, or is known
to do nothing there. Nothing is ignored in silence. `perf test --thorough` tries all pairs of form and
option, and otherwise a share of them: each option with one or two forms.
"""
import functools
import os
import subprocess
import sys

PERF = os.environ["PERF"]
THOROUGH = bool(os.environ.get("PERF_TEST_THOROUGH"))


def words_of(command, *more):
    p = subprocess.run([PERF, *command, *more], capture_output=True, text=True)
    return p.stdout


def run(args):
    """Status, stdout, stderr, and the files that are new, which are removed."""
    before = set(os.listdir("."))
    p = subprocess.run([PERF, *args], capture_output=True, stdin=subprocess.DEVNULL)
    files = {}
    for name in sorted(n for n in set(os.listdir(".")) - before if os.path.isfile(n)):
        with open(name, "rb") as f:
            files[name] = f.read()
        if files[name].startswith(b"<!"): # of a page, what it shows: random words are around that
            data = files[name][files[name].index(b'{"version":1'):]
            files[name] = data[:data.index(b"</script>")]
        os.unlink(name)
    if p.returncode not in (0, 1, 2, 129):
        sys.exit("%s: status %d: %s" % (args, p.returncode, p.stderr.decode(errors="replace")))
    return p.returncode, p.stdout, p.stderr.decode(errors="replace"), files


def is_refusal(result):
    return result[0] == 129 and ("no effect" in result[2] or "leave" in result[2] or
                                 "needs" in result[2])


def check(command, always, forms, chooses, values, fits_all, elsewhere):
    """
    @command: ["script"]
    @always: options of each run, in front
    @forms: the options of each form; behind a "--" what ends the line
    @chooses: names of options that choose the form, and are not tried
    @values: by name: a value that changes something, or (value, options that it takes besides);
             False: it is tried as --no-NAME
    @fits_all: names of options that fit all forms, and need have no effect
    @elsewhere: those that have an effect on other recordings only
    """
    takes_value = set(words_of(command, "--list-values").split())
    names = [o[2:] for o in words_of(command, "--list-opts").split() if o[2:] not in chooses]
    may_be_idle = fits_all | elsewhere

    @functools.lru_cache(None)
    def is_inert(name):
        return "no effect" in words_of(command, "-h", name)

    silent, effective, before = [], set(), {}
    counts = {"changes": 0, "refused": 0, "none": 0}
    share = 1 if THOROUGH else min(len(forms), 9)
    for turn, form in enumerate(forms):
        end = form.index("--") if "--" in form else len(form)
        for name in names[turn % share::share]:
            value, more = values.get(name), []
            if isinstance(value, tuple):
                value, *more = value
            if "--" + name in takes_value and value is None:
                sys.exit("--%s needs a value: add one" % name)
            option = "--no-" + name if value is False else \
                "--%s=%s" % (name, value) if value else "--" + name
            line = [*command, *always, *form[:end], *more]
            rest = form[end + 1:]
            if tuple(line) not in before:
                before[tuple(line)] = run(line + rest)
            old, new = before[tuple(line)], run(line + [option] + rest)
            if is_refusal(new) or is_refusal(old): # that which it takes besides is refused
                counts["refused"] += 1
            elif new != old:
                counts["changes"] += 1
                effective.add(name)
            elif name in may_be_idle or is_inert(name):
                counts["none"] += 1
            else:
                silent.append(" ".join(line + [option] + rest))
    print(counts)
    if silent:
        sys.exit("ignored in silence:\n" + "\n".join(silent))
    idle = [n for n in names if n not in effective | may_be_idle and not is_inert(n)]
    if THOROUGH and idle:
        sys.exit("without any effect: %s" % idle)
