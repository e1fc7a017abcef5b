#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: page-test.py {use | half | hostile | waits | empty | compare | runs} PAGE...

Uses a page of `perf report --html` as people do. "use": of a recording of `perf test -w deep 20`;
"half": the same with --percent-limit 50;
"hostile": of one with names that would be markup; "waits": of one with --off-cpu;
"empty": of one without samples; "compare": of `perf diff --html` of `perf test -w deep` before and
`perf test -w noploop` after; "runs": the same of groups.
"""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

# The place of the widest box of a function in a graph, on the screen.
PLACE = """
const g = perfPage[arguments[1]], name = arguments[0], area = g.canvas.getBoundingClientRect();
let best = null;
g.rows.forEach((row, d) => row.forEach((b) => {
    if (perfPage.p.names[g.tree.func[b.node]] === name && (!best || b.w > best.w))
        best = { x: area.left + b.x + b.w / 2, y: area.top + g.yOf(d) + 9, w: b.w, node: b.node };
}));
return best;
"""


def text(page, css):
    return page.run("return document.querySelector(arguments[0]).textContent", css)


def state(page):
    return page.run("return perfPage.state")


def equal(have, want, what):
    if have != want:
        raise AssertionError("%s: %r, expected %r" % (what, have, want))


def place(page, name, graph="upper"):
    where = page.run(PLACE, name, graph)
    if not where:
        raise AssertionError("there is no box of " + name)
    page.run("perfPage[arguments[0]].reveal(arguments[1])", graph, where["node"])
    return page.run(PLACE, name, graph)


def click(page, name, graph="upper", times=1):
    at = place(page, name, graph)
    page.mouse((at["x"], at["y"]), *["down", "up"] * times)
    return at


def choose(page, css, value):
    page.run("const e = document.querySelector(arguments[0]); e.value = arguments[1];"
             "e.dispatchEvent(new Event('change', { bubbles: true }))", css, value)


def check_zoom(page):
    at = click(page, "workload_deep")
    equal(state(page)["z"], str(at["node"]), "a click zooms")
    assert "workload_deep" in text(page, "#what"), text(page, "#what")
    wide = place(page, "workload_deep")
    assert wide["w"] >= at["w"], "the box did not become wider"
    equal(page.run("return location.hash"), "#z=%d" % at["node"], "the address")
    page.click("#undo")
    equal(state(page)["z"], "0", "undo")
    click(page, "workload_deep")
    page.run("history.back()")
    page.wait("return perfPage.state.z === '0'")
    page.click("#reset")


def check_hover(page):
    at = place(page, "main")
    page.mouse((at["x"], at["y"]))
    assert page.run("return !document.querySelector('#tip').hidden"), "no tip"
    tip = text(page, "#tip").split("\n")
    assert " samples" in tip[0] and " %, " in tip[0] and tip[1] == "main", tip
    page.keys("x")
    equal(page.run("return document.querySelector('#tip').hidden"), True, "no tip while one types")
    page.mouse((2, 2))


def share_found(page):
    """Of "12.34 %, 3 of 57"."""
    return float(text(page, "#found").split()[0])


def check_search(page):
    page.type("#search", "SPIN")
    assert 50 < share_found(page) <= 100, text(page, "#found")
    equal(page.run("return perfPage.matched.filter(Boolean).length > 0"), True, "matches")
    # What is found goes from the heaviest on, and back; its box gets the focus.
    hits = page.run("return perfPage.hits.map((n) => perfPage.stacks.total[n])")
    equal(hits, sorted(hits, reverse=True), "matches, the heaviest first")
    focused = "return perfPage.p.names[perfPage.stacks.func[perfPage.upper.focus]]"
    page.keys("Enter")
    equal(text(page, "#found").split(", ")[1], "1 of %d" % len(hits), "the first match")
    assert "spin" in page.run(focused).lower(), page.run(focused)
    page.keys("Shift+Enter")
    equal(text(page, "#found").split(", ")[1], "%d of %d" % (len(hits), len(hits)), "the last match")
    page.run("document.activeElement.blur()")
    page.keys("n")
    equal(text(page, "#found").split(", ")[1], "1 of %d" % len(hits), "n, behind the last")
    # What is not found is dim: the colour of a pixel of main's box.
    pixel = ("const g = perfPage.upper, at = arguments[0], r = g.canvas.getBoundingClientRect();"
             "return [...g.canvas.getContext('2d').getImageData((at.x + at.w / 2 - 3 - r.left) * devicePixelRatio,"
             " (at.y - r.top) * devicePixelRatio, 1, 1).data]")
    page.run("perfPage.go({ z: '0' })")
    dim = page.run(pixel, place(page, "main"))
    page.keys("Escape")
    equal(state(page)["q"], "", "Escape clears the search")
    assert dim != page.run(pixel, place(page, "main")), dim
    page.type("#search", "/^work.*spin$/")
    assert share_found(page) > 50, text(page, "#found")
    page.type("#search", "(")
    page.run("perfPage.go({ q: '/(/' })")
    equal(text(page, "#found"), "not a regular expression", "a wrong expression")
    page.run("perfPage.go({ q: 'no such function' })")
    equal(text(page, "#found"), "nothing found", "nothing")
    page.run("perfPage.go({ q: '', z: '0' })")


def check_magnify(page):
    """The wheel magnifies around the mouse, dragging moves, and a drag is no click."""
    at = place(page, "main")
    page.run("perfPage.upper.canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -300, bubbles: true,"
             " ctrlKey: true, clientX: arguments[0], clientY: arguments[1] }))", at["x"], at["y"])
    drawn = "return !perfPage.upper.pending"
    page.wait(drawn)
    magnified, left = page.run("return [perfPage.upper.magnified, perfPage.upper.left]")
    assert 2 < magnified < 3 and left > 0, (magnified, left)
    page.mouse((at["x"], at["y"]), "down", (at["x"] + 40, at["y"]), "up")
    page.wait(drawn)
    equal(round(left - page.run("return perfPage.upper.left")), 40, "moved by")
    equal(state(page)["z"], "0", "a drag zooms to no box")
    page.run("perfPage.upper.canvas.focus()")
    page.keys("-", "-")
    page.wait(drawn)
    equal(page.run("return [perfPage.upper.magnified, perfPage.upper.left]"), [1, 0], "less again")


def check_time(page, samples):
    area = page.run("const r = document.querySelector('#strip').getBoundingClientRect();"
                    "return [r.left, r.top, r.width, r.height]")
    y, x = area[1] + area[3] / 2, area[0]
    page.mouse((x + area[2] * 0.25, y), "down", (x + area[2] * 0.75, y), "up")
    now = state(page)
    bins = page.run("return perfPage.p.bins")
    assert abs(int(now["a"]) - bins / 4) <= 2 and abs(int(now["b"]) - bins * 3 / 4) <= 2, now
    part = page.run("return perfPage.main.samples[0]")
    assert 0 < part < samples, part
    page.run("document.querySelector('#strip').focus()")
    page.keys("Right")
    assert int(state(page)["a"]) > int(now["a"]), "an arrow moves the selection"
    page.keys("Shift+Right")
    page.keys("Delete")
    equal(page.run("return perfPage.main.samples[0]"), samples, "all times again")
    half = page.run("return perfPage.p.bins * perfPage.p.width / 2e9")
    choose(page, "#to", str(half))
    assert 0 < page.run("return perfPage.main.samples[0]") < samples
    # The two halves are the whole.
    first = page.run("return perfPage.main.samples[0]")
    b = state(page)["b"]
    page.run("perfPage.go({ a: arguments[0], b: String(perfPage.p.bins) })", b)
    equal(first + page.run("return perfPage.main.samples[0]"), samples, "two halves")
    page.click("#all-time")
    equal(page.run("return perfPage.main.samples[0]"), samples, "all times")


def check_cpus(page, samples):
    """The CPUs' samples are all samples."""
    cpus = page.run("return [...document.querySelectorAll('#cpu option')].map((o) => o.value)")
    assert cpus[0] == "" and len(cpus) > 1, cpus
    parts = []
    for cpu in cpus[1:]:
        choose(page, "#cpu", cpu)
        parts.append(page.run("return perfPage.main.samples[0]"))
    equal(sum(parts), samples, "samples by CPU")
    choose(page, "#cpu", "")
    equal(page.run("return perfPage.main.samples[0]"), samples, "all CPUs")


