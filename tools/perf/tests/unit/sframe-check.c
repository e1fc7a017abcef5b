// SPDX-License-Identifier: GPL-2.0-only
/*
 * .sframe against .eh_frame of the same files (tests/data/sframe): where they agree, and that
 * each of the known mistakes of assemblers and linkers is found and has a name.
 */
#include <fcntl.h>
#include <unistd.h>

#include "../../util/elf/elf-file.h"
#include "../../util/io/mapfile.h"
#include "../../../lib/unwind/source/check.h"
#include "../test.h"

struct found {
	const char *name;
	struct check_result r;
	const char *causes[8]; /* of wrong rows, each once */
	u32 nr_causes;
};

static void on_row(void *ctx, const struct check_row *row)
{
	struct found *f = ctx;

	TEST_TRUE(row->start < row->end);
	TEST_TRUE(row->kind != CHECK_SAME);
	printf("%s %s %#" PRIx64 "-%#" PRIx64 " %s\n", f->name, check_kind__name(row->kind),
	       row->start, row->end, row->cause ? row->cause : "");
	if (row->kind != CHECK_WRONG)
		return;
	if (!row->cause)
		TEST_FAIL("%s: a wrong row at %#" PRIx64, f->name, row->start);
	for (u32 i = 0; i < f->nr_causes; i++)
		if (f->causes[i] == row->cause)
			return;
	TEST_TRUE(f->nr_causes < ARRAY_SIZE(f->causes));
	f->causes[f->nr_causes++] = row->cause;
}

static void check_sample(struct found *f, const char *name)
{
	char path[128];
	int fd;

	*f = (struct found){ .name = name };
	snprintf(path, sizeof(path), "sframe/%s", name);
	mapfile__init();
	fd = open(test__data(path), O_RDONLY | O_CLOEXEC);
	TEST_TRUE(fd >= 0);
	TEST_EQ(unwind_check(&perf_env, fd, &f->r, on_row, f), 0);
	close(fd);
}

static bool has_cause(const struct found *f, const char *words)
{
	for (u32 i = 0; i < f->nr_causes; i++)
		if (strstr(f->causes[i], words))
			return true;
	return false;
}

TEST(sframe_agrees, "sframe: says what .eh_frame says, but for known bugs of emitters")
{
	/*
	 * Missing are: what as has no words for (cases_*: DRAP and the like in the older versions,
	 * values of FP, registers other than FP without LR), what crt*.o, which came without
	 * .sframe, define, .plt.got in version 1, and PLTs of programs of s390x.
	 */
	static const struct {
		const char *name;
		u32 same, wrong, missing, extra, functions, missing_functions;
	} want[] = {
		{ "tiny_x86_v1.o", 4, 0, 0, 0, 1, 0 }, { "tiny_x86_v2.o", 4, 0, 0, 0, 1, 0 },
		{ "tiny_x86_v3.o", 4, 0, 0, 0, 1, 0 }, { "cases_x86_v1.o", 14, 6, 13, 0, 8, 4 },
		{ "cases_x86_v2.o", 13, 5, 15, 0, 7, 5 }, { "cases_x86_v3.o", 29, 0, 4, 0, 10, 2 },
		{ "sig_x86_v3.o", 0, 0, 1, 0, 1, 1 },
		{ "restore_state_x86_v1.o", 9, 1, 0, 0, 2, 0 },
		{ "restore_state_x86_v2.o", 9, 1, 0, 0, 2, 0 },
		{ "restore_state_x86_v3.o", 10, 0, 0, 0, 2, 0 },
		{ "prog_x86_v1", 32, 0, 2, 0, 8, 2 }, { "prog_x86_v2", 33, 0, 1, 0, 9, 1 },
		{ "prog_x86_v3", 33, 0, 1, 0, 9, 1 }, { "ok_ld244_v2_x86", 7, 0, 0, 0, 5, 0 },
		{ "ok_ld247_v3_x86", 7, 0, 0, 0, 5, 0 },
		{ "concat_ld240_v2_x86", 7, 0, 0, 0, 5, 0 },
		{ "concat_ld244_v3_x86", 7, 0, 0, 0, 5, 0 },
		{ "concat_lld14_v2_x86", 23, 0, 1, 0, 7, 1 },
		{ "cases_a64_v2.o", 20, 2, 8, 0, 7, 3 },
		{ "cases_a64_v3.o", 22, 0, 8, 0, 7, 3 }, { "cases_a64be_v2.o", 20, 2, 8, 0, 7, 3 },
		{ "cases_a64be_v3.o", 22, 0, 8, 0, 7, 3 }, { "so_a64_v2.so", 20, 2, 8, 0, 7, 3 },
		{ "so_a64_v3.so", 22, 0, 8, 0, 7, 3 }, { "cases_s390x_v3.o", 24, 0, 0, 0, 7, 0 },
		{ "so_s390x_v3.so", 25, 0, 0, 0, 9, 0 }, { "synth_s390x_v2.o", 0, 0, 0, 8, 2, 0 },
		{ "broken_ldr244_v2_x86.o", 0, 0, 7, 0, 1, 5 },
		{ "steps_a64_v3", 59, 0, 8, 0, 18, 5 },
		{ "steps_a64_v3_pac", 93, 0, 8, 0, 18, 5 },
		{ "steps_s390x_v3", 75, 0, 2, 0, 18, 2 },
		{ "steps_s390x_v3_fp", 95, 0, 2, 0, 18, 2 },
		{ "steps_x86_v1", 84, 0, 8, 0, 19, 3 }, { "steps_x86_v2", 85, 0, 7, 0, 20, 2 },
		{ "steps_x86_v3", 91, 0, 1, 0, 21, 1 }, { "steps_x86_v3_fp", 94, 0, 1, 0, 21, 1 },
		{ "steps_x86_v3_gcc16", 91, 0, 1, 0, 21, 1 },
		{ "steps_x86_v3_ibt", 92, 0, 1, 0, 22, 1 },
		{ "steps_x86_v3_nopie", 90, 0, 2, 0, 20, 2 },
		{ "cases_a64_v2p.o", 20, 1, 9, 0, 6, 4 },
		{ "cases_a64be_v2p.o", 20, 1, 9, 0, 6, 4 },
		{ "cases_s390x_v2p.o", 23, 0, 1, 0, 6, 1 },
		{ "cases_x86_v2p.o", 12, 3, 18, 0, 5, 7 },
		{ "restore_state_x86_v2p.o", 9, 1, 0, 0, 2, 0 },
		{ "steps_a64_v2p_pac", 93, 0, 8, 0, 18, 5 },
		{ "steps_s390x_v2p", 76, 0, 1, 0, 20, 1 },
		{ "steps_x86_v2p", 85, 0, 7, 0, 20, 2 },
	};
	struct found f;

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		check_sample(&f, want[i].name);
		printf("%s\n", f.name);
		TEST_EQ(f.r.rows[CHECK_SAME], want[i].same);
		TEST_EQ(f.r.rows[CHECK_WRONG], want[i].wrong);
		TEST_EQ(f.r.rows[CHECK_MISSING], want[i].missing);
		TEST_EQ(f.r.rows[CHECK_EXTRA], want[i].extra);
		TEST_EQ(f.r.rows[CHECK_SKIPPED], 0);
		TEST_EQ(f.r.functions, want[i].functions);
		TEST_EQ(f.r.missing_functions, want[i].missing_functions);
	}
}

