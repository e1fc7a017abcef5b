// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "env.h"

#include <string.h>
#include <sys/auxv.h>

static void *checked(const struct unwind_env *env, void *p)
{
	if (unlikely(!p))
		env__fail(env);
	return p;
}

/* Allocators may return NULL for 0 bytes, which is no failure. */
static size_t at_least_one(size_t size)
{
	return size ? size : 1;
}

void *env__alloc(const struct unwind_env *env, size_t size)
{
	return checked(env, env->alloc->alloc(env->alloc->ctx, at_least_one(size)));
}

void *env__zalloc(const struct unwind_env *env, size_t size)
{
	return checked(env, env->alloc->zalloc(env->alloc->ctx, at_least_one(size)));
}

void *env__array(const struct unwind_env *env, size_t nr, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(nr, size, &bytes))
		return checked(env, NULL);
	return env__zalloc(env, bytes);
}

void *env__copy(const struct unwind_env *env, const void *p, size_t size)
{
	void *copy = env__alloc(env, size);

	if (copy && size)
		memcpy(copy, p, size);
	return copy;
}

void *env__resize(const struct unwind_env *env, void *p, size_t size)
{
	return checked(env, env->alloc->resize(env->alloc->ctx, p, at_least_one(size)));
}

void env__free(const struct unwind_env *env, void *p)
{
	if (p)
		env->alloc->free(env->alloc->ctx, p);
}

int env__map(const struct unwind_env *env, int fd, unsigned int flags, struct unwind_file *file)
{
	*file = (struct unwind_file){};
	return env->files->map(env->files->ctx, fd, flags, file);
}

void env__unmap(const struct unwind_env *env, struct unwind_file *file)
{
	if (file->data || file->handle)
		env->files->unmap(env->files->ctx, file);
	*file = (struct unwind_file){};
}

void env__fetch(const struct unwind_env *env, const struct unwind_file *file, const void *data,
		size_t len)
{
	if (env->files->fetch && len)
		env->files->fetch(env->files->ctx, file, data, len);
}

/* The kernel gives each process 16 random bytes (getauxval(3)). */
u64 env__seed(void)
{
	const void *random = (const void *)getauxval(AT_RANDOM);
	u64 seed = 0;

	if (random)
		memcpy(&seed, random, sizeof(seed));
	return seed;
}