def check_keys(page):
    page.run("perfPage.go({ z: '0', v: 'flame' }); perfPage.upper.focus = 0;"
             "perfPage.upper.canvas.focus()")
    page.keys(*["Up"] * 4)
    what = text(page, "#what")
    assert any(" \u2014 %s" % name in what for name in ("main", "__libc_start", "run_")), what
    page.keys("Down", "Up", "Left", "Right", "Enter")
    assert state(page)["z"] != "0", "Enter zooms"
    page.keys("u")
    equal(state(page)["z"], "0", "u undoes")
    page.keys("i")
    equal(state(page)["v"], "icicle", "i")
    page.keys("t")
    equal(state(page)["v"], "table", "t")
    page.keys("g", "/")
    equal(page.run("return document.activeElement.id"), "search", "/")
    page.run("document.activeElement.blur()")
    page.keys("?")
    assert page.run("return document.querySelector('#keys').open"), "?"
    page.click("#close-keys")


def check_copy(page):
    click(page, "workload_deep")
    copied = page.run("return perfPage.copyText()").split("\n")
    assert copied[0].startswith("workload_deep ("), copied
    assert any(line.startswith("main (") for line in copied), copied
    page.keys("c")
    page.wait("return document.querySelector('#said').textContent.startsWith('Copied a stack of')")
    page.click("#reset")


