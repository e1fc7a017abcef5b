// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>

#include "../text/insn-text.h"
#include "../text/json.h"
#include "branches.h"

/* By number, as perf_branch_entry.type and .new_type have them (PERF_BR_*, PERF_BR_NEW_*). */
static const char *const types[] = {
	"", "COND", "UNCOND", "IND", "CALL", "IND_CALL", "RET", "SYSCALL", "SYSRET", "COND_CALL",
	"COND_RET", "ERET", "IRQ", "SERROR", "NO_TX",
};
static const char *const new_types[] = {
	"FAULT_ALGN", "FAULT_DATA", "FAULT_INST", "ARCH_1", "ARCH_2", "ARCH_3", "ARCH_4", "ARCH_5",
};
/* PERF_BR_SPEC_*: whether it was taken by speculation. */
static const char *const specs[] = {
	"-", "SPEC_WRONG_PATH", "NON_SPEC_CORRECT_PATH", "SPEC_CORRECT_PATH",
};

#define TYPE_IS_NEW 15 /* PERF_BR_EXTEND_ABI */

static const char *type_of(const struct perf_branch_entry *b)
{
	u32 new_type = b->new_type;

	if (b->type == TYPE_IS_NEW)
		return new_type < ARRAY_SIZE(new_types) ? new_types[new_type] : "";
	return types[b->type];
}

static char outcome_of(const struct perf_branch_entry *b)
{
	return b->predicted ? 'P' : b->mispred ? 'M' : '-';
}

static void resolve(const struct script_lines *l, const struct whole_sample *ws, u64 addr,
		    struct location *out)
{
	resolver__address(l->resolver, ws->thread, script_line__mode_of(addr), addr, false, out);
}

static void put_dso(struct textbuf *tb, const struct location *loc)
{
	textbuf__putc(tb, '(');
	textbuf__name(tb, loc->dso ? loc->dso->name : "[unknown]");
	textbuf__putc(tb, ')');
}

/* One end of a branch: its address, its symbol, or its offset in the binary. */
static void put_end(struct script_lines *l, u64 fields, u64 form, const struct whole_sample *ws,
		    u64 addr)
{
	struct textbuf *tb = l->tb;
	struct location loc = {};

	if (form != FIELD_BRSTACK || fields & FIELD_DSO)
		resolve(l, ws, addr, &loc);
	if (form == FIELD_BRSTACKSYM) {
		textbuf__name(tb, loc.sym ? loc.sym->name : "[unknown]");
		if (loc.sym)
			textbuf__printf(tb, "+0x%" PRIx64, loc.addr - loc.sym->start);
	} else {
		textbuf__printf(tb, "0x%" PRIx64, form == FIELD_BRSTACKOFF && loc.map ?
				map__dso_addr(loc.map, addr) : addr);
	}
	if (fields & FIELD_DSO)
		put_dso(tb, &loc);
}

static void put_stack(struct script_lines *l, u64 fields, u64 form, const struct whole_sample *ws)
{
	struct textbuf *tb = l->tb;

	for (u64 i = 0; i < ws->s->nr_branches; i++) {
		const struct perf_branch_entry *b = &ws->s->branches[i];

		textbuf__puts(tb, form == FIELD_BRSTACKSYM ? "" : " ");
		put_end(l, fields, form, ws, b->from);
		textbuf__putc(tb, '/');
		put_end(l, fields, form, ws, b->to);
		textbuf__printf(tb, "/%c/%c/%c/%u/%s/%s ", outcome_of(b), b->in_tx ? 'X' : '-',
				b->abort ? 'A' : '-', (unsigned int)b->cycles, type_of(b),
				specs[b->spec]);
	}
}

/* The instructions between branches, as they ran; the latest last. */
struct insns {
	struct script_lines *l;
	u64 fields;
	const struct whole_sample *ws;
	const struct symbol *last; /* whose name was printed */
	u64 cycles;                /* of all branches so far */
};

#define BLOCK_MAX 16384 /* bytes: what is longer is no code without a branch */

/* Prints where an instruction lies, unless it is where the last one was. */
static void put_function(struct insns *in, const struct location *loc)
{
	struct textbuf *tb = in->l->tb;

	if (!loc->sym || loc->sym == in->last)
		return;
	in->last = loc->sym;
	textbuf__putc(tb, '\t');
	textbuf__name(tb, loc->sym->name);
	if (loc->addr != loc->sym->start)
		textbuf__printf(tb, "+%" PRIu64, loc->addr - loc->sym->start);
	textbuf__puts(tb, ":\n");
}

/* What is known of the branch that ended a block of @nr instructions; 0: they are not known. */
static void put_branch(struct insns *in, const struct perf_branch_entry *b, u32 nr)
{
	struct textbuf *tb = in->l->tb;

	textbuf__printf(tb, "\t#%s%s%s%s", b->predicted ? " PRED" : "",
			b->mispred ? " MISPRED" : "", b->in_tx ? " INTX" : "",
			b->abort ? " ABORT" : "");
	if (!b->cycles)
		return;
	in->cycles += b->cycles;
	textbuf__printf(tb, " %u cycles [%" PRIu64 "]", (unsigned int)b->cycles, in->cycles);
	if (nr)
		textbuf__printf(tb, " %.2f IPC", (double)nr / b->cycles);
}

