// SPDX-License-Identifier: GPL-2.0-only
#include "jit-frames.h"

#include "../../../lib/unwind/core/bytes.h"

/* Encodings of pointers: size and sign, and what they are relative to. */
enum {
	PE_ABSPTR = 0, PE_UDATA2 = 2, PE_UDATA4 = 3, PE_UDATA8 = 4, PE_SDATA2 = 10, PE_SDATA4 = 11,
	PE_SDATA8 = 12, PE_SIZE = 15, PE_PCREL = 0x10, PE_TEXTREL = 0x20, PE_RELATIVE = 0x70,
};

#define MAX_ENTRIES (1 << 20) /* of one object */

struct cie {
	u64 code_align;
	s64 data_align;
	u64 ra;
	u8 encoding;
	bool has_data, is_signal, is_good;
	const u8 *program;
	size_t size;
};

/* A pointer without what it is relative to. */
static u64 take_pointer(struct cursor *c, u8 encoding)
{
	switch (encoding & PE_SIZE) {
	case PE_UDATA2: return cursor__u16(c);
	case PE_UDATA4: return cursor__u32(c);
	case PE_SDATA2: return (s64)(s16)cursor__u16(c);
	case PE_SDATA4: return (s64)(s32)cursor__u32(c);
	case PE_ABSPTR:
	case PE_UDATA8:
	case PE_SDATA8: return cursor__u64(c);
	}
	c->bad = true;
	return 0;
}

static void take_augmentation(struct cursor *c, const char *letters, struct cie *cie)
{
	for (; *letters && !c->bad; letters++) {
		if (*letters == 'R')
			cie->encoding = cursor__u8(c);
		else if (*letters == 'L')
			(void)cursor__u8(c);
		else if (*letters == 'P')
			(void)take_pointer(c, cursor__u8(c));
		else if (*letters == 'S')
			cie->is_signal = true;
		else
			c->bad = true;
	}
}

static struct cie cie_at(const struct jit_frames *f, size_t at)
{
	struct cursor c = cursor__init(f->data, f->size, false), data;
	struct cie cie = {};
	const char *letters;
	size_t end;
	u8 version;

	(void)cursor__take(&c, at);
	end = cursor__u32(&c);
	if (c.bad || end > cursor__left(&c))
		return cie;
	c.len = end += c.pos;
	if (cursor__u32(&c))
		return cie;
	version = cursor__u8(&c);
	letters = cursor__str(&c);
	cie.code_align = cursor__uleb(&c);
	cie.data_align = cursor__sleb(&c);
	cie.ra = version == 1 ? cursor__u8(&c) : cursor__uleb(&c);
	cie.has_data = letters && letters[0] == 'z';
	if (cie.has_data) {
		size_t size = cursor__uleb(&c);
		const u8 *p = cursor__take(&c, size);

		data = cursor__init(p, p ? size : 0, false);
		take_augmentation(&data, letters + 1, &cie);
		c.bad |= data.bad;
	}
	cie.program = c.data + c.pos;
	cie.size = end - c.pos;
	cie.is_good = !c.bad && letters && (cie.has_data || !letters[0]) &&
		      (version == 1 || version == 3);
	return cie;
}

void jit_frames__put_leb(jit_elf_bytes *out, u64 v, bool is_signed)
{
	bool more;

	do {
		u8 byte = v & 0x7f;

		v = is_signed ? (u64)((s64)v >> 7) : v >> 7;
		more = is_signed ? v != (byte & 0x40 ? ~0ULL : 0) : v;
		*vec__push(out) = byte | (more ? 0x80 : 0);
	} while (more);
}

void jit_frames__end(jit_elf_bytes *out, size_t at)
{
	u32 len;

	while ((out->nr - at) % 8)
		*vec__push(out) = 0; /* a nop */
	len = out->nr - at - sizeof(len);
	memcpy(out->v + at, &len, sizeof(len));
}

static void put_u32(jit_elf_bytes *out, u32 v)
{
	jit_elf__put(out, &v, sizeof(v));
}

