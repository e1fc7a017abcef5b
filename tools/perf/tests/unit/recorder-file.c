// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../util/record/recorder-file.h"
#include "../test.h"

#define FILES 20

TEST(recorder_file_names, "recorder: files that end at one time have names of their own, in order")
{
	char names[FILES][64], first;
	struct out_place place;
	FILE *f;

	TEST_EQ(out_place__find(&place, "out.data", NULL), 0);
	for (int i = 0; i < FILES; i++) {
		f = fopen("out.data", "w");
		TEST_TRUE(f && fputc('a' + i, f) != EOF && !fclose(f));
		TEST_EQ(recorder_file__stamp(&place, names[i], sizeof(names[i]), NULL), 0);
		TEST_TRUE(access("out.data", F_OK));
		TEST_TRUE(!i || strcmp(names[i], names[i - 1]) > 0);
	}
	for (int i = 0; i < FILES; i++) {
		f = fopen(names[i], "r");
		TEST_TRUE(f && fread(&first, 1, 1, f) == 1 && !fclose(f));
		TEST_EQ(first, 'a' + i);
	}
	out_place__close(&place);
}
