// SPDX-License-Identifier: GPL-2.0-only
/* perf data: bundles of a recording with what it takes to read it; other formats. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin-build-ids.h"
#include "builtin-data-convert.h"
#include "builtin-data-push.h"
#include "builtin.h"
#include "util/base/hash.h"
#include "util/base/log.h"
#include "util/binary/bundle-fill.h"
#include "util/cli/debug-servers.h"
#include "util/cli/options.h"
#include "util/cli/other-perf.h"
#include "util/cli/reader-privileges.h"
#include "util/jit/jit-dumps.h"

#define MAX_NAMED 10 /* binaries that are left out, by their names */
#define LEVEL 3

struct data_cmd {
	const char *input, *output;
	bool force;
	int verbose;
	unsigned int level;
	struct symbols_opts symbols;
	struct debug_servers servers;
	struct bundle_writer *writer;
	struct map64 jit_pids; /* whose files are in it */
	struct bundle_debug debug;
	bool no_kernel_debug;
	u32 nr_binaries, nr_maps, nr_left_out;
	int failed; /* the first -errno of writing */
};

static const char *const data_usage[] = {
	"perf data bundle [<options>]",
	"perf data convert --to <format> [<options>]",
	"perf data push --url <url> [<options>]",
	"perf data <command of another perf>",
	NULL,
};

static void leave_out(struct data_cmd *c, const char *name, const char *why)
{
	if (c->nr_left_out++ < MAX_NAMED)
		pr_warn("%s is not in the bundle: %s\n", name, why);
}

/* @ret: what adding has returned. Files that cannot be read are no reason to end. */
static bool is_added(struct data_cmd *c, int ret)
{
	if (ret && ret != -EEXIST && ret != -EINVAL)
		c->failed = c->failed ?: ret;
	return !ret;
}

static void add_kernel(struct data_cmd *c, const struct build_ids_item *item)
{
	int ret = bundle__add_kernel(c->writer, &c->symbols.binary, item->id);

	if (ret == -ENOENT || ret == -EACCES)
		leave_out(c, item->name, ret == -ENOENT ? "its names are not known here" :
			  "its addresses are hidden (kernel.kptr_restrict)");
	else
		is_added(c, ret);
}

/* Lines and inlined functions of the kernel or of a module. Without them, names are there. */
static void add_kernel_debug(struct data_cmd *c, const struct build_ids_item *item)
{
	const struct bundle_kernel kernel = {
		.release = item->release, .vmlinux = c->symbols.vmlinux,
	};
	int ret;

	if (c->no_kernel_debug || !item->id->size)
		return;
	ret = bundle__add_kernel_debug(c->writer, symbols__binaries(item->symbols), item->dso,
				       item->id, &kernel, &c->debug);
	if (ret && item->dso->kind == DSO_KERNEL && kernel.vmlinux)
		leave_out(c, kernel.vmlinux, ret == -ESTALE ? "it is of another kernel than the "
			  "recorded one" : strerror(-ret));
	else if (ret != -ENOENT)
		is_added(c, ret);
}

static void add_map(struct data_cmd *c, const struct build_ids_item *item)
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
static void add_jit(struct data_cmd *c, const struct build_ids_item *item)
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
	struct data_cmd *c;
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

static void add_splits(struct data_cmd *c, const struct build_ids_item *item)
{
	struct split_files s = { .c = c };

	symbols__each_split(item->symbols, item->dso, add_split, &s);
	if (s.nr_left_out)
		leave_out(c, item->name, "files of split units (.dwo) beyond 30,000; dwp packs "
			  "them into one");
}

static void add_binary(struct data_cmd *c, const struct build_ids_item *item)
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
	struct data_cmd *c = ctx;

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

static int add_recording(struct data_cmd *c, struct error *err)
{
	struct reader *r;
	int ret, fd;

	ret = reader__open(&r, c->input, c->force, err);
	if (ret)
		return ret;
	reader__close(r);
	fd = open(c->input, O_RDONLY | O_CLOEXEC);
	ret = fd < 0 ? -errno :
	      bundle_writer__add(c->writer, BUNDLE_RECORDING, fd, BUNDLE_WHOLE);
	if (fd >= 0)
		close(fd);
	return ret ? error__set(err, ret, "'%s' cannot be packed: %s", c->input,
				ret == -EINVAL ? "it is not a regular file" : strerror(-ret)) : 0;
}

