# SPDX-License-Identifier: GPL-2.0-only
"""Decodes x86-64 code as far as the control flow needs it: how long each instruction is, and
where it goes.

The length follows from prefixes, opcode map, opcode and ModRM byte, as the "Opcode Map" appendix
of Intel's manual, volume 2, has them. What no CPU decodes is given one byte, so that a sweep over
code with data in it goes on.
"""
import struct

# What an instruction does. Behind those from JUMP on the next one is not executed.
OTHER, CALL, CALL_SLOT, CALL_ANY, BRANCH, JUMP, JUMP_SLOT, JUMP_ANY, JUMP_TABLE, RETURN, TRAP = \
    range(11)

PREFIXES = frozenset(b"\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3")
REL32 = struct.Struct("<i")


def _opcodes(text):
    """The set that "0-3 8 c0" spells."""
    found = set()
    for part in text.split():
        first, _, last = part.partition("-")
        found.update(range(int(first, 16), int(last or first, 16) + 1))
    return frozenset(found)


MODRM = _opcodes("0-3 8-b 10-13 18-1b 20-23 28-2b 30-33 38-3b 63 69 6b 80-8f c0-c1 c6-c7 d0-d3 "
                 "d8-df f6-f7 fe-ff")
IMM8 = _opcodes("4 c 14 1c 24 2c 34 3c 6a-6b 70-7f 80 82-83 a8 b0-b7 c0-c1 c6 cd e0-e7 eb")
IMM32 = _opcodes("5 d 15 1d 25 2d 35 3d 68-69 81 a9 c7")  # 2 bytes with an operand-size prefix
NO_MODRM_0F = _opcodes("4-9 b e 30-37 77 80-8f a0-a2 a8-aa c8-cf")
IMM8_0F = _opcodes("f 70-73 a4 ac ba c2 c4-c6")


def _modrm_size(code, at):
    """Bytes of ModRM, SIB and displacement."""
    modrm = code[at]
    mode, size = modrm >> 6, 1
    if mode == 3:
        return 1
    if modrm & 7 == 4:
        size = 2
        if mode == 0 and code[at + 1] & 7 == 5:
            return 6
    elif mode == 0 and modrm & 7 == 5:
        return 5
    return size + (0, 1, 4)[mode]


def _vector(code, at):
    """The end of an instruction with a VEX, EVEX or XOP prefix at @at; 0: it is none."""
    lead = code[at]
    if lead == 0xc5:
        opmap, op = 1, at + 2
    elif lead == 0x62:
        opmap, op = code[at + 1] & 7, at + 4
    else:
        opmap, op = code[at + 1] & 31, at + 3
    if opmap == 1 and code[op] == 0x77 and lead != 0x62:
        return op + 1
    end = op + 1 + _modrm_size(code, op + 1)
    if opmap in (3, 8) or opmap == 1 and code[op] in IMM8_0F:
        return end + 1
    return end + 4 if opmap in (7, 10) else end if opmap in (1, 2, 4, 5, 6, 9) else 0


def _immediate(code, at, op, rex, short):
    """Bytes behind the ModRM byte at @at, or behind the opcode, of a one-byte opcode."""
    if op in IMM8:
        return 1
    if op in IMM32:
        return 2 if short else 4
    if 0xb8 <= op <= 0xbf:
        return 8 if rex & 8 else 2 if short else 4
    if op in (0xf6, 0xf7):
        return 0 if code[at] & 0x30 else 1 if op == 0xf6 else 2 if short else 4
    return {0xa0: 8, 0xa1: 8, 0xa2: 8, 0xa3: 8, 0xc2: 2, 0xca: 2, 0xc8: 3,
            0xe8: 4, 0xe9: 4}.get(op, 0)


def _group_ff(code, at, end, base):
    """Calls and jumps through a register or memory; of memory at a fixed address, which."""
    modrm = code[at]
    call = modrm & 0x38 == 0x10
    if modrm & 0x38 not in (0x10, 0x20):
        return OTHER, 0
    slot = None
    if modrm >> 6 == 0 and modrm & 7 == 5:
        slot = base + end + REL32.unpack_from(code, at + 1)[0]
    elif modrm >> 6 == 0 and modrm & 7 == 4 and code[at + 1] & 7 == 5:
        if code[at + 1] >> 3 & 7 == 4:
            slot = REL32.unpack_from(code, at + 2)[0]
        elif not call:
            return JUMP_TABLE, REL32.unpack_from(code, at + 2)[0]
    if slot is not None:
        return CALL_SLOT if call else JUMP_SLOT, slot
    return CALL_ANY if call else JUMP_ANY, 0


def _flow(code, op, at, end, base):
    """(what, target) of the one-byte opcode @op; @at is behind it."""
    if op == 0xe8 or op == 0xe9:
        return CALL if op == 0xe8 else JUMP, base + end + REL32.unpack_from(code, at)[0]
    if op == 0xeb or 0x70 <= op <= 0x7f or 0xe0 <= op <= 0xe3:
        target = base + end + (code[at] ^ 0x80) - 0x80
        return JUMP if op == 0xeb else BRANCH, target
    if op == 0xff:
        return _group_ff(code, at, end, base)
    if op in (0xc3, 0xc2, 0xcb, 0xca, 0xcf):
        return RETURN, 0
    return TRAP if op in (0xf4, 0xcc) else OTHER, 0


def _two_bytes(code, at, base):
    """(end, what, target) of an instruction whose opcode begins with 0f, which is before @at."""
    op = code[at]
    if op in (0x38, 0x3a):
        return at + 2 + _modrm_size(code, at + 2) + (op == 0x3a), OTHER, 0
    if 0x80 <= op <= 0x8f:
        end = at + 5
        return end, BRANCH, base + end + REL32.unpack_from(code, at + 1)[0]
    end = at + 1
    if op not in NO_MODRM_0F:
        end += _modrm_size(code, end)
    return end + (op in IMM8_0F), TRAP if op in (0x0b, 0xb9, 0xff) else OTHER, 0


def decode(code, at, base):
    """(size, what, target) of the instruction at code[at]; code[0] has the address @base. @target
    is the address that a call or jump goes to, or of the memory that holds it (CALL_SLOT,
    JUMP_SLOT). IndexError, struct.error: it is cut."""
    start, rex, short = at, 0, False
    while code[at] in PREFIXES:
        short |= code[at] == 0x66
        at += 1
    if code[at] & 0xf0 == 0x40:
        rex = code[at]
        at += 1
    op = code[at]
    if op in (0xc4, 0xc5, 0x62) or op == 0x8f and code[at + 1] & 0x38:
        end = _vector(code, at)
        return (end - start, OTHER, 0) if end else (1, OTHER, 0)
    at += 1
    if op == 0x0f:
        end, what, target = _two_bytes(code, at, base)
        return end - start, what, target
    end = at + (_modrm_size(code, at) if op in MODRM else 0)
    end += _immediate(code, at, op, rex, short)
    what, target = _flow(code, op, at, end, base)
    return end - start, what, target
