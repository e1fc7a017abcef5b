// SPDX-License-Identifier: GPL-2.0-only
/* Where outputs go: util/io/beneath.h, out-folder.h, out-place.h, replace-file.h. */
#include <fcntl.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../util/io/beneath.h"
#include "../../util/io/named-file.h"
#include "../../util/io/privileges.h"
#include "../../util/io/replace-file.h"
#include "../lib/no-openat2.h"
#include "../test.h"

#define USER 54321

static void make_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	TEST_TRUE(f && fputs(text, f) != EOF && !fclose(f));
}

static bool has_text(const char *path, const char *text)
{
	char buf[64] = "";
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(buf, 1, sizeof(buf) - 1, f) : 0;

	return f && !fclose(f) && n == strlen(text) && !memcmp(buf, text, n);
}

static int open_folder(const char *path)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	TEST_TRUE(fd >= 0);
	return fd;
}

static int try_open(int dir, const char *path, int flags)
{
	int fd = beneath__open(dir, path, flags, 0600);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static void check_beneath(void)
{
	int dir;

	TEST_EQ(mkdir("d", 0700) | mkdir("d/e", 0700) | mkdir("out", 0700), 0);
	TEST_EQ(symlink("e", "d/link") | symlink("../out", "d/away") | symlink("x", "d/file"), 0);
	TEST_EQ(symlink("e/new", "d/dangling"), 0);
	make_file("d/x", "x");
	make_file("out/x", "x");
	dir = open_folder("d");
	TEST_EQ(try_open(dir, "x", O_RDONLY), 0);
	TEST_EQ(try_open(dir, "e", O_PATH | O_DIRECTORY), 0);
	TEST_EQ(try_open(dir, "e/", O_PATH), 0);
	TEST_EQ(try_open(dir, ".", O_PATH | O_DIRECTORY), 0);
	TEST_EQ(try_open(dir, "e//y", O_RDWR | O_CREAT | O_EXCL), 0);
	TEST_EQ(try_open(dir, "e/y", O_RDWR | O_CREAT | O_EXCL), -EEXIST);
	TEST_EQ(try_open(dir, "nothing", O_RDONLY), -ENOENT);
	/* No link, whichever part it is. */
	TEST_EQ(try_open(dir, "file", O_RDONLY), -ELOOP);
	TEST_EQ(try_open(dir, "file", O_PATH), -ELOOP);
	TEST_TRUE(try_open(dir, "dangling", O_RDWR | O_CREAT) == -ELOOP && access("d/e/new", F_OK));
	TEST_TRUE(try_open(dir, "link/y", O_RDONLY) < 0 && try_open(dir, "away/x", O_RDWR) < 0);
	TEST_TRUE(try_open(dir, "away", O_PATH | O_DIRECTORY) < 0);
	/* Never out of it. */
	TEST_EQ(try_open(dir, "../out/x", O_RDONLY), -EXDEV);
	TEST_TRUE(try_open(dir, "e/../../out/x", O_RDONLY) == -EXDEV);
	TEST_EQ(try_open(dir, "..", O_PATH), -EXDEV);
	TEST_EQ(try_open(dir, "/etc/passwd", O_RDONLY), -EXDEV);
	close(dir);
}

TEST(beneath_open, "output: what is opened below a folder is no link, and in it")
{
	check_beneath();
}

TEST(beneath_by_parts, "output: the same where the kernel has no openat2()")
{
	no_openat2(ENOSYS);
	check_beneath();
}

TEST(beneath_forbidden, "output: the same where a container forbids openat2()")
{
	no_openat2(EPERM);
	check_beneath();
}

TEST(beneath_names, "output: files are made, renamed and removed by names, not by paths")
{
	static const char *const bad[] = { "", ".", "..", "../x", "a/b", "/x" };
	int dir;

	TEST_EQ(mkdir("d", 0700), 0);
	make_file("x", "outside");
	make_file("d/in", "in");
	dir = open_folder("d");
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		TEST_EQ(beneath__remove(dir, bad[i], 0), -EINVAL);
		TEST_EQ(beneath__rename(dir, bad[i], "y"), -EINVAL);
		TEST_EQ(beneath__rename(dir, "in", bad[i]), -EINVAL);
		TEST_EQ(beneath__link(dir, bad[i], "y"), -EINVAL);
		TEST_EQ(beneath__link(dir, "in", bad[i]), -EINVAL);
		TEST_EQ(beneath__link_fd(dir, dir, bad[i]), -EINVAL);
		TEST_EQ(beneath__symlink(dir, "in", bad[i]), -EINVAL);
		TEST_EQ(beneath__mkdir(dir, bad[i], 0700), -EINVAL);
	}
	TEST_EQ(beneath__link(dir, "in", "second"), 0);
	TEST_EQ(beneath__rename(dir, "second", "third"), 0);
	TEST_EQ(beneath__remove(dir, "in", 0), 0);
	TEST_TRUE(has_text("d/third", "in") && has_text("x", "outside"));
	close(dir);
}