def check_table(page):
    choose(page, "#view", "table")
    first = text(page, "#table tbody td.name button")
    equal(first, "workload_spin", "what takes most")
    # A function opens to its callers, by keys.
    page.run("document.querySelector('#table tbody tr').focus()")
    page.keys("Right", "Down")
    line = page.run("const l = document.activeElement; return [l.ariaLevel, l.querySelector('button').textContent]")
    equal(line, ["2", "workload_loop"], "its caller")
    page.keys("Left", "Left")
    equal(page.run("return document.querySelectorAll('#table tr[aria-level=\"2\"]').length"), 0, "closed again")
    page.click("#table th:nth-child(2) button")
    equal(page.run("return document.querySelector('#table th:nth-child(2)').ariaSort"),
          "descending", "sorted")
    page.run("[...document.querySelectorAll('#table td.name button')]"
             ".find((b) => b.textContent === 'workload_spin').click()")
    equal(state(page)["v"], "sandwich", "a name leads to its callers")
    place(page, "workload_spin", "lower")
    place(page, "main", "upper")
    total = page.run("return [perfPage.upper.tree.total[0], perfPage.lower.tree.total[0]]")
    equal(total[0], total[1], "callers and callees have the same sum")
    page.keys("g")


def check_tree(page):
    """The call tree is open on the way on which most goes; a search goes to its line."""
    page.keys("l")
    equal(state(page)["v"], "tree", "l")
    shown = page.run("return [...document.querySelectorAll('#table td.name button')].map((b) => b.textContent)")
    assert "main" in shown and "workload_spin" in shown, shown
    page.type("#search", "workload_deep")
    page.keys("Enter")
    found = "return document.activeElement.querySelector('td.name button')?.textContent"
    equal(page.run(found), "workload_deep", "the line of a match")
    assert "workload_deep" in text(page, "#what"), text(page, "#what")
    equal(page.run("return document.querySelector('#table tbody tr').className"), "dim", "what is not found")
    page.keys("Down")
    page.keys("c")
    page.wait("return document.querySelector('#said').textContent.startsWith('Copied a stack of')")
    page.run("perfPage.go({ q: '', l: '50' })")
    parts = page.run("return [...document.querySelectorAll('#table tbody tr')].map((l) => l.item.total)")
    assert parts and min(parts) >= page.run("return perfPage.tree.total[0] / 2"), parts
    page.run("perfPage.go({ v: 'flame', l: '' })")


