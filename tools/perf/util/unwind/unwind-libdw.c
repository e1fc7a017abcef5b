// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unwinding through libdw's Dwfl: one Dwfl per address space, attached once and kept as long as
 * the space, with modules reported when a walk first comes through them.
 *
 * libdw alone does not tell the truth that we want: it ends in the same way at the outermost
 * frame and where a return address could not be read, it guesses with the frame pointer where
 * there is no row, and it does not look whether the CFA moves. So each frame's row is looked at
 * before libdw may use it. What was found is kept by module and address, and so is paid for once.
 */
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"

#define MAX_ROWS_KEPT (1U << 17)
#define MAX_REPORTED 4096
/* _start and what it calls in assembly: where an entry without rows is still an entry. */
#define ENTRY_BYTES 64

/* What is kept of a row; 0 is "not looked at". */
enum row {
	ROW_NONE = 1 << 0,
	ROW_THERE = 1 << 1,
	ROW_SIGNAL = 1 << 2,
	ROW_OUTERMOST = 1 << 3, /* the return address is undefined */
};

struct libdw_module {
	struct map64 rows; /* vaddr -> enum row */
};

/* A module as reported to a Dwfl. */
struct reported {
	struct unwind_module *um;
	u64 bias;
	Dwfl_Module *mod;
};

struct libdw_space {
	Dwfl *dwfl;
	u64 generation; /* of the mappings that .reported goes with */
	VEC(struct reported) reported;
	struct walk *walk; /* present during a walk */
};

struct libdw {
	Elf64_Ehdr skeleton; /* tells libdw the architecture before any module is there */
	Elf *elf;
};

struct walk {
	struct unwind_space *s;
	const struct unwind_regs *regs;
	const struct unwind_stack *stack;
	struct unwind_chain *chain;
	bool started, stopped;
	bool signal;     /* the present frame was interrupted, it made no call */
	bool exact;      /* the frame before was running or interrupted, so perhaps a leaf */
	u64 sp;          /* of the frame before */
	bool sp_known;
	enum row row;    /* of the present frame */
	bool read_failed, read_below;
	u64 last_read;
	u64 ra_reg;      /* the register that may hold the return address; ~0: unknown */
};

static int find_elf(Dwfl_Module *mod __unused_arg, void **userdata, const char *name __unused_arg,
		    Dwarf_Addr base __unused_arg, char **file_name __unused_arg, Elf **elf)
{
	struct unwind_module *um = *userdata;

	*elf = elf_begin(-1, ELF_C_READ, um->m->image.elf);
	return -1;
}

static int find_no_debuginfo(Dwfl_Module *mod __unused_arg, void **userdata __unused_arg,
			     const char *name __unused_arg, Dwarf_Addr base __unused_arg,
			     const char *file __unused_arg, const char *link __unused_arg,
			     GElf_Word crc __unused_arg, char **out __unused_arg)
{
	return -1;
}

static const Dwfl_Callbacks dwfl_callbacks = {
	.find_elf = find_elf,
	.find_debuginfo = find_no_debuginfo,
};

static pid_t next_thread(Dwfl *dwfl __unused_arg, void *arg __unused_arg,
			 void **thread_arg __unused_arg)
{
	return 0;
}

static bool get_thread(Dwfl *dwfl __unused_arg, pid_t tid __unused_arg, void *arg,
		       void **thread_arg)
{
	*thread_arg = arg;
	return true;
}

/* Words of code segments, which are the same in the file and in memory. */
static bool read_image(struct unwind_space *s, u64 addr, u64 *v)
{
	const struct unwind_mapping *map = unwind_space__find(s, addr);
	const struct module *m;
	u64 offset;

	if (!map || map->end - addr < sizeof(*v))
		return false;
	m = unwinder__module(s->u, map)->m;
	offset = addr - map->start + map->pgoff;
	if (m->bad || offset < map->pgoff || offset > m->image.file.size ||
	    m->image.file.size - offset < sizeof(*v))
		return false;
	memcpy(v, m->image.file.data + offset, sizeof(*v));
	return true;
}

