// SPDX-License-Identifier: GPL-2.0-only
/*
 * The decoder of .sframe against what readelf prints of files that binutils 2.40, 2.44, 2.45
 * and 2.47 and LLD 14 made (tests/data/sframe), and the names of what is wrong with some of them.
 */
#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../util/elf/elf-file.h"
#include "../../util/io/mapfile.h"
#include "../../util/base/mem.h"
#include "../../../lib/unwind/source/sframe.h"
#include "../test.h"

struct sample {
	struct elf_image img;
	const struct unwind_arch_info *arch;
	struct sframe *s;
	enum sframe_flaw why;
};

static void sample__open(struct sample *sample, const char *name)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "sframe/%s", name);
	mapfile__init();
	fd = open(test__data(path), O_RDONLY | O_CLOEXEC);
	TEST_TRUE(fd >= 0);
	TEST_EQ(elf_image__open(&sample->img, fd), 0);
	close(fd);
	sample->arch = unwind_arch_info__by_machine(sample->img.ehdr.e_machine);
	TEST_TRUE(sample->arch);
	sample->s = sframe__open(&sample->img, sample->arch, &sample->why);
}

static void sample__close(struct sample *sample)
{
	sframe__free(sample->s);
	elf_image__close(&sample->img);
}

/* The function that stands at place @nr of its table. False: it is not in use. */
static bool fde_at(const struct sframe *s, const struct sframe_table *t, u32 nr,
		   struct sframe_fde *fde, enum sframe_flaw *flaw)
{
	for (u32 i = 0; i < t->nr; i++) {
		if ((t->order ? t->order[i] : i) != nr)
			continue;
		*flaw = sframe__fde(s, t, i, fde);
		return true;
	}
	return false;
}

static void reg_text(const struct sframe *s, u8 reg, char *buf, size_t size)
{
	if (reg == s->arch->dwarf_sp)
		snprintf(buf, size, "sp");
	else if (reg == s->arch->dwarf_fp)
		snprintf(buf, size, "fp");
	else
		snprintf(buf, size, "r%u", reg);
}

static void loc_text(const struct sframe_fde *f, u8 how, s32 off, char *buf, size_t size)
{
	char reg[8];

	reg_text(f->s, ROW_REG(how), reg, sizeof(reg));
	switch (ROW_KIND(how)) {
	case ROW_LOC_AT_CFA:
		snprintf(buf, size, "c%+d", off);
		break;
	case ROW_LOC_AT_REG:
		snprintf(buf, size, "(%s%+d)", reg, off);
		break;
	case ROW_LOC_IS_REG:
		if (f->flex)
			snprintf(buf, size, "%s%+d", reg, off);
		else
			snprintf(buf, size, "%s", reg);
		break;
	default:
		snprintf(buf, size, "u");
	}
}

/* As readelf prints it, without blanks; what it calls u, f or U of RA is here "-". */
static void rule_text(const struct sframe_fde *f, const struct row_rule *rule, char *buf,
		      size_t size)
{
	char cfa[24], reg[8], fp[24], ra[24] = "-";
	bool fixed = f->table->fixed_ra && ROW_KIND(rule->ra) == ROW_LOC_AT_CFA &&
		     rule->ra_off == f->table->fixed_ra;

	if (ROW_KIND(rule->cfa) == ROW_CFA_END) {
		snprintf(buf, size, "RAundefined");
		return;
	}
	reg_text(f->s, ROW_REG(rule->cfa), reg, sizeof(reg));
	snprintf(cfa, sizeof(cfa), ROW_KIND(rule->cfa) == ROW_CFA_DEREF ? "(%s%+d)" : "%s%+d", reg,
		 rule->cfa_off);
	loc_text(f, rule->fp, rule->fp_off, fp, sizeof(fp));
	if (!fixed && ROW_KIND(rule->ra) != ROW_LOC_SAME)
		loc_text(f, rule->ra, rule->ra_off, ra, sizeof(ra));
	snprintf(buf, size, "%s%s%s%s", cfa, fp, ra, rule->flags & ROW_RA_SIGNED ? "[s]" : "");
}

/* A line of readelf in the form of rule_text(). */
static void line__squeeze(char *line)
{
	char *out = line, *last;

	for (char *p = line; *p; p++)
		if (!isspace((unsigned char)*p))
			*out++ = *p;
	*out = 0;
	if (!strcmp(line, "RAundefined"))
		return;
	if (out - line > 3 && !strcmp(out - 3, "[s]"))
		out -= 3;
	last = out - 1;
	if (*last == 'u' || *last == 'f' || *last == 'U')
		*last = '-';
}

