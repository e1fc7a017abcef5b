// SPDX-License-Identifier: GPL-2.0-only
/* Synthesizes the mappings of the kernel and its modules: see synthesize.h. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#include "../io/procfile.h"
#include "synth-record.h"

#define KERNEL_PID ((u32)-1)

/*
 * Returns the bytes from _text to _etext by /proc/iomem; 0 when it does not say, or hides it, as
 * without CAP_SYS_ADMIN.
 */
static u64 kernel_text_size(void)
{
	u64 start = 0, end = 0, size = 0;
	char *text, *next, *line;

	if (procfile__read("/proc/iomem", &text, NULL))
		return 0;
	next = text;
	while (!size && (line = strsep(&next, "\n"))) {
		/*   01000000-02209987 : Kernel code */
		if (!strstr(line, " : Kernel code") ||
		    sscanf(line, " %" SCNx64 "-%" SCNx64, &start, &end) != 2)
			continue;
		if (end > start)
			size = end - start + 1;
	}
	free(text);
	return size;
}

/*
 * _text is among the first symbols of /proc/kallsyms, _etext behind a hundred thousand, which take
 * the kernel 40 ms.
 */
void kernel_text__read(struct kernel_text *t)
{
	u64 size = kernel_text_size();
	bool hidden = false;
	char line[512];
	FILE *f;

	*t = (struct kernel_text){};
	f = fopen("/proc/kallsyms", "re");
	while (f && !hidden && !t->end && fgets(line, sizeof(line), f)) {
		/* ffffffff81000000 T _text */
		const char *name = strrchr(line, ' ');

		if (name && !strcmp(name, " _text\n")) {
			t->start = strtoull(line, NULL, 16);
			t->end = size ? t->start + size : 0;
			hidden = !t->start;
		} else if (name && !strcmp(name, " _etext\n")) {
			t->end = strtoull(line, NULL, 16);
		}
	}
	if (f)
		fclose(f);
	if (!t->start || t->end <= t->start)
		*t = (struct kernel_text){};
}

static int emit_kernel(struct synthesize *s)
{
	struct synth_mmap2 r = {
		.misc = PERF_RECORD_MISC_KERNEL,
		.pid = KERNEL_PID,
		.prot = PROT_EXEC,
		.filename = "[kernel.kallsyms]_text",
	};
	struct kernel_text text;

	if (s->kernel_text)
		text = *s->kernel_text;
	else
		kernel_text__read(&text);
	if (!text.start)
		return 0;
	r.start = r.pgoff = text.start;
	r.len = text.end - text.start;
	if (!s->kernel_build_id || s->kernel_build_id(&r.build_id))
		r.build_id.size = 0;
	return synth__mmap2(s, &r);
}

/* "kernel/fs/ext4/ext4.ko.xz" is the file of module "ext4"; - and _ are the same in names. */
static bool is_module_file(const char *path, size_t len, const char *name)
{
	const char *base = memrchr(path, '/', len);
	size_t i = 0;

	base = base ? base + 1 : path;
	for (; name[i] && base + i < path + len; i++) {
		char a = base[i] == '-' ? '_' : base[i], b = name[i] == '-' ? '_' : name[i];

		if (a != b)
			return false;
	}
	return !name[i] && !strncmp(base + i, ".ko", 3);
}

/* @deps is the text of modules.dep: "path: paths it needs", one line each. */
static char *module_path(const char *deps, const char *dir, const char *name)
{
	while (deps && *deps) {
		size_t len = strcspn(deps, ":\n");

		if (is_module_file(deps, len, name))
			return xasprintf("%s/%.*s", dir, (int)len, deps);
		deps = strchr(deps, '\n');
		deps = deps ? deps + 1 : NULL;
	}
	return xasprintf("[%s]", name);
}

static int emit_module(struct synthesize *s, const char *deps, const char *dir, const char *line)
{
	struct synth_mmap2 r = {
		.misc = PERF_RECORD_MISC_KERNEL,
		.pid = KERNEL_PID,
		.prot = PROT_EXEC,
	};
	char name[128], *path;
	int ret;

	/* ext4 1118208 1 - Live 0xffffffffc0a00000 */
	if (sscanf(line, "%127s %" SCNu64 " %*s %*s %*s %" SCNx64, name, &r.len, &r.start) != 3 ||
	    !r.start || !r.len)
		return 0;
	if (!s->module_build_id || s->module_build_id(name, &r.build_id))
		r.build_id.size = 0;
	path = module_path(deps, dir, name);
	r.filename = path;
	ret = synth__mmap2(s, &r);
	free(path);
	return ret;
}

int synth__modules(struct synthesize *s, char *modules, const char *deps, const char *dir)
{
	char *line;
	int ret = 0;

	while (!ret && (line = strsep(&modules, "\n")))
		ret = emit_module(s, deps, dir, line);
	return ret;
}

static int emit_modules(struct synthesize *s)
{
	char *modules, *deps = NULL, *dir, *path;
	struct utsname u;
	int ret;

	if (procfile__read("/proc/modules", &modules, NULL))
		return 0; /* a kernel without modules has no such file */
	uname(&u);
	dir = xasprintf("/lib/modules/%s", u.release);
	path = xasprintf("%s/modules.dep", dir);
	if (procfile__read(path, &deps, NULL))
		deps = NULL;
	ret = synth__modules(s, modules, deps, dir);
	free(path);
	free(dir);
	free(deps);
	free(modules);
	return ret;
}

int synthesize__kernel(struct synthesize *s)
{
	int ret = emit_kernel(s);

	return ret ? ret : emit_modules(s);
}