static bool read_memory(Dwfl *dwfl __unused_arg, Dwarf_Addr addr, Dwarf_Word *result, void *arg)
{
	struct libdw_space *ls = arg;
	struct walk *w = ls->walk;
	u64 offset = addr - w->stack->start, v;

	if (addr >= w->stack->start && offset < w->stack->size &&
	    w->stack->size - offset >= sizeof(v)) {
		memcpy(&v, w->stack->data + offset, sizeof(v));
	} else if (!read_image(w->s, addr, &v)) {
		w->read_failed = true;
		w->read_below = addr < w->stack->start;
		return false;
	}
	if (w->s->u->arch->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__))
		v = __builtin_bswap64(v);
	*result = w->last_read = v;
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	struct libdw_space *ls = arg;
	const struct unwind_regs *regs = ls->walk->regs;
	const struct unwind_arch_info *arch = ls->walk->s->u->arch;

	for (u32 i = 0; i < arch->nr_regs; i++) {
		Dwarf_Word v = regs->v[i];

		if (regs->known >> i & 1 && arch->to_dwarf[i] != UNWIND_NO_DWARF)
			dwfl_thread_state_registers(thread, arch->to_dwarf[i], 1, &v);
	}
	dwfl_thread_state_register_pc(thread, regs->v[arch->pc]);
	return true;
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.get_thread = get_thread,
	.memory_read = read_memory,
	.set_initial_registers = set_registers,
};

/* Division is the one operation of an expression by which a file could end the process (SIGFPE). */
static bool ops__are_safe(const Dwarf_Op *ops, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (ops[i].atom == DW_OP_div || ops[i].atom == DW_OP_mod)
			return false;
	return true;
}

static bool frame__is_safe(Dwarf_Frame *frame, const struct unwind_arch_info *arch, bool *undefined)
{
	Dwarf_Op mem[3], *ops;
	size_t nr;

	*undefined = false;
	if (dwarf_frame_cfa(frame, &ops, &nr) || !nr || !ops__are_safe(ops, nr))
		return false;
	for (int reg = 0; reg <= 66; reg++) {
		if (dwarf_frame_register(frame, reg, mem, &ops, &nr))
			continue;
		if (!ops__are_safe(ops, nr))
			return false;
		if (reg == arch->dwarf_ra && !nr && ops == mem)
			*undefined = true;
	}
	return true;
}

static enum row cfi__row(Dwarf_CFI *cfi, const struct unwind_arch_info *arch, u64 addr)
{
	enum row row = ROW_NONE;
	Dwarf_Frame *frame;
	bool signal, undefined;

	if (!cfi || dwarf_cfi_addrframe(cfi, addr, &frame))
		return ROW_NONE;
	if (dwarf_frame_info(frame, NULL, NULL, &signal) >= 0 &&
	    frame__is_safe(frame, arch, &undefined))
		row = ROW_THERE | (signal ? ROW_SIGNAL : 0) | (undefined ? ROW_OUTERMOST : 0);
	free(frame);
	return row;
}

static enum row reported__row(const struct reported *r, const struct unwind_arch_info *arch, u64 pc)
{
	struct libdw_module *lm = r->um->private;
	uintptr_t row = (uintptr_t)map64__get(&lm->rows, pc - r->bias);
	Dwarf_Addr bias;
	Dwarf_CFI *cfi;

	if (row)
		return row;
	if (lm->rows.nr >= MAX_ROWS_KEPT)
		map64__free(&lm->rows);
	cfi = dwfl_module_eh_cfi(r->mod, &bias);
	row = cfi__row(cfi, arch, pc - bias);
	if (row == ROW_NONE) {
		cfi = dwfl_module_dwarf_cfi(r->mod, &bias);
		row = cfi__row(cfi, arch, pc - bias);
	}
	map64__set(&lm->rows, pc - r->bias, (void *)row);
	return row;
}

static struct reported *space__report(struct libdw_space *ls, struct unwind_module *um, u64 bias)
{
	struct reported *r;
	char name[48];

	for (size_t i = 0; i < ls->reported.nr; i++) {
		r = &ls->reported.v[i];
		if (r->um == um && r->bias == bias)
			return r->mod ? r : NULL;
	}
	if (ls->reported.nr >= MAX_REPORTED)
		return NULL;
	r = vec__push(&ls->reported);
	*r = (struct reported){ .um = um, .bias = bias };
	snprintf(name, sizeof(name), "%u@%llx", um->m->id, (unsigned long long)bias);
	dwfl_report_begin_add(ls->dwfl);
	r->mod = dwfl_report_module(ls->dwfl, name, bias + um->m->low, bias + um->m->high);
	if (r->mod) {
		void **userdata;

		dwfl_module_info(r->mod, &userdata, NULL, NULL, NULL, NULL, NULL, NULL);
		*userdata = um;
	}
	dwfl_report_end(ls->dwfl, NULL, NULL);
	return r->mod ? r : NULL;
}

