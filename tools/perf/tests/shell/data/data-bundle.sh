#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf data bundle: a recording reads the same after its binaries, libraries and maps are gone
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_cmd objcopy

export HOME=$PWD/home
mkdir -p home .debug
cp "$PERF" prog
objcopy --only-keep-debug prog .debug/prog.debug
objcopy -S --add-gnu-debuglink=.debug/prog.debug prog
perf record -q -N -g -e cpu-clock$U -F 2000 -o chains.data -- ./prog test -w deep 20 0.2
perf record -q -N --no-stitch --call-graph dwarf,8192 -e cpu-clock$U -F 2000 -o copies.data -- ./prog test -w deep 20 0.2
perf record -q -N --defer=copy -e cpu-clock$U -F 2000 -o defer.data -- ./prog test -w deep 20 0.2
for kind in chains copies defer; do
	perf data bundle -i $kind.data 2>err
	has err "binaries, 1 debug files|binaries, [0-9]+ debug files" "$kind.data.bundle"
	perf report --stdio -i $kind.data >$kind.report 2>err
	perf script -i $kind.data >$kind.script 2>err
	has $kind.script 'workload_'
done
perf stitch -q -i copies.data -o whole.data
perf unwind chains -i copies.data >chains.walked
has chains.walked ' '

# Whole chains need no code.
size() { stat -c %s "$1"; }
[ "$(size defer.data.bundle)" -lt "$(size copies.data.bundle)" ] ||
	fail "not smaller: $(ls -l -- *.data *.bundle)"

# Nothing of it is left: another program has the name, and libraries are looked for elsewhere.
rm -r prog .debug
cp /bin/sh prog
perf report --stdio -i chains.data >lost 2>err
! cmp -s chains.report lost || fail "the recording reads the same without its program"
for kind in chains copies defer; do
	mv $kind.data there.data
	perf report --stdio -i $kind.data.bundle --symfs "$PWD/nowhere" >report 2>err
	has_not err 'replaced|deleted'
	diff <(grep -v '^#' $kind.report) <(grep -v '^#' report) || fail "$kind: report differs"
	perf script -i $kind.data.bundle --symfs "$PWD/nowhere" >script 2>err
	cmp $kind.script script
done
perf unwind chains -i copies.data.bundle --symfs "$PWD/nowhere" >walked
cmp chains.walked walked
perf stitch -q -i copies.data.bundle --symfs "$PWD/nowhere" -o again.data
cmp <(perf script -i whole.data -F ip) <(perf script -i again.data -F ip)
fails 1 perf stitch -i copies.data.bundle 2>err
has err 'is a bundle.*-o'
[ ! -e escape ] || fail "it left files"

# A program is in it whose names are by a just-in-time compiler.
need_python
cat >jit.py <<'END'
import ctypes, mmap, os, time
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
# dec %rdi; jnz: so many turns
loop = {"x86_64": bytes.fromhex("48ffcf75fbc3"), "aarch64": bytes.fromhex("000400f1e1ffff54c0035fd6")}[os.uname().machine]
code.write(loop)
at = ctypes.addressof(ctypes.c_char.from_buffer(code))
with open("/tmp/perf-%d.map" % os.getpid(), "w") as f:
    f.write("%x %x turns_of_jit\n" % (at, len(loop)))
print(os.getpid())
ctypes.CFUNCTYPE(None, ctypes.c_uint64)(at)(300000000)
END
perf record -q -N -e cpu-clock$U -F 2000 -o jit.data -- /usr/bin/python3 jit.py >pid || skip "no code can be made here"
perf report --stdio -s sym -g none -i jit.data >jit.report
has jit.report turns_of_jit
perf data bundle -q -i jit.data
rm "/tmp/perf-$(cat pid).map"
perf report --stdio -s sym -g none -i jit.data.bundle >report
cmp jit.report report

# Damage, and what is no bundle.
head -c 1000 chains.data.bundle >cut.bundle
fails 1 perf report -i cut.bundle 2>err
has err 'damaged, or cut off'
fails 1 perf data bundle -i none.data 2>err
fails 1 perf data bundle -i /bin/sh 2>err
[ ! -e none.data.bundle ] || fail "a bundle of nothing"
fails 129 perf data bundle nonsense 2>err
