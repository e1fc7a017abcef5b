// SPDX-License-Identifier: GPL-2.0-only
/* --defer: the kernel's way or ours; as if the kernel had answered what each test says. */
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../util/record/defer-choice.h"
#include "../lib/elf-builder.h"
#include "../test.h"

/* push %rbp; mov %rsp,%rbp: the CFA is on %rbp from the first byte on. */
static const u8 KEPT[] = { 0x0c, 6, 16, 0x86, 2 };
static const u8 CIE[] = { 0x0c, 7, 8, 0x90, 1 };

/*
 * A program with a function that is said to have a gigabyte, so that it outweighs any C library
 * that is looked at beside it; it keeps frame pointers, or does not.
 */
static void make_program(const char *path, bool keeps)
{
	static struct elf_build elf;
	int from, to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0700);
	struct stat st;

	elf_build__init(&elf, EM_X86_64, false, 16, CIE, sizeof(CIE));
	elf_build__add(&elf, ELF_TEXT, 1U << 30, keeps ? KEPT : NULL, keeps ? sizeof(KEPT) : 0);
	from = elf_build__fd(&elf);
	TEST_TRUE(to >= 0 && !fstat(from, &st) && !lseek(from, 0, SEEK_SET));
	TEST_EQ(sendfile(to, from, NULL, st.st_size), st.st_size);
	close(from);
	close(to);
}

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	TEST_TRUE(f && fputs(text, f) >= 0 && !fchmod(fileno(f), 0700) && !fclose(f));
}

static unsigned int percent_in(const struct defer_choice *choice)
{
	unsigned int percent = 1000;

	TEST_TRUE(strstr(choice->why, "frame pointers") &&
		  sscanf(choice->why, "%u %%", &percent) == 1);
	return percent;
}

/* The share of the code that keeps frame pointers, and what follows from it. */
static unsigned int judge(const struct target *target, const char *const *argv)
{
	struct defer_choice choice;
	struct error err = {};
	unsigned int percent;

	TEST_EQ(defer_choice__judge(&choice, DEFER_AUTO, PROBE_DEFER_WORKS, target, argv, &err), 0);
	percent = percent_in(&choice);
	TEST_EQ(choice.stack, percent >= 80 ? USER_STACK_DEFER : USER_STACK_COPY);
	return percent;
}

static unsigned int judge_command(const char *name)
{
	const char *argv[] = { name, NULL };

	return judge(&(struct target){}, argv);
}

TEST(defer_choice_answers, "record: --defer follows what the kernel answered")
{
	static const enum probe_defer no[] = {
		PROBE_DEFER_OLD, PROBE_DEFER_IGNORED, PROBE_DEFER_UNKNOWN,
	};
	const enum probe_defer works = PROBE_DEFER_WORKS;
	const struct target nothing = {};
	struct defer_choice choice;
	struct error err = {};

	for (size_t i = 0; i < ARRAY_SIZE(no); i++) {
		TEST_EQ(defer_choice__judge(&choice, DEFER_AUTO, no[i], &nothing, NULL, &err), 0);
		TEST_EQ(choice.stack, USER_STACK_COPY);
		TEST_STR(choice.why, probe_defer__why(no[i]));
		TEST_EQ(defer_choice__judge(&choice, DEFER_KERNEL, no[i], &nothing, NULL, &err),
			-EOPNOTSUPP);
		TEST_TRUE(strstr(err.text, probe_defer__why(no[i])));
		TEST_TRUE(strstr(err.text, "--defer=copy works on every kernel"));
		err = (struct error){};
		for (size_t j = 0; j < i; j++)
			TEST_TRUE(strcmp(probe_defer__why(no[i]), probe_defer__why(no[j])));
	}
	TEST_EQ(defer_choice__judge(&choice, DEFER_KERNEL, works, &nothing, NULL, &err), 0);
	TEST_EQ(choice.stack, USER_STACK_DEFER);
	TEST_EQ(defer_choice__judge(&choice, DEFER_COPY, works, &nothing, NULL, &err), 0);
	TEST_EQ(choice.stack, USER_STACK_COPY);
	TEST_EQ(defer_choice__make(&choice, DEFER_COPY, &nothing, NULL, &err), 0);
	TEST_EQ(choice.stack, USER_STACK_COPY);
	/* Nothing that could be looked at. */
	TEST_EQ(judge(&nothing, NULL), 0);
}

