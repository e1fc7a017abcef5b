#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: scripts/check-chains.py: passes true chains, and sees wrong ones
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_source
[ "$(uname -m)" = x86_64 ] || skip "the script reads code of x86-64 only"
need_event cpu-clock
export PYTHONDONTWRITEBYTECODE=1 # into the source tree
check=$SOURCE/scripts/check-chains.py

perf record -q -e cpu-clock -F 1999 --no-stitch -g --defer=copy -o perf.data -- \
	"$PERF" test -w deep 5 0.3 >record.log
perf unwind chains >chains
has chains '^binary [0-9]+ [0-9a-f]{40} /' '^sample 1 [0-9]+/[0-9]+ [0-9]+[.][0-9]{9}: ' \
	'^	start [0-9]+[+][0-9a-f]+$' '^	eh_frame [0-9]+[+][0-9a-f]+$' ': outermost$'
python "$check" --perf "$PERF" -v perf.data >out || { cat out; fail "a chain is wrong"; }
has out '^perf +[1-9][0-9]+ +[1-9][0-9]+ +[1-9][0-9]+ +[1-9][0-9]+ +[1-9]' ', 0 of [1-9][0-9]+ whole'
verified=$(sed -n 's/^\([0-9]*\)[.].*of the steps are verified.*/\1/p' out)
[ "$verified" -ge 50 ] || fail "only $verified % of the steps could be verified"

# seed WHAT: one whole chain, made wrong in this way, is what perf prints next.
printf '#!/bin/sh\ncat seeded\n' >said
chmod +x said
seed() {
	python - "$1" <<-'END'
		import sys
		lines = open("chains").read().split("\n")
		for at, line in enumerate(lines):
		    end = at + 1
		    while lines[end:end + 1] and lines[end].startswith("\t"):
		        end += 1
		    frames = lines[at + 1:end]
		    if line.endswith(": outermost") and len(frames) > 8 and \
		       frames[2] != frames[3] == frames[4] == frames[5] != frames[1]:
		        break  # spin, loop, deep, and deep some times more
		moved = frames[2][:-1] + "%x" % (int(frames[2][-1], 16) ^ 1)
		{"true": lambda: None,
		 "frame missing": lambda: frames.pop(2),  # the first workload_deep that is called by itself
		 "two frames missing": lambda: frames.__delitem__(slice(1, 7)),
		 "no call": lambda: frames.__setitem__(2, moved),
		 "no end": lambda: frames.pop()}[sys.argv[1]]()
		binaries = [x for x in lines if x.startswith("binary ")]
		open("seeded", "w").write("\n".join(binaries + [line] + frames) + "\n")
	END
}
# seen WHAT VERDICT: it is wrong when the chain is whole, and no lie when it is not.
seen() {
	seed "$1"
	fails 1 python "$check" --perf ./said -v perf.data >out
	has out "^  1 samples, whole: $2, first in sample " ' 1 of 1 whole chains are wrong$'
	sed -i 's/: outermost$/: no unwind information/' seeded
	python "$check" --perf ./said -v perf.data >out || fail "'$1' is wrong, though not whole"
}
seed true
python "$check" --perf ./said perf.data >out || { cat out; fail "a true chain is called wrong"; }
seen 'frame missing' 'other target'
seen 'two frames missing' 'other target'
seen 'no call' 'no call'
seed 'no end'
fails 1 python "$check" --perf ./said -v perf.data >out
has out '^  1 samples, whole: no end,'
fails 2 python "$check" --perf "$PERF" nosuch.data >out 2>err

# The jump of a switch stays in its function; one through a pointer that was read before need not.
python - "$SOURCE/scripts" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
from chains import x86
from chains.code import Piece, is_table_jump

def jump(text):  # and `jmp *%rax` or *%r9
    code = bytes.fromhex(text)
    return is_table_jump(code, code.rindex(b"\xff") - (code[-3] == 0x41))

assert jump("48630482 4801d0 ffe0")       # movslq (%rdx,%rax,4),%rax; add %rdx,%rax
assert jump("49637c8700 4c01ff 90 ffe7")  # movslq 0(%r15,%rax,4),%rdi; add %r15,%rdi
assert not jump("4863ff 4c89d9 4903bad8000000 5b 41ffe1")  # movslq %edi,%rdi; add 0xd8(%r10),%rdi
assert not jump("4863ff 4801fa ffe0")

# That of a function that jumps on by a table of others does not.
class Binary:
    def __init__(self, *table):
        self.table = table
    def word(self, address):
        return self.table[address // 8]
    def by_frame(self, address):
        return (address & ~15, (address & ~15) + 16, False) if address else None

def leaves(*table):
    piece = Piece(Binary(*table), 0x1000, 0x1010)
    piece.take(0x1000, 7, x86.JUMP_TABLE, 0)
    return piece.leaves

assert leaves(0x2000, 0x2010, 0x2010, 0x3000) and leaves(0x2000, 0, 0, 0)
assert not leaves(0x1004, 0x1004, 0x2000, 0x1008)  # 0x2000: the cold part
assert not leaves(0x2004, 0x2008, 0, 0)            # in a function's middle: of the function before
END

# Where fibers and threads begin no call stands in front; and what code itself has pushed.
python - "$SOURCE/scripts" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
from chains.code import Code
from chains.edges import Edges

class Binary:
    slots = {}
    def __init__(self, text):
        self.text = bytes(64) + bytes.fromhex(text) + bytes(64)
    def code(self):
        return [(0x1000, self.text)]
    def read(self, address, size):
        return self.text[address - 0x1000:address - 0x1000 + size]
    def name(self, address):
        return "name"
    def holds_pointer(self, address):
        return False

def begins(text, at):
    return Edges(None).is_thread_start(Binary(text), 0x1040 + at)

assert begins("55ffe3 4831ffe8", 3) and begins("55ffe3 31ffe8", 3) and begins("31ed5f41ffd1 89c7", 6)
assert not begins("54ffe3 4831ffe8", 3) and not begins("31ed5f41ffd2 89c7", 6)

def taken(text):
    binary = Binary(text)
    return Code([binary]).is_taken(binary, 0x1048)

assert taken("488d0501000000 50") and taken("6848100000") and taken("bf48100000") and taken("48c7c048100000")
assert not taken("488d0502000000") and not taken("6949100000") and not taken("90")
END

# Instructions are as long, and lead to where, as objdump says.
command -v objdump >/dev/null || exit 0
python - "$SOURCE/scripts" "$PERF" <<'END'
import re, subprocess, sys
sys.path.insert(0, sys.argv[1])
from chains import x86
text = subprocess.run(["objdump", "-d", "-w", sys.argv[2]], stdout=subprocess.PIPE, text=True).stdout
nr, flow = 0, (x86.CALL, x86.JUMP, x86.BRANCH)
for m in re.finditer(r"^\s*([0-9a-f]+):\t((?:[0-9a-f]{2} )+)\s*\t(.+)$", text, re.M):
    code = bytes.fromhex(m[2])
    size, what, target = x86.decode(code + bytes(16), 0, int(m[1], 16))
    assert size == len(code), m[0]
    if what in flow:
        assert re.search(r"\b%x\b" % target, m[3]), m[0]
    assert (what != x86.OTHER) >= bool(re.match(r"(bnd |notrack )?(call|j[a-z]+|ret) ", m[3])), m[0]
    nr += 1
assert nr > 10000, nr
END
