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

/*
 * Missing are: what as has no words for (cases_*: DRAP and the like in the older versions,
 * values of FP, registers other than FP without LR), what crt*.o, which came without
 * .sframe, define, .plt.got in version 1, and PLTs of programs of s390x.
 */
static const struct {
	const char *name;
	u32 same, wrong, missing, extra, functions, missing_functions;
} emitted[] = {
	{ .name = "tiny_x86_v1.o", .same = 4, .functions = 1 },
	{ .name = "tiny_x86_v2.o", .same = 4, .functions = 1 },
	{ .name = "tiny_x86_v3.o", .same = 4, .functions = 1 },
	{ .name = "cases_x86_v1.o", .same = 14, .wrong = 6, .missing = 13, .functions = 8,
	  .missing_functions = 4 },
	{ .name = "cases_x86_v2.o", .same = 13, .wrong = 5, .missing = 15, .functions = 7,
	  .missing_functions = 5 },
	{ .name = "cases_x86_v3.o", .same = 29, .missing = 4, .functions = 10,
	  .missing_functions = 2 },
	{ .name = "sig_x86_v3.o", .missing = 1, .functions = 1, .missing_functions = 1 },
	{ .name = "restore_state_x86_v1.o", .same = 9, .wrong = 1, .functions = 2 },
	{ .name = "restore_state_x86_v2.o", .same = 9, .wrong = 1, .functions = 2 },
	{ .name = "restore_state_x86_v3.o", .same = 10, .functions = 2 },
	{ .name = "prog_x86_v1", .same = 32, .missing = 2, .functions = 8,
	  .missing_functions = 2 },
	{ .name = "prog_x86_v2", .same = 33, .missing = 1, .functions = 9,
	  .missing_functions = 1 },
	{ .name = "prog_x86_v3", .same = 33, .missing = 1, .functions = 9,
	  .missing_functions = 1 },
	{ .name = "ok_ld244_v2_x86", .same = 7, .functions = 5 },
	{ .name = "ok_ld247_v3_x86", .same = 7, .functions = 5 },
	{ .name = "concat_ld240_v2_x86", .same = 7, .functions = 5 },
	{ .name = "concat_ld244_v3_x86", .same = 7, .functions = 5 },
	{ .name = "concat_lld14_v2_x86", .same = 23, .missing = 1, .functions = 7,
	  .missing_functions = 1 },
	{ .name = "cases_a64_v2.o", .same = 20, .wrong = 2, .missing = 8, .functions = 7,
	  .missing_functions = 3 },
	{ .name = "cases_a64_v3.o", .same = 22, .missing = 8, .functions = 7,
	  .missing_functions = 3 },
	{ .name = "cases_a64be_v2.o", .same = 20, .wrong = 2, .missing = 8, .functions = 7,
	  .missing_functions = 3 },
	{ .name = "cases_a64be_v3.o", .same = 22, .missing = 8, .functions = 7,
	  .missing_functions = 3 },
	{ .name = "so_a64_v2.so", .same = 20, .wrong = 2, .missing = 8, .functions = 7,
	  .missing_functions = 3 },
	{ .name = "so_a64_v3.so", .same = 22, .missing = 8, .functions = 7,
	  .missing_functions = 3 },
	{ .name = "cases_s390x_v3.o", .same = 24, .functions = 7 },
	{ .name = "so_s390x_v3.so", .same = 25, .functions = 9 },
	{ .name = "synth_s390x_v2.o", .extra = 8, .functions = 2 },
	{ .name = "broken_ldr244_v2_x86.o", .missing = 7, .functions = 1,
	  .missing_functions = 5 },
	{ .name = "steps_a64_v3", .same = 59, .missing = 8, .functions = 18,
	  .missing_functions = 5 },
	{ .name = "steps_a64_v3_pac", .same = 93, .missing = 8, .functions = 18,
	  .missing_functions = 5 },
	{ .name = "steps_s390x_v3", .same = 75, .missing = 2, .functions = 18,
	  .missing_functions = 2 },
	{ .name = "steps_s390x_v3_fp", .same = 95, .missing = 2, .functions = 18,
	  .missing_functions = 2 },
	{ .name = "steps_x86_v1", .same = 84, .missing = 8, .functions = 19,
	  .missing_functions = 3 },
	{ .name = "steps_x86_v2", .same = 85, .missing = 7, .functions = 20,
	  .missing_functions = 2 },
	{ .name = "steps_x86_v3", .same = 91, .missing = 1, .functions = 21,
	  .missing_functions = 1 },
	{ .name = "steps_x86_v3_fp", .same = 94, .missing = 1, .functions = 21,
	  .missing_functions = 1 },
	{ .name = "steps_x86_v3_gcc16", .same = 91, .missing = 1, .functions = 21,
	  .missing_functions = 1 },
	{ .name = "steps_x86_v3_ibt", .same = 92, .missing = 1, .functions = 22,
	  .missing_functions = 1 },
	{ .name = "steps_x86_v3_nopie", .same = 90, .missing = 2, .functions = 20,
	  .missing_functions = 2 },
	{ .name = "cases_a64_v2p.o", .same = 20, .wrong = 1, .missing = 9, .functions = 6,
	  .missing_functions = 4 },
	{ .name = "cases_a64be_v2p.o", .same = 20, .wrong = 1, .missing = 9, .functions = 6,
	  .missing_functions = 4 },
	{ .name = "cases_s390x_v2p.o", .same = 23, .missing = 1, .functions = 6,
	  .missing_functions = 1 },
	{ .name = "cases_x86_v2p.o", .same = 12, .wrong = 3, .missing = 18, .functions = 5,
	  .missing_functions = 7 },
	{ .name = "restore_state_x86_v2p.o", .same = 9, .wrong = 1, .functions = 2 },
	{ .name = "steps_a64_v2p_pac", .same = 93, .missing = 8, .functions = 18,
	  .missing_functions = 5 },
	{ .name = "steps_s390x_v2p", .same = 76, .missing = 1, .functions = 20,
	  .missing_functions = 1 },
	{ .name = "steps_x86_v2p", .same = 85, .missing = 7, .functions = 20,
	  .missing_functions = 2 },
};

