# SPDX-License-Identifier: GPL-2.0-only
"""Functions of binaries, and where a call can lead: by jumps to other functions, through PLTs and
GOTs to the binary that defines the symbol, through functions that choose another one (ifunc).
"""
import bisect
import re
import struct

from . import x86
from .elf import STT_IFUNC

FLOW_BYTES = 1 << 16      # so much is followed of code without known extents
PIECES = 400              # functions that one call may reach by jumps
STUBS = (".plt", ".plt.sec", ".plt.got", ".plt.bnd", ".iplt")
ENDBR = b"\xf3\x0f\x1e\xfa"
# _dl_runtime_resolve_*: push %rbx; mov %rsp,%rbx; and $-64 or $-16,%rsp
LAZY = (b"\x53\x48\x89\xe3\x48\x83\xe4\xc0", b"\x53\x48\x89\xe3\x48\x83\xe4\xf0")
# mov $n,%eax or xor %eax,%eax; mov $n,%al in front of a system call that makes a thread
CLONES = (b"\xb8\x38\x00\x00\x00", b"\xb8\xb3\x01\x00\x00", b"\xb0\x38", b"\xc7\xc0\x38\x00\x00\x00")


class Piece:
    """Code that belongs together: a function, or a part of one, or what was followed without
    knowing where the function ends."""

    def __init__(self, binary, start, end):
        self.binary, self.start, self.end = binary, start, end
        self.starts = []   # of instructions
        self.calls = {}    # return address -> (CALL..., target)
        self.jumps = set()  # targets elsewhere
        self.slots = set()  # addresses of pointers that are jumped through
        self.leaves = False # by a jump that nobody can follow
        self.clones = False
        self.whole = True  # its extents are known

    def holds(self, address):
        if not self.start <= address < self.end:
            return False
        if self.whole:
            return True
        i = bisect.bisect_right(self.starts, address) - 1
        return i >= 0 and address < self.starts[i] + self.size_at[self.starts[i]]

    def take(self, at, size, what, target):
        """Notes one instruction."""
        self.starts.append(at)
        if what in (x86.CALL, x86.CALL_SLOT, x86.CALL_ANY):
            self.calls[at + size] = what, target
        elif what in (x86.JUMP, x86.BRANCH) and not self.start <= target < self.end:
            self.jumps.add(target)
        elif what == x86.JUMP_SLOT:
            self.slots.add(target)
        elif what == x86.JUMP_TABLE and self.is_table_of_functions(target):
            self.leaves = True

    def is_table_of_functions(self, table):
        """The table of a switch leads into its function, but for a few entries into the part of it
        that is elsewhere; that of a tail call leads to where others begin."""
        targets = [self.binary.word(table + 8 * i) for i in range(4)]
        return not any(self.start <= target < self.end for target in targets) and \
            any((self.binary.by_frame(target) or (None,))[0] == target for target in targets)


# movslq (base,index,4),register, with any offset; and adding a register to a register
TABLE_ENTRY = re.compile(rb"[\x48-\x4f]\x63[" + re.escape(bytes(
    mod | reg << 3 | 4 for mod in (0x00, 0x40, 0x80) for reg in range(8))) + rb"]", re.DOTALL)
ADD = re.compile(rb"[\x48\x49\x4c\x4d][\x01\x03][\xc0-\xff]")


def is_table_jump(code, at):
    """Is the indirect jump at code[at] the one of a switch: behind `movslq (base,index,4)` and an
    `add`, or marked as leading to no entry?"""
    before = code[max(at - 24, 0):at]
    return code[at] == 0x3e or bool(TABLE_ENTRY.search(before) and ADD.search(before))


def is_nop(code, at, size):
    return code[at] == 0x90 or code[at:at + 2] == b"\x66\x90" or b"\x0f\x1f" in code[at:at + size]


def sweep(binary, start, end):
    """The function whose extents are known, instruction by instruction."""
    piece = Piece(binary, start, end)
    code = binary.read(start, end - start)
    padded = code + bytes(16)
    at, last = 0, x86.TRAP
    while at < len(code):
        size, what, target = x86.decode(padded, at, start)
        piece.take(start + at, size, what, target)
        if what == x86.JUMP_ANY and not is_table_jump(code, at):
            piece.leaves = True
        if not is_nop(padded, at, size):
            last = what
        at += size
    if last in (x86.OTHER, x86.BRANCH):
        piece.jumps.add(end)
    piece.clones = any(number in code for number in CLONES) and b"\x0f\x05" in code
    return piece


