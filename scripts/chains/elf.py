# SPDX-License-Identifier: GPL-2.0-only
"""Reads of an ELF file (64 bits, little endian) what tells its functions apart and binds them:
segments, sections, symbols, relocations of pointers, and the extents in .eh_frame.

A file that is none, or is damaged, raises ValueError when it is opened. What is missing later reads
as nothing.
"""
import bisect
import mmap
import struct

from . import gopclntab

ET_EXEC = 2
PT_LOAD, PT_DYNAMIC, PT_EH_FRAME, PT_NOTE = 1, 2, 0x6474e550, 4
SHT_SYMTAB, SHT_RELA, SHT_DYNSYM = 2, 4, 11
STT_NOTYPE, STT_FUNC, STT_IFUNC = 0, 2, 10
R_64, R_GLOB_DAT, R_JUMP_SLOT, R_RELATIVE, R_IRELATIVE = 1, 6, 7, 8, 37
SYMBOL = struct.Struct("<IBBHQQ")
RELA = struct.Struct("<QQq")
RETURN_ADDRESS = 16  # its number among DWARF's registers of x86-64


def code_segments(path):
    """(offset, address, bytes in the file) of what is loaded as code; for any processor."""
    with open(path, "rb") as file:
        head = file.read(64)
        if head[:6] != b"\x7fELF\x02\x01" or len(head) < 64:
            raise ValueError("is no ELF file of 64 bits, little endian")
        phoff, = struct.unpack_from("<Q", head, 32)
        phsize, phnum = struct.unpack_from("<HH", head, 54)
        file.seek(phoff)
        table = file.read(phsize * phnum)
    segments = (struct.unpack_from("<IIQQQQ", table, i * phsize) for i in range(phnum))
    return [(offset, address, size) for kind, flags, offset, address, _, size in segments
            if kind == PT_LOAD and flags & 1]