static int write_bundle(struct data_cmd *c, struct error *err)
{
	u64 size, unpacked;
	int ret = add_recording(c, err);

	if (!ret)
		ret = build_ids__visit(c->input, c->force, BUILD_IDS_NEEDED, &c->symbols, add_item,
				       c, err);
	if (!ret && c->failed)
		ret = error__set(err, c->failed, "cannot write %s: %s", c->output,
				 strerror(-c->failed));
	if (!ret)
		ret = bundle_writer__finish(c->writer, &size, &unpacked, err);
	if (ret)
		return ret;
	if (c->nr_left_out > MAX_NAMED)
		pr_warn("%u more binaries are not in the bundle\n", c->nr_left_out - MAX_NAMED);
	if (c->debug.missing)
		pr_info("No debug files are here of %u binaries, whose source lines and inlined "
			"functions are not in the bundle. -v names them.\n", c->debug.missing);
	pr_info("[ perf data bundle: %u binaries, %u debug files, %u files of JIT code: %.3f MB in "
		"%s, %.3f MB unpacked ]\n", c->nr_binaries, c->debug.packed, c->nr_maps,
		size / 1024.0 / 1024.0, c->output, unpacked / 1024.0 / 1024.0);
	return 0;
}

static int bundle(int argc, const char **argv)
{
	struct data_cmd c = { .input = "perf.data", .level = LEVEL };
	char *output = NULL;
	struct error err = {};
	bool quiet = false;
	int ret;
	const struct option options[] = {
		OPT_STRING('i', "input", &c.input, "file", "the recording"),
		OPT_STRING('o', "output", &c.output, "file", "the bundle; by default INPUT.bundle"),
		OPT_UINT('z', "compression-level", &c.level, "n", "of zstd, 1 to 19 (3)"),
		OPT_SYMFS(c.symbols.binary),
		OPT_STRING('k', "vmlinux", &c.symbols.vmlinux, "file",
			   "the recorded kernel, with debug information"),
		OPT_BOOL(0, "no-kernel-debug", &c.no_kernel_debug,
			 "leave out the debug files of the kernel and its modules"),
		OPT_BOOL('f', "force", &c.force, "read recordings that belong to other users"),
		OPT_BOOL('q', "quiet", &quiet, "print errors only"),
		OPT_INCR('v', "verbose", &c.verbose, "print more messages"),
		OPT_END(),
	};

	argc = options__parse(argc, argv, options, data_usage, 0);
	if (argc)
		usage__die(options, data_usage, "unexpected argument '%s': name files with -i and "
			   "-o", argv[0]);
	if (c.level < 1 || c.level > 19)
		usage__die(options, data_usage, "-z %u is not a level of zstd (1 to 19)", c.level);
	log__set_level(quiet ? LOG_QUIET : c.verbose);
	if (!c.output)
		c.output = output = xasprintf("%s.bundle", c.input);
	debug_servers__use(&c.servers, &c.symbols.binary);
	reader__drop_privileges(c.output);
	ret = bundle_writer__open(&c.writer, c.output, c.level, &err);
	if (!ret)
		ret = write_bundle(&c, &err);
	bundle_writer__free(c.writer);
	map64__free(&c.jit_pids);
	if (ret)
		pr_err("%s\n", err.text);
	free(output);
	return ret ? 1 : 0;
}

/* `perf data ls` and the like. */
static int run_other(int argc, const char **argv)
{
	const char **all = xcalloc(argc + 2, sizeof(*all));
	int ret;

	all[0] = "perf";
	memcpy(all + 1, argv, argc * sizeof(*all));
	ret = other_perf__become(all);
	pr_err("'perf data %s' is a command of Linux perf that this perf does not have%s\n",
	       argv[1], ret == -ENOENT ? ", and there is no other perf in PATH to run it" : "");
	free(all);
	return 1;
}

int cmd_data(int argc, const char **argv)
{
	const struct option none[] = { OPT_END() };

	if (argc == 1)
		usage__die(none, data_usage, "say what to do: bundle, convert or push");
	if (!strcmp(argv[1], "bundle"))
		return bundle(argc - 1, argv + 1);
	if (!strcmp(argv[1], "convert"))
		return data__convert(argc - 1, argv + 1);
	if (!strcmp(argv[1], "push"))
		return data__push(argc - 1, argv + 1);
	if (argv[1][0] != '-')
		return run_other(argc, argv);
	return bundle(argc, argv);
}