def follow(binary, entry, is_inside):
    """What can be reached from @entry by following the instructions, as long as @is_inside()."""
    piece = Piece(binary, entry, entry)
    piece.whole, piece.size_at = False, {}
    work, room = [entry], FLOW_BYTES
    while work and room > 0:
        at = work.pop()
        code = binary.read(at, 4096)
        padded, base = code + bytes(16), at
        while at - base < len(code) and at not in piece.size_at and room > 0:
            size, what, target = x86.decode(padded, at - base, base)
            room -= size
            piece.size_at[at] = size
            piece.take(at, size, what, target)
            if what in (x86.JUMP, x86.BRANCH) and is_inside(target):
                piece.jumps.discard(target)
                work.append(target)
            if what == x86.JUMP_ANY and not is_table_jump(code, at - base):
                piece.leaves = True
            piece.leaves |= what in (x86.JUMP_ANY, x86.JUMP_TABLE)
            at += size
            if what >= x86.JUMP:
                break
            if at - base >= len(code):
                work.append(at)
        piece.clones |= any(number in code[:at - base] for number in CLONES) and \
            b"\x0f\x05" in code[:at - base]
    piece.leaves |= room <= 0
    piece.starts.sort()
    piece.start = piece.starts[0] if piece.starts else entry
    piece.end = max((at + size for at, size in piece.size_at.items()), default=entry)
    return piece


class Bound:
    """What a pointer is bound to when the program runs."""

    def __init__(self, targets=(), choosers=()):
        self.targets = list(targets)     # [(binary, address)]
        self.choosers = list(choosers)   # the same: they return what it is bound to
        self.anywhere = set()            # binaries of which that may be anything


class Reach:
    """Where a call can lead."""

    def __init__(self):
        self.pieces = []     # (how, Piece)
        self.anywhere = set()  # binaries, of which any function may have been chosen
        self.chosen = False  # by an ifunc, which may also choose one of the vdso
        self.leaves = False  # elsewhere, where nobody can follow
        self.lazy = False    # to the dynamic linker, which binds the symbol first

    def take(self, bound):
        self.anywhere |= bound.anywhere
        self.chosen |= bool(bound.choosers)

    def how(self, binary, address):
        """"direct", "plt" or "tail"; None: it does not lead to @address."""
        ways = {how for how, piece in self.pieces if piece.binary is binary and piece.holds(address)}
        for how in ("direct", "plt", "tail"):
            if how in ways:
                return how
        return "plt" if binary in self.anywhere else None