TEST(defer_choice_command, "record: --defer looks at the program that will be started")
{
	char here[PATH_MAX], *path;

	make_program("keeps", true);
	make_program("omits", false);
	TEST_TRUE(judge_command("./keeps") >= 80);
	TEST_TRUE(judge_command("./omits") < 20);
	/* As execvp() finds it; an empty part of PATH is not looked at. */
	TEST_TRUE(getcwd(here, sizeof(here)));
	path = xasprintf("/nowhere::%s:/usr/bin", here);
	setenv("PATH", path, 1);
	TEST_TRUE(judge_command("keeps") >= 80);
	TEST_TRUE(judge_command("omits") < 20);
	setenv("PATH", "/nowhere", 1);
	TEST_EQ(judge_command("keeps"), 0);
	TEST_EQ(judge_command("./nothing"), 0);
	/* What can be read but not be started. */
	TEST_EQ(chmod("keeps", 0600), 0);
	TEST_EQ(judge_command("./keeps"), 0);
	free(path);
}

TEST(defer_choice_script, "record: --defer looks at the interpreter of a script")
{
	char here[PATH_MAX], *text;

	make_program("keeps", true);
	TEST_TRUE(getcwd(here, sizeof(here)));
	text = xasprintf("#! \t%s/keeps -u\necho\n", here);
	write_text("script", text);
	TEST_TRUE(judge_command("./script") >= 80);
	text[strlen(text) - strlen(" -u\necho\n")] = '\n';
	write_text("script", text);
	TEST_TRUE(judge_command("./script") >= 80);
	/* The C library that stands for what it may need is all that there is to be seen. */
	write_text("script", "echo\n");
	TEST_TRUE(judge_command("./script") < 80);
	write_text("script", "");
	TEST_TRUE(judge_command("./script") < 80);
	free(text);
}

/* Maps @path as code, as a loader would. */
static void *map_code(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY);
	struct stat st;
	void *p;

	TEST_TRUE(fd >= 0 && !fstat(fd, &st));
	*size = st.st_size;
	p = mmap(NULL, st.st_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	TEST_TRUE(p != MAP_FAILED);
	close(fd);
	return p;
}

TEST(defer_choice_process, "record: --defer looks at what is mapped as code, each file once")
{
	struct target target = {};
	unsigned int alone, twice;
	size_t size;
	void *a, *b;

	*vec__push(&target.pids) = getpid();
	alone = judge(&target, NULL);
	make_program("keeps", true);
	a = map_code("keeps", &size);
	twice = judge(&target, NULL);
	TEST_TRUE(twice >= 80);
	/* All of a few processes are looked at. */
	target.pids.v[0] = getppid();
	*vec__push(&target.pids) = getpid();
	TEST_TRUE(judge(&target, NULL) >= 80);
	target.pids.v[0] = target.pids.v[1];
	target.pids.nr = 1;
	/* Without rights to execute it is no code. */
	TEST_EQ(mprotect(a, size, PROT_READ), 0);
	TEST_EQ(judge(&target, NULL), alone);
	/* A link is the same file; more of it would leave less than half to the other. */
	make_program("omits", false);
	TEST_EQ(link("omits", "omits-2"), 0);
	munmap(a, size);
	a = map_code("keeps", &size);
	b = map_code("omits", &size);
	alone = judge(&target, NULL);
	TEST_TRUE(map_code("omits-2", &size));
	TEST_EQ(judge(&target, NULL), alone);
	TEST_TRUE(alone > 40 && alone < 60 && b);
	/* A process that is gone says nothing. */
	target.pids.v[0] = 0x7ffffffe;
	TEST_EQ(judge(&target, NULL), 0);
	target__free(&target);
	/* Every process: some of all. */
	target = (struct target){ .system_wide = true };
	judge(&target, NULL);
}
