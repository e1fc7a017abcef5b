// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Unwinders, and what is common to all walks. */
#include <string.h>

#include "source/cfi.h"
#include "space/backend.h"

static void unwinder__free_module(struct unwinder *u, struct unwind_module *um)
{
	u->backend->module_exit(um->private);
	module__free(um->m);
	env__free(&u->env, um);
}

/* A module leaves the tree. */
static void put_module(void *ctx, void *um)
{
	unwinder__free_module(ctx, um);
}

static int unwinder__init(struct unwinder *u, const struct unwinder_opts *opts)
{
	u->env = (struct unwind_env){
		.alloc = opts->alloc ?: &unwind_alloc__default,
		.files = opts->files ?: &unwind_files__default,
		.failures = &u->failures,
	};
	u->arch = unwind_arch_info__of(opts->arch);
	u->memory.left = CFI_MAX_MEMORY;
	u->module_ops.env = &u->env;
	u->module_ops.put = put_module;
	u->module_ops.ctx = u;
	u->modules.ops = &u->module_ops;
	return unwind_sources__parse(&u->sources, opts->sources);
}

int unwinder__new_with(struct unwinder **out, const struct unwinder_opts *opts,
		       const struct unwind_backend *backend)
{
	const struct unwind_alloc *alloc = opts->alloc ?: &unwind_alloc__default;
	struct unwinder *u;
	int ret;

	*out = NULL;
	if (!unwind_arch_info__of(opts->arch))
		return -ENOTSUP;
	u = alloc->zalloc(alloc->ctx, sizeof(*u));
	if (!u)
		return -ENOMEM;
	u->backend = backend;
	ret = unwinder__init(u, opts);
	if (!ret)
		ret = backend->init(u);
	if (ret)
		alloc->free(alloc->ctx, u);
	else
		*out = u;
	return ret;
}

int unwinder__new(struct unwinder **out, const struct unwinder_opts *opts)
{
	return unwinder__new_with(out, opts, &unwind_backend_table);
}

void unwinder__free(struct unwinder *u)
{
	struct unwind_env env;

	if (!u)
		return;
	u->backend->exit(u);
	tree64__free(&u->modules);
	env = u->env;
	env.failures = NULL;
	env__free(&env, u);
}

void unwinder__forget(struct unwinder *u, u32 module)
{
	struct unwind_module *um = tree64__above(&u->modules, module);

	if (!u->backend->forgets || !um || um->m->id != module)
		return;
	unwinder__save_module(u, um);
	(void)tree64__del(&u->modules, (u64)module + 1);
}

void unwinder__on_open(struct unwinder *u, int (*open)(void *ctx, u32 module), void *ctx)
{
	u->open = open;
	u->open_ctx = ctx;
}

void unwinder__on_open_debug(struct unwinder *u, int (*open)(void *ctx, u32 module), void *ctx)
{
	u->open_debug = open;
	u->open_debug_ctx = ctx;
}

u64 unwinder__sp(const struct unwinder *u, const struct unwind_regs *regs)
{
	return regs->known >> u->arch->sp & 1 ? regs->v[u->arch->sp] : 0;
}

bool unwinder__is_shared(const struct unwinder *u)
{
	return u->backend->threads;
}

bool unwind_space__function(struct unwind_space *s, u64 addr, u64 *start)
{
	return s->u->backend->function && s->u->backend->function(s, addr, start);
}

bool unwind_space__follows_call(struct unwind_space *s, u64 ra)
{
	return !s->u->backend->follows_call || s->u->backend->follows_call(s, ra);
}

bool unwind_space__left_out(struct unwind_space *s, const struct unwind_gap *gap, u64 *between)
{
	return s->u->backend->left_out && s->u->backend->left_out(s, gap, between);
}

/* What a walk could not be sure of, since there was no memory, is not what ended it. */
static void space__end_walk(struct unwind_space *s, const struct unwind_stack *stack,
			    u64 failures, struct unwind_chain *chain)
{
	bool unmapped = chain->stop == UNWIND_NO_MODULE || chain->stop == UNWIND_BAD_RA;

	if (chain->stop == UNWIND_COPY_SHORT && stack->to_end)
		chain->stop = UNWIND_STACK_ENDS;
	if (unlikely(failures != env__failures(&s->u->env) || (s->incomplete && unmapped)))
		chain->stop = UNWIND_NO_MEMORY;
}

static bool space__walk(struct unwind_space *s, const struct unwind_regs *regs,
			const struct unwind_stack *stack, enum unwind_who who,
			struct unwind_chain *chain)
{
	const struct unwind_arch_info *arch = s->u->arch;
	u64 failures = env__failures(&s->u->env);

	chain->nr = 0;
	chain->skips_away = false;
	chain->missing = 0;
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
	if (!s->u->backend->walk(s, regs, stack, who, chain))
		return false;
	space__end_walk(s, stack, failures, chain);
	return true;
}

void unwind__walk(struct unwind_space *s, const struct unwind_regs *regs,
		  const struct unwind_stack *stack, struct unwind_chain *chain)
{
	space__walk(s, regs, stack, UNWIND_OWNER, chain);
}

bool unwind__try(struct unwind_space *s, const struct unwind_regs *regs,
		 const struct unwind_stack *stack, struct unwind_chain *chain)
{
	return space__walk(s, regs, stack, UNWIND_OTHER, chain);
}

void unwind__walk_prepared(struct unwind_space *s, const struct unwind_regs *regs,
			   const struct unwind_stack *stack, struct unwind_chain *chain)
{
	space__walk(s, regs, stack, UNWIND_HANDLER, chain);
}
