// SPDX-License-Identifier: GPL-2.0-only
#include "secure-env.h"

#include <dlfcn.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/log.h"

bool secure_env__is_privileged(void)
{
	return getauxval(AT_SECURE);
}

const char *secure_env__get(const char *name)
{
	return secure_env__is_privileged() ? NULL : getenv(name);
}

const char *secure_env__home(void)
{
	struct passwd *user;

	if (!secure_env__is_privileged())
		return getenv("HOME");
	user = getpwuid(getuid());
	return user ? user->pw_dir : NULL;
}

const char *secure_env__harmless(const char *name)
{
	return getenv(name);
}

void secure_env__set(const char *name, const char *value, const char *asked)
{
	setenv(name, value, 1);
	if (secure_env__is_privileged())
		pr_warn("%s has no effect: the file of this perf has capabilities, so it uses only "
			"the default paths\n", asked);
}

void secure_env__forget(void)
{
	if (secure_env__is_privileged())
		clearenv();
}

void secure_env__forget_files(void)
{
	static const char *const files[] = {
		"HOME", "TERMINFO", "TERMINFO_DIRS", "TERMCAP", "TERMPATH", "TMPDIR",
		"SQLITE_TMPDIR",
	};

	for (size_t i = 0; secure_env__is_privileged() && i < ARRAY_SIZE(files); i++)
		unsetenv(files[i]);
}

static bool is_safe(const char *path, u32 owner, bool is_parent)
{
	struct stat st;
	bool owned, shared;

	if (stat(path, &st))
		return false;
	owned = !st.st_uid || st.st_uid == owner;
	shared = st.st_mode & S_IWOTH || (st.st_mode & S_IWGRP && st.st_gid);
	/* In /tmp and the like nobody can rename what is another's. */
	if (is_parent && st.st_mode & S_ISVTX && !st.st_uid)
		shared = false;
	return owned && !shared;
}

bool trusted_path__check(const char *path, u32 owner)
{
	char real[PATH_MAX], *slash;

	if (!realpath(path, real) || !is_safe(real, owner, false))
		return false;
	while ((slash = strrchr(real, '/')) && slash != real) {
		*slash = '\0';
		if (!is_safe(real, owner, true))
			return false;
	}
	return is_safe("/", owner, true);
}

void *trusted_code__load(const char *name, int flags, struct error *err)
{
	char real[PATH_MAX];
	void *object;

	if (strchr(name, '/') && secure_env__is_privileged()) {
		if (!realpath(name, real) || !trusted_path__check(real, 0)) {
			error__set(err, -EPERM, "%s is not loaded: this perf has capabilities, and "
						"users other than root can write there", name);
			return NULL;
		}
		name = real; /* without links, which others might exchange now */
	}
	object = dlopen(name, flags);
	if (!object)
		error__set(err, -ENOENT, "%s", dlerror());
	return object;
}
