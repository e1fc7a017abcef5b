// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/text.h"
#include "../data/abi.h"
#include "backend.h"

/* Some fifty times what the .debug_frame of a large program is. */
#define MAX_UNPACKED (1ull << 30)

static const struct unwind_arch_info *const archs[] = {
	[UNWIND_X86_64] = &unwind_arch_x86_64,
	[UNWIND_AARCH64] = &unwind_arch_aarch64,
	[UNWIND_S390X] = &unwind_arch_s390x,
};

static const struct unwind_backend *const backends[] = {
	&unwind_backend_table,
	&unwind_backend_libdw,
};

enum unwind_arch unwind_arch__parse(const char *machine)
{
	machine = machine_name(machine);
	for (size_t i = 0; machine && i < ARRAY_SIZE(archs); i++)
		if (!strcmp(machine, archs[i]->name))
			return i;
	return UNWIND_UNSUPPORTED;
}

const struct unwind_arch_info *unwind_arch_info__by_machine(u16 e_machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++)
		if (archs[i]->e_machine == e_machine)
			return archs[i];
	return NULL;
}

const char *unwind_stop__name(enum unwind_stop s)
{
	static const char *const names[UNWIND_STOP_NR] = {
		[UNWIND_OUTERMOST] = "outermost",
		[UNWIND_NO_REGS] = "no user registers",
		[UNWIND_COMPAT] = "32-bit task",
		[UNWIND_COPY_SHORT] = "copy too short",
		[UNWIND_STACK_ENDS] = "no more stack in memory",
		[UNWIND_NO_MODULE] = "no file behind the address",
		[UNWIND_NO_ROW] = "no unwind information",
		[UNWIND_UNREADABLE] = "unreadable binary",
		[UNWIND_NO_PROGRESS] = "no progress",
		[UNWIND_UNKNOWN_REG] = "unknown register",
		[UNWIND_LIMIT] = "frame limit",
		[UNWIND_COSTLY] = "code too long to follow",
		[UNWIND_BAD_RA] = "bad return address",
		[UNWIND_SKIPPED] = "caller skipped",
		[UNWIND_NO_ARCH] = "unsupported architecture",
	};

	return (unsigned int)s < UNWIND_STOP_NR ? names[s] : "unknown";
}

const char *unwind_method__name(enum unwind_method m)
{
	static const char *const names[UNWIND_METHOD_NR] = {
		[UNWIND_BY_START] = "start",
		[UNWIND_BY_SFRAME] = "sframe",
		[UNWIND_BY_EH_FRAME] = "eh_frame",
		[UNWIND_BY_CFI] = "cfi",
		[UNWIND_BY_FP] = "fp",
		[UNWIND_BY_LR] = "lr",
		[UNWIND_BY_LEAF] = "leaf",
	};

	return (unsigned int)m < UNWIND_METHOD_NR ? names[m] : "unknown";
}

/* A name that is not a backend's is a list of sources for the first one. */
static int unwinder__choose(struct unwinder *u, const char *how, struct error *err)
{
	u->backend = backends[0];
	for (size_t i = 0; how && i < ARRAY_SIZE(backends); i++) {
		if (strcmp(how, backends[i]->name))
			continue;
		u->backend = backends[i];
		how = NULL;
	}
	return unwind_sources__parse(&u->sources, how, err);
}

int unwinder__new(struct unwinder **out, const char *how, enum unwind_arch arch,
		  struct error *err)
{
	struct unwinder *u;
	int ret;

	*out = NULL;
	if ((size_t)arch >= ARRAY_SIZE(archs))
		return error__set(err, -ENOTSUP,
				  "only stacks of x86_64, aarch64 and s390x can be unwound");
	u = xzalloc(sizeof(*u));
	u->arch = archs[arch];
	u->memory.left = MAX_UNPACKED;
	ret = unwinder__choose(u, how, err);
	if (!ret)
		ret = u->backend->init(u, err);
	if (ret) {
		free(u);
		return ret;
	}
	*out = u;
	return 0;
}

static void unwinder__free_module(struct unwinder *u, struct unwind_module *um)
{
	u->backend->module_exit(um->private);
	module__free(um->m);
	free(um);
}

void unwinder__free(struct unwinder *u)
{
	if (!u)
		return;
	u->backend->exit(u);
	map64__for_each(&u->modules, slot)
		unwinder__free_module(u, slot->value);
	map64__free(&u->modules);
	free(u);
}

void unwinder__forget(struct unwinder *u, u32 module)
{
	struct unwind_module *um = u->backend->forgets ? map64__del(&u->modules, module) : NULL;

	if (!um)
		return;
	unwinder__save_module(u, um);
	unwinder__free_module(u, um);
}

void unwinder__on_open(struct unwinder *u, int (*open)(void *ctx, u32 module), void *ctx)
{
	u->open = open;
	u->open_ctx = ctx;
}