/* The reported module for a mapping; NULL and stop when there is none to be had. */
static struct reported *space__module(struct unwind_space *s, u64 pc, enum unwind_stop *stop)
{
	const struct unwind_mapping *map = unwind_space__find(s, pc);
	struct libdw_space *ls = s->private;
	struct unwind_module *um;
	struct reported *r;
	u64 bias;

	*stop = UNWIND_NO_MODULE;
	if (!map)
		return NULL;
	*stop = UNWIND_UNREADABLE;
	um = unwinder__module(s->u, map);
	if (um->m->bad || module__bias(um->m, map, &bias))
		return NULL;
	if (!um->private)
		um->private = xzalloc(sizeof(struct libdw_module));
	r = space__report(ls, um, bias);
	/* Hostile segments can overlap another module, to which libdw may give the pc. */
	return r && dwfl_addrmodule(ls->dwfl, pc) == r->mod ? r : NULL;
}

static bool walk__progressed(struct walk *w, Dwfl_Frame *state)
{
	const struct unwind_arch_info *arch = w->s->u->arch;
	Dwarf_Word sp;
	bool known = !dwfl_frame_reg(state, arch->dwarf_sp, &sp), up = true;

	/*
	 * Behind a signal frame the stack may be another one. A leaf and its caller can have the
	 * same stack pointer: the return address is in a register. (On x86-64 that is vfork().)
	 */
	if (known && w->sp_known && w->started && !w->signal)
		up = sp > w->sp || (sp == w->sp && w->exact);
	w->sp = sp;
	w->sp_known = known;
	return up;
}

static int walk__stop(struct walk *w, enum unwind_stop stop)
{
	w->chain->stop = stop;
	w->stopped = true;
	return DWARF_CB_ABORT;
}

/* Decides about a frame whose address is known: may libdw go on from here? */
static int walk__look_at_row(struct walk *w, u64 pc)
{
	const struct unwind_arch_info *arch = w->s->u->arch;
	enum unwind_stop stop;
	struct reported *r = space__module(w->s, pc, &stop);
	u64 from_entry;

	if (!r)
		return walk__stop(w, stop);
	w->row = reported__row(r, arch, pc);
	if (w->row & ROW_OUTERMOST)
		return walk__stop(w, UNWIND_OUTERMOST);
	if (w->row & ROW_THERE)
		return DWARF_CB_OK;
	from_entry = pc - r->bias - r->um->m->image.ehdr.e_entry;
	return walk__stop(w, from_entry < ENTRY_BYTES ? UNWIND_OUTERMOST : UNWIND_NO_ROW);
}

static int on_frame(Dwfl_Frame *state, void *arg)
{
	struct walk *w = arg;
	bool exact = !w->started || w->signal; /* the pc itself was running: no return address */
	Dwarf_Addr pc;
	Dwarf_Word ra;

	if (!dwfl_frame_pc(state, &pc, NULL))
		return walk__stop(w, UNWIND_UNKNOWN_REG);
	if (!walk__progressed(w, state))
		return walk__stop(w, UNWIND_NO_PROGRESS);
	if (w->started && !unwind_chain__add(w->chain, pc, UNWIND_BY_CFI))
		return walk__stop(w, UNWIND_LIMIT);
	w->started = true;
	w->exact = exact;
	w->read_failed = false;
	w->last_read = ~0ULL;
	w->ra_reg = dwfl_frame_reg(state, w->s->u->arch->dwarf_ra, &ra) ? ~0ULL : ra;
	if (walk__look_at_row(w, exact ? pc : pc - 1) == DWARF_CB_ABORT)
		return DWARF_CB_ABORT;
	w->signal = w->row & ROW_SIGNAL;
	return DWARF_CB_OK;
}

/* libdw found no caller behind a frame that had a row: why? */
static enum unwind_stop walk__end(const struct walk *w)
{
	if (w->read_failed)
		return w->read_below ? UNWIND_NO_PROGRESS : UNWIND_COPY_SHORT;
	if (!w->last_read || (w->s->u->arch->ra_in_reg && !w->ra_reg))
		return UNWIND_OUTERMOST;
	return UNWIND_UNKNOWN_REG;
}

