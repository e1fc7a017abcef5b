#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --agent: a runtime that registers has its functions in the stacks, also by Lua's API
# limit: 200
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/record/lib-agent.sh"
need_agent
! is_sanitized || skip "perf itself is recorded here, and sanitizers cannot be loaded behind the agent"

# Each call of agent_eval() runs lower(), which upper() has called, at lines that are known.
"$PERF" record --agent -e cpu-clock:u -F 2000 -o r.data -- "$PERF" test -w agent runtime 0.3 1 2>err || fail "$(cat err)"
[ "$(matched err)" -gt 200 ] || fail "$(cat err)"
has err 'functions' "names of .* functions are in r.data.jit"
chains r.data >chains
python - <<'END' || fail "wrong frames"
import sys
good = wrong = 0
for chain in open("chains").read().split("\n\n"):
    names = [line.split("|") for line in chain.splitlines()]
    if "agent_leaf" not in [n[0] for n in names]:
        continue
    at = [n[0] for n in names].index("agent_leaf")
    got = [n[0] for n in names[at + 1:at + 8]]
    want = ["agent_eval", "lower", "upper", "agent_eval", "lower", "upper", "work"]
    lines = [n[1] for n in names[at + 1:at + 8]]
    # In the first instructions of a call it is not yet known.
    if got == want and lines[2] == "mock.src:25" and lines[1][:10] == "mock.src:1" == lines[4][:10]:
        good += 1
    elif "lower" in got and got[:5] != ["agent_eval", "agent_eval", "lower", "upper", "work"]:
        wrong += 1
        print(got, lines)
print("%d good, %d wrong" % (good, wrong))
sys.exit(wrong > 0 or good < 100)
END
[ "$(ls r.data.jit)" = "$(ls r.data.jit | grep '^functions-')" ] || fail "$(ls r.data.jit)"

# One that loads from nowhere: its words end, the program goes on.
"$PERF" record --agent -F 2000 -o f.data -- "$PERF" test -w agent faults 0.3 1 2>err || fail "the program ended: $(cat err)"
has err 'records with frames that could not be read'
# Without the agent nothing is registered.
"$PERF" test -w agent runtime 0.01 0

# The example in Lua, by its own API.
[ "$(type -P lua5.4)" ] || skip "the rest needs lua5.4"
[ -e /usr/include/lua5.4/lua.h ] || skip "the rest needs Lua's headers (liblua5.4-dev)"
[ "$(type -P gcc)" ] || skip "the rest needs gcc"
from=$(dirname "$(dirname "$(dirname "$(realpath "$PERF_TEST_DIR")")")")/tools/lib/perf-agent
[ -e "$from/examples/lua.c" ] || skip "the rest needs perf's sources"
gcc -O2 -Wall -Wextra -Werror -shared -fPIC -o follow.so "$from/examples/lua.c" -I/usr/include/lua5.4 -I"$from/include"
cat >work.lua <<'END'
local follow = require "follow"
local function leaf(n)
  local s = 0
  for i = 1, n do s = s + i * i % 7 end
  return s
end
local function middle(n)
  return leaf(n) + 1
end
local function tables()
  local t = {}
  for i = 1, 200 do t[i] = { i, tostring(i) } end
  table.sort(t, function(a, b) return a[2] < b[2] end)
  return #t
end
local function deep(d)
  if d == 0 then return leaf(100) end
  return deep(d - 1) + 1
end
local function main()
  local stop = os.clock() + 1
  while os.clock() < stop do
    local a = middle(1000)
    local b = tables()
    local c = deep(20)
  end
end
follow(main)
END
LUA_CPATH="$PWD/?.so" "$PERF" record --agent -F 2000 -o l.data -- lua5.4 work.lua 2>err || fail "$(cat err)"
[ "$(matched err)" -gt 200 ] || fail "$(cat err)"
chains l.data >chains
python - <<'END' || fail "wrong frames of Lua"
import sys
CALLS = {("leaf", "middle"), ("leaf", "deep"), ("deep", "deep"), ("middle", "main"), ("tables", "main"), ("deep", "main"),
         ("compare", "tables"), ("main", "main chunk")}
LINES = {"leaf": (2, 6), "middle": (7, 9), "tables": (10, 15), "deep": (16, 19), "main": (20, 27), "compare": (13, 13)}
edges = wrong = 0
seen = set()
for chain in open("chains").read().split("\n\n"):
    frames = [line.split("|") for line in chain.splitlines()]
    lua = [(f[0], int(f[1].split(":")[1])) for f in frames if len(f) == 3 and "/functions-" in f[2]]
    # Lua has no names for functions that C calls, and after tail calls: they are known by their lines.
    named = [(next((n for n, (a, b) in LINES.items() if a <= line <= b and n != "tables"), name)
              if name == "function" else name, line) for name, line in lua]
    seen |= {n for n, _ in named}
    for (f, line), (caller, _) in zip(named, named[1:]):
        edges += 1
        if (f, caller) not in CALLS:
            wrong += 1
            print("WRONG", f, line, "called by", caller, lua)
print("%d edges, %d wrong" % (edges, wrong), seen)
sys.exit(wrong * 1000 > edges or edges < 200 or not {"leaf", "middle", "deep", "tables"} <= seen)
END