TEST(sframe_causes, "sframe: wrong rows of old assemblers have their cause named")
{
	struct found f;

	check_sample(&f, "cases_x86_v1.o");
	TEST_EQ(f.nr_causes, 5);
	TEST_TRUE(has_cause(&f, ".cfi_undefined"));
	TEST_TRUE(has_cause(&f, ".cfi_signal_frame"));
	TEST_TRUE(has_cause(&f, "another register for SP"));
	TEST_TRUE(has_cause(&f, ".cfi_restore_state"));
	TEST_TRUE(has_cause(&f, "where the return address is"));
	TEST_TRUE(!f.r.trusted);
	check_sample(&f, "cases_x86_v2.o");
	TEST_EQ(f.nr_causes, 4);
	TEST_TRUE(!has_cause(&f, "another register for SP"));
	check_sample(&f, "cases_x86_v2p.o");
	TEST_EQ(f.nr_causes, 3);
	TEST_TRUE(!has_cause(&f, ".cfi_undefined"));
	TEST_TRUE(!f.r.trusted);
	check_sample(&f, "cases_a64_v2.o");
	TEST_EQ(f.nr_causes, 2);
	check_sample(&f, "cases_x86_v3.o");
	TEST_TRUE(f.r.trusted);
}

TEST(sframe_linkers, "sframe: what linkers have done wrong is found, and repaired if possible")
{
	static const struct {
		const char *name;
		enum sframe_flaw flaw;
		u32 nr, tables;
	} want[] = {
		{ "prog_x86_v2", SFRAME_FIXED_PLT_GOT, 1, 1 },
		{ "prog_x86_v3", SFRAME_FIXED_PLT_GOT, 1, 1 },
		{ "concat_ld240_v2_x86", SFRAME_FIXED_SEVERAL, 1, 2 },
		{ "concat_ld240_v2_x86", SFRAME_FIXED_BASE, 2, 2 },
		{ "concat_lld14_v2_x86", SFRAME_FIXED_BASE, 2, 2 },
		{ "concat_ld244_v3_x86", SFRAME_FIXED_SEVERAL, 1, 2 },
		{ "concat_ld244_v3_x86", SFRAME_FIXED_BASE, 0, 2 },
		{ "ok_ld244_v2_x86", SFRAME_FIXED_BASE, 0, 1 },
		{ "sig_x86_v3.o", SFRAME_FDE_SIGNAL, 1, 1 },
		{ "broken_ldr244_v2_x86.o", SFRAME_FDE_RANGE, 4, 1 },
		{ "broken_ldr244_v2_x86.o", SFRAME_MAGIC, 1, 1 },
	};
	struct found f;

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		check_sample(&f, want[i].name);
		printf("%s: %s\n", f.name, sframe_flaw__text(want[i].flaw));
		TEST_EQ(f.r.flaws[want[i].flaw], want[i].nr);
		TEST_EQ(f.r.tables, want[i].tables);
	}
}