static int write_path(const char *path, const char *text)
{
	struct error err = {};
	int fd = out_place__open_path(path, O_WRONLY, 0600, &err), ret;

	if (fd < 0) {
		TEST_TRUE(err.code == fd && strstr(err.text, path));
		return fd;
	}
	ret = write(fd, text, strlen(text)) == (ssize_t)strlen(text) ? 0 : -errno;
	close(fd);
	return ret;
}

TEST(out_place_own, "output: links, files and devices of one's own are written to as ever")
{
	char path[64];
	struct stat st;
	int fds[2];
	char c;

	TEST_EQ(mkdir("d", 0775) | mkdir("elsewhere", 0700), 0);
	TEST_EQ(symlink("elsewhere/target", "link") | symlink("../d", "elsewhere/back"), 0);
	TEST_EQ(write_path("d/x", "one"), 0);
	TEST_TRUE(has_text("d/x", "one") && !stat("d/x", &st) && (st.st_mode & 0777) == 0600);
	TEST_EQ(write_path("./d//../d/x", "2"), 0);
	TEST_TRUE(has_text("d/x", "2"));
	TEST_EQ(write_path("link", "dangling"), 0);
	TEST_EQ(write_path("link", "there"), 0);
	TEST_TRUE(has_text("elsewhere/target", "there") && !lstat("link", &st) &&
		  S_ISLNK(st.st_mode));
	TEST_EQ(write_path("elsewhere/back/y", "by a folder's link"), 0);
	TEST_TRUE(has_text("d/y", "by a folder's link"));
	TEST_EQ(symlink("around", "around"), 0);
	TEST_EQ(write_path("around", ""), -ELOOP);
	TEST_EQ(write_path("around/x", ""), -ELOOP);
	TEST_EQ(write_path("d", ""), -EISDIR);
	TEST_EQ(write_path("d/", ""), -EISDIR);
	TEST_EQ(write_path("d/..", ""), -EISDIR);
	TEST_EQ(write_path("", ""), -ENOENT);
	TEST_EQ(write_path("nowhere/x", ""), -ENOENT);
	TEST_EQ(write_path("d/x/y", ""), -ENOTDIR);
	TEST_EQ(write_path("/dev/null", "x"), 0);
	TEST_EQ(write_path("/dev/full", "x"), -ENOSPC);
	/* What is open already: by /dev/fd, too. */
	TEST_EQ(pipe(fds), 0);
	snprintf(path, sizeof(path), "/dev/fd/%d", fds[1]);
	TEST_EQ(write_path(path, "p"), 0);
	TEST_TRUE(read(fds[0], &c, 1) == 1 && c == 'p');
	snprintf(path, sizeof(path), "/proc/self/fd/%d", open("d/x", O_WRONLY));
	TEST_EQ(write_path(path, "opened"), 0);
	TEST_TRUE(has_text("d/x", "opened"));
}

