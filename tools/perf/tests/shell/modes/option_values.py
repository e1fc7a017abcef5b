# SPDX-License-Identifier: GPL-2.0-only
"""What the options of a command are given as values: good ones by the word that the help has for
the value, filled in with what is in the recording, and bad ones that fit no option."""
import re

# By the word of the help. {comm}, {pid}, ... are what the recording has; see facts() in modes.py.
BY_WORD = {
    "percent": ["0", "5", "100", "12.5"],
    "n": ["0", "1", "7", "4294967295"],
    "number": ["0", "1", "3", "18446744073709551615"],
    "size": ["0", "1", "64k", "1M", "4G"],
    "event": ["{event}", "no-such-event"],
    "function": ["{sym}", "main", "0x400100", "{ip}"],
    "address": ["0", "0x1000", "0xffffffffffffffff"],
    "regex": ["{sym}", ".*", "^_", "(a|b)*c", "[[:alpha:]]+"],
    "text": ["{sym}", "a"],
    "string": [",", ";", "\t", "->", "%"],
    "time": ["1us", "10ms", "1s", "1ns"],
    "width,...": ["0", "1,2,3", "70000", "8,8,20,20"],
    "style": ["intel", "att", "libdw"],
    "mode": ["never", "always", "auto"],
    "type": ["local-period", "local-hits", "global-period", "global-hits"],
    "dir": ["/x", "", "a/b"],
    "dir[,layout]": ["{symfs}", "{symfs},flat", "/", "no-such,hierarchy"],
    "path": ["objdump", "true", "no/such/program"],
    "script": ["script.py"],
    "language": ["python", "made.py"],
    "method": ["delta", "delta-abs", "ratio", "wdiff:1,2", "wdiff:-1,2"],
    "condition": ["any > 5%", "self({sym}) > 1pp", "total({sym}) > -3%", "run > 2%"],
    "start,stop": ["{time},", ",{time}", "{time},{time}", "10%/2", "0%-20%", "50%-", "10%-20%,70%-90%"],
    "start,stop[:start,stop...]": ["{time},", ",{time}:,{time}", "10%/2", "0%-20%:50%-100%"],
    "print_type,threshold,...": [
        "none", "graph,0,caller,function,percent", "fractal,5,callee,address,period", "caller,count",
        "flat,0,10,srcline", "folded,0.5,caller,count", "graph,0,2,caller,branch"],
    "recording": ["perf.data"],
    "files": ["{elf}", "perf.data", "{elf},{elf}"],
    "pid": ["1", "{pid}"],
    "urls": ["http://127.0.0.1:9/"],
}

# By the option, where the word says too little.
BY_OPTION = {
    ("list", "comms"): ["{comm}", "a,{comm}", "file://names"],
    ("list", "dsos"): ["{dso}", "[kernel.kallsyms],{dso}", "file://names"],
    ("list", "symbols"): ["{sym}", "main,{sym}", "file://names"],
    ("list", "stop-bt"): ["{sym}", "main"],
    ("list", "pid"): ["{pid}", "0,{pid}", "-1"],
    ("list", "tid"): ["{pid}", "0,1,2,3"],
    ("list", "cpu"): ["0", "0-3", "4000"],
    ("list", "parallelism"): ["1", "1,3-4", "64-100000"],
    ("list", "activity"): ["0", "1,2", "18446744073709551615", "x"],
    ("list", "unwind"): ["sframe", "eh_frame,fp", "fp", "libdw"],
    ("list", "unwind-style"): ["libdw", "libunwind,libdw"],
    ("file", "input"): ["-", "perf.data", "{elf}", "cut.data", "."],
    ("file", "output"): ["out", "-", "/dev/null"],
    ("file", "html"): ["out.html", "/dev/null"],
    ("file", "svg"): ["out.svg", "/dev/null"],
    ("template", "source-url"): ["vscode://file%f:%l", "x", "https://host/%f#L%l", "javascript://%f"],
    ("file", "kallsyms"): ["kallsyms", "/dev/null", "perf.data"],
    ("file", "vmlinux"): ["{elf}", "/dev/null", "perf.data"],
    ("file", "to-json"): ["out.json", "/dev/null"],
    ("file", ""): ["{elf}", "perf.data", "no-such"],
    ("file", "script"): ["script.py"],
}

# No option wants these; each is a word of its own on the command line.
LONG = "x" * 70000
BAD = ["", " ", ",", "-", "-1", "%s%n", "\033[2J\n", "\udcff\udc80", LONG, "nan", "-inf", "1e999", "0x",
       "99999999999999999999", "18446744073709551615", "4294967296", "(", "[", "*", "\\", "a,,b", "1-", "5-1",
       "0-4294967295", "0%", "100%/0", "10%/18446744073709551615", "-5%", "-1,-2", "1e308,", ".", "no/such",
       "/dev/full", "/dev/null", "file://no-such", "file://.", "(" * 3000]


def listed(text, head):
    """The words behind @head in a list of a help or hint: "a, b or c; also d"."""
    found = re.search(re.escape(head) + r"\s*([^\n]*)", text)
    return [w for w in re.findall(r"[a-z_-]+", found.group(1)) if w not in {"or", "of", "also", "columns",
                                                                             "memory", "default"}] if found else []


def words_of(value):
    """The choices, where the help gives these in place of a word: <a|b>."""
    return value.split("|") if re.fullmatch(r"[\w-]+(\|[\w-]+)+", value) else []


def of_list(option, ask):
    """Good values where perf itself lists them: formats, sort keys, fields."""
    if option.value == "format":
        return listed(" ".join(option.help.split()), "")
    if option.value == "key,..." or option.name == "fields":
        keys = listed(ask(option), "Hint: fields are" if option.value == "list" else "Hint: keys are")
        both = ",".join(keys[:3])
        return keys + [both] if keys else []
    return []


def good(option, ask):
    """Values that mean something. @ask: what perf says of this option with an unknown value."""
    found = words_of(option.value) or of_list(option, ask)
    found = found or BY_OPTION.get((option.value, option.name)) or BY_WORD.get(option.value)
    if not found:
        raise KeyError("--%s <%s> of perf %s has no values: add them to option_values.py" %
                       (option.name, option.value, option.command))
    return found
