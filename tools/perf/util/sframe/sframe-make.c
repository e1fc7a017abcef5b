// SPDX-License-Identifier: GPL-2.0-only
#include "sframe-make.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf-added.h"
#include "../io/replace-file.h"
#include "../io/write-all.h"
#include "../../../lib/unwind/source/sframe-write.h"
#include "../../../lib/unwind/walk/table.h"

/* binutils from 2.45 on; in a file of an older one the section has the type PROGBITS. */
#define SHT_GNU_SFRAME 0x6ffffff4
#define PT_GNU_SFRAME 0x6474e554

/* Much of a file of a few bytes can be a hole; more than this is no real program. */
#define HOLES_MAX (1ULL << 30)

static const struct elf_added_kind kind = {
	.name = ".sframe", .section_type = SHT_GNU_SFRAME, .segment_type = PT_GNU_SFRAME,
};

struct making {
	const struct sframe_make *of;
	const char *path;
	bool program; /* the binary may be run */
	struct module *m;
	struct elf_added added;
	struct sframe_writer writer;
};

/* By call frame information alone, also where the file has something else. */
static int making__rows(struct making *mk, const struct unwind_arch_info *arch, struct error *err)
{
	static const struct unwind_sources sources = { .v = { UNWIND_SOURCE_EH_FRAME }, .nr = 1 };
	struct table *t = table__new(mk->m, arch, &sources, NULL);
	struct cfi_fde fde;
	struct cfi *cfi;
	int ret;

	if (!t)
		return error__set(err, -ENOMEM, "out of memory");
	table__fde(t, 0, &cfi, &fde); /* opens the sections */
	sframe_writer__init(&mk->writer, &(struct sframe_of){
		.env = mk->m->env, .arch = arch, .rows = t->rows,
		.cfi = { t->eh_frame, t->debug_frame }, .version = mk->of->version ?: 3,
		.big_endian = mk->m->image.ehdr.e_ident[EI_DATA] == ELFDATA2MSB,
		.vaddr = mk->added.vaddr,
	});
	ret = sframe_writer__run(&mk->writer);
	table__free(t);
	if (ret == -ERANGE)
		return error__set(err, ret, "'%s': the section would be more than 2 GB from the "
					    "code, which version 2 cannot express", mk->path);
	if (ret == -EFBIG)
		return error__set(err, ret, "'%s': its section would have more than 4 GB",
				  mk->path);
	if (ret)
		return error__set(err, ret, "out of memory");
	if (!mk->writer.functions)
		return error__set(err, -ENODATA, "'%s' has no call frame information to make "
						 ".sframe from", mk->path);
	return 0;
}

static int making__write_to(struct making *mk, int fd)
{
	struct bytes section = { mk->writer.section.v, mk->writer.section.nr };

	if (mk->of->alone)
		return write_all(fd, section.data, section.len, NULL);
	return elf_added__write(&mk->added, fd, section);
}

static int making__write(struct making *mk, struct error *err)
{
	const char *name = mk->of->output;
	struct replace_file file = {};
	u64 size;
	int fd, ret = replace_file__open(&file, name, err);

	if (ret)
		goto out;
	fd = replace_file__fd(&file, err);
	ret = fd < 0 ? fd : making__write_to(mk, fd);
	if (fd >= 0 && ret)
		error__set(err, ret, "cannot write to '%s': %s", name, strerror(-ret));
	file.program = mk->program && !mk->of->alone;
	if (fd >= 0)
		close(fd);
	ret = ret ?: replace_file__commit(&file, &size, err);
out:
	replace_file__abort(&file);
	return ret;
}

static void making__print_left(const struct making *mk, struct textbuf *tb)
{
	for (int why = 0; why < SFRAME_LEFT_NR; why++) {
		const struct sframe_count *left = &mk->writer.left[why];

		if (left->rows)
			textbuf__printf(tb, "%10llu rows %12llu bytes of code left out: %s\n",
					(unsigned long long)left->rows,
					(unsigned long long)left->bytes, sframe_left__text(why));
	}
}

static void making__print(const struct making *mk, struct textbuf *tb)
{
	const struct sframe_writer *w = &mk->writer;
	GElf_Shdr shdr;

	textbuf__printf(tb, "%s: .sframe version %u, %llu functions, %llu bytes for 0x%llx",
			mk->path, w->of.version, (unsigned long long)w->functions,
			(unsigned long long)w->section.nr, (unsigned long long)w->of.vaddr);
	if (elf_image__section(&mk->m->image, ".eh_frame", 0, &shdr))
		textbuf__printf(tb, "; .eh_frame has %llu", (unsigned long long)shdr.sh_size);
	textbuf__printf(tb, "\n%10llu rows %12llu bytes of code\n",
			(unsigned long long)w->said.rows, (unsigned long long)w->said.bytes);
	making__print_left(mk, tb);
	if (mk->of->output && mk->of->alone)
		textbuf__printf(tb, "objcopy --add-section .sframe=%s \\\n"
				"\t--set-section-flags .sframe=alloc,readonly \\\n"
				"\t--change-section-address .sframe=0x%llx %s COPY\n",
				mk->of->output, (unsigned long long)w->of.vaddr, mk->path);
}

static int making__run(struct making *mk, struct textbuf *tb, struct error *err)
{
	const struct unwind_arch_info *arch =
		mk->m->bad ? NULL : unwind_arch_info__by_machine(mk->m->image.ehdr.e_machine);
	int ret;

	if (!arch)
		return error__set(err, -ENOEXEC, "'%s' is not a program or library for x86_64, "
				  "aarch64 or s390x", mk->path);
	ret = elf_added__plan(&mk->added, &mk->m->image, &kind, mk->path, err) ?:
	      making__rows(mk, arch, err);
	if (!ret && mk->of->output)
		ret = making__write(mk, err);
	if (!ret && !(mk->of->output && !strcmp(mk->of->output, "-")))
		making__print(mk, tb);
	return ret;
}

int sframe_make(const struct sframe_make *make, int fd, const char *path, struct textbuf *tb,
		struct error *err)
{
	struct making mk = { .of = make, .path = path };
	struct stat st = {};
	int ret;

	fstat(fd, &st);
	mk.program = st.st_mode & 0111;
	if ((u64)st.st_size / 512 > (u64)st.st_blocks + HOLES_MAX / 512)
		return error__set(err, -EFBIG, "'%s' has holes of more than 1 GB: it is no real "
				  "program or library", path);
	mk.m = module__new(&perf_env, 0, fd, EM_NONE);
	if (!mk.m)
		return error__set(err, -ENOMEM, "out of memory");
	ret = making__run(&mk, tb, err);
	sframe_writer__exit(&mk.writer);
	elf_added__free(&mk.added);
	module__free(mk.m);
	return ret;
}