def check_recursion(page):
    """workload_deep calls itself: one box by default, one for each depth when asked; equal sums."""
    boxes = ("const p = perfPage, of = [];"
             "p.upper.rows.forEach((row) => row.forEach((b) => { if (p.p.names[p.upper.tree.func[b.node]] ==="
             " 'workload_deep') of.push(b); }));"
             "return [of.length, Math.max(...of.map((b) => b.w)) / p.upper.width, p.upper.tree.total[0], p.upper.tree.samples[0]]")
    page.run("perfPage.go({ v: 'flame', z: '0' })")
    one = page.run(boxes)
    equal(one[0], 1, "boxes of a recursion")
    where = place(page, "workload_deep")
    page.mouse((where["x"], where["y"]))
    tip = text(page, "#tip").split("\n")[1]
    assert tip == "workload_deep x 20", tip
    page.mouse((2, 2))
    page.keys("r")
    equal(state(page)["r"], "1", "r: each depth")
    each = page.run(boxes)
    equal(each[0], 20, "boxes of each depth")
    equal(each[2:], one[2:], "sums")
    assert abs(each[1] - one[1]) < 0.001, (each, one)
    page.keys("r")
    equal(page.run(boxes), one, "folded again")
    # The same for callers and callees: all callees in one, main is the only caller.
    f = page.run("return String(perfPage.p.names.indexOf('workload_deep'))")
    for r, boxes_ in (("", 1), ("1", 20)):
        page.run("perfPage.go({ v: 'sandwich', f: arguments[0], r: arguments[1] })", f, r)
        have = page.run("const t = perfPage.lower.tree; let n = 0;"
                        "for (let i = 1; i < t.nr; i++) n += t.total[i] > 0 && t.func[i] === Number(arguments[0]);"
                        "return [n, t.total[0] === perfPage.upper.tree.total[0]]", f)
        equal(have, [boxes_, True], "callees with recursion %r" % r)
    page.run("perfPage.go({ v: 'flame', f: '', r: '' })")


def check_narrow(page):
    """As on a phone: the graph has most of the window, the table has names, filters can be had."""
    page.size(420, 800)
    height = page.run("return document.querySelector('#upper').clientHeight")
    assert height >= 400, "a graph of %d points" % height
    page.run("perfPage.go({ v: 'table' })")
    name, table = page.run("return ['td.name', 'table'].map((e) => document.querySelector('#table ' + e)"
                           ".getBoundingClientRect().width)")
    assert name > 120 and table <= 420, (name, table)
    shown = "return document.querySelector('#event').offsetHeight > 0"
    equal(page.run(shown), False, "filters at first")
    page.click("#more")
    equal(page.run(shown), True, "filters")
    equal(page.run("return document.querySelector('#more').ariaExpanded"), "true", "what is said of it")
    page.click("#more")
    page.size(1280, 800)
    equal(page.run(shown), True, "filters in a wide window")
    page.run("perfPage.go({ v: 'flame' })")


def check_layout(page):
    """At 1280x800 one line of controls, and the graph has what is below 140 points."""
    tops = page.run("return [...document.querySelectorAll('#controls > *')].filter((e) => e.offsetHeight)"
                    ".map((e) => { const r = e.getBoundingClientRect(); return r.top + r.height / 2 })")
    assert max(tops) - min(tops) < 6, "controls in more than one line: %s" % tops
    page.size(1280, 800)
    top = page.run("return document.querySelector('#upper').getBoundingClientRect().top")
    assert top <= 140, "the graph begins at %d" % top


