// SPDX-License-Identifier: GPL-2.0-only
/* What a process that is confined may do, and what the broker does for it. */
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../util/io/broker-files.h"
#include "../../util/io/landlock.h"
#include "../../util/io/private-dir.h"
#include "../../util/io/output-file.h"
#include "../../util/io/privileges.h"
#include "../../util/io/procfile.h"
#include "../../util/io/regular-file.h"
#include "../../util/io/replace-file.h"
#include "../../util/io/sandbox.h"
#include "../../util/io/side-process.h"
#include "../../util/io/tempfile.h"
#include "../test.h"

static struct broker_files files;
static pid_t stranger; /* who is neither confined nor a child of who is */

/* In a process of its own; the status is that of @fn, or -1 if it ended by a signal. */
static int confined(int (*fn)(void))
{
	int status = 0;
	pid_t pid;

	if (!sandbox__can_confine())
		TEST_SKIP("a process cannot be confined here: no seccomp filters, or the build "
			  "opens files at its end");
	stranger = getpid();
	pid = fork();
	TEST_TRUE(pid >= 0);
	if (!pid)
		_exit(broker__confine(broker_files__serve, &files) ? fn() : 127);
	TEST_EQ(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void make_file(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0644);

	TEST_TRUE(fd >= 0);
	TEST_EQ(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

/* Each fails for lack of rights, whatever else is wrong with it. */
static bool is_refused(long ret)
{
	return ret < 0 && errno == EPERM;
}

static long try_files(int n)
{
	struct iovec nothing = {};

	switch (n) {
	case 0: return syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDONLY);
	case 1: return syscall(SYS_openat, AT_FDCWD, ".", O_PATH);
	case 2: return syscall(SYS_openat2, AT_FDCWD, "/dev/null", &nothing, sizeof(u64) * 3);
	case 3: return syscall(SYS_openat, AT_FDCWD, "new", O_WRONLY | O_CREAT, 0600);
	case 4: return unlink("text");
	case 5: return rename("text", "moved");
	case 6: return link("text", "linked");
	case 7: return symlink("text", "linked");
	case 8: return mkdir("folder", 0700);
	case 9: return chmod("text", 0777);
	case 10: return truncate("text", 0);
	case 11: return chdir("/");
	case 12: return syscall(SYS_open_by_handle_at, 0, NULL, 0);
	case 13: return syscall(SYS_io_uring_setup, 1, NULL);
	case 14: return access("text", R_OK);
	case 15: return syscall(SYS_utimensat, AT_FDCWD, "text", NULL, 0);
	}
	return 0;
}

static long try_others(int n)
{
	static char byte = 'x';
	struct iovec own = { &byte, 1 };
	struct sockaddr_un to = { .sun_family = AF_UNIX, .sun_path = "socket" };

	switch (n) {
	case 0: return socket(AF_INET, SOCK_STREAM, 0);
	case 1: return socket(AF_UNIX, SOCK_STREAM, 0);
	case 2: return socketpair(AF_UNIX, SOCK_DGRAM, 0, (int[2]){});
	case 3: return connect(0, (void *)&to, sizeof(to));
	case 4: return sendto(0, &byte, 1, 0, (void *)&to, sizeof(to));
	case 5: return execl("/bin/true", "true", NULL);
	case 6: return syscall(SYS_execveat, AT_FDCWD, "/bin/true", NULL, NULL, 0);
	case 7: return ptrace(PTRACE_ATTACH, stranger, 0, 0);
	case 8: return kill(stranger, 0);
	case 9: return kill(-1, 0);
	case 10: return syscall(SYS_pidfd_open, stranger, 0);
	case 11: return syscall(SYS_process_vm_readv, stranger, &own, 1, &own, 1, 0);
	case 12: return unshare(CLONE_NEWUSER);
	case 13: return syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
	case 14: return ioctl(0, TIOCSTI, &byte);
	case 15: return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			     0) == MAP_FAILED ? -1 : 0;
	case 16: return syscall(SYS_bpf, 0, NULL, 0);
	case 17: return syscall(SYS_perf_event_open, NULL, 0, 0, 0, 0);
	case 18: return syscall(SYS_prlimit64, stranger, 0, NULL, NULL);
	}
	return 0;
}

/* The number of the first thing that could be done nevertheless, from 1; 0: none. */
static int try_all(void)
{
	for (int n = 0; n < 16; n++)
		if (!is_refused(try_files(n)))
			return n + 1;
	for (int n = 0; n < 19; n++)
		if (!is_refused(try_others(n)))
			return n + 101;
	return privileges__effective() ? 200 : 0;
}

static int try_all_in_child(void)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid)
		_exit(try_all());
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) ?
	       WEXITSTATUS(status) : 255;
}

