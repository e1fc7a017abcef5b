// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unwinding through libdw's Dwfl. One serves all address spaces: every module is reported once, in
 * a layout of our own, and what a walk reads from registers or memory is moved from the space's
 * layout into ours when it is an address of code. So what libdw finds out about a module is paid
 * for once, not once for each process.
 *
 * libdw alone does not tell the truth that we want: it ends in the same way at the outermost
 * frame and where a return address could not be read, it guesses with the frame pointer where
 * there is no row, and it does not look whether the CFA moves. So each frame's row is looked at
 * before libdw may use it. What was found is kept by module and address.
 */
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "../base/vec.h"
#include "unwinder.h"

#define MAX_ROWS_KEPT (1U << 17)
/* Our layout lies where no process has its code. */
#define LAYOUT_START (1ULL << 60)
#define LAYOUT_END (1ULL << 62)
#define LAYOUT_ALIGN (1ULL << 21)
#define MAX_SPAN (1ULL << 40)
#define MAX_PLACES 16 /* of one module in one space */

/* What is kept of a row; 0 is "not looked at". */
enum row {
	ROW_NONE = 1 << 0,
	ROW_THERE = 1 << 1,
	ROW_SIGNAL = 1 << 2,
	ROW_OUTERMOST = 1 << 3, /* the return address is undefined */
};

/* A module in our layout. A space that has it at two places needs it there twice, too. */
struct placed {
	Dwfl_Module *mod;
	u64 base;            /* address in the layout = vaddr + base */
	struct placed *next;
};

struct libdw_module {
	struct map64 rows;   /* vaddr -> enum row */
	struct placed *placed;
};

/* A module as a space has it: real address + shift = address in our layout. */
struct located {
	struct unwind_module *um;
	struct placed *placed;
	u64 bias;
};

struct libdw_space {
	u64 generation;      /* of the mappings that .located goes with */
	VEC(struct located) located;
};

struct libdw {
	Elf64_Ehdr skeleton; /* tells libdw the architecture before any module is there */
	Elf *elf;
	Dwfl *dwfl;
	u64 next_base;       /* free part of the layout */
	struct walk *walk;   /* present during a walk */
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

/* The mapping of a file that holds @pc, or NULL. */
static const struct unwind_mapping *find_file(struct unwind_space *s, u64 pc)
{
	const struct unwind_mapping *map = unwind_space__find(s, pc);

	return map && map->module != UNWIND_NO_FILE ? map : NULL;
}

/* Another place for a module in our layout; NULL when it has no size that makes sense. */
static struct placed *libdw__place(struct libdw *l, struct unwind_module *um)
{
	u64 low = um->m->low, span = align_up(um->m->high - low, LAYOUT_ALIGN) + LAYOUT_ALIGN;
	struct placed *p;
	Dwfl_Module *mod;
	char name[48];
	void **userdata;

	if (um->m->high - low > MAX_SPAN || l->next_base > LAYOUT_END - span)
		return NULL;
	snprintf(name, sizeof(name), "%u@%llx", um->m->id, (unsigned long long)l->next_base);
	dwfl_report_begin_add(l->dwfl);
	mod = dwfl_report_module(l->dwfl, name, l->next_base, l->next_base + um->m->high - low);
	if (mod) {
		dwfl_module_info(mod, &userdata, NULL, NULL, NULL, NULL, NULL, NULL);
		*userdata = um;
	}
	dwfl_report_end(l->dwfl, NULL, NULL);
	if (!mod)
		return NULL;
	p = xzalloc(sizeof(*p));
	p->mod = mod;
	p->base = l->next_base - low;
	l->next_base += span;
	return p;
}

/* The @nr-th place of a module, made when it is not there yet. */
static struct placed *module__placed(struct libdw *l, struct unwind_module *um, u32 nr)
{
	struct libdw_module *lm = um->private;
	struct placed **link;

	if (!lm)
		lm = um->private = xzalloc(sizeof(*lm));
	for (link = &lm->placed; *link && nr; nr--)
		link = &(*link)->next;
	if (!*link)
		*link = libdw__place(l, um);
	return *link;
}

/* The module behind a mapping, located in our layout; NULL when it cannot be read. */
static struct located *space__locate(struct unwind_space *s, const struct unwind_mapping *map)
{
	struct libdw_space *ls = s->private;
	struct unwind_module *um = unwinder__module(s->u, map);
	struct placed *placed;
	struct located *l;
	u32 nr = 0;
	u64 bias;

