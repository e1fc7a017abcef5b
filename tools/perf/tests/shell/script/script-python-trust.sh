#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: script -s: where root's modules come from, and what a script may do while samples are read
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_scripts
need_cmd setpriv
need_python
python "$PERF_TEST_DIR/lib/made-recording.py" switches x.data
top=$PWD

mkdir mine others open plain
chmod 755 . mine others plain
echo 'print("mine")' >mine/neighbour.py
for d in others open; do echo 'print("hostile")' >$d/neighbour.py; done
chown -R 54321 others
chmod 1777 open
echo 'import neighbour' | tee mine/x.py others/x.py open/x.py >/dev/null

# The script's own folder, unless others may write there; a file that is named is run.
[ "$(perf script -i x.data -s mine/x.py 2>err)" = mine ] || fail "$(cat err)"
for d in others open; do
	fails 1 perf script -i x.data -s $d/x.py >out 2>err
	[ ! -s out ] || fail "$d: $(cat out)"
	has err "No module named 'neighbour'" "nothing was imported from .*/$d: users other than root may write there"
done
# A folder in the folder of another.
mkdir others/deep
cp mine/*.py others/deep
fails 1 perf script -i x.data -s others/deep/x.py >out 2>err
[ ! -s out ] || fail "$(cat out)"

# The current folder, PYTHONPATH, what the script adds by any name, and what others say is Python's.
cd others
fails 1 perf script -i "$top/x.data" -s "$top/open/x.py" >"$top/out" 2>&1
has_not "$top/out" hostile
printf 'import sys\nsys.path += ["", ".", "%s", "../others", "%s/../open"]\nimport neighbour\n' "$top/others" "$top/mine" >"$top/plain/adds.py"
fails 1 perf script -i "$top/x.data" -s "$top/plain/adds.py" >"$top/out" 2>"$top/err"
has_not "$top/out" hostile
has "$top/err" "nothing was imported from $top/others: "
printf 'import sys\nprint("neighbour" in sys.modules, sys.prefix)\n' >"$top/plain/prefix.py"
cp "$top/others/neighbour.py" "$top/others/sitecustomize.py"
want=$(perf script -i "$top/x.data" -s "$top/plain/prefix.py")
mkdir bin
printf '#!/bin/sh\n' >bin/python3
chmod 755 bin/python3
printf 'home = %s\n' "$top/others/bin" >pyvenv.cfg
got=$(PATH="$top/others/bin:$PATH" PYTHONPATH="$top/others" PYTHONHOME="$top/others" PYTHONSTARTUP="$top/others/neighbour.py" \
	perf script -i "$top/x.data" -s "$top/plain/prefix.py")
[ "$got" = "$want" ] || fail "'$got', not '$want'"
cd "$top"

# What a script may do: all while nothing of the recording was read, and then what readers may.
cat >mine/caps.py <<'END'
def caps():
    fields = dict(line.split(":", 1) for line in open("/proc/self/status"))
    return fields["CapEff"].strip(), fields["CapPrm"].strip(), fields["NoNewPrivs"].strip()

before = caps()

def trace_begin():
    assert caps() == before

def process_event(d):
    print(*caps())

def trace_end():
    print(*caps())
    open("written", "w").write("x")
END
perf script -i x.data -s mine/caps.py >out
readers=$(printf %016x "$(caps 2 34)") # DAC_READ_SEARCH, SYSLOG
[ "$(sort -u out)" = "$readers $readers 1" ] || fail "$(cat out), not $readers"
[ -s written ] || fail "nothing was written"
# In the folder of another user, too, as root can anywhere else.
rm written
mkdir theirs
chown 54321 theirs
(cd theirs && perf script -i ../x.data -s ../mine/caps.py >out && [ -s written ])

# An ordinary user decides for himself.
rm others/sitecustomize.py
cp "$PERF" perf-copy
cp "$(dirname "$PERF")/script-python.so" . 2>/dev/null || skip "script-python.so is elsewhere"
chmod 644 x.data
chown 54321 x.data
user() { setpriv --reuid=54321 --regid=54321 --clear-groups --inh-caps=-all ./perf-copy "$@"; }
[ "$(user script -i x.data -s others/x.py)" = hostile ] || fail "an ordinary user's script cannot import"
printf 'import neighbour\n' >imports.py
[ "$(PYTHONPATH=$top/others user script -i x.data -s imports.py)" = hostile ] || fail "PYTHONPATH has no effect"
