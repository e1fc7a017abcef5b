// SPDX-License-Identifier: GPL-2.0-only
#include "tar.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type;
	char link[100], magic[6], version[2], user[32], group[32], major[8], minor[8];
	char prefix[155], fill[12];
};

_Static_assert(sizeof(struct header) == TAR_BLOCK, "a header is a block");

#define LARGE 0x80 /* the first byte of a size that is binary, with the highest byte first */

static u64 octal(const char *p, size_t len)
{
	u64 v = 0;

	while (len && *p == ' ')
		p++, len--;
	for (; len && *p >= '0' && *p <= '7'; p++, len--)
		v = v << 3 | (*p - '0');
	return v;
}

static u64 size_of(const struct header *h)
{
	u64 v = 0;

	if (!(h->size[0] & LARGE))
		return octal(h->size, sizeof(h->size));
	if (h->size[0] != (char)LARGE || h->size[1] || h->size[2] || h->size[3])
		return UINT64_MAX;
	for (size_t i = 4; i < sizeof(h->size); i++)
		v = v << 8 | (u8)h->size[i];
	return v;
}

/* The sum of all bytes, those of the checksum counting as blanks. */
static u32 checksum(const u8 *block)
{
	size_t from = offsetof(struct header, checksum);
	u32 sum = 0;

	for (size_t i = 0; i < TAR_BLOCK; i++)
		sum += i >= from && i < from + 8 ? ' ' : block[i];
	return sum;
}

bool tar__decode(const u8 *block, struct tar_member *out)
{
	struct header h;
	size_t len;

	memcpy(&h, block, sizeof(h));
	if (memcmp(h.magic, "ustar", 5) || octal(h.checksum, sizeof(h.checksum)) != checksum(block))
		return false;
	*out = (struct tar_member){ .size = size_of(&h) };
	len = strnlen(h.name, sizeof(h.name));
	memcpy(out->name, h.name, len);
	out->is_file = (h.type == '0' || !h.type) && !h.prefix[0];
	return true;
}

void tar__encode(const struct tar_member *m, u8 *block)
{
	struct header h = { .type = '0', .magic = "ustar", .version = { '0', '0' } };
	char digits[16];

	memcpy(h.name, m->name, strnlen(m->name, sizeof(h.name)));
	memcpy(h.mode, "0000600", 8);
	memcpy(h.uid, "0000000", 8);
	memcpy(h.gid, "0000000", 8);
	memcpy(h.mtime, "00000000000", 12);
	if (m->size >> 33) {
		h.size[0] = (char)LARGE;
		for (int i = 0; i < 8; i++)
			h.size[4 + i] = m->size >> (56 - 8 * i);
	} else {
		snprintf(digits, sizeof(digits), "%011llo", (unsigned long long)m->size);
		memcpy(h.size, digits, sizeof(h.size));
	}
	memcpy(block, &h, sizeof(h));
	snprintf(digits, sizeof(digits), "%06o", checksum(block));
	memcpy(h.checksum, digits, 7);
	h.checksum[7] = ' ';
	memcpy(block, &h, sizeof(h));
}