static size_t put_cie(jit_elf_bytes *out, const struct cie *cie)
{
	size_t at = out->nr;

	put_u32(out, 0);
	put_u32(out, 0);
	*vec__push(out) = 1;
	jit_elf__put(out, cie->is_signal ? "zRS" : "zR", cie->is_signal ? 4 : 3);
	jit_frames__put_leb(out, cie->code_align, false);
	jit_frames__put_leb(out, cie->data_align, true);
	*vec__push(out) = cie->ra;
	jit_frames__put_leb(out, 1, false);
	*vec__push(out) = PE_PCREL | PE_SDATA4;
	jit_elf__put(out, cie->program, cie->size);
	jit_frames__end(out, at);
	return at;
}

struct fde {
	u64 pc, len;
	struct cie cie;
	struct cursor program;
};

/* @off: of the function, from the begin of the code, of which @size bytes lie in front of @out. */
static void put_fde(jit_elf_bytes *out, const struct fde *fde, s64 off, u64 len, u64 size)
{
	size_t cie = put_cie(out, &fde->cie), at = out->nr;

	put_u32(out, 0);
	put_u32(out, at + 4 - cie);
	put_u32(out, off - (s64)((size + 7) / 8 * 8 + out->nr));
	put_u32(out, len);
	jit_frames__put_leb(out, 0, false);
	jit_elf__put(out, fde->program.data + fde->program.pos, cursor__left(&fde->program));
	jit_frames__end(out, at);
}

/* The FDE in @c, which begins behind its pointer to the CIE. */
static bool take_fde(const struct jit_frames *f, struct cursor *c, struct fde *fde)
{
	u64 here = f->addr + c->pos, pc = take_pointer(c, fde->cie.encoding);

	switch (fde->cie.encoding & PE_RELATIVE) {
	case PE_PCREL: pc += here; break;
	case PE_TEXTREL: pc += f->text; break;
	}
	fde->pc = pc;
	fde->len = take_pointer(c, fde->cie.encoding & PE_SIZE);
	if (fde->cie.has_data)
		(void)cursor__take(c, cursor__uleb(c));
	fde->program = *c;
	return !c->bad && fde->cie.ra <= 127;
}

/* The next FDE that can be read, from @c on. False: there is none. */
static bool next_fde(const struct jit_frames *f, struct cursor *c, struct fde *fde)
{
	for (int i = 0; i < MAX_ENTRIES && cursor__left(c) > 8; i++) {
		size_t len = cursor__u32(c), id_at = c->pos;
		struct cursor entry = *c;
		u32 id;

		if (!len || !cursor__take(c, len))
			return false;
		entry.len = c->pos;
		id = cursor__u32(&entry);
		if (!id || id > id_at)
			continue;
		fde->cie = cie_at(f, id_at - id);
		if (fde->cie.is_good && take_fde(f, &entry, fde))
			return true;
	}
	return false;
}

void jit_frames__function(const struct jit_frames *f, u64 start, u64 size, jit_elf_bytes *out)
{
	struct cursor c = cursor__init(f->data, f->size, false);
	struct fde fde;

	while (next_fde(f, &c, &fde)) {
		if (fde.pc != start || fde.len < size || size > INT32_MAX)
			continue;
		put_fde(out, &fde, 0, size, size);
		put_u32(out, 0);
		return;
	}
}

void jit_frames__range(const struct jit_frames *f, u64 start, u64 size, jit_elf_bytes *out)
{
	struct cursor c = cursor__init(f->data, f->size, false);
	struct fde fde;

	while (next_fde(f, &c, &fde) && out->nr < JIT_FRAMES_MAX) {
		s64 off = fde.pc - start;

		if (fde.len <= JIT_FRAMES_REACH && off >= -JIT_FRAMES_REACH && off < (s64)size &&
		    off + (s64)fde.len > 0)
			put_fde(out, &fde, off, fde.len, size);
	}
}