TEST(broker_refuses, "a confined process and its forks open, change, run and signal nothing")
{
	make_file("text", "text");
	TEST_EQ(confined(try_all), 0);
	TEST_EQ(confined(try_all_in_child), 0);
	TEST_EQ(access("new", F_OK), -1);
}

static int try_all_without_filter(void)
{
	return landlock__refuse_all() ? !(open("/dev/null", O_RDONLY) < 0 && errno == EACCES) :
					TEST_EXIT_SKIP;
}

TEST(broker_landlock, "Landlock alone also keeps a process from opening files")
{
	int status = 0;
	pid_t pid = fork();

	if (!pid)
		_exit(try_all_without_filter());
	TEST_EQ(waitpid(pid, &status, 0), pid);
	TEST_TRUE(WIFEXITED(status));
	if (WEXITSTATUS(status) == TEST_EXIT_SKIP)
		TEST_SKIP("this kernel has no Landlock");
	TEST_EQ(WEXITSTATUS(status), 0);
}

/* What is in a file that is asked for: its first byte; 0: nothing; -errno. */
static int first_byte(int fd)
{
	char byte = 0;

	if (fd >= 0 && read(fd, &byte, 1) < 0)
		return -errno;
	return fd < 0 ? fd : byte;
}

#define CHECK(cond)                              \
	do {                                     \
		if (!(cond))                     \
			return __LINE__ % 250 + 1; \
	} while (0)

static int ask_by_rules(void)
{
	CHECK(first_byte(regular_file__open("code")) == '\177');
	CHECK(first_byte(regular_file__open("jit-1.dump")) == 'D');
	CHECK(first_byte(regular_file__open("perf-1.map")) == 'm');
	CHECK(first_byte(broker__open("perf-1.map", O_RDONLY | O_NOFOLLOW)) == 'm');
	CHECK(first_byte(regular_file__open("text")) == 0);
	CHECK(first_byte(regular_file__open("perf-x.map")) == 0);
	CHECK(first_byte(broker__open("text", O_RDONLY)) == 0);
	CHECK(first_byte(broker__open("text", O_RDONLY | O_NOFOLLOW)) == 0);
	CHECK(broker__open("perf-2.map", O_RDONLY | O_NOFOLLOW) == -ELOOP);
	CHECK(regular_file__open("fifo") == -EINVAL);
	CHECK(regular_file__open("gone") == -ENOENT);
	CHECK(regular_file__open(".") == -EINVAL);
	CHECK(first_byte(broker__open("/proc/kcore", O_RDONLY)) <= 0);
	CHECK(first_byte(broker__open("/proc/self/mem", O_RDONLY)) <= 0);
	CHECK(first_byte(broker__open("/proc/self/environ", O_RDONLY)) <= 0);
	CHECK(broker__open("text", O_WRONLY) == -EPERM);
	CHECK(broker__open("code", O_RDWR) == -EPERM);
	CHECK(broker__open("named", O_WRONLY) == -EPERM);
	return 0;
}

static int ask_for_named(void)
{
	CHECK(first_byte(broker__open("named", O_RDONLY)) == 'n');
	CHECK(first_byte(broker__open("folder/data.1", O_RDONLY)) == 'd');
	CHECK(first_byte(broker__open("folder/../text", O_RDONLY)) == 0);
	CHECK(first_byte(broker__open("folder2/text", O_RDONLY)) == 0);
	CHECK(procfile__number("/proc/sys/vm/max_map_count", 0) > 0);
	CHECK(procfile__own_memory() > 4096);
	CHECK(broker__open("/dev/null", O_RDWR) >= 0);
	return 0;
}

