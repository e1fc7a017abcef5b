#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: mcp-server.py: a client asks for pages; hostile messages, names, files; all answers are bounded
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_event cpu-clock

server=$(perf --exec-path)/mcp/mcp-server.py
mkdir -p root/.hidden root/folder
for i in 1 2; do
	perf record -q -e cpu-clock:u -F 2000 -g -o "root/old$i.data" -- "$PERF" test -w noploop 0.2
	perf record -q -e cpu-clock:u -F 2000 -g -o "root/folder/new$i.data" -- "$PERF" test -w deep 0.2
done
perf record -q -e cpu-clock:u -o outside.data -- "$PERF" test -w noploop 0.05
cp root/old1.data root/--version
head -c 3000 root/old1.data >root/cut.data
ln -s ../outside.data root/link.data
mkfifo root/fifo.data
echo "no recording" >root/plain.txt

cat >client.py <<'END2'
import json, subprocess, sys, unicodedata

server = subprocess.Popen([sys.executable, sys.argv[1], "--root", "root", "--perf", sys.argv[2]],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE)
number = 0


def send(line):
    server.stdin.write(line + b"\n")
    server.stdin.flush()


def answer():
    line = server.stdout.readline()
    assert line and len(line) < 20000, line
    assert line.isascii(), line
    return json.loads(line)


def ask(method, params=None):
    global number
    number += 1
    send(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}).encode())
    got = answer()
    assert got["id"] == number and got["jsonrpc"] == "2.0", got
    return got


def call(tool, **arguments):
    """Returns the text and whether it is an error."""
    result = ask("tools/call", {"name": tool, "arguments": arguments})["result"]
    (content,) = result["content"]
    text = content["text"]
    assert all(c in "\n\t" or unicodedata.category(c)[0] != "C" for c in text), text
    assert len(text.encode()) <= 8100, len(text)
    return text, result["isError"]


def works(tool, *texts, **arguments):
    text, failed = call(tool, **arguments)
    assert not failed, text
    for t in texts:
        assert t in text, (t, text)
    return text


def refused(tool, *texts, **arguments):
    text, failed = call(tool, **arguments)
    assert failed, text
    for t in texts:
        assert t in text, (t, text)


def error(line, code):
    send(line)
    got = answer()
    assert got["error"]["code"] == code, got


# The beginning, as every client has it.
got = ask("initialize", {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "x"}})
assert got["result"]["protocolVersion"] == "2025-03-26" and "tools" in got["result"]["capabilities"], got
assert ask("initialize", {"protocolVersion": "1999"})["result"]["protocolVersion"] == "2025-06-18"
send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')  # is not answered
tools = ask("tools/list")["result"]["tools"]
assert {t["name"] for t in tools} == {"list_recordings", "brief", "function", "compare"}, tools
assert ask("ping")["result"] == {}

# What it is for.
text = works("list_recordings", "old1.data", "folder/new2.data", "--version", "cut.data")
assert "plain" not in text and "fifo" not in text, text
brief = works("brief", "evidence: ", "alone has", "--about", recording="old1.data")
works("brief", "samples of event", recording="--version")
name = [l for l in brief.split("\n") if "--about" in l][0].split("--about ")[1].split(" ")[0]
page = works("function", "own time", "Called by", "Lines", recording="old1.data", function=name)
assert len(page) < 4000
works("function", "no function is called", recording="old1.data", function="nothing_is_so")
works("compare", "Numbers are shares", "By themselves",
      before=["old1.data", "old2.data"], after=["folder/new1.data", "folder/new2.data"], paths=True)
works("brief", "samples of event", recording="old1.data", time="0%-50%")

# What it must not do.
refused("brief", "below the folder", recording="../outside.data")
refused("brief", "below the folder", recording="link.data")
refused("brief", "below the folder", recording="/etc/passwd")
refused("brief", "no such recording", recording="fifo.data")
refused("brief", "no such recording", recording="plain.txt")
refused("brief", "no such recording", recording="nothing\x1b[2J")
refused("brief", "no such recording")
refused("brief", "time", recording="old1.data", time="--html=x,--svg=y")
text, failed = call("function", recording="old1.data", function="--html=written")
assert not failed and "no function is called '--html=written'" in text, text
text, failed = call("function", recording="old1.data", function="\x1b[2J\u202e\u2060")
assert "'?[2J???\\u2060'" in text, text  # perf's text has no controls, an answer no invisible ones
refused("brief", "tid", recording="old1.data", tid="1")
refused("brief", "no such argument", recording="old1.data", output="/tmp/x")
refused("function", "'function' is missing", recording="old1.data")
refused("compare", "before", before=[], after=["old1.data"])
refused("compare", "below the folder", before=["old1.data"], after=["../outside.data"])
call("brief", recording="cut.data")  # whatever it says, it is bounded

# Messages that are none.
error(b"{", -32700)
error(b"[" * 100000, -32700)
error(b"\xff\xfe", -32700)
error(b"[]", -32600)
error(b'{"id":1}', -32600)
error(b'{"jsonrpc":"2.0","id":[],"method":"ping"}', -32600)
for unheard in b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e999":
    error(b'{"jsonrpc":"2.0","id":' + unheard + b',"method":"ping"}', -32700)
error(b'{"jsonrpc":"2.0","id":1,"method":"nothing"}', -32601)
error(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}', -32602)
error(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run"}}', -32602)
error(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"brief","arguments":7}}', -32602)
error(b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * 3000000 + b'"}', -32600)
send(b'{"jsonrpc":"2.0","id":1,"result":{}}')  # an answer to nothing is none
send(b"")
assert ask("ping")["result"] == {}
server.stdin.close()
assert server.wait() == 0
END2
python client.py "$server" "$PERF"
[ ! -e root/written ] || fail "a function's name became an option"
[ "$(find root -newer client.py -type f | wc -l)" = 0 ] || fail "it wrote: $(find root -newer client.py)"
# A client that goes is no error, and one that is not there is told.
echo '{"jsonrpc":"2.0","id":1,"method":"ping"}' | python "$server" --root root >/dev/full 2>err || true
python "$server" --root nothing </dev/null 2>err && fail "a root that is none"
has err 'is no folder'