	if (!um || um->m->bad || module__bias(um->m, map, &bias))
		return NULL;
	for (size_t i = 0; i < ls->located.nr; i++) {
		l = &ls->located.v[i];
		if (l->um == um && l->bias == bias)
			return l;
		nr += l->um == um;
	}
	placed = nr < MAX_PLACES ? module__placed(s->u->private, um, nr) : NULL;
	if (!placed)
		return NULL;
	l = vec__push(&ls->located);
	*l = (struct located){ .um = um, .placed = placed, .bias = bias };
	return l;
}

/* An address of readable code -> our layout; anything else stays as it is. */
static u64 space__to_layout(struct unwind_space *s, u64 v)
{
	const struct unwind_mapping *map = find_file(s, v);
	struct located *l;

	if (!map)
		map = find_file(s, v - 1); /* behind a call that ends the segment */
	l = map ? space__locate(s, map) : NULL;
	return l ? v - l->bias + l->placed->base : v;
}

/* What space__to_layout() moved, back. */
static u64 space__from_layout(const struct unwind_space *s, u64 v)
{
	const struct libdw_space *ls = s->private;

	if (v < LAYOUT_START || v >= LAYOUT_END)
		return v;
	for (size_t i = 0; i < ls->located.nr; i++) {
		const struct located *l = &ls->located.v[i];
		u64 vaddr = v - l->placed->base;

		if (vaddr >= l->um->m->low && vaddr <= l->um->m->high)
			return vaddr + l->bias;
	}
	return v;
}

/* Words of code segments, which are the same in the file and in memory. */
static bool read_image(struct unwind_space *s, u64 addr, u64 *v)
{
	const struct unwind_mapping *map = find_file(s, addr);
	const struct unwind_module *um;
	const struct module *m;
	u64 offset;

	if (!map || map->end - addr < sizeof(*v))
		return false;
	um = unwinder__module(s->u, map);
	if (!um)
		return false;
	m = um->m;
	offset = addr - map->start + map->pgoff;
	if (m->bad || offset < map->pgoff || offset > m->image.file.size ||
	    m->image.file.size - offset < sizeof(*v))
		return false;
	memcpy(v, m->image.file.data + offset, sizeof(*v));
	return true;
}

static bool read_memory(Dwfl *dwfl __unused_arg, Dwarf_Addr addr, Dwarf_Word *result, void *arg)
{
	struct walk *w = ((struct libdw *)arg)->walk;
	u64 offset, v;

	addr = space__from_layout(w->s, addr);
	offset = addr - w->stack->start;
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
	w->last_read = v;
	*result = space__to_layout(w->s, v);
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	struct walk *w = ((struct libdw *)arg)->walk;
	const struct unwind_arch_info *arch = w->s->u->arch;

	for (u32 i = 0; i < arch->nr_regs; i++) {
		Dwarf_Word v;

		if (!(w->regs->known >> i & 1) || arch->to_dwarf[i] == UNWIND_NO_DWARF)
			continue;
		v = space__to_layout(w->s, w->regs->v[i]);
		dwfl_thread_state_registers(thread, arch->to_dwarf[i], 1, &v);
	}
	dwfl_thread_state_register_pc(thread, space__to_layout(w->s, w->regs->v[arch->pc]));
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

/* @addr: in our layout. */
static enum row located__row(const struct located *l, const struct unwind_arch_info *arch, u64 addr)
{
	struct libdw_module *lm = l->um->private;
	u64 vaddr = addr - l->placed->base;
	uintptr_t row = (uintptr_t)map64__get(&lm->rows, vaddr);
	Dwarf_Addr bias;
	Dwarf_CFI *cfi;

	if (row)
		return row;
	if (lm->rows.nr >= MAX_ROWS_KEPT)
		map64__free(&lm->rows);
	cfi = dwfl_module_eh_cfi(l->placed->mod, &bias);
	row = cfi__row(cfi, arch, addr - bias);
	if (row == ROW_NONE) {
		cfi = dwfl_module_dwarf_cfi(l->placed->mod, &bias);
		row = cfi__row(cfi, arch, addr - bias);
	}
	map64__set(&lm->rows, vaddr, (void *)row);
	return row;
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

/* Decides about a frame: may libdw go on from @pc, which is an address of the space? */
static int walk__look_at_row(struct walk *w, u64 pc)
{
	const struct unwind_mapping *map = find_file(w->s, pc);
	struct located *l;
	bool at_entry;

	if (!map && w->exact)
		return walk__stop(w, UNWIND_NO_MODULE);
	if (!map && !unwind_space__find(w->s, pc)) {
		unwind_chain__drop(w->chain);
		return walk__stop(w, UNWIND_BAD_RA);
	}
	if (!map)
		return walk__stop(w, UNWIND_NO_MODULE);
	l = space__locate(w->s, map);
	if (!l)
		return walk__stop(w, UNWIND_UNREADABLE);
	w->row = located__row(l, w->s->u->arch, pc - l->bias + l->placed->base);
	if (w->row & ROW_OUTERMOST)
		return walk__stop(w, UNWIND_OUTERMOST);
	if (w->row & ROW_THERE)
		return DWARF_CB_OK;
	at_entry = w->exact && pc - l->bias == l->um->m->image.ehdr.e_entry;
	return walk__stop(w, at_entry ? UNWIND_OUTERMOST : UNWIND_NO_ROW);
}

static int on_frame(Dwfl_Frame *state, void *arg)
{
	struct walk *w = arg;
	bool exact = !w->started || w->signal; /* the pc itself was running: no return address */
	Dwarf_Addr pc;
	Dwarf_Word ra;

	if (!dwfl_frame_pc(state, &pc, NULL))
		return walk__stop(w, UNWIND_UNKNOWN_REG);
	pc = space__from_layout(w->s, pc);
	if (!walk__progressed(w, state))
		return walk__stop(w, UNWIND_NO_PROGRESS);
	if (w->started && !unwind_chain__add(w->chain, pc, UNWIND_BY_CFI))
		return walk__stop(w, w->chain->stop);
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

static void libdw__space_exit(struct unwind_space *s)
{
	struct libdw_space *ls = s->private;

	if (!ls)
		return;
	vec__free(&ls->located);
	free(ls);
}

static bool libdw__walk(struct unwind_space *s, const struct unwind_regs *regs,
			const struct unwind_stack *stack, enum unwind_who who,
			struct unwind_chain *chain)
{
	struct walk w = { .s = s, .regs = regs, .stack = stack, .chain = chain };
	struct libdw *l = s->u->private;
	struct libdw_space *ls = s->private;

	if (who != UNWIND_OWNER)
		return false;
	if (!ls)
		ls = s->private = xzalloc(sizeof(*ls));
	if (ls->generation != s->generation)
		ls->located.nr = 0;
	ls->generation = s->generation;
	l->walk = &w;
	dwfl_getthread_frames(l->dwfl, 1, on_frame, &w);
	l->walk = NULL;
	if (!w.stopped)
		chain->stop = walk__end(&w);
	return true;
}

static void libdw__module_exit(void *private)
{
	struct libdw_module *lm = private;

	if (!lm)
		return;
	for (struct placed *p = lm->placed, *next; p; p = next) {
		next = p->next;
		free(p);
	}
	map64__free(&lm->rows);
	free(lm);
}

static void libdw__exit(struct unwinder *u)
{
	struct libdw *l = u->private;

	dwfl_end(l->dwfl);
	elf_end(l->elf);
	free(l);
}

static int libdw__init(struct unwinder *u)
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
	l->next_base = LAYOUT_START;
	l->elf = elf_memory((char *)&l->skeleton, sizeof(l->skeleton));
	l->dwfl = dwfl_begin(&dwfl_callbacks);
	u->private = l;
	if (!l->elf || !l->dwfl || !dwfl_attach_state(l->dwfl, l->elf, 1, &thread_callbacks, l)) {
		libdw__exit(u);
		return -ENOTSUP;
	}
	return 0;
}

const struct unwind_backend unwind_backend_libdw = {
	.name = "libdw",
	.init = libdw__init,
	.exit = libdw__exit,
	.module_exit = libdw__module_exit,
	.map_size = sizeof(struct unwind_mapping),
	.space_exit = libdw__space_exit,
	.walk = libdw__walk,
};