TEST(broker_rules, "the broker opens what is named, ELF files, perf maps and dumps, no others")
{
	static const char *const names[] = { "named", "folder" };

	make_file("text", "secret");
	make_file("code", "\177ELF");
	make_file("jit-1.dump", "DTiJ");
	make_file("perf-1.map", "map");
	make_file("perf-x.map", "no map");
	make_file("named", "named");
	TEST_EQ(symlink("text", "perf-2.map"), 0);
	TEST_EQ(mkfifo("fifo", 0600), 0);
	TEST_EQ(mkdir("folder", 0700), 0);
	TEST_EQ(mkdir("folder2", 0700), 0);
	make_file("folder/data.1", "data");
	make_file("folder2/text", "secret");
	files = (struct broker_files){ .named = names, .nr_named = ARRAY_SIZE(names) };
	TEST_EQ(confined(ask_by_rules), 0);
	TEST_EQ(confined(ask_for_named), 0);
}

static int ask_by_force(enum broker_what what, const char *name, const char *path, int flags,
			int passed)
{
	struct broker_request r = { .what = what, .flags = flags };

	snprintf(r.name, sizeof(r.name), "%s", name);
	snprintf(r.path, sizeof(r.path), "%s", path);
	return broker__ask(&r, passed, NULL);
}

static int use_cache(void)
{
	int dir = private_dir__open("cache", ".unwind", NULL), fd, folder;

	CHECK(dir >= 0);
	CHECK(!private_dir__save(dir, "rows", "rows", 4));
	CHECK(first_byte(private_dir__load(dir, "rows")) == 'r');
	CHECK(first_byte(regular_file__open("cache/kallsyms")) == 'k');
	CHECK(first_byte(regular_file__open("cache/link")) == 0);
	CHECK(private_dir__load(dir, "gone") == -ENOENT);
	CHECK(!private_dir__prune(dir, 0));
	CHECK(private_dir__load(dir, "rows") == -ENOENT);
	CHECK(private_dir__open(".", ".unwind", NULL) == -EPERM);
	CHECK(private_dir__open("cache", "..", NULL) < 0);
	CHECK(private_dir__open("cache", "other", NULL) == -EPERM);
	CHECK(ask_by_force(BROKER_BENEATH, "../kallsyms", "", O_RDONLY, dir) == -EPERM);
	CHECK(ask_by_force(BROKER_BENEATH, "..", "", O_RDONLY, dir) == -EPERM);
	CHECK(ask_by_force(BROKER_RENAME, "rows", "../rows", 0, dir) == -EPERM);
	CHECK(ask_by_force(BROKER_REMOVE, "../kallsyms", "", 0, dir) == -EPERM);
	/* Another folder that is open here. */
	folder = broker__open("folder", O_RDONLY | O_DIRECTORY);
	CHECK(folder >= 0);
	fd = ask_by_force(BROKER_BENEATH, "new", "", O_WRONLY | O_CREAT, folder);
	CHECK(fd == -EPERM);
	CHECK(ask_by_force(BROKER_REMOVE, "data.1", "", 0, folder) == -EPERM);
	return 0;
}

TEST(broker_cache, "the broker writes in the private folders of the cache only")
{
	static const char *const folder = "folder";

	TEST_EQ(mkdir("cache", 0700), 0);
	TEST_EQ(mkdir("folder", 0700), 0);
	make_file("cache/kallsyms", "kallsyms");
	make_file("folder/data.1", "data");
	make_file("text", "secret");
	TEST_EQ(symlink("../text", "cache/link"), 0);
	files = (struct broker_files){ .named = &folder, .nr_named = 1, .cache = "cache" };
	TEST_EQ(confined(use_cache), 0);
	TEST_EQ(access("cache/kallsyms", F_OK), 0);
	TEST_EQ(access("folder/data.1", F_OK), 0);
}