void unwinder__on_open_debug(struct unwinder *u, int (*open)(void *ctx, u32 module,
							     const struct elf_image *binary),
			     void *ctx)
{
	u->open_debug = open;
	u->open_debug_ctx = ctx;
}

static void unwinder__add_debug(struct unwinder *u, struct module *m)
{
	int fd = -ENOENT;

	if (!m->bad && u->open_debug)
		fd = u->open_debug(u->open_debug_ctx, m->id, &m->image);
	if (fd < 0)
		return;
	module__add_debug(m, fd);
	close(fd);
}

u64 unwinder__sp(const struct unwinder *u, const struct unwind_regs *regs)
{
	return regs->known >> u->arch->sp & 1 ? regs->v[u->arch->sp] : 0;
}

struct unwind_module *unwinder__module(struct unwinder *u, const struct unwind_mapping *map)
{
	struct unwind_module *um = map64__get(&u->modules, map->module);
	int fd;

	if (um && um->opened)
		return um;
	fd = u->open ? u->open(u->open_ctx, map->module) : -ENOENT;
	if (um && fd < 0)
		return um;
	if (um)
		module__free(um->m);
	else
		um = xzalloc(sizeof(*um));
	um->opened = fd >= 0;
	um->m = module__new(map->module, fd, u->arch->e_machine);
	unwinder__add_debug(u, um->m);
	map64__set(&u->modules, map->module, um);
	return um;
}

static void free_mapping(void *ctx __unused_arg, void *m)
{
	free(m);
}

struct unwind_space *unwind_space__new(struct unwinder *u)
{
	struct unwind_space *s = xzalloc(sizeof(*s));

	u->maps.put = free_mapping;
	s->u = u;
	s->maps.ops = &u->maps;
	s->generation = 1;
	return s;
}

void unwind_space__free(struct unwind_space *s)
{
	if (!s)
		return;
	if (s->u->backend->space_exit)
		s->u->backend->space_exit(s);
	tree64__free(&s->maps);
	free(s);
}

void unwind_space__add(struct unwind_space *s, const struct unwind_mapping *m)
{
	struct unwind_mapping *own;

	if (m->start >= m->end)
		return;
	unwind_space__remove(s, m->start, m->end);
	own = xzalloc(s->u->backend->map_size);
	*own = *m;
	tree64__add(&s->maps, m->end, own);
}

void unwind_space__remove(struct unwind_space *s, u64 start, u64 end)
{
	const struct unwind_mapping *m;

	while ((m = tree64__behind(&s->maps, start)) != NULL && m->start < end)
		tree64__del(&s->maps, m->end);
	s->generation++;
}

void unwind_space__clear(struct unwind_space *s)
{
	tree64__free(&s->maps);
	s->generation++;
}

struct unwind_mapping *unwind_space__find(const struct unwind_space *s, u64 pc)
{
	struct unwind_mapping *m = tree64__behind(&s->maps, pc);

	return m && m->start <= pc ? m : NULL;
}

bool unwind_chain__add(struct unwind_chain *c, u64 ip, enum unwind_method method)
{
	if (c->nr >= c->max) {
		c->stop = UNWIND_LIMIT;
		return false;
	}
	if (unlikely(ip__is_context(ip))) {
		c->stop = UNWIND_BAD_RA;
		return false;
	}
	if (c->methods)
		c->methods[c->nr] = method;
	c->found[method]++;
	c->ips[c->nr++] = ip;
	return true;
}

void unwind_chain__drop(struct unwind_chain *c)
{
	c->nr--;
	if (c->methods)
		c->found[c->methods[c->nr]]--;
}

bool unwinder__is_shared(const struct unwinder *u)
{
	return u->backend->threads;
}

static bool space__walk(struct unwind_space *s, const struct unwind_regs *regs,
			const struct unwind_stack *stack, bool owner, struct unwind_chain *chain)
{
	const struct unwind_arch_info *arch = s->u->arch;

	chain->nr = 0;
	chain->depth = 0;
	chain->stop = UNWIND_NO_REGS;
	memset(chain->found, 0, sizeof(chain->found));
	if (!(regs->known >> arch->pc & 1))
		return true;
	if (!unwind_chain__add(chain, regs->v[arch->pc], UNWIND_BY_START))
		return true;
	if (regs->compat) {
		chain->stop = UNWIND_COMPAT;
		return true;
	}
	if (!s->u->backend->walk(s, regs, stack, owner, chain))
		return false;
	if (chain->stop == UNWIND_COPY_SHORT && stack->to_end)
		chain->stop = UNWIND_STACK_ENDS;
	return true;
}

void unwind__walk(struct unwind_space *s, const struct unwind_regs *regs,
		  const struct unwind_stack *stack, struct unwind_chain *chain)
{
	space__walk(s, regs, stack, true, chain);
}

bool unwind__try(struct unwind_space *s, const struct unwind_regs *regs,
		 const struct unwind_stack *stack, struct unwind_chain *chain)
{
	return space__walk(s, regs, stack, false, chain);
}