TEST(sframe_agrees, "sframe: says what .eh_frame says, but for known bugs of emitters")
{
	struct found f;

	for (size_t i = 0; i < ARRAY_SIZE(emitted); i++) {
		check_sample(&f, emitted[i].name);
		printf("%s\n", f.name);
		TEST_EQ(f.r.rows[CHECK_SAME], emitted[i].same);
		TEST_EQ(f.r.rows[CHECK_WRONG], emitted[i].wrong);
		TEST_EQ(f.r.rows[CHECK_MISSING], emitted[i].missing);
		TEST_EQ(f.r.rows[CHECK_EXTRA], emitted[i].extra);
		TEST_EQ(f.r.rows[CHECK_SKIPPED], 0);
		TEST_EQ(f.r.functions, emitted[i].functions);
		TEST_EQ(f.r.missing_functions, emitted[i].missing_functions);
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
		{ .name = "prog_x86_v2", .flaw = SFRAME_FIXED_PLT_GOT, .nr = 1, .tables = 1 },
		{ .name = "prog_x86_v3", .flaw = SFRAME_FIXED_PLT_GOT, .nr = 1, .tables = 1 },
		{ .name = "concat_ld240_v2_x86", .flaw = SFRAME_FIXED_SEVERAL, .nr = 1,
		  .tables = 2 },
		{ .name = "concat_ld240_v2_x86", .flaw = SFRAME_FIXED_BASE, .nr = 2, .tables = 2 },
		{ .name = "concat_lld14_v2_x86", .flaw = SFRAME_FIXED_BASE, .nr = 2, .tables = 2 },
		{ .name = "concat_ld244_v3_x86", .flaw = SFRAME_FIXED_SEVERAL, .nr = 1,
		  .tables = 2 },
		{ .name = "concat_ld244_v3_x86", .flaw = SFRAME_FIXED_BASE, .nr = 0, .tables = 2 },
		{ .name = "ok_ld244_v2_x86", .flaw = SFRAME_FIXED_BASE, .nr = 0, .tables = 1 },
		{ .name = "sig_x86_v3.o", .flaw = SFRAME_FDE_SIGNAL, .nr = 1, .tables = 1 },
		{ .name = "broken_ldr244_v2_x86.o", .flaw = SFRAME_FDE_RANGE, .nr = 4,
		  .tables = 1 },
		{ .name = "broken_ldr244_v2_x86.o", .flaw = SFRAME_MAGIC, .nr = 1, .tables = 1 },
	};
	struct found f;

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		check_sample(&f, want[i].name);
		printf("%s: %s\n", f.name, sframe_flaw__text(want[i].flaw));
		TEST_EQ(f.r.flaws[want[i].flaw], want[i].nr);
		TEST_EQ(f.r.tables, want[i].tables);
	}
}