class Cursor:
    """Reads DWARF's sorts of number; @address is that of data[0]."""

    def __init__(self, data, address, at=0):
        self.data, self.address, self.at = data, address, at

    def number(self, form):
        value, = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return value

    def uleb(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def string(self):
        end = self.data.index(b"\0", self.at)
        value, self.at = self.data[self.at:end], end + 1
        return value

    def pointer(self, encoding):
        """As DW_EH_PE_* says: absolute, or relative to itself."""
        place = self.address + self.at
        value = self.number({0: "Q", 2: "H", 3: "I", 4: "Q", 10: "h", 11: "i", 12: "q"}[encoding & 15])
        return (value + place if encoding & 0x70 == 0x10 else value) & (1 << 64) - 1


class Binary:
    def __init__(self, path, build_id=None):
        with open(path, "rb") as file:
            self.data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.path = path
        try:
            self._headers()
            if build_id and self.build_id() not in (None, build_id):
                raise ValueError("its build-id is another one")
            self._symbols()
            self._relocations()
        except (struct.error, IndexError) as error:
            raise ValueError("damaged") from error
        self._frames = None

    def _headers(self):
        if self.data[:6] != b"\x7fELF\x02\x01" or len(self.data) < 64:
            raise ValueError("is no ELF file of 64 bits")
        (self.type, self.machine, _, self.entry, phoff, shoff, _, _, phsize, phnum, shsize, shnum,
         shstrndx) = struct.unpack_from("<HHIQQQIHHHHHH", self.data, 16)
        if self.machine != 62:
            raise ValueError("is not for x86-64")
        self.segments = []  # (type, flags, offset, address, bytes in the file)
        for i in range(phnum):
            kind, flags, offset, vaddr, _, size = struct.unpack_from("<IIQQQQ", self.data,
                                                                     phoff + i * phsize)
            self.segments.append((kind, flags, offset, vaddr, size))
        self.sections = []  # (name, type, flags, address, offset, size, link)
        raw = [struct.unpack_from("<IIQQQQI", self.data, shoff + i * shsize)
               for i in range(shnum if shoff else 0)]
        names = raw[shstrndx][4] if shstrndx < len(raw) else 0
        for name, kind, flags, address, offset, size, link in raw:
            self.sections.append((self._string(names + name), kind, flags, address, offset, size,
                                  link))

    def _string(self, offset):
        end = self.data.find(b"\0", offset)
        return self.data[offset:end].decode(errors="replace")

    def section(self, address):
        """The name of the one that holds @address, or ''."""
        for name, kind, flags, start, _, size, _ in self.sections:
            if flags & 2 and start <= address < start + size and not flags & 0x400:
                return name
        return ""

    def read(self, address, size):
        """What the file has there, at most @size bytes."""
        for kind, _, offset, start, length in self.segments:
            if kind == PT_LOAD and start <= address < start + length:
                offset += address - start
                return self.data[offset:offset + min(size, start + length - address)]
        return b""

    def word(self, address):
        data = self.read(address, 8)
        return int.from_bytes(data, "little") if len(data) == 8 else 0

    def is_code(self, address):
        return any(kind == PT_LOAD and flags & 1 and start <= address < start + size
                   for kind, flags, _, start, size in self.segments)

    def code(self):
        """(address, bytes) of each part that can be run."""
        for kind, flags, offset, start, size in self.segments:
            if kind == PT_LOAD and flags & 1:
                yield start, self.data[offset:offset + size]

    def holds_pointer(self, value):
        """Is @value a pointer in data, or an operand in code that is not moved?"""
        for kind, flags, offset, _, size in self.segments:
            if kind == PT_LOAD and flags & 2 and \
                    self.data.find(struct.pack("<Q", value), offset, offset + size) >= 0:
                return True
            if kind == PT_LOAD and flags & 1 and self.type == ET_EXEC and \
                    self.data.find(struct.pack("<I", value), offset, offset + size) >= 0:
                return True
        return False

    def build_id(self):
        for kind, _, offset, _, size in self.segments:
            end = offset + size
            while kind == PT_NOTE and offset + 12 <= end:
                names, length, sort = struct.unpack_from("<III", self.data, offset)
                at = offset + 12 + (names + 3 & ~3)
                if sort == 3 and self.data[offset + 12:offset + 16] == b"GNU\0":
                    return self.data[at:at + length].hex()
                offset = at + (length + 3 & ~3)
        return None

    def _symbols(self):
        self.exported = {}   # of .dynsym: name -> [(address, type)]
        self.defined = {}    # of all tables: address -> name, or where it is in the file
        self.dynsym = []     # names by number, for relocations
        sized, labels = {}, set()
        for _, kind, _, _, offset, size, link in self.sections:
            if kind not in (SHT_SYMTAB, SHT_DYNSYM) or link >= len(self.sections):
                continue
            strings = self.sections[link][4]
            for name, info, _, index, value, length in SYMBOL.iter_unpack(
                    self.data[offset:offset + size // SYMBOL.size * SYMBOL.size]):
                sort = info & 15
                if kind == SHT_DYNSYM:
                    self.dynsym.append(name + strings)
                if not index or sort not in (STT_NOTYPE, STT_FUNC, STT_IFUNC) or index >= 0xff00:
                    continue
                if kind == SHT_DYNSYM:
                    self.exported.setdefault(self._string(name + strings), []).append((value, sort))
                if length:
                    sized[value] = max(sized.get(value, 0), length)
                elif sort == STT_FUNC:
                    labels.add(value)
                if length or sort == STT_FUNC:
                    self.defined.setdefault(value, name + strings)
        if not any(section[1] == SHT_SYMTAB for section in self.sections):
            self._go_functions(sized)
        self.starts = sorted(sized.keys() | labels)
        self.sizes = sized

    def _go_functions(self, sized):
        text = [section[3] for section in self.sections if section[0] == ".text"]
        for name, _, _, _, offset, size, _ in self.sections:
            if name.endswith(".gopclntab"):
                table = self.data[offset:offset + size]
                for start, end, function in gopclntab.functions(table, text[0] if text else 0):
                    sized[start] = end - start
                    self.defined[start] = function

    def name(self, address):
        """The symbol at or before @address, for people."""
        i = bisect.bisect_right(self.starts, address) - 1
        if i < 0 or address - self.starts[i] >= max(self.sizes.get(self.starts[i], 0), 4096):
            return "?"
        name = self.defined[self.starts[i]]
        return "%s+0x%x" % (name if isinstance(name, str) else self._string(name),
                            address - self.starts[i])

    def _relocations(self):
        """slots: address of a pointer -> the name it is bound to, or the address it holds."""
        self.slots, self.chosen = {}, {}  # chosen: the same -> the function that chooses
        for name, kind, flags, _, offset, size, _ in self.sections:
            if kind != SHT_RELA or not flags & 2:
                continue
            for place, info, addend in RELA.iter_unpack(
                    self.data[offset:offset + size // RELA.size * RELA.size]):
                sort, index = info & 0xffffffff, info >> 32
                if sort in (R_GLOB_DAT, R_JUMP_SLOT) or sort == R_64 and not addend:
                    if index < len(self.dynsym):
                        self.slots[place] = self._string(self.dynsym[index])
                elif sort == R_RELATIVE:
                    self.slots[place] = addend
                elif sort == R_IRELATIVE:
                    self.chosen[place] = addend

    def by_symbol(self, address):
        """(start, end) of the symbol with a size that holds @address, or None."""
        i = bisect.bisect_right(self.starts, address) - 1
        for start in reversed(self.starts[max(i - 8, 0):i + 1]):
            if start <= address < start + self.sizes.get(start, 0):
                return start, start + self.sizes[start]
        return None

    def by_label(self, address):
        """From one symbol to the next, for those without sizes; or None."""
        i = bisect.bisect_right(self.starts, address)
        if not i or i == len(self.starts) or self.starts[i - 1] in self.sizes:
            return None
        return self.starts[i - 1], self.starts[i]

    def by_frame(self, address):
        """(start, end, outermost) of the FDE that holds @address, or None."""
        if self._frames is None:
            try:
                self._frames = self._find_frames()
            except (struct.error, IndexError, KeyError, ValueError):
                self._frames = [], None
        starts, places = self._frames
        i = bisect.bisect_right(starts, address) - 1
        try:
            found = self._frame(places[i]) if i >= 0 else None
        except (struct.error, IndexError, KeyError, ValueError):
            return None
        return found if found and found[0] <= address < found[1] else None

    def _find_frames(self):
        """Starts, sorted, and the addresses of their FDEs: from .eh_frame_hdr."""
        for kind, _, offset, address, size in self.segments:
            if kind != PT_EH_FRAME:
                continue
            c = Cursor(self.data[offset:offset + size], address)
            _, pointer, count, table = c.data[:4]
            if table != 0x3b or count == 0xff:
                break
            c.at = 4
            c.pointer(pointer)
            nr = c.pointer(count)
            pairs = list(struct.iter_unpack("<ii", c.data[c.at:c.at + 8 * nr]))
            return [a + address for a, _ in pairs], [b + address for _, b in pairs]
        return self._scan_frames()

    def _scan_frames(self):
        found = []
        for name, _, _, address, offset, size, _ in self.sections:
            if name != ".eh_frame":
                continue
            at = 0
            while at + 8 <= size:
                length, cie = struct.unpack_from("<II", self.data, offset + at)
                if length and cie:
                    frame = self._frame(address + at)
                    if frame:
                        found.append((frame[0], address + at))
                at += length + 4
        found.sort()
        return [start for start, _ in found], [place for _, place in found]

    def _frame(self, place):
        length = int.from_bytes(self.read(place, 4), "little")
        c = Cursor(self.read(place + 4, length), place + 4)
        cie = place + 4 - c.number("I")
        encoding, outermost, augmented = self._cie(cie)
        start = c.pointer(encoding)
        size = c.pointer(encoding & 15)
        if augmented:
            c.at += c.uleb()
        outermost = outermost or says_outermost(c)
        return start, start + size, outermost

    def _cie(self, place):
        """(encoding of pointers, says that there is no caller, has augmentation data)."""
        length = int.from_bytes(self.read(place, 4), "little")
        c = Cursor(self.read(place + 4, length), place + 4, 5)
        letters = c.string()
        c.uleb()
        c.uleb()
        c.uleb()
        encoding = 0
        if letters[:1] == b"z":
            end = c.uleb()
            end += c.at
            for letter in letters[1:]:
                if letter in b"RL":
                    value = c.number("B")
                    encoding = value if letter == ord("R") else encoding
                elif letter == ord("P"):
                    c.pointer(c.number("B"))
            c.at = end
        return encoding, says_outermost(c), letters[:1] == b"z"


def says_outermost(c):
    """Do the call frame instructions at @c say anywhere that the return address is undefined?"""
    operands = {2: "1", 3: "2", 4: "4", 1: "8", 5: "uu", 6: "u", 8: "u", 9: "uu", 0xc: "uu",
                0xd: "u", 0xe: "u", 0xf: "b", 0x10: "ub", 0x11: "uu", 0x12: "uu", 0x13: "u",
                0x14: "uu", 0x15: "uu", 0x16: "ub", 0x2e: "u"}
    while c.at < len(c.data):
        op = c.data[c.at]
        c.at += 1
        if op == 7:
            if c.uleb() == RETURN_ADDRESS:
                return True
            continue
        for kind in "u" if op >> 6 == 2 else "" if op >> 6 else operands.get(op, ""):
            if kind in "1248":
                c.at += int(kind)
            else:
                value = c.uleb()
                c.at += value if kind == "b" else 0
    return False
