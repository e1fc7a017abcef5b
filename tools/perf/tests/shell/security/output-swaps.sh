#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: commands of root write nothing outside of another user's folder, who swaps names for links
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_python
need_event cpu-clock
SWAPS=1000
[ -z "${PERF_TEST_THOROUGH:-}" ] || SWAPS=10000
USER_ID=54321

record_one() { perf record -q -F 500 -e cpu-clock "$@" -- "$PERF" test -w deep 20 0.1; }
chmod 755 .
mkdir -m 755 in theirs theirs/sub
mkdir -m 700 root
record_one -g -o in/a
record_one --defer=copy --no-stitch -o in/copies
HOME=$PWD/in perf buildid-cache -a "$PERF"
# Whatever root is led to lies here; what is there may not change, nor get a name more.
for f in x x.old x.jit.old dump; do echo kept >root/$f; done
chmod 600 root/*
top=$PWD
listing() { (cd "$top/root" && find . -printf '%p %y %U %m %n %s %T@ %C@\n' | sort && cat ./*); }
chown -R $USER_ID theirs

# He makes links of names, and exchanges what root writes for them and back, until he is to end.
cat >attack.py <<'END'
import ctypes, os, random, sys, time
renameat2 = ctypes.CDLL(None).renameat2
count = open("swaps", "r+")
os.setgroups([]), os.setgid(int(sys.argv[1])), os.setuid(int(sys.argv[1]))
os.chdir("theirs")
names = {"x": "../root/x", "x.old": "../root/x.old", "x.jit": "../root", "sub": "../root", "new": "../root/new",
         "a.tar.bz2": "../root/dump", ".debug": "../root", ".perfconfig": "../root/x", "spool": "../root",
         "sub/x": "../../root/x", "perf-script.py": "../root/new"}
for n, to in names.items():
    os.symlink(to, n + ".link")
swaps = 0
while not os.path.exists("../end"):
    for n, to in names.items():
        try:
            if random.random() < .3:  # a chance for root, and for the next link
                os.unlink(n)
                continue
        except OSError:
            pass
        try:
            os.symlink(to, n)
            swaps += 1
        except OSError:
            swaps += renameat2(-100, n.encode(), -100, (n + ".link").encode(), 2) == 0
    time.sleep(random.random() / 50)
    count.seek(0)
    count.write("%d\n" % swaps)
    count.flush()
END
echo 0 >swaps
python attack.py $USER_ID & attacker=$!
trap 'kill $attacker 2>/dev/null || true' EXIT
swaps() { local nr; read -r nr <swaps && echo "$nr" || echo 0; }
some_swaps() { [ "$(swaps)" -gt 0 ]; }
wait_until some_swaps

listing >before
declare -A done=()
try() { # COMMAND...: it may be refused, with words
	local status=0 name=$1
	"$PERF" "$@" >"$top/out" 2>"$top/err" </dev/null || status=$?
	[ $status -lt 128 ] || [ $status = 129 ] || fail "status $status: $*: $(tail -n 5 "$top/err")"
	[ $status = 0 ] || [ -s "$top/err" ] || fail "status $status without words: $*"
	[ $status != 0 ] || done[$name]=$((${done[$name]:-0} + 1))
	listing >"$top/after"
	cmp -s "$top/before" "$top/after" || fail "outside: $*: $(diff "$top/before" "$top/after")"
}
round() {
	local copy=in/copies
	try record -q -e cpu-clock -o theirs/x -- true
	try record -q -e cpu-clock -o theirs/sub/x -- true
	try record -q -e cpu-clock --timestamp-filename -o theirs/x -- true
	try record -q -e cpu-clock --control fifo:theirs/new,theirs/x -o in/other -- true
	try stitch -q -i $copy -o theirs/x
	try inject -i in/a -o theirs/x
	for to in folded pprof sqlite html; do
		try data convert --to $to -i in/a -o theirs/x
	done
	try report --html theirs/x -i in/a
	try report --svg theirs/x -i in/a
	try diff --html theirs/x in/a in/a
	try data bundle -i in/a -o theirs/x
	try list -o theirs/x sw
	HOME=$PWD/theirs try buildid-cache -a "$PERF"
	cp in/a theirs/a 2>/dev/null || true
	HOME=$PWD/in try archive theirs/a
	HOME=$PWD/theirs PERF_CONFIG='' try config --user a.b=c
	TMPDIR=theirs/sub try stitch -q -i in/pipe -o in/other
	(cd theirs && try script -i ../in/a -g python)
}
perf record -q -e cpu-clock -o - -- true >in/pipe
# Until enough was tried; what is always refused would show nothing.
wrote() { local name; for name; do [ "${done[$name]:-0}" -gt 0 ] || return 1; done; }
rounds=0
until [ $rounds -ge 3 ] && [ "$(swaps)" -ge $SWAPS ] && wrote record stitch data report; do
	round
	rounds=$((rounds + 1))
done
touch end
wait $attacker
echo "$(swaps) swaps in $rounds rounds; came through: ${!done[*]} ${done[*]}"