class Code:
    """All binaries of a recording: @binaries is a list, None for those that cannot be read."""

    def __init__(self, binaries):
        self.binaries = binaries
        self._extents, self._pieces, self._reaches = {}, {}, {}
        self._symbols, self._pointers = {}, {}

    def extent(self, binary, address):
        """(start, end) of the function around @address, or None."""
        key = binary, address
        if key not in self._extents:
            frame = binary.by_frame(address)
            self._extents[key] = None if binary.section(address) in STUBS else \
                frame[:2] if frame else binary.by_symbol(address) or binary.by_label(address)
        return self._extents[key]

    def piece(self, binary, address):
        """The function around @address; or what can be reached from there."""
        extent = self.extent(binary, address)
        key = binary, extent or address
        if key not in self._pieces:
            self._pieces[key] = sweep(binary, *extent) if extent else \
                follow(binary, address, lambda a: binary.is_code(a) and
                       not self.extent(binary, a))
        return self._pieces[key]

    def symbol(self, name):
        """[(binary, address, type)] of all that define it."""
        if name not in self._symbols:
            self._symbols[name] = [(b, address, sort) for b in self.binaries if b
                                   for address, sort in b.exported.get(name, ())]
        return self._symbols[name]

    def choices(self, binary, chooser):
        """The functions that an ifunc's resolver may return: those whose address it takes."""
        piece = self.piece(binary, chooser)
        found = set()
        for at in piece.starts:
            code = binary.read(at, 7)
            if len(code) == 7 and code[0] & 0xf8 == 0x48 and code[1] == 0x8d and \
                    code[2] & 0xc7 == 5:
                found.add(at + 7 + struct.unpack_from("<i", code, 3)[0])
            elif len(code) == 7 and code[0] & 0xf0 == 0x40 and code[1] == 0xc7:
                found.add(struct.unpack_from("<I", code, 3)[0])
            elif len(code) >= 5 and code[0] & 0xf8 == 0xb8:
                found.add(struct.unpack_from("<I", code, 1)[0])
        return {address for address in found if binary.is_code(address)}

    def slot(self, binary, slot):
        """What the pointer at @slot is bound to; None: nobody knows before the program runs."""
        section, held = binary.section(slot), binary.slots.get(slot)
        if slot in binary.chosen:
            bound = Bound(choosers=[(binary, binary.chosen[slot])])
        elif isinstance(held, str) and section != ".data":
            known = self.symbol(held)
            bound = known and Bound(
                [(b, address) for b, address, sort in known if sort != STT_IFUNC],
                [(b, address) for b, address, sort in known if sort == STT_IFUNC])
        elif section in (".got", ".got.plt"):
            address = binary.word(slot) if held is None else held
            bound = binary.is_code(address) and Bound([(binary, address)])
        else:
            bound = None
        for b, chooser in bound.choosers if bound else ():
            choices = self.choices(b, chooser)
            bound.targets += [(b, address) for address in choices]
            if not choices:
                bound.anywhere.add(b)
        return bound or None

    def reach(self, binary, target):
        if (binary, target) not in self._reaches:
            self._reaches[binary, target] = self._reach([(binary, target)], "direct")
        return self._reaches[binary, target]

    def reach_slot(self, binary, slot):
        """The same for a call through the pointer at @slot; None: it can lead anywhere."""
        key = binary, "slot", slot
        if key not in self._reaches:
            bound = self.slot(binary, slot)
            self._reaches[key] = bound and self._reach(bound.targets, "plt")
            if bound:
                self._reaches[key].take(bound)
        return self._reaches[key]

    def _reach(self, targets, how):
        found, seen = Reach(), set()
        work = [(how, b, address) for b, address in targets]
        while work:
            how, b, address = work.pop(0)
            if not b.is_code(address):
                found.leaves = True
                continue
            piece = self.piece(b, address)
            if piece in seen:
                continue
            if len(seen) >= PIECES:
                found.leaves = True
                break
            seen.add(piece)
            stub = b.section(address) in STUBS
            found.pieces.append((how, piece))
            found.leaves |= piece.leaves
            onward = how if how == "tail" else "plt" if stub else "tail"
            work += [(onward, b, jump) for jump in piece.jumps]
            for slot in piece.slots:
                work += self._through(found, b, slot, onward, stub)
        return found

    def _through(self, found, binary, slot, how, stub):
        """A jump through a pointer: the next ones to look at."""
        bound = self.slot(binary, slot)
        if stub and slot not in binary.slots and slot not in binary.chosen:
            found.lazy = True
            return []
        if not bound:
            found.leaves = True
            return []
        found.take(bound)
        onward = [(how, b, address) for b, address in bound.targets]
        if stub and binary.section(binary.word(slot)) in STUBS:  # until it is bound
            onward.append((how, binary, binary.word(slot)))
        return onward

    def is_pointed_to(self, binary, address):
        """Is the address of the function around @address taken, in code or in data, so that it may
        run without having been called?"""
        if not self.extent(binary, address):
            return False
        start = self.piece(binary, address).start
        return self.is_taken(binary, start) or binary.holds_pointer(start)

    def is_taken(self, binary, address):
        """Does code put this very address into a register, or push it? By its bytes: lea n(%rip); and
        mov $n or push $n, in programs at fixed addresses."""
        if binary not in self._pointers:
            self._pointers[binary] = found = set(binary.slots.values())
            for base, code in binary.code():
                for lea in re.finditer(b"[\x48\x4c]\x8d[\x05\x0d\x15\x1d\x25\x2d\x35\x3d](?=.{4})",
                                       code, re.S):
                    at = lea.end()
                    found.add(base + at + 4 + struct.unpack_from("<i", code, at)[0])
                for put in re.finditer(b"(?:[\xb8-\xbf\x68]|\xc7[\xc0-\xc7]|\xc7\x04\x24)(?=(.{4}))",
                                       code, re.S):
                    value = struct.unpack("<I", put[1])[0]
                    if base <= value < base + len(code):
                        found.add(value)
        return address in self._pointers[binary]

    def binds_lazily(self, binary, address):
        """Is that the dynamic linker's function that binds a symbol at its first call?"""
        frame = binary.by_frame(address)
        code = binary.read(frame[0], 12) if frame else b""
        return code.removeprefix(ENDBR).startswith(LAZY)

    def calls_before(self, binary, address):
        """[(CALL..., target)] in front of a return address: more than one when it is not known
        where instructions begin there. Empty: there is none."""
        if self.extent(binary, address - 1):
            piece = self.piece(binary, address - 1)
            if address in piece.calls:
                return [piece.calls[address]]
            if address == piece.end or \
                    address in piece.starts[bisect.bisect_left(piece.starts, address):][:1]:
                return []
        found = []
        for size in range(2, 10):
            code = binary.read(address - size, size) + bytes(16)
            decoded, what, target = x86.decode(code, 0, address - size)
            if decoded == size and what in (x86.CALL, x86.CALL_SLOT, x86.CALL_ANY) and \
                    (what != x86.CALL or binary.is_code(target)):
                found.append((what, target))
        return found
