// SPDX-License-Identifier: GPL-2.0-only
/* Tests of util/binary/bundle.h and tar.h: what is packed for another machine. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "../../../lib/unwind/core/bytes.h"
#include "../../util/binary/bundle-write.h"
#include "../../util/binary/tar.h"
#include "../../../lib/unwind/arch/arch.h"
#include "../../../lib/unwind/source/cfi.h"
#include "../lib/machine-fixture.h"

struct made {
	VEC(u8) tar;
};

static void put(struct made *m, const void *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		*vec__push(&m->tar) = ((const u8 *)data)[i];
}

static u8 *put_member(struct made *m, const char *name, const char *text)
{
	struct tar_member t = { .size = strlen(text) };
	u8 block[TAR_BLOCK], zeros[TAR_BLOCK] = {};
	size_t at = m->tar.nr;

	snprintf(t.name, sizeof(t.name), "%s", name);
	tar__encode(&t, block);
	put(m, block, sizeof(block));
	put(m, text, t.size);
	put(m, zeros, -t.size % TAR_BLOCK);
	return m->tar.v + at;
}

/* Writes it as "bundle", compressed. */
static void save(struct made *m)
{
	size_t max = ZSTD_compressBound(m->tar.nr);
	u8 *packed = xmalloc(max);
	int fd = open("bundle", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	size_t size = ZSTD_compress(packed, max, m->tar.v, m->tar.nr, 1);

	TEST_EQ(write(fd, packed, size), size);
	close(fd);
	free(packed);
	vec__free(&m->tar);
}

static const char *text_of(const struct bundle *b, const char *name)
{
	static char text[64];
	int fd = bundle__member(b, name);
	ssize_t len;

	if (fd < 0)
		return "none";
	len = pread(fd, text, sizeof(text) - 1, 0);
	text[max_of(len, (ssize_t)0)] = '\0';
	close(fd);
	return text;
}

static off_t size_of(const char *path)
{
	struct stat st;

	TEST_EQ(stat(path, &st), 0);
	return st.st_size;
}

TEST(bundle_members, "binary: a bundle's members are found by name, by build-id, and by tar")
{
	const struct build_id id = { .size = 3, .data = { 0xab, 0xcd, 1 } };
	struct bundle_writer *w;
	struct bundle *b;
	struct error err;
	u64 size, unpacked;
	int fd;

	TEST_EQ(bundle_writer__open(&w, "bundle", 3, &err), 0);
	TEST_EQ(bundle_writer__add_bytes(w, "perf.data", "recording", 9), 0);
	TEST_EQ(bundle_writer__add_bytes(w, "maps/7", "", 0), 0);
	fixture__write("text", "contents");
	fd = open("text", O_RDONLY | O_CLOEXEC);
	TEST_EQ(bundle_writer__add_id(w, "elf", &id, fd, BUNDLE_NAMES), 0);
	TEST_EQ(bundle_writer__add_id(w, "elf", &id, fd, BUNDLE_WHOLE), -EEXIST);
	close(fd);
	TEST_EQ(bundle_writer__finish(w, &size, &unpacked, &err), 0);
	bundle_writer__free(w);
	TEST_EQ(bundle__open(&b, "bundle", false, &err), 0);
	TEST_STR(text_of(b, "perf.data"), "recording");
	TEST_STR(text_of(b, "maps/7"), "");
	TEST_STR(text_of(b, "elf/abcd01"), "contents");
	TEST_STR(text_of(b, "elf/abcd02"), "none");
	fd = bundle__of_id(b, "elf", &id);
	TEST_TRUE(fd >= 0);
	close(fd);
	TEST_EQ(bundle__of_id(b, "debug", &id), -ENOENT);
	TEST_EQ(bundle__of_id(b, "elf", &(struct build_id){}), -ENOENT);
	bundle__free(b);
	if (!system("zstd --version >log 2>&1 && tar --version >log 2>&1"))
		fixture__run("zstd -dqc bundle | tar xf - && "
			     "[ \"$(cat elf/abcd01)\" = contents ] && [ -e maps/7 ] && "
			     "tar cf other.tar perf.data elf maps && zstd -qf other.tar -o bundle");
	TEST_EQ(bundle__open(&b, "bundle", false, &err), 0);
	TEST_STR(text_of(b, "elf/abcd01"), "contents");
	bundle__free(b);
	TEST_EQ(bundle__open(&b, "text", false, &err), -ENOEXEC);
	TEST_EQ(bundle__open(&b, "not-there", false, &err), -ENOEXEC);
	TEST_EQ(bundle__open(&b, "-", false, &err), -ENOEXEC);
}

TEST(bundle_same, "binary: a member that is asked for again and again is copied once")
{
	struct made m = {};
	struct stat first, other;
	struct bundle *b;
	struct error err;
	int fd[2];
	char c;

	put_member(&m, "perf.data", "recording");
	put_member(&m, "elf/ab", "binary");
	save(&m);
	TEST_EQ(bundle__open(&b, "bundle", false, &err), 0);
	for (int i = 0; i < 2; i++) {
		fd[i] = bundle__member(b, "elf/ab");
		TEST_TRUE(fd[i] >= 0);
		TEST_EQ(read(fd[i], &c, 1), 1);
		TEST_EQ(c, 'b');
	}
	TEST_EQ(fstat(fd[0], &first), 0);
	TEST_EQ(fstat(fd[1], &other), 0);
	TEST_EQ(first.st_ino, other.st_ino);
	bundle__free(b);
	TEST_EQ(read(fd[0], &c, 1), 1);
	TEST_EQ(c, 'i');
	close(fd[0]);
	close(fd[1]);
}

TEST(bundle_sizes, "binary: a bundle that unpacks to whole megabytes is whole")
{
	for (size_t mb = 1; mb <= 2; mb++) {
		/* Room for two headers and the text of the first member. */
		size_t len = (mb << 20) - 3 * TAR_BLOCK;
		char *text = xzalloc(len + 1);
		struct made m = {};
		struct bundle *b;
		struct error err = {};

		memset(text, 'x', len);
		put_member(&m, "perf.data", "recording");
		put_member(&m, "maps/7", text);
		TEST_EQ(m.tar.nr, mb << 20);
		save(&m);
		TEST_EQ(bundle__open(&b, "bundle", false, &err), 0);
		TEST_STR(text_of(b, "perf.data"), "recording");
		bundle__free(b);
		TEST_EQ(truncate("bundle", size_of("bundle") - 1), 0);
		TEST_EQ(bundle__open(&b, "bundle", false, &err), -EBADMSG);
		free(text);
	}
}

TEST(bundle_slim, "binary: what nobody reads of a packed binary is zero, and all else is as it was")
{
	struct elf_image img;
	struct bundle_writer *w;
	struct bundle *b;
	struct error err;
	GElf_Shdr shdr;
	struct cfi_fde fde;
	struct bytes text;
	struct cfi *cfi;
	u64 size, unpacked;
	u32 kept = 0;
	int fd;

	fixture__need_compiler();
	fixture__write("p.c", "int main(void) { return 0; }\n");
	/* A section as in position-independent programs of Go. */
	fixture__run("gcc -g -o p p.c && printf 'names of Go\\0' >go && "
		     "objcopy --add-section .data.rel.ro.gopclntab=go p && nm p >names && "
		     "objdump --dwarf=decodedline p | tail -n +3 >lines");
	TEST_EQ(bundle_writer__open(&w, "bundle", 3, &err), 0);
	fd = open("p", O_RDONLY | O_CLOEXEC);
	TEST_EQ(bundle_writer__add(w, "perf.data", fd, BUNDLE_WHOLE), 0);
	TEST_EQ(bundle_writer__add(w, "elf/12", fd, BUNDLE_NAMES), 0);
	close(fd);
	TEST_EQ(bundle_writer__finish(w, &size, &unpacked, &err), 0);
	bundle_writer__free(w);
	TEST_EQ(bundle__open(&b, "bundle", false, &err), 0);
	fd = bundle__member(b, "elf/12");
	TEST_EQ(elf_image__open(&img, fd), 0);
	TEST_TRUE(elf_image__section(&img, ".text", 0, &shdr));
	text = elf_image__bytes(&img, &shdr);
	/* Of code what call frame information knows; the rest tells where functions begin. */
	cfi = cfi__open_eh_frame(&img, unwind_arch_info__by_machine(img.ehdr.e_machine));
	for (size_t i = 0; i < text.len; i++)
		if (cfi__find(cfi, shdr.sh_addr + i, &fde))
			TEST_EQ(text.data[i], 0);
		else
			kept += text.data[i] != 0;
	TEST_TRUE(kept && cfi__find(cfi, img.ehdr.e_entry, &fde));
	cfi__free(cfi);
	TEST_TRUE(elf_image__section(&img, ".data.rel.ro.gopclntab", 0, &shdr));
	TEST_STR((const char *)elf_image__bytes(&img, &shdr).data, "names of Go");
	elf_image__close(&img);
	close(fd);
	bundle__free(b);
	if (!system("zstd --version >log 2>&1"))
		fixture__run("zstd -dqc bundle | tar xf - && cmp p perf.data && "
			     "nm elf/12 | cmp - names && "
			     "objdump --dwarf=decodedline elf/12 | tail -n +3 | cmp - lines");
}

TEST(bundle_hostile, "binary: a bundle of odd names, sizes, kinds and ends is only its files")
{
	struct made m = {};
	struct bundle *b;
	struct error err;
	u8 *block;

	/* Names are compared, never opened; of two the first counts; links are none. */
	put_member(&m, "../../escape", "x");
	put_member(&m, "/etc/passwd", "x");
	put_member(&m, "perf.data", "first");
	put_member(&m, "perf.data", "second");
	block = put_member(&m, "elf/12", "");
	block[156] = '2'; /* a symbolic link, with a wrong checksum: it ends here */
	put_member(&m, "elf/34", "behind");
	save(&m);
	TEST_EQ(bundle__open(&b, "bundle", false, &err), 0);
	TEST_STR(text_of(b, "perf.data"), "first");
	TEST_STR(text_of(b, "elf/12"), "none");
	TEST_STR(text_of(b, "elf/34"), "none");
	TEST_EQ(access("../../escape", F_OK), -1);
	bundle__free(b);
	/* A member that is larger than the archive. */
	put_member(&m, "perf.data", "x");
	block = put_member(&m, "elf/12", "short");
	tar__encode(&(struct tar_member){ .name = "elf/12", .size = 1ull << 60 }, block);
	save(&m);
	TEST_EQ(bundle__open(&b, "bundle", false, &err), 0);
	TEST_STR(text_of(b, "elf/12"), "none");
	bundle__free(b);
	/* No recording; an empty archive; a cut one; garbage behind the magic. */
	put_member(&m, "elf/12", "x");
	save(&m);
	TEST_EQ(bundle__open(&b, "bundle", false, &err), -EINVAL);
	save(&m);
	TEST_EQ(bundle__open(&b, "bundle", false, &err), -EINVAL);
	put_member(&m, "perf.data", "text");
	save(&m);
	TEST_EQ(truncate("bundle", 20), 0);
	TEST_EQ(bundle__open(&b, "bundle", false, &err), -EBADMSG);
	fixture__run("printf '\\050\\265\\057\\375garbage' >bundle");
	TEST_EQ(bundle__open(&b, "bundle", false, &err), -EBADMSG);
	fixture__run("rm bundle && mkfifo bundle");
	TEST_EQ(bundle__open(&b, "bundle", false, &err), -ENOEXEC);
}

TEST(bundle_bomb, "binary: zeros of a bundle take no room on disk, and all else is bounded")
{
	const struct bundle_limits limits = { .all = 32 << 20, .filled = 1 << 20 };
	struct bundle *b;
	struct error err;
	struct stat st;
	int fd;

	if (system("zstd --version >log 2>&1"))
		TEST_SKIP("no zstd");
	fixture__run("echo x >perf.data && mkdir elf && truncate -s 30M elf/12 && "
		     "tar cf - perf.data elf/12 | zstd -qo bundle");
	TEST_EQ(bundle__open_limited(&b, "bundle", false, &limits, &err), 0);
	fd = bundle__member(b, "elf/12");
	TEST_TRUE(fd >= 0 && !fstat(fd, &st));
	TEST_EQ(st.st_size, 30 << 20);
	TEST_TRUE(st.st_blocks < 2048);
	close(fd);
	bundle__free(b);
	fixture__run("truncate -s 33M elf/12 && tar cf - perf.data elf/12 | zstd -qfo bundle");
	TEST_EQ(bundle__open_limited(&b, "bundle", false, &limits, &err), -EFBIG);
	fixture__run("yes | head -c 2000000 >elf/12 && "
		     "tar cf - perf.data elf/12 | zstd -qfo bundle");
	TEST_EQ(bundle__open_limited(&b, "bundle", false, &limits, &err), -EFBIG);
	TEST_TRUE(strstr(err.text, "is too large when unpacked"));
}

TEST(tar_sizes, "binary: sizes in headers of tar, up to those of more than 8 GB")
{
	static const u64 sizes[] = { 0, 1, 511, 0x1ffffffff, 0x200000000, 1ull << 62 };
	struct tar_member t = { .name = "x" }, back;
	u8 block[TAR_BLOCK];

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		t.size = sizes[i];
		tar__encode(&t, block);
		TEST_TRUE(tar__decode(block, &back));
		TEST_EQ(back.size, t.size);
		TEST_STR(back.name, "x");
		TEST_TRUE(back.is_file);
		block[300]++;
		TEST_TRUE(!tar__decode(block, &back));
	}
	memset(block, 0, sizeof(block));
	TEST_TRUE(!tar__decode(block, &back));
}
