// SPDX-License-Identifier: GPL-2.0-only
#include <sys/mman.h>
#include <unistd.h>

#include "../../util/io/procfile.h"
#include "machine-fixture.h"

struct fixture fixture__setup(void)
{
	struct fixture f = { .b = builder__new(), .m = machine__new(&(struct machine_opts){}) };
	struct perf_event_attr attr = BUILDER_ATTR;

	builder__event(f.b, &attr, "cpu-clock", (u64[]){ 1 }, 1);
	builder__at(f.b, getpid(), getpid(), 0, 1);
	return f;
}

void fixture__teardown(struct fixture *f)
{
	symbols__free(f->s);
	machine__free(f->m);
	builder__free(f->b);
}

void fixture__feed(struct fixture *f)
{
	size_t size;
	const u8 *data = builder__data(f->b, &size);

	while (f->fed < size) {
		struct record rec = { .hdr = (const void *)(data + f->fed) };

		TEST_EQ(record__identify(&rec, builder__recording(f->b)), 0);
		TEST_EQ(machine__process(f->m, &rec), 0);
		f->fed += rec.hdr->size;
	}
}

void fixture__add_proc_maps(struct fixture *f, int pid)
{
	char line[4096], prot[8], path[4096];
	unsigned long start, end, pgoff, ino;
	unsigned int maj, min;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "r");
	TEST_TRUE(maps);
	builder__at(f->b, pid, pid, 0, 1);
	while (fgets(line, sizeof(line), maps)) {
		path[0] = '\0';
		if (sscanf(line, "%lx-%lx %7s %lx %x:%x %lu %4095[^\n]", &start, &end, prot, &pgoff,
			   &maj, &min, &ino, path) < 7 || prot[2] != 'x')
			continue;
		builder__mmap2(f->b, &(struct mmap_record){
			.start = start, .len = end - start, .pgoff = pgoff, .prot = PROT_EXEC,
			.maj = maj, .min = min, .ino = ino,
			.filename = path[0] ? path : "//anon" });
	}
	fclose(maps);
	fixture__feed(f);
}

void fixture__run(const char *cmd)
{
	if (system(cmd))
		TEST_FAIL("%s", cmd);
}

void fixture__need_compiler(void)
{
	if (system("{ gcc --version && objcopy --version && nm --version; } >/dev/null 2>&1"))
		TEST_SKIP("no gcc or binutils");
}

void fixture__write(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	TEST_TRUE(file);
	fputs(text, file);
	fclose(file);
}

u64 fixture__address_of(const char *file, const char *name)
{
	char *cmd = xasprintf("nm %s | awk '$3 == \"%s\" { print $1 }'", file, name);
	FILE *out = popen(cmd, "r");
	u64 addr = 0;

	free(cmd);
	TEST_TRUE(out && fscanf(out, "%" SCNx64, &addr) == 1);
	pclose(out);
	return addr;
}

pid_t fixture__only_child(void)
{
	char *text;
	pid_t pid = 0;
	int len = 0;

	if (procfile__read("/proc/thread-self/children", &text, NULL))
		TEST_SKIP("the kernel does not list a process's children (CONFIG_PROC_CHILDREN)");
	TEST_EQ(sscanf(text, "%d %n", &pid, &len), 1);
	TEST_TRUE(!text[len]);
	free(text);
	return pid;
}
