// SPDX-License-Identifier: GPL-2.0-only
#include "engine.h"

#include <dlfcn.h>
#include <string.h>

#include "../base/version.h"
#include "../io/secure-env.h"
#include "plugin.h"

struct script_engine {
	void *object; /* of dlopen() */
	const struct script_plugin *plugin;
	void *ctx;    /* the plugin's */
};

static bool is_built(const char *name)
{
	const struct build_option *o;

	for (size_t i = 0; (o = perf__build_option(i)); i++)
		if (!strcmp(o->name, name))
			return o->on;
	return false;
}

static int load(struct script_engine *e, const char *path, struct error *err)
{
	struct error why = {};

	if (!is_built("python3")) {
		error__set(err, -ENOTSUP, "this perf was built without Python: "
			   "scripts cannot be run");
		error__hint(err, "Install python3-dev (Debian), python3-devel (Fedora) or python "
			    "(Arch), and build perf again.");
		return -ENOTSUP;
	}
	/* Its modules of C look for the functions of Python among those of all. */
	e->object = trusted_code__load(path, RTLD_NOW | RTLD_GLOBAL, &why);
	if (!e->object)
		return error__set(err, why.code, "cannot load Python: %s", why.text);
	e->plugin = dlsym(e->object, SCRIPT_PLUGIN_SYMBOL);
	if (!e->plugin || strcmp(e->plugin->version, perf__version()))
		return error__set(err, -EINVAL, "%s belongs to another perf: install this one "
						"again",
				  path);
	return 0;
}

int script_engine__open(struct script_engine **out, const char *plugin,
			const struct engine_opts *opts, struct error *err)
{
	struct script_engine *e = xzalloc(sizeof(*e));
	int ret = load(e, plugin, err);

	if (!ret) {
		e->ctx = e->plugin->open(opts, err);
		ret = e->ctx ? 0 : -EINVAL;
	}
	if (ret)
		script_engine__free(e);
	*out = ret ? NULL : e;
	return ret;
}

void script_engine__free(struct script_engine *e)
{
	if (!e)
		return;
	if (e->ctx)
		e->plugin->free(e->ctx);
	/* The object stays: modules that the script has loaded may have handlers at exit. */
	free(e);
}

bool script_engine__ended(const struct script_engine *e)
{
	return e->plugin->ended(e->ctx);
}

int script_engine__status(const struct script_engine *e)
{
	return e->plugin->status(e->ctx);
}

void script_engine__source(struct script_engine *e, const struct script_source *source)
{
	e->plugin->source(e->ctx, source);
}

int script_engine__check(struct script_engine *e)
{
	return e->plugin->check(e->ctx);
}

int script_engine__sample(struct script_engine *e, const struct whole_sample *ws)
{
	return e->plugin->sample(e->ctx, ws);
}

int script_engine__record(struct script_engine *e, const struct record *rec)
{
	return e->plugin->record(e->ctx, rec);
}

void script_engine__end(struct script_engine *e)
{
	e->plugin->end(e->ctx);
}
