// SPDX-License-Identifier: GPL-2.0-only
/*
 * Identifiers of Rust that are not ASCII: RFC 3492, whose names the constants have, with '_' in
 * place of '-' (RFC 2603, "Punycode identifiers"). What is ASCII comes first; behind it are numbers
 * that tell which characters stand where.
 */
#include <string.h>

#include "../base/text.h"
#include "demangle.h"

#define BASE 36
#define T_MIN 1
#define T_MAX 26
#define SKEW 38
#define DAMP 700
#define INITIAL_BIAS 72
#define INITIAL_N 128
#define MAX_CHARACTERS 256 /* each is inserted by moving those behind it */

struct punycode {
	const char *s, *end; /* the numbers that are left */
	u32 v[MAX_CHARACTERS];
	u32 nr;
};

static u32 digit_of(char c)
{
	return c >= 'a' && c <= 'z' ? c - 'a' : c >= '0' && c <= '9' ? c - '0' + 26 : BASE;
}

static u32 threshold(u32 k, u32 bias)
{
	return k <= bias + T_MIN ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias;
}

static u32 next_bias(u32 delta, u32 nr, bool first)
{
	u32 k = 0;

	delta /= first ? DAMP : 2;
	for (delta += delta / nr; delta > (BASE - T_MIN) * T_MAX / 2; k += BASE)
		delta /= BASE - T_MIN;
	return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

/* One number, whose digits have weights that depend on @bias. Returns: false when it is none. */
static bool take_number(struct punycode *p, u32 bias, u32 *number)
{
	u32 weight = 1, digit, part, t;

	*number = 0;
	for (u32 k = BASE; p->s < p->end; k += BASE) {
		digit = digit_of(*p->s++);
		if (digit == BASE || __builtin_mul_overflow(digit, weight, &part) ||
		    __builtin_add_overflow(*number, part, number))
			return false;
		t = threshold(k, bias);
		if (digit < t)
			return true;
		if (__builtin_mul_overflow(weight, BASE - t, &weight))
			return false;
	}
	return false;
}

static bool insert_all(struct punycode *p)
{
	u32 code = INITIAL_N, at = 0, bias = INITIAL_BIAS, number;

	for (bool first = true; p->s < p->end; first = false) {
		if (p->nr == MAX_CHARACTERS || !take_number(p, bias, &number))
			return false;
		bias = next_bias(number, p->nr + 1, first);
		if (__builtin_add_overflow(at, number, &at) ||
		    __builtin_add_overflow(code, at / (p->nr + 1), &code))
			return false;
		at %= p->nr + 1;
		memmove(p->v + at + 1, p->v + at, (p->nr - at) * sizeof(*p->v));
		p->v[at++] = code;
		p->nr++;
	}
	return true;
}

int rust_punycode__decode(const char *s, size_t len, char *buf, size_t size)
{
	const char *ascii_end = memrchr(s, '_', len);
	struct punycode p = { .s = ascii_end ? ascii_end + 1 : s, .end = s + len };
	char utf8[UTF8_MAX];
	size_t to = 0, nr;

	if (p.s == p.end || (ascii_end && ascii_end - s >= MAX_CHARACTERS))
		return -1;
	for (; ascii_end && s + p.nr < ascii_end; p.nr++)
		p.v[p.nr] = (u8)s[p.nr];
	if (!insert_all(&p))
		return -1;
	for (u32 i = 0; i < p.nr; i++) {
		nr = utf8__encode(p.v[i], utf8);
		if (!nr || nr > size - to)
			return -1;
		memcpy(buf + to, utf8, nr);
		to += nr;
	}
	return to;
}