/*
 * Prints the instruction at @ip.
 * @b: the branch that it is, at the end of a block of @nr instructions; NULL: none
 * Returns: its length; 0: it is not known.
 */
static size_t put_insn(struct insns *in, u64 ip, const struct perf_branch_entry *b, u32 nr)
{
	struct textbuf *tb = in->l->tb;
	struct location loc;
	struct bytes code;
	char text[64];
	int len;

	resolve(in->l, in->ws, ip, &loc);
	code = insn__at(in->l->symbols, &loc);
	if (!code.len)
		return 0;
	put_function(in, &loc);
	len = snprintf(text, sizeof(text), "insn: ");
	for (size_t i = 0; i < code.len && len < (int)sizeof(text) - 4; i++)
		len += snprintf(text + len, sizeof(text) - len, "%02x ", code.data[i]);
	textbuf__printf(tb, b ? "\t%016" PRIx64 "\t%-30s" : "\t%016" PRIx64 "\t%s", ip, text);
	if (in->fields & FIELD_BRSTACKINSNLEN)
		textbuf__printf(tb, "\tilen: %zu", code.len);
	if (b)
		put_branch(in, b, nr);
	textbuf__putc(tb, '\n');
	return code.len;
}

/* @end: of the last instruction, which is the branch @b, or that of the sample with NULL */
static void put_block(struct insns *in, u64 start, u64 end, const struct perf_branch_entry *b)
{
	u32 nr = 0;
	size_t len;

	if (end < start || end - start > BLOCK_MAX)
		return;
	for (u64 ip = start; ip <= end; ip += len) {
		nr++;
		len = put_insn(in, ip, ip == end ? b : NULL, nr);
		if (!len)
			return;
	}
}

static void put_insns(struct script_lines *l, u64 fields, const struct whole_sample *ws)
{
	const struct perf_branch_entry *b = ws->s->branches;
	struct insns in = { .l = l, .fields = fields, .ws = ws };
	u64 nr = ws->s->nr_branches;

	if (!nr)
		return;
	textbuf__putc(l->tb, '\n');
	put_insn(&in, b[nr - 1].from, &b[nr - 1], 0); /* where its block begins is not known */
	for (u64 i = nr - 1; i-- > 0;)
		put_block(&in, b[i + 1].to, b[i].from, &b[i]);
	/* If the sample was taken at the branch, or it was aborted, nothing ran behind it. */
	if (b->from != ws->s->ip && !b->abort)
		put_block(&in, b->to, ws->s->ip, NULL);
}

void branches__text(struct script_lines *l, u64 fields, const struct whole_sample *ws)
{
	static const u64 forms[] = { FIELD_BRSTACK, FIELD_BRSTACKSYM, FIELD_BRSTACKOFF };

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (fields & forms[i])
			put_stack(l, fields, forms[i], ws);
	if (fields & (FIELD_BRSTACKINSN | FIELD_BRSTACKINSNLEN))
		put_insns(l, fields, ws);
}

static void put_json_end(struct script_lines *l, u64 fields, const struct whole_sample *ws,
			 const char *key, u64 addr)
{
	struct textbuf *tb = l->tb;
	struct location loc;
	char name[24];

	textbuf__json_address(tb, key, addr);
	resolve(l, ws, addr, &loc);
	if (fields & FIELD_BRSTACKSYM && loc.sym) {
		snprintf(name, sizeof(name), "%s_sym", key);
		textbuf__json_text(tb, name, loc.sym->name);
		snprintf(name, sizeof(name), "%s_symoff", key);
		textbuf__json_number(tb, name, loc.addr - loc.sym->start);
	}
	if (fields & FIELD_BRSTACKOFF && loc.map) {
		snprintf(name, sizeof(name), "%s_dsoff", key);
		textbuf__json_address(tb, name, map__dso_addr(loc.map, addr));
	}
	if (fields & FIELD_DSO && loc.dso) {
		snprintf(name, sizeof(name), "%s_dso", key);
		textbuf__json_text(tb, name, loc.dso->name);
	}
}

static void put_json_branch(struct script_lines *l, u64 fields, const struct whole_sample *ws,
			    const struct perf_branch_entry *b)
{
	struct textbuf *tb = l->tb;

	textbuf__printf(tb, "{\"index\":%u", (unsigned int)(b - ws->s->branches));
	put_json_end(l, fields, ws, "from", b->from);
	put_json_end(l, fields, ws, "to", b->to);
	if (b->predicted || b->mispred)
		textbuf__json_bool(tb, "predicted", b->predicted);
	textbuf__json_bool(tb, "in_tx", b->in_tx);
	textbuf__json_bool(tb, "abort", b->abort);
	textbuf__json_number(tb, "cycles", b->cycles);
	if (*type_of(b))
		textbuf__json_text(tb, "branch_type", type_of(b));
	textbuf__putc(tb, '}');
}

void branches__json(struct script_lines *l, u64 fields, const struct whole_sample *ws)
{
	if (!(fields & (FIELD_BRSTACK | FIELD_BRSTACKSYM | FIELD_BRSTACKOFF)))
		return;
	textbuf__json_key(l->tb, "brstack");
	textbuf__putc(l->tb, '[');
	for (u64 i = 0; i < ws->s->nr_branches; i++) {
		if (i)
			textbuf__putc(l->tb, ',');
		put_json_branch(l, fields, ws, &ws->s->branches[i]);
	}
	textbuf__putc(l->tb, ']');
}