TEST(out_place_shared, "output: in everybody's folder, nothing that others have put there is used")
{
	struct stat before, after;

	if (geteuid())
		TEST_SKIP("needs root");
	TEST_EQ(mkdir("tmp", 0700) | chmod("tmp", 01777), 0);
	make_file("target", "kept");
	/* A file of ours is emptied; with a second name, or of another user, it is another's. */
	make_file("tmp/mine", "mine");
	TEST_EQ(stat("tmp/mine", &before), 0);
	TEST_EQ(write_path("tmp/mine", "new"), 0);
	TEST_TRUE(!stat("tmp/mine", &after) && after.st_ino == before.st_ino &&
		  has_text("tmp/mine", "new"));
	TEST_EQ(link("target", "tmp/second"), 0);
	TEST_EQ(write_path("tmp/second", "new"), 0);
	TEST_TRUE(has_text("target", "kept") && has_text("tmp/second", "new"));
	make_file("tmp/theirs", "");
	TEST_EQ(chown("tmp/theirs", USER, USER) | chmod("tmp/theirs", 0666), 0);
	TEST_EQ(write_path("tmp/theirs", "new"), 0);
	TEST_TRUE(!stat("tmp/theirs", &after) && !after.st_uid && (after.st_mode & 0777) == 0600);
	/* Links: ours, and another's. */
	TEST_EQ(symlink("../target", "tmp/link") | symlink("../target", "tmp/their-link"), 0);
	TEST_EQ(lchown("tmp/their-link", USER, USER), 0);
	TEST_EQ(write_path("tmp/their-link", "new"), -ELOOP);
	TEST_TRUE(has_text("target", "kept"));
	TEST_EQ(write_path("tmp/link", "new"), 0);
	TEST_TRUE(has_text("target", "new"));
	/* A FIFO of another user would get it. */
	TEST_EQ(mkfifo("tmp/fifo", 0666) | chown("tmp/fifo", USER, USER), 0);
	TEST_EQ(write_path("tmp/fifo", "new"), -EPERM);
}

static void make_theirs(void)
{
	if (geteuid() || !(privileges__effective() & PRIVILEGE(CAP_SETUID)))
		TEST_SKIP("needs root");
	TEST_EQ(mkdir("theirs", 0755) | chown("theirs", USER, USER + 1), 0);
	TEST_EQ(mkdir("root", 0700), 0);
}

TEST(out_place_theirs, "output: root follows no link in another user's folder, and is he there")
{
	const u64 caps = PRIVILEGE(CAP_SETUID) | PRIVILEGE(CAP_SETGID) | PRIVILEGE(CAP_CHOWN) |
			 PRIVILEGE(CAP_FOWNER);
	u64 before = privileges__effective();
	struct stat st;

	make_theirs();
	make_file("root/x", "kept");
	TEST_EQ(symlink("../root/x", "theirs/link") | symlink("../root", "theirs/folder"), 0);
	TEST_EQ(symlink("../root/dangling", "theirs/dangling"), 0);
	TEST_EQ(write_path("theirs/link", "new"), -ELOOP);
	TEST_EQ(write_path("theirs/dangling", "new"), -ELOOP);
	TEST_EQ(write_path("theirs/folder/x", "new"), -ELOOP);
	TEST_EQ(write_path("theirs/../root/x", "new"), -ELOOP);
	TEST_TRUE(has_text("root/x", "kept") && access("root/dangling", F_OK));
	/* A new file is root's. One that is there is replaced, whoever has it open. */
	TEST_EQ(write_path("theirs/x", "new"), 0);
	TEST_TRUE(!stat("theirs/x", &st) && !st.st_uid && (st.st_mode & 0777) == 0600);
	make_file("theirs/y", "");
	TEST_EQ(chown("theirs/y", USER, USER) | chmod("theirs/y", 0666), 0);
	TEST_EQ(write_path("theirs/y", "new"), 0);
	TEST_TRUE(!stat("theirs/y", &st) && !st.st_uid && (st.st_mode & 0777) == 0600);
	/* Where he may not write, root does not. */
	TEST_EQ(chmod("theirs", 0555), 0);
	TEST_EQ(write_path("theirs/z", "new"), -EACCES);
	TEST_EQ(chmod("theirs", 0755), 0);
	TEST_EQ(privileges__effective(), before);
	TEST_TRUE(!geteuid() && getegid() == 0 && prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1);
	/* With what it takes only, and without. */
	privileges__keep(out_place__privileges("theirs/x"));
	TEST_EQ(privileges__effective(), before & caps);
	TEST_EQ(write_path("theirs/x", "again"), 0);
	TEST_TRUE(has_text("theirs/x", "again"));
	privileges__keep(caps & ~PRIVILEGE(CAP_SETUID));
	TEST_EQ(write_path("theirs/x", "more"), -EPERM);
	TEST_TRUE(has_text("theirs/x", "again"));
}