# The least contrast of words, in either theme: WCAG 2.2, 1.4.3, asks for 4.5.
CONTRAST = """
const light = (c) => {
    const part = c.match(/[0-9.]+/g).slice(0, 3).map((v) => v / 255)
        .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
};
const back = (e) => {
    for (; e; e = e.parentElement) {
        const c = getComputedStyle(e).backgroundColor;
        if (!/, 0\\)$/.test(c))
            return c;
    }
    return 'rgb(255, 255, 255)';
};
let worst = [99, ''];
for (const theme of ['light', 'dark']) {
    document.documentElement.dataset.theme = theme;
    for (const e of document.querySelectorAll('h1, summary, label, select, input, button, th, td, p, span')) {
        if (!e.offsetHeight || e.disabled)
            continue;
        const [a, b] = [light(getComputedStyle(e).color), light(back(e))].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05);
        if (ratio < worst[0])
            worst = [ratio, theme + ' ' + e.outerHTML.slice(0, 80)];
    }
}
delete document.documentElement.dataset.theme;
return worst;
"""


def check_contrast(page):
    page.run("perfPage.go({ v: 'table' })")
    ratio, where = page.run(CONTRAST)
    assert ratio >= 4.5, (ratio, where)
    page.run("perfPage.go({ v: 'flame' })")


def use(page, path):
    page.open(path)
    samples = page.run("return perfPage.p.samples")
    equal(page.run("return perfPage.main.samples[0]"), samples, "samples of all stacks")
    equal(page.run("return perfPage.main.total[0]"), page.run("return perfPage.p.events"
          ".find((e) => e.samples).period"), "periods")
    assert "samples" in text(page, "#account-line")
    check_zoom(page)
    check_hover(page)
    check_search(page)
    check_magnify(page)
    check_layout(page)
    check_time(page, samples)
    check_cpus(page, samples)
    check_keys(page)
    check_copy(page)
    check_table(page)
    check_tree(page)
    check_recursion(page)
    equal(page.run("return [[7, 'a::b::c'], [5, 'a::b::c'], [9, 'a::b<c::d>::long_name'], [4, 'x::long_name']]"
                   ".map(([room, name]) => fitName(name, room))"),
          ["a::b::c", "b::c", "long_name", "lon\u2026"], "names where there is no room")
    check_narrow(page)
    check_contrast(page)
    # The button says what it makes, also where the system's theme is dark.
    for theme in ("dark", "light"):
        page.theme(theme)
        page.open(path)
        other = {"dark": "light", "light": "dark"}
        for now in (other[theme], theme):
            equal(text(page, "#theme").lower(), now, "the button under a %s system" % theme)
            page.click("#theme")
            equal(page.run("return document.documentElement.dataset.theme"), now, "the theme")
    # What an address says is what is shown; one that makes no sense shows all.
    page.open(path, "#v=icicle&q=spin")
    equal([state(page)["v"], state(page)["q"]], ["icicle", "spin"], "permalink")
    page.open(path, "#v=x&z=99999999&e=-1&c=x&a=7&b=3&t=zz&f=1e9")
    equal(page.run("return perfPage.main.samples[0]"), samples, "a senseless address")
    names = page.run("return [...document.querySelectorAll('button, select, input, canvas')]"
                     ".filter((e) => !(e.textContent.trim() || e.ariaLabel || e.labels?.length ||"
                     " e.getAttribute('aria-label'))).map((e) => e.outerHTML)")
    equal(names, [], "without an accessible name")


def half(page, path):
    """Of a page of --percent-limit 50."""
    page.open(path)
    equal(state(page)["l"], "50", "the limit that was given")
    least = page.run("return Math.min(...perfPage.upper.rows.flat().map((b) => perfPage.stacks.total[b.node]))"
                     " / perfPage.stacks.total[0]")
    assert least >= 0.5, least


