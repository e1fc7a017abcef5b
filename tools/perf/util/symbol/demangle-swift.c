// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of Swift, through its own library: nothing else reads them whole. Debian has it in a
 * directory of its compiler. It is loaded at the first such name, by this process, as the one that
 * calls it may open nothing.
 */
#include <dlfcn.h>
#include <string.h>

#include "../io/secure-env.h"
#include "demangle.h"

/* SwiftDemangle.h of Swift: returns the length of what it would write; 0: not such a name. */
typedef size_t (*swift_fn)(const char *mangled, char *out, size_t size);

bool swift_name__is_sign(const char *name)
{
	name += name[0] == '_';
	return name[0] == '$' && name[1] && strchr("sSe", name[1]) && name[2];
}

static void serve_name(void *ctx, const char *name, char *plain)
{
	swift_fn demangle;

	memcpy(&demangle, &ctx, sizeof(demangle));
	if (demangle(name, plain, CXX_MAX_PLAIN) >= CXX_MAX_PLAIN)
		plain[0] = '\0';
}

static void *load(void)
{
	static const char *const libraries[] = {
		"libswiftDemangle.so", "/usr/libexec/swift/lib/libswiftDemangle.so",
	};
	void *object = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(libraries) && !object; i++)
		object = trusted_code__load(libraries[i], RTLD_NOW, NULL);
	return object ? dlsym(object, "swift_demangle_getSimplifiedDemangledName") : NULL;
}

void swift_name__load(void)
{
	(void)load();
}

char *swift_name__demangle(const char *name, struct demangler *d)
{
	if (!d)
		return NULL;
	if (!d->swift_tried)
		d->swift = load();
	d->swift_tried = true;
	return d->swift ? name_apart__demangle(&d->swift_names, serve_name, d->swift, name, d) :
			  NULL;
}
