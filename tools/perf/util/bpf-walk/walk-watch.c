// SPDX-License-Identifier: GPL-2.0-only
#include "walk-watch.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../base/log.h"

/* Arguments of the kernel's functions, in the context of programs there. */
#define ARG(n) ((s16)((n) * sizeof(u64)))

/* KEY of the map `changes' = the place of the process; r0 is lost. */
static void make_key(struct bpf_asm *a, s16 key)
{
	bpf_asm__call(a, BPF_FUNC_get_current_pid_tgid);
	bpf_asm__alu_imm(a, BPF_RSH, BPF_REG_0, 32);
	bpf_asm__alu_imm(a, BPF_AND, BPF_REG_0, WALK_CHANGES - 1);
	bpf_asm__store(a, BPF_DW, BPF_REG_10, key, BPF_REG_0);
}

void walk_watch__note(struct generator *g)
{
	bpf_asm__store_imm(&g->a, BPF_W, SCRATCH, AT(out.note.changed), 0);
	make_key(&g->a, CHANGES_KEY);
	look_up(g, g->p->changes, CHANGES_KEY, g->none);
	bpf_asm__load(&g->a, BPF_DW, BPF_REG_1, BPF_REG_0, offsetof(struct walk_changes, number));
	bpf_asm__store(&g->a, BPF_W, SCRATCH, AT(out.note.changes), BPF_REG_1);
}

void walk_watch__compare(struct generator *g)
{
	struct bpf_asm *a = &g->a;
	int same = bpf_asm__label(a);

	bpf_asm__load(a, BPF_W, BPF_REG_1, BPF_REG_0, offsetof(struct walk_process, changes));
	bpf_asm__load(a, BPF_W, BPF_REG_2, SCRATCH, AT(out.note.changes));
	bpf_asm__jump_reg(a, BPF_JEQ, BPF_REG_1, BPF_REG_2, same);
	store_imm(g, AT(check), 1);
	bpf_asm__store_imm(a, BPF_W, SCRATCH, AT(out.note.changed), 1);
	bpf_asm__place(a, same);
}

/* r0 = the place of the present process; r1 to r5 are lost. */
static void find_changes(struct generator *g)
{
	make_key(&g->a, KEY);
	look_up(g, g->p->changes, KEY, g->none);
}

/* Adds 1 to the number at r0, and ends. */
static void count(struct generator *g)
{
	bpf_asm__alu_imm(&g->a, BPF_MOV, BPF_REG_1, 1);
	bpf_asm__atomic_add(&g->a, BPF_REG_0, offsetof(struct walk_changes, number), BPF_REG_1);
	bpf_asm__place(&g->a, g->none);
	bpf_asm__exit(&g->a, 0);
}

/*
 * At the return of (file, addr, len, prot, flags, pgoff): the kernel's record of the mapping is
 * written by then, so who reads a number has all records that it stands for before its sample.
 */
static bool at_mmap(struct generator *g, const struct btf *b __unused_arg)
{
	bpf_asm__load(&g->a, BPF_DW, BPF_REG_2, BPF_REG_1, ARG(3));
	bpf_asm__alu_imm(&g->a, BPF_AND, BPF_REG_2, PROT_EXEC);
	bpf_asm__jump(&g->a, BPF_JEQ, BPF_REG_2, 0, g->none);
	find_changes(g);
	count(g);
	return true;
}

/*
 * At (vma, reqprot, prot), when a file's bytes become code. Compilers in the process do this with
 * other memory all the time, and there are no rows of that.
 */
static bool at_mprotect(struct generator *g, const struct btf *b)
{
	struct btf_place file;

	if (btf__member(b, "vm_area_struct", "vm_file", &file))
		return false;
	bpf_asm__load(&g->a, BPF_DW, BPF_REG_2, BPF_REG_1, ARG(2));
	bpf_asm__alu_imm(&g->a, BPF_AND, BPF_REG_2, PROT_EXEC);
	bpf_asm__jump(&g->a, BPF_JEQ, BPF_REG_2, 0, g->none);
	bpf_asm__load(&g->a, BPF_DW, BPF_REG_2, BPF_REG_1, ARG(0));
	bpf_asm__load(&g->a, BPF_DW, BPF_REG_2, BPF_REG_2, file.offset);
	bpf_asm__jump(&g->a, BPF_JEQ, BPF_REG_2, 0, g->none);
	find_changes(g);
	count(g);
	return true;
}