def hostile(page, path):
    page.open(path)
    equal(page.run("return [typeof window.boom, document.images.length,"
                   " document.scripts.length]"), ["undefined", 0, 2], "nothing was executed")
    for view in ("flame", "icicle", "time", "tree", "table", "sandwich"):
        page.run("perfPage.go({ v: arguments[0] })", view)
        page.run("perfPage.describe(perfPage.upper, 1); perfPage.hover(perfPage.upper, 1,"
                 " { clientX: 5, clientY: 5 })")
    assert "<img src=x onerror=boom()>" in page.run("return perfPage.p.names.join()")
    equal(page.run("return document.images.length"), 0, "images")
    # Even what gets into the page does not run, nor load.
    page.run("document.body.insertAdjacentHTML('beforeend',"
             " '<img src=\"data:,x\" onerror=\"window.ran = 1\"><a onclick=\"window.ran = 1\">x</a>')")
    page.run("document.querySelector('a').click();"
             "const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
             "document.body.append(s)")
    equal(page.run("return typeof window.ran"), "undefined", "the policy holds")
    blocked = page.run("return fetch('http://127.0.0.1:9/').then(() => 'open', (e) => 'blocked')")
    equal(blocked, "blocked", "the network")


def check_strip(page):
    area = page.run("const r = document.querySelector('#strip').getBoundingClientRect();"
                    "return [r.left, r.top, r.width, r.height]")
    page.mouse((area[0] + area[2] / 2, area[1] + 10))
    assert text(page, "#tip").startswith("All, "), text(page, "#tip")


# The least distance (CIE 1976) of two colours of states, as each kind of colour blindness shows them: by
# the matrices of Machado, Oliveira and Fernandes (2009).
BLINDNESS = """
const at = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).slice(1)
    .match(/../g).map((h) => parseInt(h, 16) / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const kinds = { protan: [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
                deutan: [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
                tritan: [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]] };
const lab = (rgb) => {
    const f = (t) => t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116;
    const [r, g, b] = rgb.map((v) => Math.max(v, 0));
    const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505), y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
    return [116 * y - 16, 500 * (x - y), 200 * (y - f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089))];
};
let least = [999, ''];
for (const [kind, m] of Object.entries(kinds)) {
    const seen = ['on', 'runnable', 'blocked'].map((n) => lab(m.map((row) => row.reduce((s, k, i) => s + k * at(n)[i], 0))));
    for (const [i, k] of [[0, 1], [0, 2], [1, 2]]) {
        const d = Math.hypot(...seen[i].map((v, j) => v - seen[k][j]));
        if (d < least[0])
            least = [d, kind + ' ' + i + ' ' + k];
    }
}
return least;
"""


def check_lanes(page, states):
    """A lane for each thread; its states are those of --stdio, and what is chosen there is chosen."""
    distance, which = page.run(BLINDNESS)
    assert distance > 20, "colours of states are alike to some: %s" % [distance, which]
    page.keys("m")
    equal(state(page)["v"], "time", "m")
    sums = page.run("""
const sums = { blocked: 0, runnable: 0, spans: 0 };
for (const t of perfPage.lanes.all)
    t.end.forEach((end, i) => {
        if (t.wait[i]) {
            sums.blocked += t.wake[i] - t.start[i];
            sums.runnable += end - t.wake[i];
            sums.spans++;
        }
    });
return sums""")
    for name, want in states.items():
        assert abs(sums[name] - want) <= 2048 * sums["spans"], (name, sums, want)
    # The columns of a lane add up to its time.
    worst = page.run("""
const l = perfPage.lanes, all = l.to - l.from;
return Math.max(...l.lanes.filter((t) => t.waits).map((t) => {
    const sums = t.columns(l.from, all / 1000, 1000).reduce((sum, s) => sum + s.reduce((a, b) => a + b, 0), 0);
    return Math.abs(sums - (t.end[t.end.length - 1] - t.start[0]));
}))""")
    assert worst < 1e6, "a lane differs from its thread's time by %d ns" % worst
    area = page.run("const r = document.querySelector('#lanes canvas').getBoundingClientRect();"
                    "return [r.left + 150, r.top, r.width - 150]")
    x, y, width = area[0], area[1] + 8, area[2]
    page.mouse((x + width * 0.6, y))
    tip = text(page, "#tip")
    assert tip.split(" ")[0] in ("on", "runnable", "blocked"), tip
    page.mouse((x + width * 0.25, y), "down", (x + width * 0.75, y), "up")
    now, bins = state(page), page.run("return perfPage.p.bins")
    assert abs(int(now["a"]) - bins / 4) <= 4 and abs(int(now["b"]) - bins * 3 / 4) <= 4, now
    page.mouse((x + width / 2, y), "down", "up")
    assert state(page)["t"].startswith("t"), state(page)
    equal(page.run("return perfPage.lanes.lanes[perfPage.lanes.chosen].tid"), int(state(page)["t"][1:]), "the thread")
    assert page.run("return perfPage.lanes.boxes.length") > 3, "no stacks of the thread"
    page.run("perfPage.lanes.views[0].canvas.focus()")
    page.keys(*["Plus"] * 40)
    page.wait("return !perfPage.lanes.pending")
    least = page.run("return perfPage.lanes.to - perfPage.lanes.from")
    assert least < 30000, "magnified to %d ns" % least
    page.keys(*["-"] * 40)
    page.keys("Delete", "Down", "Up")
    page.run("perfPage.go({ a: '', b: '', t: '', v: 'flame' })")