static int write_output(const char *name, bool keep, bool commit)
{
	struct replace_file f = {};
	struct tempfile t;
	u64 size = 0;
	int fd;

	CHECK(!tempfile__open(&t, NULL));
	tempfile__close(&t);
	CHECK(!replace_file__open(&f, name, NULL));
	fd = replace_file__fd(&f, NULL);
	CHECK(fd >= 0 && write(fd, "new", 3) == 3 && !close(fd));
	f.keep = keep;
	CHECK(!commit || (!replace_file__commit(&f, &size, NULL) && size == 3));
	CHECK(!keep || (f.old && !strcmp(f.old, "out.old")));
	replace_file__abort(&f);
	return 0;
}

static volatile sig_atomic_t nr_signals;

static void note_signal(int sig)
{
	nr_signals++;
}

/* As by a change of the terminal's size, which ncurses handles without SA_RESTART. */
static int ask_in_a_storm(void)
{
	const struct itimerval often = { { 0, 100 }, { 0, 100 } };
	struct sigaction act = { .sa_handler = note_signal };
	int fd;

	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (nr_signals < 200) {
		fd = broker__open("named", O_RDONLY);
		CHECK(fd >= 0 && first_byte(fd) == 'n' && !close(fd));
	}
	return 0;
}

TEST(broker_signals, "the broker is asked and answers while signals are handled")
{
	const char *const named = "named";

	make_file("named", "named");
	files = (struct broker_files){ .named = &named, .nr_named = 1 };
	TEST_EQ(confined(ask_in_a_storm), 0);
}

static bool makes_parts(const void *ctx, const char *path)
{
	return !strncmp(path, ctx, strlen(ctx));
}

static int make_parts(void)
{
	struct error err = {};
	int fd = output_file__open("part.1", OUTPUT_FILE_INSTEAD, 04755, &err);

	CHECK(fd >= 0 && write(fd, "new", 3) == 3 && !close(fd));
	CHECK(output_file__open("part.1", OUTPUT_FILE_NEW, 0600, &err) == -EEXIST);
	CHECK(output_file__open("text", OUTPUT_FILE_INSTEAD, 0600, &err) == -EPERM);
	CHECK(strstr(err.text, "'text' is not a file that this command makes"));
	CHECK(output_file__open("../part.1", OUTPUT_FILE_NEW, 0600, NULL) == -EPERM);
	fd = output_file__open("part.2", OUTPUT_FILE_NEW, 0600, NULL);
	CHECK(fd >= 0 && !close(fd));
	CHECK(!output_file__remove("part.2"));
	CHECK(output_file__remove("text") == -EPERM);
	return 0;
}

TEST(broker_makes, "the broker makes and removes files by the rule of the command, and no others")
{
	struct stat st;

	make_file("text", "text");
	TEST_EQ(symlink("text", "part.1"), 0);
	files = (struct broker_files){ .makes = makes_parts, .makes_ctx = "part." };
	TEST_EQ(confined(make_parts), 0);
	TEST_EQ(lstat("part.1", &st), 0);
	TEST_EQ(st.st_mode & (S_IFMT | 07111), S_IFREG);
	TEST_EQ(st.st_size, 3);
	TEST_EQ(stat("text", &st), 0);
	TEST_EQ(st.st_size, 4);
	TEST_EQ(access("part.2", F_OK), -1);
}

static int replace_output(void)
{
	return write_output("out", true, true);
}

static int drop_output(void)
{
	return write_output("out", false, false);
}

static int replace_another(void)
{
	struct replace_file f = {};
	int ret = replace_file__open(&f, "text", NULL);

	replace_file__abort(&f);
	return ret != -EPERM;
}

TEST(broker_output, "the broker replaces the output, as a whole or not at all, and nothing else")
{
	char text[8] = "";
	int fd;

	make_file("out", "before");
	make_file("text", "text");
	files = (struct broker_files){ .output = "out" };
	TEST_EQ(confined(replace_another), 0);
	TEST_EQ(confined(drop_output), 0);
	TEST_EQ(access("out.old", F_OK), -1);
	TEST_EQ(confined(replace_output), 0);
	fd = open("out", O_RDONLY);
	TEST_EQ(read(fd, text, sizeof(text)), 3);
	close(fd);
	TEST_STR(text, "new");
	TEST_EQ(access("out.old", F_OK), 0);
}

