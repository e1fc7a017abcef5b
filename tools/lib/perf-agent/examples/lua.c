// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * A module of Lua 5.4 that tells the functions of Lua to `perf record --agent`, by Lua's own API:
 *
 *	cc -shared -fPIC -o follow.so lua.c -I/usr/include/lua5.4 -I.../include
 *	local follow = require "follow"
 *	follow(main)               -- calls main(); what it calls is told
 *
 * lua_getstack() and lua_getinfo() with "nSl" only read the interpreter's structures, so they may
 * run in the middle of whatever it does: what they meet in the middle of a change may be a function
 * that has just returned, or a load that faults, which ends the walk.
 *
 * Lua does not say where on the C stack its calls are. So all functions are put below the native
 * function follow(). Coroutines are not told.
 */
#include <lauxlib.h>
#include <lua.h>
#include <perf/agent.h>

#define DEPTH_MAX 200

/* A call of follow(), of this thread. */
struct followed {
	lua_State *lua;
	struct followed *caller;
};

/* Initial exec: another kind may be allocated at its first use, which a handler must not do. */
static __thread struct followed *volatile innermost __attribute__((tls_model("initial-exec")));

static void tell_frame(struct perf_agent_walk *w, const lua_Debug *d, const void *entry)
{
	const char *unnamed = *d->what == 'm' ? "main chunk" : "function";
	const struct perf_agent_function f = {
		.name = d->name ? d->name : unnamed, /* as in Lua's tracebacks */
		.file = d->short_src,
		.first_line = d->linedefined,
		.last_line = d->lastlinedefined,
	};

	perf_agent_frame(w, &f, d->currentline > 0 ? d->currentline : d->linedefined, entry);
}

static void tell(struct perf_agent_walk *w, const void *context, void *ctx)
{
	struct followed *f = innermost;
	lua_Debug d, last;
	int frames = 0;

	(void)context;
	(void)ctx;
	for (int level = 0; f && level < DEPTH_MAX && lua_getstack(f->lua, level, &d); level++) {
		if (!lua_getinfo(f->lua, "nSl", &d) || *d.what == 'C')
			continue;
		/* The one before has a caller, so it is not the outermost. */
		if (frames++)
			tell_frame(w, &last, NULL);
		last = d;
	}
	if (frames)
		tell_frame(w, &last, f);
}

static int follow(lua_State *lua)
{
	struct followed f = { lua, innermost };
	int error;

	innermost = &f;
	error = lua_pcall(lua, lua_gettop(lua) - 1, LUA_MULTRET, 0);
	innermost = f.caller;
	return error ? lua_error(lua) : lua_gettop(lua);
}

int luaopen_follow(lua_State *lua);

int luaopen_follow(lua_State *lua)
{
	(void)perf_agent_follow(tell, NULL);
	lua_pushcfunction(lua, follow);
	return 1;
}
