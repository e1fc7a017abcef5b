#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: unwind: V8's code without rows: what counts as whole is so, and nearly all waits are
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd node
need_python
[ "$(uname -m)" = x86_64 ] || skip "only instructions of x86_64 are followed"
need_event cpu-clock

# The thread is named n<number>, and the number spelt by sixteen callers in sixteen ways to call.
cat >spell.js <<'END'
const fs = require("fs");
const ways = [
  "f(n)", "[n].map(f)[0]", "f.call(null, n)", "f.apply(null, [n])",
  "Reflect.apply(f, null, [n])", "[n].reduce((a, x) => f(x), 0)",
  "(r => { 'a'.replace(/a/, () => { r = f(n); return ''; }); return r; })()",
  "JSON.parse('1', (k, v) => f(n))",
  "(r => { [1, 2].sort(() => { r = f(n); return 0; }); return r; })()",
  "f.bind(null, n)()", "({ get x() { return f(n); } }).x",
  "new (class { constructor() { this.r = f(n); } })().r", "f(...[n])",
  "[...(function* () { yield f(n); })()][0]", "f(n, 1, 2, 3, 4, 5, 6)",
  "`${{ toString() { return String(f(n)); } }}`",
];
const shared = new Int32Array(new SharedArrayBuffer(8));
const buffer = Buffer.alloc(64);
const deeds = [
  () => Atomics.wait(shared, 0, 0, 1), () => fs.readSync(0, buffer), () => fs.statSync("/"),
  () => { let s = 0; for (let i = 0; i < 20000; i++) s = (s * 31 + i) | 0; return s; },
  () => [3, 1, 2].sort((x, y) => { Atomics.wait(shared, 0, 0, 0.3); return x - y; }),
  () => JSON.stringify({ a: [1, 2, 3], n: buffer.toString("hex") }).length,
  () => [..."abcdefgh"].map(c => c + c).join("-").split("-").length,
];
let turn = 0;
function leaf() { return deeds[turn++ % deeds.length](); }
let code = "";
for (let k = 0; k < 16; k++)
  for (let bit = 0; bit < 2; bit++)
    code += `function bit${bit}_${k}(n) {
      const f = ${k == 15 ? "leaf" : `(n >> ${k + 1} & 1) ? bit1_${k + 1} : bit0_${k + 1}`};
      return ${ways[k]}; }\n`;
code += "return function spell(n) { return (n & 1 ? bit1_0 : bit0_0)(n); }";
const spell = new Function("leaf", code)(leaf);
const zero = fs.openSync("/dev/zero", "r"); // until that function is compiled, and calls directly
for (let i = 0; i < 30000; i++)
  fs.readSync(zero, buffer);
for (let i = 0, n = 1; i < 700; i++, n = (n * 5 + 12345) & 0xffff) {
  process.title = "n" + n;
  for (let j = 0; j < 7; j++)
    spell(n);
  process.title = "between";
}
END
while sleep 0.001; do echo; done 2>/dev/null | # what it waits for
	perf record -e cpu-clock --off-cpu -o node.data -- node --perf-basic-prof \
		--interpreted-frames-native-stack --no-turbo-inlining spell.js 2>err || true
perf script -i node.data -F sw:comm,tid,event,ip,sym,whole 2>/dev/null >text
rm -f "/tmp/perf-$(sed -n '1s/.* \([0-9]*\) .*/\1/p' text).map"

cat >check.py <<'END'
import re, sys
samples = whole = wrong = waits = whole_waits = 0
for sample in sys.stdin.read().split("\n\n"):
    head, _, frames = sample.partition("\n")
    number = re.match(r"\s*n(\d+) ", head)
    names = re.findall(r"JS:\S(bit[01]_\d+|spell|leaf)\b", frames)
    if not number or not names or names[0] == "spell":
        continue
    samples += 1
    is_whole = "(whole)" in head
    whole += is_whole
    waits += "offcpu-time" in head
    whole_waits += "offcpu-time" in head and is_whole
    first = 15 if names[0] == "leaf" else int(names[0].split("_")[1])
    want = ["bit%d_%d" % (int(number[1]) >> k & 1, k) for k in range(first, -1, -1)] + ["spell"]
    if is_whole and names[names[0] == "leaf":] != want:
        wrong += 1
        print("%s: %s, but\n%s" % (head, want, frames))
counts = samples, whole, wrong, waits, whole_waits
print("%d samples, %d whole, %d wrong, %d waits, %d whole" % counts)
sys.exit(samples < 500 or whole < samples * 0.95 or wrong or whole_waits < waits * 0.97)
END
python check.py <text >out || fail "$(tail -n 60 out)"
cat out
