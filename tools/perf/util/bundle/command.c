// SPDX-License-Identifier: GPL-2.0-only
#include "command.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../base/hash.h"
#include "../base/log.h"
#include "../binary/bundle-fill.h"
#include "../build-ids/build-ids.h"
#include "../cli/debug-servers.h"
#include "../cli/input.h"
#include "../cli/reader-confine.h"
#include "../cli/reader-privileges.h"
#include "../jit/jit-dumps.h"

#define MAX_NAMED 10 /* binaries that are left out, by their names */

struct bundle_command {
	const struct bundle_command_opts *opts;
	struct symbols_opts symbols; /* of .opts, with debug servers */
	struct bundle_writer *writer;
	struct map64 jit_pids; /* whose files are in it */
	struct bundle_debug debug;
	u32 nr_binaries, nr_maps, nr_left_out;
	int failed; /* the first -errno of writing */
};

static void leave_out(struct bundle_command *c, const char *name, const char *why)
{
	if (c->nr_left_out++ < MAX_NAMED)
		pr_warn("%s is not in the bundle: %s\n", name, why);
}

/* @ret: what adding has returned. Files that cannot be read are no reason to end. */
static bool is_added(struct bundle_command *c, int ret)
{
	if (ret && ret != -EEXIST && ret != -EINVAL)
		c->failed = c->failed ?: ret;
	return !ret;
}

static void add_kernel(struct bundle_command *c, const struct build_ids_item *item)
{
	int ret = bundle__add_kernel(c->writer, &c->symbols.binary, item->id);

	if (ret == -ENOENT || ret == -EACCES)
		leave_out(c, item->name, ret == -ENOENT ? "its symbols are unknown here" :
			  "its addresses are hidden (kernel.kptr_restrict)");
	else
		is_added(c, ret);
}

/* Lines and inlined functions of the kernel or of a module. Without them, names are there. */
static void add_kernel_debug(struct bundle_command *c, const struct build_ids_item *item)
{
	const struct bundle_kernel kernel = {
		.release = item->release, .vmlinux = c->symbols.vmlinux,
	};
	int ret;

	if (c->opts->no_kernel_debug || !item->id->size)
		return;
	ret = bundle__add_kernel_debug(c->writer, symbols__binaries(item->symbols), item->dso,
				       item->id, &kernel, &c->debug);
	if (ret && item->dso->kind == DSO_KERNEL && kernel.vmlinux)
		leave_out(c, kernel.vmlinux, ret == -ESTALE ? "it is not of the recorded "
							      "kernel" : strerror(-ret));
	else if (ret != -ENOENT)
		is_added(c, ret);
}

static void add_map(struct bundle_command *c, const struct build_ids_item *item)
{
	int fd = symbols__open_perf_map(item->symbols, item->dso);
	char name[32];

	if (fd < 0)
		return; /* memory without a file need not be code with names */
	snprintf(name, sizeof(name), "maps/%u", item->dso->pid);
	c->nr_maps += is_added(c, bundle_writer__add(c->writer, name, fd, BUNDLE_WHOLE));
	close(fd);
}

/* All code of a file is in one piece. */
static void add_jit(struct bundle_command *c, const struct build_ids_item *item)
{
	char name[32];
	int fd;

	if (map64__get(&c->jit_pids, item->dso->pid))
		return;
	map64__set(&c->jit_pids, item->dso->pid, (void *)1);
	fd = jit_dumps__open_file(item->jit, item->dso);
	if (fd < 0) {
		leave_out(c, item->name, strerror(-fd));
		return;
	}
	snprintf(name, sizeof(name), BUNDLE_JIT "/%u", item->dso->pid);
	c->nr_maps += is_added(c, bundle_writer__add(c->writer, name, fd, BUNDLE_WHOLE));
	close(fd);
}

#define MAX_SPLIT 30000 /* of a bundle's members; others have a package (.dwp) */

struct split_files {
	struct bundle_command *c;
	u32 nr, nr_left_out;
};

static bool add_split(void *ctx, u64 id, int fd)
{
	struct split_files *s = ctx;
	char name[32];

	snprintf(name, sizeof(name), BUNDLE_SPLIT, id);
	if (s->nr++ < MAX_SPLIT)
		s->c->debug.packed += is_added(s->c, bundle_writer__add(s->c->writer, name, fd,
									BUNDLE_NAMES));
	else
		s->nr_left_out++;
	return true;
}