TEST(out_place_becomes, "output: files in another user's folder are made with his rights only")
{
	gid_t groups[] = { 1, 2, 3 }, got[8];
	struct out_folder f;
	struct stat st;
	int fd;

	make_theirs();
	TEST_EQ(setgroups(3, groups), 0);
	TEST_EQ(out_folder__take(&f, open_folder("theirs"), true), 0);
	TEST_TRUE(f.becomes && f.uid == USER && f.gid == USER + 1);
	fd = out_folder__new(&f, "new", O_RDWR, 0666);
	TEST_TRUE(fd >= 0 && !fstat(fd, &st) && !st.st_uid && (st.st_mode & 0777) == 0644);
	close(fd);
	TEST_EQ(out_folder__new(&f, "new", O_RDWR, 0600), -EEXIST);
	fd = out_folder__unnamed(&f);
	if (fd >= 0) {
		TEST_EQ(out_folder__link(&f, fd, NULL, "named"), 0);
		TEST_TRUE(!stat("theirs/named", &st) && !st.st_uid);
		close(fd);
	}
	TEST_EQ(out_folder__link(&f, -1, "new", "second"), 0);
	TEST_EQ(out_folder__rename(&f, "second", "third"), 0);
	TEST_EQ(out_folder__remove(&f, "new"), 0);
	TEST_EQ(getgroups(8, got), 3);
	TEST_TRUE(!memcmp(got, groups, sizeof(groups)));
	out_folder__close(&f);
	/* His files are his, not his groups'. */
	TEST_EQ(chown("theirs", 0, USER) | chmod("theirs", 0770), 0);
	TEST_EQ(out_folder__take(&f, open_folder("theirs"), false), 0);
	TEST_TRUE(!f.becomes && f.shared);
	out_folder__close(&f);
}

TEST(path_walk_links, "input: links are followed as by open(2), but not those of others in /tmp")
{
	struct stat st;

	if (geteuid())
		TEST_SKIP("needs root");
	TEST_EQ(mkdir("d", 0755) | mkdir("all", 0777) | chmod("all", 01777), 0);
	make_file("d/x", "x");
	TEST_EQ(symlink("../d", "all/theirs") | symlink("../d", "all/mine"), 0);
	TEST_EQ(symlink("all/mine/../d/x", "link") | symlink("loop", "loop"), 0);
	TEST_EQ(lchown("all/theirs", USER, USER), 0);
	TEST_EQ(named_file__stat("d/x", &st) | named_file__stat("./d//x", &st), 0);
	TEST_EQ(named_file__stat("all/mine/x", &st) | named_file__stat("link", &st), 0);
	TEST_TRUE(S_ISREG(st.st_mode));
	TEST_EQ(named_file__stat("d/", &st) | named_file__stat(".", &st), 0);
	TEST_EQ(named_file__stat("/proc/self/exe", &st) | named_file__stat("/", &st), 0);
	TEST_EQ(named_file__stat("all/theirs/x", &st), -EACCES);
	TEST_EQ(named_file__stat("all/theirs", &st), -EACCES);
	TEST_EQ(named_file__stat("d/x/", &st), -ENOTDIR);
	TEST_EQ(named_file__stat("d/none", &st) | named_file__stat("", &st), -ENOENT);
	TEST_EQ(named_file__stat("loop", &st), -ELOOP);
	/* In a folder of his own they are his word, which is taken for what is read. */
	TEST_EQ(chown("d", USER, USER) | symlink("x", "d/link") | lchown("d/link", USER, USER), 0);
	TEST_EQ(named_file__stat("d/link", &st), 0);
}