struct dump {
	struct sframe_fde fde;
	struct sframe_run run;
	u64 pc;          /* as printed: of the function's first row */
	bool in_use, first;
	u32 functions, rows, unused_functions, unused_rows;
	u32 header_functions, header_rows;
	const char *name;
};

static void dump__end_function(struct dump *d)
{
	if (d->in_use)
		TEST_TRUE(!sframe_run__next(&d->run));
	d->in_use = false;
}

static void dump__function(struct dump *d, const struct sframe *s, u32 nr, s32 size,
			   const char *attr)
{
	enum sframe_flaw flaw;

	dump__end_function(d);
	d->in_use = fde_at(s, &s->tables.v[0], nr, &d->fde, &flaw);
	d->first = true;
	d->unused_functions += !d->in_use;
	if (!d->in_use) {
		TEST_EQ(size, 0);
		return;
	}
	TEST_EQ(d->fde.end - d->fde.start, size);
	if (flaw == SFRAME_FDE_SIGNAL) {
		TEST_TRUE(strstr(attr, "\"S\""));
		d->in_use = false;
		d->unused_functions++;
		return;
	}
	if (flaw)
		TEST_FAIL("%s, function %u: %s", d->name, nr, sframe_flaw__text(flaw));
	TEST_EQ(d->fde.signal, strstr(attr, "\"S\"") != NULL);
	TEST_EQ(d->fde.flex, strstr(attr, "\"F\"") != NULL);
	if (d->fde.fixed == SFRAME_FIXED_ENTRY) {
		d->in_use = false;
		d->unused_functions++;
		return;
	}
	sframe_run__begin(&d->run, &d->fde);
	d->functions++;
}

static void dump__row(struct dump *d, u64 pc, char *line)
{
	char text[80];

	d->unused_rows += !d->in_use;
	if (!d->in_use)
		return;
	if (d->first)
		d->pc = pc;
	d->first = false;
	TEST_TRUE(sframe_run__next(&d->run));
	TEST_EQ(d->run.start, pc - d->pc);
	line__squeeze(line);
	rule_text(&d->fde, &d->run.rule, text, sizeof(text));
	if (d->fde.fixed == SFRAME_FIXED_PLT_GOT)
		TEST_STR(line, "sp+16u-");
	else
		TEST_STR(text, line);
	d->rows++;
}

/* Compares the first table of a sample with its dump. @addresses: those are right there, too. */
static void dump__compare(struct dump *d, const struct sframe *s, bool addresses)
{
	char path[128], line[256];
	FILE *f;

	snprintf(path, sizeof(path), "sframe/%s.txt", d->name);
	f = fopen(test__data(path), "r");
	TEST_TRUE(f);
	while (fgets(line, sizeof(line), f)) {
		unsigned int nr;
		int size, behind = 0;
		u64 pc;

		if (sscanf(line, " func idx [%u]: pc = %" SCNx64 ", size = %d bytes%n", &nr, &pc,
			   &size, &behind) == 3) {
			dump__function(d, s, nr, size, line + behind);
			if (addresses && d->in_use)
				TEST_EQ(d->fde.start, pc);
		} else if (sscanf(line, " Num FDEs: %u", &d->header_functions) == 1 ||
			   sscanf(line, " Num FREs: %u", &d->header_rows) == 1) {
			continue;
		} else if (sscanf(line, " %16" SCNx64 " %n", &pc, &behind) == 1 && behind > 16) {
			dump__row(d, pc, line + behind);
		}
	}
	fclose(f);
	dump__end_function(d);
}

TEST(sframe_readelf, "sframe: each row of 46 files is what readelf prints")
{
	static const char *const names[] = {
		"tiny_x86_v1.o", "tiny_x86_v2.o", "tiny_x86_v3.o", "cases_x86_v1.o",
		"cases_x86_v2.o", "cases_x86_v3.o", "sig_x86_v3.o", "restore_state_x86_v1.o",
		"restore_state_x86_v2.o", "restore_state_x86_v3.o", "prog_x86_v1", "prog_x86_v2",
		"prog_x86_v3", "ok_ld244_v2_x86", "ok_ld247_v3_x86", "concat_ld240_v2_x86",
		"concat_ld244_v3_x86", "concat_lld14_v2_x86", "cases_a64_v2.o", "cases_a64_v3.o",
		"cases_a64be_v2.o", "cases_a64be_v3.o", "so_a64_v2.so", "so_a64_v3.so",
		"cases_s390x_v3.o", "so_s390x_v3.so", "synth_s390x_v2.o", "steps_a64_v3",
		"steps_a64_v3_pac", "steps_s390x_v3", "steps_s390x_v3_fp", "steps_x86_v1",
		"steps_x86_v2", "steps_x86_v3", "steps_x86_v3_fp", "steps_x86_v3_gcc16",
		"steps_x86_v3_ibt", "steps_x86_v3_nopie", "cases_a64_v2p.o", "cases_a64be_v2p.o",
		"cases_s390x_v2p.o", "cases_x86_v2p.o", "restore_state_x86_v2p.o",
		"steps_a64_v2p_pac", "steps_s390x_v2p", "steps_x86_v2p",
	};
	u32 functions = 0, rows = 0;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct dump d = { .name = names[i] };
		struct sample sample;

		sample__open(&sample, names[i]);
		if (!sample.s)
			TEST_FAIL("%s: %s", d.name, sframe_flaw__text(sample.why));
		/* readelf does not find those of object files, and of bad links. */
		dump__compare(&d, sample.s, sample.img.ehdr.e_type != ET_REL &&
					    !sample.s->flaws[SFRAME_FIXED_BASE]);
		TEST_EQ(d.functions + d.unused_functions, d.header_functions);
		TEST_EQ(d.rows + d.unused_rows, d.header_rows);
		functions += d.functions;
		rows += d.rows;
		sample__close(&sample);
	}
	printf("%u functions, %u rows\n", functions, rows);
}