static void add_splits(struct bundle_command *c, const struct build_ids_item *item)
{
	struct split_files s = { .c = c };

	symbols__each_split(item->symbols, item->dso, add_split, &s);
	if (s.nr_left_out)
		leave_out(c, item->name, "files of split units (.dwo) beyond 30,000; dwp packs "
			  "them into one");
}

static void add_binary(struct bundle_command *c, const struct build_ids_item *item)
{
	enum bundle_parts parts = item->unwound ? BUNDLE_WHOLE : BUNDLE_NAMES;
	struct binaries *b = symbols__binaries(item->symbols);
	int fd = binaries__fd(b, item->dso);

	if (fd < 0) {
		leave_out(c, item->name, fd == -ESTALE ? "it was replaced since it was recorded" :
			  strerror(-fd));
		return;
	}
	c->nr_binaries += is_added(c, bundle__add_binary(c->writer, b, item->dso, parts,
							 &c->debug));
	if (item->dso->kind == DSO_USER)
		add_splits(c, item);
}

static void add_item(void *ctx, const struct build_ids_item *item)
{
	struct bundle_command *c = ctx;

	switch (item->dso ? item->dso->kind : DSO_BPF) {
	case DSO_KERNEL:
		add_kernel(c, item);
		add_kernel_debug(c, item);
		break;
	case DSO_MODULE: /* its names are among the kernel's */
		add_kernel_debug(c, item);
		break;
	case DSO_USER:
		if (binaries__is_jit(symbols__binaries(item->symbols), item->dso))
			add_map(c, item);
		else if (item->id->size)
			add_binary(c, item);
		else
			leave_out(c, item->name, "it has no build-id");
		break;
	case DSO_VDSO:
		if (item->id->size)
			add_binary(c, item);
		break;
	case DSO_ANON:
		add_map(c, item);
		break;
	case DSO_JIT:
		add_jit(c, item);
		break;
	default: /* their names are in the recording */
		break;
	}
}

static int add_recording(struct bundle_command *c, struct error *err)
{
	struct reader *r;
	int ret, fd;

	ret = reader__open(&r, c->opts->input, c->opts->force, err);
	if (ret)
		return ret;
	reader__close(r);
	fd = input__open_file(c->opts->input, err);
	if (fd < 0)
		return fd;
	ret = bundle_writer__add(c->writer, BUNDLE_RECORDING, fd, BUNDLE_WHOLE);
	close(fd);
	return ret ? error__set(err, ret, "'%s' cannot be packed: %s", c->opts->input,
				ret == -EINVAL ? "it is not a regular file" : strerror(-ret)) : 0;
}

static int write_bundle(struct bundle_command *c, struct error *err)
{
	u64 size, unpacked;
	int ret = add_recording(c, err);

	if (!ret)
		ret = build_ids__visit(c->opts->input, c->opts->force, BUILD_IDS_NEEDED,
				       &c->symbols, add_item, c, err);
	if (!ret && c->failed)
		ret = error__set(err, c->failed, "cannot write %s: %s", c->opts->output,
				 strerror(-c->failed));
	if (!ret)
		ret = bundle_writer__finish(c->writer, &size, &unpacked, err);
	if (ret)
		return ret;
	if (c->nr_left_out > MAX_NAMED)
		pr_warn("%u more binaries are not in the bundle\n", c->nr_left_out - MAX_NAMED);
	if (c->debug.missing)
		pr_info("The debug files of %u binaries are missing here, so their source lines "
			"and inlined functions are not in the bundle. -v names "
			"them.\n", c->debug.missing);
	pr_info("[ perf data bundle: %u binaries, %u debug files, %u files of JIT code: %.3f MB in "
		"%s, %.3f MB unpacked ]\n", c->nr_binaries, c->debug.packed, c->nr_maps,
		size / 1024.0 / 1024.0, c->opts->output, unpacked / 1024.0 / 1024.0);
	return 0;
}

int bundle_command__run(const struct bundle_command_opts *opts)
{
	struct bundle_command c = { .opts = opts, .symbols = opts->symbols };
	struct debug_servers servers;
	struct error err = {};
	int ret;

	debug_servers__use(&servers, &c.symbols.binary);
	reader__drop_privileges(opts->output);
	reader__confine(&(struct reader_names){ .input = opts->input, .output = opts->output },
			&c.symbols);
	ret = bundle_writer__open(&c.writer, opts->output, opts->level, &err);
	if (!ret)
		ret = write_bundle(&c, &err);
	bundle_writer__free(c.writer);
	map64__free(&c.jit_pids);
	if (ret)
		pr_err("%s\n", err.text);
	return ret ? 1 : 0;
}
