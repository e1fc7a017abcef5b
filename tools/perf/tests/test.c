// SPDX-License-Identifier: GPL-2.0-only
/* What unit tests call: see test.h. */
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "../util/base/mem.h"
#include "../util/cli/exec-path.h"
#include "runner.h"
#include "test.h"

_Noreturn void test__fail(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	printf("%s:%d: ", file, line);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
#ifdef FUZZING
	abort(); /* which keeps the input */
#endif
	_exit(TEST_EXIT_FAIL);
}

_Noreturn void test__skip(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	_exit(TEST_EXIT_SKIP);
}

u32 test__share(u32 n)
{
	return getenv(TEST_THOROUGH) ? 1 : n;
}

const char *test__data(const char *name)
{
	static char path[PATH_MAX];
	char *below = xasprintf("tests/data/%s", name);

	if (exec_path__find(below, path, sizeof(path)))
		TEST_FAIL("%s is not there", path);
	free(below);
	return path;
}

static void unzstd(FILE *in, FILE *out, const char *path)
{
	size_t in_size = ZSTD_DStreamInSize(), out_size = ZSTD_DStreamOutSize(), left = 1;
	void *in_buf = xmalloc(in_size), *out_buf = xmalloc(out_size);
	ZSTD_DStream *z = ZSTD_createDStream();
	ZSTD_inBuffer ib = { .src = in_buf };

	while ((ib.size = fread(in_buf, 1, in_size, in))) {
		for (ib.pos = 0; ib.pos < ib.size;) {
			ZSTD_outBuffer ob = { .dst = out_buf, .size = out_size };

			left = ZSTD_decompressStream(z, &ob, &ib);
			if (ZSTD_isError(left))
				TEST_FAIL("%s: %s", path, ZSTD_getErrorName(left));
			if (fwrite(out_buf, 1, ob.pos, out) != ob.pos)
				TEST_FAIL("%s: %s", path, strerror(errno));
		}
	}
	if (left)
		TEST_FAIL("%s is cut short", path);
	ZSTD_freeDStream(z);
	free(in_buf);
	free(out_buf);
}

const char *test__unzstd(const char *name)
{
	static char copy[NAME_MAX + 1];
	char *packed = xasprintf("%s.zst", name);
	const char *path = test__data(packed);
	FILE *in, *out;

	free(packed);
	snprintf(copy, sizeof(copy), "%s", strrchr(name, '/') ? strrchr(name, '/') + 1 : name);
	in = fopen(path, "re");
	if (!in)
		TEST_FAIL("%s: %s", path, strerror(errno));
	out = fopen(copy, "we");
	if (!out)
		TEST_FAIL("%s: %s", copy, strerror(errno));
	unzstd(in, out, path);
	fclose(in);
	if (fclose(out))
		TEST_FAIL("%s: %s", copy, strerror(errno));
	return copy;
}

const char *test__program(const char *name)
{
	static char copy[NAME_MAX + 3];
	const char *base = strrchr(name, '/');
	int from = open(test__data(name), O_RDONLY | O_CLOEXEC), to;
	struct stat st;

	snprintf(copy, sizeof(copy), "./%s", base ? base + 1 : name);
	to = open(copy, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
	TEST_TRUE(from >= 0 && to >= 0 && !fstat(from, &st));
	TEST_EQ(sendfile(to, from, NULL, st.st_size), st.st_size);
	close(from);
	close(to);
	return copy;
}