/* Drops modules that are mapped no more; they leave the Dwfl by not being reported again. */
static void space__refresh(struct unwind_space *s)
{
	struct libdw_space *ls = s->private;
	size_t kept = 0;

	if (ls->generation == s->generation)
		return;
	dwfl_report_begin(ls->dwfl);
	for (size_t i = 0; i < ls->reported.nr; i++) {
		struct reported *r = &ls->reported.v[i];
		bool mapped = false;
		u64 bias;

		for (size_t j = 0; j < s->maps.nr && !mapped; j++)
			mapped = s->maps.v[j].module == r->um->m->id &&
				 !module__bias(r->um->m, &s->maps.v[j], &bias) && bias == r->bias;
		if (!mapped || !r->mod)
			continue;
		r->mod = dwfl_report_module(ls->dwfl, dwfl_module_info(r->mod, NULL, NULL, NULL,
								      NULL, NULL, NULL, NULL),
					    r->bias + r->um->m->low, r->bias + r->um->m->high);
		ls->reported.v[kept++] = *r;
	}
	ls->reported.nr = kept;
	dwfl_report_end(ls->dwfl, NULL, NULL);
	ls->generation = s->generation;
}

static bool space__init(struct unwind_space *s)
{
	struct libdw *l = s->u->private;
	struct libdw_space *ls = xzalloc(sizeof(*ls));

	ls->generation = s->generation;
	ls->dwfl = dwfl_begin(&dwfl_callbacks);
	if (ls->dwfl && !dwfl_attach_state(ls->dwfl, l->elf, 1, &thread_callbacks, ls)) {
		dwfl_end(ls->dwfl);
		ls->dwfl = NULL;
	}
	s->private = ls;
	return ls->dwfl != NULL;
}

static void libdw__space_exit(struct unwind_space *s)
{
	struct libdw_space *ls = s->private;

	if (!ls)
		return;
	dwfl_end(ls->dwfl);
	vec__free(&ls->reported);
	free(ls);
}

static void libdw__walk(struct unwind_space *s, const struct unwind_regs *regs,
			const struct unwind_stack *stack, struct unwind_chain *chain)
{
	struct walk w = { .s = s, .regs = regs, .stack = stack, .chain = chain };
	struct libdw_space *ls;

	if (!s->private)
		space__init(s);
	ls = s->private;
	if (!ls->dwfl) {
		chain->stop = UNWIND_UNREADABLE;
		return;
	}
	space__refresh(s);
	ls->walk = &w;
	dwfl_getthread_frames(ls->dwfl, 1, on_frame, &w);
	ls->walk = NULL;
	if (!w.stopped)
		chain->stop = walk__end(&w);
}

static void libdw__module_exit(void *private)
{
	struct libdw_module *lm = private;

	if (lm)
		map64__free(&lm->rows);
	free(lm);
}

static int libdw__init(struct unwinder *u, struct error *err)
{
	struct libdw *l = xzalloc(sizeof(*l));
	const struct unwind_arch_info *arch = u->arch;
	bool swap = arch->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	l->skeleton = (Elf64_Ehdr){
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     arch->big_endian ? ELFDATA2MSB : ELFDATA2LSB, EV_CURRENT },
		.e_type = swap ? __builtin_bswap16(ET_DYN) : ET_DYN,
		.e_machine = swap ? __builtin_bswap16(arch->e_machine) : arch->e_machine,
		.e_version = swap ? __builtin_bswap32(EV_CURRENT) : EV_CURRENT,
		.e_ehsize = swap ? __builtin_bswap16(sizeof(Elf64_Ehdr)) : sizeof(Elf64_Ehdr),
	};
	elf_version(EV_CURRENT);
	l->elf = elf_memory((char *)&l->skeleton, sizeof(l->skeleton));
	if (!l->elf) {
		free(l);
		return error__set(err, -ENOTSUP, "libdw does not know the architecture %s",
				  arch->name);
	}
	u->private = l;
	return 0;
}

static void libdw__exit(struct unwinder *u)
{
	struct libdw *l = u->private;

	elf_end(l->elf);
	free(l);
}

const struct unwind_backend unwind_backend_libdw = {
	.name = "libdw",
	.init = libdw__init,
	.exit = libdw__exit,
	.module_exit = libdw__module_exit,
	.space_exit = libdw__space_exit,
	.walk = libdw__walk,
};