static int serve_number(void *ctx __unused_arg, const void *request, void *answer)
{
	while (!*(const int *)request)
		;
	*(int *)answer = open("/dev/null", O_RDONLY) < 0 ? errno : 0;
	return -1;
}

/* A process that computes for ever is ended, and waited for, though this one may signal none. */
static int use_side_process(void)
{
	static const struct sandbox_limits limits = { .memory = 64 << 20, .cpu_sec = 60 };
	struct side_process *p = side_process__new(&(struct side_process_opts){
		.serve = serve_number, .request_size = sizeof(int), .answer_size = sizeof(int),
		.limit_ms = 10000, .cpu_ms = 50, .sandbox = &limits,
	});
	int n = 1, answer = 0, fd;

	CHECK(!side_process__ask(p, &n, &answer, &fd));
	CHECK(answer == EPERM);
	n = 0;
	CHECK(side_process__ask(p, &n, &answer, &fd) == -ETIMEDOUT);
	side_process__free(p);
	return 0;
}

static int kill_a_stranger(void)
{
	broker__kill(stranger);
	return 0;
}

TEST(broker_children, "a confined process ends processes of its own by the broker, and no others")
{
	TEST_EQ(confined(use_side_process), 0);
	TEST_EQ(confined(kill_a_stranger), 0);
}

/* Stands for objdump: says what it was asked for. */
static pid_t say_range(const void *ctx, int fd, u64 start, u64 stop, int out)
{
	pid_t pid = fork();

	if (!pid) {
		dprintf(out, "%s%d%d%d", (const char *)ctx, first_byte(fd), (int)start, (int)stop);
		_exit(3);
	}
	return pid;
}

static int run_program(void)
{
	struct broker_request r = { .what = BROKER_RUN, .range = { 1, 2 } };
	int code = regular_file__open("code"), from, again;
	struct broker_answer a = {};
	char text[16] = "";

	CHECK(broker__ask(&r, -1, NULL) == -EPERM);
	from = broker__ask(&r, code, &a);
	again = broker__ask(&r, code, NULL);
	CHECK(from >= 0 && again == -EPERM);
	CHECK(read(from, text, sizeof(text)) == 9 && !strcmp(text, "said12712"));
	r = (struct broker_request){ .what = BROKER_WAIT, .number = getpid() };
	CHECK(broker__ask(&r, -1, NULL) == -ECHILD);
	r.number = a.number;
	CHECK(!broker__ask(&r, -1, &a) && WIFEXITED((int)a.number));
	CHECK(WEXITSTATUS((int)a.number) == 3);
	CHECK(broker__ask(&r, -1, NULL) == -ECHILD);
	CHECK(first_byte(regular_file__open("text")) == 's');
	return 0;
}

static int run_nothing(void)
{
	const struct broker_request r = { .what = BROKER_RUN };

	return broker__ask(&r, regular_file__open("code"), NULL) != -EPERM;
}

TEST(broker_program, "the broker runs the one program of a command, one at a time")
{
	make_file("code", "\177ELF");
	make_file("text", "source");
	files = (struct broker_files){};
	TEST_EQ(confined(run_nothing), 0);
	files = (struct broker_files){ .run = say_range, .run_ctx = "said", .sources = true };
	TEST_EQ(confined(run_program), 0);
}

static int ask_strangely(void)
{
	const struct broker_request r = { .what = 1000 };

	CHECK(broker__ask(&r, -1, NULL) == -EPERM);
	CHECK(broker__open("code", O_RDONLY) >= 0);
	broker__leave();
	CHECK(broker__open("code", O_RDONLY) == -EPERM);
	return 0;
}

TEST(broker_strange, "unknown requests are refused, and a process without its broker opens nothing")
{
	make_file("code", "\177ELF");
	TEST_EQ(confined(ask_strangely), 0);
}