def check_scroll(page):
    """The outermost functions of a flame graph stay in sight when what is selected changes."""
    page.run("perfPage.upper.box.style.maxHeight = '60px'")
    left = "const b = perfPage.upper.box; return b.scrollHeight - b.scrollTop - b.clientHeight"
    page.run("perfPage.go({ v: 'flame', z: '0' })")
    for change in ({"e": "all"}, {"a": "10", "b": "20"}, {"a": "", "b": ""}, {"v": "icicle"}, {"v": "flame"}):
        page.run("perfPage.go(arguments[0])", change)
        page.wait("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        equal(page.run(left) if change != {"v": "icicle"} else 0, 0, "below the part that is seen after %s" % change)
    page.run("perfPage.upper.box.style.maxHeight = ''")


def waits(page, path):
    page.open(path, "#e=all")
    check_strip(page)
    check_lanes(page, json.loads(os.environ["STATES"]))
    check_scroll(page)
    equal(state(page)["e"], "all", "on and off CPU")
    sums = page.run("const p = perfPage.p.events.filter((e) => e.time).map((e) => e.period);"
                    "return [perfPage.main.total[0], p.reduce((a, b) => a + b, 0)]")
    equal(sums[0], sums[1], "both sums")
    assert page.run("return perfPage.main.off[0] > 0 && perfPage.main.off[0] < perfPage.main.total[0]")
    equal(page.run("return perfPage.main.runnable[0]"), json.loads(os.environ["STATES"])["runnable"], "runnable")
    choose(page, "#event", page.run("return String(perfPage.p.events.findIndex((e) => e.off))"))
    equal(page.run("return perfPage.main.off[0] === perfPage.main.total[0]"), True, "off alone")
    # A wait lies before its sample: over time there is no more of a thread than the time.
    longest, most, width = page.run("""
const p = perfPage.p, off = p.labels.map((l) => p.events[l[2]].off);
const tids = [...new Set(p.labels.map((l) => l[1]))], lines = p.labels.map((l) => tids.indexOf(l[1]));
const sums = p.overTime(off, lines, tids.length), all = sums[0].off.reduce((a, b) => a + b, 0);
if (Math.abs(all - perfPage.main.total[0]) > 1) throw Error(all + " over time");
return [Math.max(...p.period), Math.max(...sums.slice(1).map((s) => Math.max(...s.off.slice(1)))), p.width]""")
    assert longest > 3 * width, "no wait is long enough: %d of %d" % (longest, width)
    assert most < 2 * width, "%d ns of a thread in %d ns" % (most, width)
    whole = page.run("return perfPage.main.total[0]")
    bins, parts = page.run("return perfPage.p.bins"), []
    for i in range(3):
        page.run("perfPage.go({ a: arguments[0], b: arguments[1] })", str(bins * i // 3), str(bins * (i + 1) // 3))
        parts.append(page.run("return perfPage.main.total[0]"))
        assert parts[-1] > 0, "threads wait at all times: %s" % parts
    assert abs(sum(parts) - whole) < 3, (parts, whole)
    page.click("#reset")


COLOUR = "return colourOfChange(perfPage.main, arguments[0])"


def part(page, name, side):
    """What part of all a function has with what it calls, before (0) or after (1)."""
    return page.run("""
const sums = perfPage.tree.functions(), f = perfPage.p.names.indexOf(arguments[0]);
const before = sums.before[f];
return (arguments[1] ? 2 * sums.total[f] - before : before) / perfPage.tree.total[0]""", name, side)


def compare(page, path):
    page.open(path)
    total, before = page.run("return [perfPage.main.total[0], perfPage.main.before[0]]")
    assert total > 0 and abs(before / total - 1) < 1e-9, "the sides are not equal"
    assert part(page, "workload_deep", 0) > 0.5 and part(page, "workload_deep", 1) == 0
    assert part(page, "noploop", 0) == 0 and part(page, "noploop", 1) > 0.5
    gone, new = place(page, "workload_deep"), place(page, "noploop")
    assert "hsl(214 90%" in page.run(COLOUR, gone["node"]), "what is gone is blue"
    assert "hsl(8 90%" in page.run(COLOUR, new["node"]), "what is new is red"
    click(page, "noploop")
    assert "0.00 % before, " in text(page, "#what"), text(page, "#what")
    assert "points; " in text(page, "#what")
    equal(page.run("return document.querySelectorAll('#thread option').length") > 1, True, "threads")
    page.click("#reset")
    choose(page, "#view", "tree")
    cells = text(page, "#table tbody")
    assert "\u2212" in cells and "+" in cells, cells
    choose(page, "#view", "table")
    cells = text(page, "#table tbody")
    assert "\u2212" in cells and "+" in cells, cells
    page.run("[...document.querySelectorAll('#table td.name button')]"
             ".find((b) => b.textContent === 'noploop').click()")
    both = page.run("return [perfPage.upper.tree.before[0], perfPage.lower.tree.total[0]]")
    assert both[0] == 0 and both[1] > 0, both
    # A selection that only one side has is said to be so.
    page.run("perfPage.go({ v: 'flame', f: '', z: '0', a: String(perfPage.p.bins - 1),"
             " b: String(perfPage.p.bins) })")
    for i, side in enumerate(("before", "after")):
        equal(("no samples " + side) in text(page, "#what"), page.run("return perfPage.p.empty[arguments[0]]", i),
              "samples " + side)


def runs(page, path):
    compare(page, path)
    page.open(path, "#v=table")
    assert ", changed" in text(page, "#table tbody"), text(page, "#table tbody")
    page.open(path)
    click(page, "noploop")
    assert ": changed" in text(page, "#what"), text(page, "#what")


def empty(page, path):
    page.open(path)
    for view in ("flame", "icicle", "time", "tree", "table", "sandwich"):
        page.run("perfPage.go({ v: arguments[0] })", view)
    page.run("perfPage.go({ v: 'flame', q: 'x' })")
    words = text(page, "#what")
    assert ", 0 samples" in words or "There are no samples before" in words, words


def main():
    tests = {"use": use, "half": half, "hostile": hostile, "waits": waits, "empty": empty,
             "compare": compare, "runs": runs}
    with Browser(os.getcwd()) as page:
        for what, path in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
            tests[what](page, path)
            errors = [e for e in page.errors() if "Content Security Policy" not in e
                      and "127.0.0.1:9" not in e]
            equal(errors, [], "errors of the page")


if __name__ == "__main__":
    main()