TEST(out_place_private, "output: a private folder is this user's, or of who owns its parent")
{
	struct out_folder f, sub;
	struct stat st;

	make_theirs();
	TEST_EQ(out_folder__take(&f, open_folder("theirs"), true), 0);
	TEST_EQ(out_folder__private(&f, "x.jit", &sub), 0);
	TEST_TRUE(!stat("theirs/x.jit", &st) && st.st_uid == USER && (st.st_mode & 0777) == 0700);
	TEST_TRUE(sub.becomes && sub.tainted);
	close(out_folder__instead(&sub, "f", O_RDWR, 0600));
	TEST_TRUE(!stat("theirs/x.jit/f", &st) && !st.st_uid);
	out_folder__close(&sub);
	TEST_EQ(chmod("theirs/x.jit", 0777), 0);
	TEST_EQ(out_folder__private(&f, "x.jit", &sub), -EPERM);
	TEST_EQ(mkdir("theirs/other", 0700) | chown("theirs/other", USER + 1, 0), 0);
	TEST_EQ(out_folder__private(&f, "other", &sub), -EPERM);
	TEST_EQ(symlink("../root", "theirs/link"), 0);
	TEST_TRUE(out_folder__private(&f, "link", &sub) < 0);
	TEST_TRUE(sub.fd < 0);
	out_folder__close(&f);
}

TEST(out_place_privileges, "output: root needs more to write for others, nothing for itself")
{
	const u64 become = PRIVILEGE(CAP_SETUID) | PRIVILEGE(CAP_SETGID) | PRIVILEGE(CAP_CHOWN) |
			   PRIVILEGE(CAP_FOWNER);
	u64 before = privileges__effective();

	TEST_EQ(out_place__privileges("x"), 0);
	TEST_EQ(out_place__privileges("nowhere/x"), 0);
	make_theirs();
	TEST_EQ(mkdir("d", 0700), 0);
	TEST_EQ(out_place__privileges("d/x"), 0);
	TEST_EQ(out_place__privileges("theirs/x"), become);
	TEST_EQ(symlink("d/x", "link"), 0);
	make_file("d/x", "");
	TEST_EQ(out_place__privileges("link"), 0);
	TEST_EQ(chown("d/x", USER, USER), 0);
	TEST_EQ(out_place__privileges("link"), PRIVILEGE(CAP_CHOWN) | PRIVILEGE(CAP_FOWNER));
	TEST_EQ(chmod("d", 0500), 0);
	TEST_EQ(out_place__privileges("d/y"), PRIVILEGE(CAP_DAC_OVERRIDE) | PRIVILEGE(CAP_FOWNER));
	TEST_EQ(privileges__effective(), before);
}

/* Writes @text in place of @name, by both ways. */
static void replace(const char *name, const char *text, bool keep)
{
	struct replace_file f;
	u64 size;
	int fd;

	TEST_EQ(replace_file__open(&f, name, NULL), 0);
	f.keep = keep;
	fd = replace_file__fd(&f, NULL);
	TEST_TRUE(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	TEST_EQ(replace_file__commit(&f, &size, NULL), 0);
	TEST_EQ(size, strlen(text));
	replace_file__abort(&f);
}

TEST(replace_file_theirs, "output: what replaces another user's file is his, and never setuid")
{
	struct stat st;

	make_theirs();
	make_file("theirs/x", "old");
	TEST_EQ(chown("theirs/x", USER, USER) | chmod("theirs/x", 0640), 0);
	replace("theirs/x", "new", true);
	TEST_TRUE(has_text("theirs/x", "new") && has_text("theirs/x.old", "old"));
	TEST_TRUE(!stat("theirs/x", &st) && st.st_uid == USER && (st.st_mode & 07777) == 0640);
	/* A second name of root's setuid program. */
	make_file("root/su", "su");
	TEST_EQ(chmod("root/su", 04755) | link("root/su", "theirs/su"), 0);
	replace("theirs/su", "new", false);
	TEST_TRUE(!stat("theirs/su", &st) && (st.st_mode & 07777) == 0755);
	TEST_TRUE(has_text("root/su", "su"));
	replace("theirs/new", "new", false);
	TEST_TRUE(!stat("theirs/new", &st) && !st.st_uid && (st.st_mode & 07777) == 0600);
}
