#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: perf maps of processes in other mount and pid namespaces are copied, and read
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_cmd unshare
need_python

# Handed over as text, since its /tmp hides the folder of this test.
JIT=$(cat <<'END'
import ctypes, mmap, os, sys
# dec %rdi; jnz: so many turns
loop = {"x86_64": bytes.fromhex("48ffcf75fbc3"), "aarch64": bytes.fromhex("000400f1e1ffff54c0035fd6")}[os.uname().machine]
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(loop)
at = ctypes.addressof(ctypes.c_char.from_buffer(code))
name = "/tmp/perf-%d.map" % os.getpid()
with open("/tmp/real" if "link" in sys.argv else name, "w") as f:
    f.write("%x %x turns_of_jit\n" % (at, len(loop)))
if "link" in sys.argv:
    os.symlink("/tmp/real", name)
if "foreign" in sys.argv:
    os.chown(name, 4242, 4242)
turns = ctypes.CFUNCTYPE(None, ctypes.c_uint64)(at)
print("turns", flush=True)
while True:
    turns(100000000)
END
)
export JIT
as=()
if [ "$(id -u)" != 0 ]; then
	as=(unshare -r)
	unshare -r true 2>err || skip "user namespaces are not allowed here: $(cat err)"
fi
inside=("${as[@]}" unshare -m -p -f --mount-proc --kill-child sh -c)
"${inside[@]}" 'mount -t tmpfs none /tmp' 2>err || skip "no namespaces can be made here: $(cat err)"
# begin HOW: $pid is a program in namespaces of its own, as others see it, that has written its map.
begin() {
	rm -f turned
	"${inside[@]}" "mount -t tmpfs none /tmp; /usr/bin/python3 -c \"\$JIT\" $1; true" >turned & pid=$!
	wait_until grep -qs turns turned
	while read -r child _ < <(cat "/proc/$pid/task/$pid/children"; echo) && [ "$child" ]; do pid=$child; done
}
# record FILE HOW: until the program is killed.
record() {
	local recorder
	begin "$2"
	"$PERF" record -N -e cpu-clock$U -F 500 -o "$1" -p "$pid" 2>err & recorder=$!
	wait_until has_events $recorder
	$(while_on_cpu "$pid" 0.2)
	kill "$pid"
	wait $recorder
}
named() { perf report --stdio -s sym -g none -i "$1" >report 2>err; grep -q turns_of_jit report; }

record x.data plain
has err 'names of generated code of 1 programs in containers are in x\.data\.jit'
[ "$(stat -c %a x.data.jit x.data.jit/perf-*.map | tr '\n' ' ')" = "700 600 " ] || fail "$(ls -lR x.data.jit)"
named x.data || fail "not named: $(cat err report)"
# It goes where the recording goes.
mkdir elsewhere
mv x.data x.data.jit elsewhere
named elsewhere/x.data || fail "not named elsewhere: $(cat err report)"
(cd elsewhere && named x.data) || fail "not named in its own folder: $(cat err report)"
mv elsewhere/x.data elsewhere/x.data.jit .
# What is made of the recording knows them, too.
perf stitch -q -i x.data -o stitched.data
named stitched.data || fail "not named after stitch: $(cat report)"
perf data bundle -q -i x.data
# Another process's map of that number is not taken for it.
copy=$(echo "$PWD"/x.data.jit/perf-*.map)
trap 'rm -f "/tmp/${copy##*/}"' EXIT
sed s/turns_of_jit/false_name/ "$copy" >"/tmp/${copy##*/}"
rm "$copy"
! named x.data || fail "named by nothing"
has_not report 'false_name'
named x.data.bundle || fail "not named in a bundle: $(cat report)"

# A process that still runs when the recording ends.
begin plain
perf record -q -N -e cpu-clock$U -F 500 -o endless.data -p "$pid" -- $(while_on_cpu "$pid" 0.2)
kill "$pid"
named endless.data || fail "of one that runs: $(cat err report)"

# Each of several files says where the copies are.
begin plain
perf record -q -N -e cpu-clock$U -F 500 --switch-output=1s -o parts.data -p "$pid" -- $(while_on_cpu "$pid" 2.5)
kill "$pid"
[ "$(ls -d parts.data.2* | wc -l)" -ge 2 ] || fail "not switched: $(ls)"
for part in parts.data.2*; do
	perf report --stdio -s sym -g none -i "$part" >report 2>err
	! grep -q '%' report || grep -q turns_of_jit report || fail "$part: not named: $(cat report)"
done

# Links are not followed, and what belongs to others is not read.
record link.data link
[ ! -e link.data.jit ] || fail "it followed a link: $(ls -l link.data.jit)"
has err 'maps of 1 programs in containers were not copied'
[ "$(id -u)" = 0 ] || exit 0
record foreign.data foreign
[ ! -e foreign.data.jit ] || fail "of another user: $(ls -l foreign.data.jit)"
has err 'maps of 1 programs in containers belong to other users'
# Processes that see the same files are left alone.
rm -f turned
/usr/bin/python3 -c "$JIT" >turned & pid=$!
wait_until grep -qs turns turned
perf record -q -N -e cpu-clock -F 500 -o here.data -p $pid -- $(while_on_cpu $pid 0.1)
kill $pid
rm -f /tmp/perf-$pid.map
[ ! -e here.data.jit ] || fail "copied what is there anyway"