/*
 * When the lock of an address space is about to be given back, whoever's it is: counts if there is
 * less or more code than last time. That does not see code that takes the place of as much code.
 */
static bool at_unlock(struct generator *g, const struct btf *b)
{
	struct btf_place mm, exec_vm;
	struct bpf_asm *a = &g->a;

	if (btf__member(b, "task_struct", "mm", &mm) ||
	    btf__member(b, "mm_struct", "exec_vm", &exec_vm))
		return false;
	bpf_asm__call(a, BPF_FUNC_get_current_task_btf);
	bpf_asm__load(a, BPF_DW, BPF_REG_6, BPF_REG_0, mm.offset);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_6, 0, g->none);
	bpf_asm__load(a, BPF_DW, BPF_REG_6, BPF_REG_6, exec_vm.offset);
	find_changes(g);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_0, offsetof(struct walk_changes, exec_vm));
	bpf_asm__jump_reg(a, BPF_JEQ, BPF_REG_1, BPF_REG_6, g->none);
	bpf_asm__store(a, BPF_DW, BPF_REG_0, offsetof(struct walk_changes, exec_vm), BPF_REG_6);
	count(g);
	return true;
}

enum { AT_MMAP, AT_MPROTECT, AT_UNLOCK };

static const struct watcher {
	const char *place, *name;
	bool (*generate)(struct generator *g, const struct btf *b);
} watchers[] = {
	[AT_MMAP] = { "vm_mmap_pgoff", "perf_walk_mmap", at_mmap },
	[AT_MPROTECT] = { "security_file_mprotect", "perf_walk_prot", at_mprotect },
	[AT_UNLOCK] = { "mmap_lock_released", "perf_walk_lock", at_unlock },
};
_Static_assert(ARRAY_SIZE(watchers) == WALK_WATCHERS, "each has a place in struct walk_program");

static int load_at(u32 i, const struct bpf_asm *a, const struct btf *b, int *link,
		   struct error *err)
{
	const struct watcher *w = &watchers[i];
	u32 function;

	if (i == AT_UNLOCK)
		return bpf_prog__load_tracepoint(a, w->name, w->place, link, err);
	function = btf__function(b, w->place);
	if (!function)
		return error__set(err, -ENOENT, "the kernel has no such function");
	return (i == AT_MMAP ? bpf_prog__load_at_return : bpf_prog__load_at_call)
		(a, w->name, function, link, err);
}

static void load_watcher(struct walk_program *p, const struct btf *b, u32 i)
{
	struct generator g = { .p = p };
	struct error err = {};

	g.none = bpf_asm__label(&g.a);
	if (watchers[i].generate(&g, b)) {
		BUG_ON(bpf_asm__finish(&g.a));
		p->watchers[i] = load_at(i, &g.a, b, &p->watcher_links[i], &err);
	}
	if (p->watchers[i] < 0)
		pr_debug("code mappings are not counted at %s: %s\n", watchers[i].place,
			 err.text[0] ? err.text : "the kernel lacks the events that report them");
	bpf_asm__free(&g.a);
}

void walk_watch__load(struct walk_program *p, const struct btf *b)
{
	load_watcher(p, b, AT_MMAP);
	load_watcher(p, b, p->watchers[AT_MMAP] < 0 ? AT_UNLOCK : AT_MPROTECT);
}

void walk_watch__close(struct walk_program *p)
{
	for (u32 i = 0; i < WALK_WATCHERS; i++) {
		if (p->watcher_links[i] >= 0)
			close(p->watcher_links[i]);
		if (p->watchers[i] >= 0)
			close(p->watchers[i]);
	}
}