/* A copy of a sample in memory, whose headers can be changed. */
static u8 *sample__read(const char *name, size_t *size)
{
	char path[128];
	u8 *data;
	FILE *f;

	snprintf(path, sizeof(path), "sframe/%s", name);
	f = fopen(test__data(path), "r");
	TEST_TRUE(f && !fseek(f, 0, SEEK_END));
	*size = ftell(f);
	rewind(f);
	data = xmalloc(*size);
	TEST_EQ(fread(data, 1, *size, f), *size);
	fclose(f);
	return data;
}

static enum sframe_flaw open_bytes(const u8 *data, size_t size, u32 *functions)
{
	int fd = memfd_create("sframe", MFD_CLOEXEC);
	enum sframe_flaw why;
	struct elf_image img;
	struct sframe *s;

	mapfile__init();
	TEST_EQ(write(fd, data, size), (ssize_t)size);
	TEST_EQ(elf_image__open(&img, fd), 0);
	close(fd);
	s = sframe__open(&img, unwind_arch_info__by_machine(img.ehdr.e_machine), &why);
	*functions = s ? s->tables.v[0].nr : 0;
	sframe__free(s);
	elf_image__close(&img);
	return why;
}

static Elf64_Phdr *sframe_segment(u8 *data)
{
	Elf64_Ehdr *eh = (Elf64_Ehdr *)data;
	Elf64_Phdr *ph = (Elf64_Phdr *)(data + eh->e_phoff);

	for (u32 i = 0; i < eh->e_phnum; i++)
		if (ph[i].p_type == 0x6474e554)
			return &ph[i];
	TEST_FAIL("there is no PT_GNU_SFRAME");
}

TEST(sframe_where, "sframe: found by its program header or its section, whatever their sizes")
{
	size_t size;
	u8 *data = sample__read("steps_x86_v3", &size);
	Elf64_Ehdr *eh = (Elf64_Ehdr *)data, saved = *eh;
	Elf64_Phdr *ph = sframe_segment(data), good = *ph;
	u32 functions;

	TEST_EQ(open_bytes(data, size, &functions), SFRAME_OK);
	TEST_EQ(functions, 21);

	/* Nothing but segments. */
	eh->e_shoff = eh->e_shnum = eh->e_shstrndx = 0;
	TEST_EQ(open_bytes(data, size, &functions), SFRAME_OK);
	TEST_EQ(functions, 21);
	ph->p_filesz = ph->p_memsz = ~0ULL;
	TEST_EQ(open_bytes(data, size, &functions), SFRAME_OK);
	TEST_EQ(functions, 21);
	ph->p_filesz = 30;
	TEST_EQ(open_bytes(data, size, &functions), SFRAME_LAYOUT);
	*ph = good;
	ph->p_vaddr += 8;
	TEST_EQ(open_bytes(data, size, &functions), SFRAME_MAGIC);
	ph->p_vaddr = 1ULL << 40;
	TEST_EQ(open_bytes(data, size, &functions), SFRAME_ABSENT);

	/* The section helps where the segment is of no use, and where there is none. */
	*eh = saved;
	TEST_EQ(open_bytes(data, size, &functions), SFRAME_OK);
	TEST_EQ(functions, 21);
	ph->p_type = PT_NULL;
	TEST_EQ(open_bytes(data, size, &functions), SFRAME_OK);
	TEST_EQ(functions, 21);
	eh->e_shoff = eh->e_shnum = eh->e_shstrndx = 0;
	TEST_EQ(open_bytes(data, size, &functions), SFRAME_ABSENT);
	free(data);
}
