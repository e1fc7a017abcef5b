/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The environment, and code that is loaded: the only place that asks for either (perf test
 * env-calls). A perf with capabilities of its file, or setuid, has rights that who started it has
 * not: its environment, which is that of the one who started it, counts for nothing then, and code
 * comes from folders of root alone. Why: Documentation/design/security.md
 */
#ifndef PERF_IO_SECURE_ENV_H
#define PERF_IO_SECURE_ENV_H

#include "../base/error.h"

/*
 * Returns: whether the kernel gave this program more rights than who started it has (AT_SECURE of
 *         getauxval(3)).
 */
bool secure_env__is_privileged(void);

/*
 * A variable that says where files are, which programs run, or whom to ask.
 * @name: of the variable; $HOME has a function of its own
 * Returns: its value, borrowed from the environment; NULL when it is not set or counts for nothing.
 */
const char *secure_env__get(const char *name);

/*
 * Returns: the home directory: of $HOME, or, where that counts for nothing, what the user database
 *         says. NULL when there is none. Borrowed; the next call may change it.
 */
const char *secure_env__home(void);

/*
 * A variable that may come from anybody, as it gives nobody any right: how a terminal looks, or
 * where a program lies that is run without the capabilities of perf's file, as execve(2) leaves
 * them out.
 * @name: of the variable
 * Returns: its value, borrowed from the environment; or NULL.
 */
const char *secure_env__harmless(const char *name);

/*
 * Sets a variable that says where files are, as an option of perf asks for it: for
 * secure_env__get() of this program, and for other perfs that it runs. Where it counts for nothing,
 * a warning says so.
 * @name, @value: copied
 * @asked: what the user wrote, for the warning: "--buildid-dir"
 */
void secure_env__set(const char *name, const char *value, const char *asked);

/*
 * With more rights than who started it: takes all variables away. To be called in front of
 * libraries that ask for variables by themselves, such as those of proxies and of files with keys,
 * by what runs no other program from then on.
 */
void secure_env__forget(void);

/*
 * With more rights than who started it: takes the variables away that say where libraries of
 * terminals and of databases find files; they ask for them by themselves.
 */
void secure_env__forget_files(void);

/*
 * Whether what lies at a path can be believed: it, and all folders above it, belong to root or
 * @owner, and nobody else can write to them.
 * @path: links in it are followed
 * @owner: 0: root alone
 * Returns: true when it is so; false when others could have put it there, or it is not there.
 */
bool trusted_path__check(const char *path, u32 owner);

/*
 * Loads a shared object, as dlopen(3). With more rights than who started it, perf loads by path
 * only what root alone can have put there.
 * @name: without a slash: one of the system's libraries
 * @flags: of dlopen(3)
 * Returns: the object, which stays loaded; NULL when it is not there or may not be loaded
 *          (dlerror() does not tell the second: see @err).
 */
void *trusted_code__load(const char *name, int flags, struct error *err);

#endif
