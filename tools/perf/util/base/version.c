// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "hash-bytes.h"
#include "perf-version.h" /* generated, as is build-options.h: see tools/build */
#include "version.h"

const char *perf__version(void)
{
	return PERF_VERSION;
}

const char *perf__typed(void)
{
	static const char *const extension[] = { "perf-whole", "perf-stitch", "perf-unwind" };

	for (size_t i = 0; i < ARRAY_SIZE(extension); i++)
		if (!strcmp(program_invocation_short_name, extension[i]))
			return "perf whole";
	return "perf";
}

/* Hashes the notes of the program itself, which dl_iterate_phdr() shows first. */
static int hash_notes(struct dl_phdr_info *info, size_t size __unused_arg, void *ctx)
{
	u64 *hash = ctx;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];

		const void *notes = (const void *)(info->dlpi_addr + ph->p_vaddr);

		if (ph->p_type == PT_NOTE)
			*hash = hash_mix(*hash ^ stable_hash_bytes(notes, ph->p_memsz));
	}
	return 1;
}

u64 perf__build(void)
{
	u64 hash = stable_hash_bytes(PERF_VERSION, sizeof(PERF_VERSION));

	dl_iterate_phdr(hash_notes, &hash);
	return hash;
}

const struct build_option *perf__build_option(size_t i)
{
	static const struct build_option options[] = {
#define BUILD_OPTION(name, macro, on, version) { name, macro, on, version },
#include "build-options.h"
#undef BUILD_OPTION
	};

	return i < ARRAY_SIZE(options) ? &options[i] : NULL;
}

void build_option__print(const struct build_option *o)
{
	printf("%22s: [ %s ]  # %s%s%s\n", o->name, o->on ? "on " : "OFF", o->macro,
	       *o->version ? ", " : "", o->version);
}
