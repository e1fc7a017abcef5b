// SPDX-License-Identifier: GPL-2.0-only
#include "jit-dumps.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "../../../lib/unwind/core/budget.h"
#include "../base/clock.h"
#include "../base/hash.h"
#include "../base/log.h"
#include "../binary/bundle.h"
#include "../io/write-all.h"
#include "jit-lines.h"

/* What all files together may cost; each gives back its part when it is dropped. */
enum limit {
	CODES,   /* pieces of code, and their moves: some 150 bytes each, and the name */
	NAMES,   /* bytes */
	RECORDS, /* that were read: a hostile file may have none that says anything of use */
	FILES,   /* a descriptor each */
	NR_LIMITS
};

static const u64 limits[NR_LIMITS] = {
	[CODES] = 4u << 20, [NAMES] = 512u << 20, [RECORDS] = 64u << 20,
	[FILES] = 16384,
};

/* Bytes of one piece of code, of its unwind information, of its lines. */
#define MAX_PART (64u << 20)
/* Bytes of lines that are gone through, for one address after the other. */
#define MAX_LINES (16ull << 30)
/* A live file is looked at again after so many ns. */
#define LOOK_AGAIN 10000000

struct part { /* of a file */
	u64 at, size;
};

struct jit_code {
	u64 addr, size;      /* where it was loaded */
	u64 at;              /* where it lies now */
	u64 index;           /* the compiler's own number */
	const char *name;
	struct part code, unwinding, lines;
	u32 hdr_size;
	u64 lines_addr, nr_lines;
};

/* From .time on the code is at .addr; 0: it is gone. */
struct jit_event {
	u64 time, addr;
	u32 code, tid;
	u32 seq;
};

struct jit_dump {
	struct jitdump file;
	struct arena *arena; /* of .path and of the names of codes */
	u64 taken[NR_LIMITS];
	const char *path;
	u32 pid, maps;       /* of the process; maps__id() of the program that has mapped it */
	u64 serial;          /* its number among all files */
	s64 shift;           /* to be added to its times */
	u64 mapped;          /* when */
	bool shift_known, ended;
	VEC(struct jit_code) codes;
	VEC(struct jit_event) events;
	size_t next;         /* event; those in front have happened */
	struct map64 by_index; /* the compiler's numbers -> code + 1 */
	struct jit_code pending; /* .lines and .unwinding of the code to come */
	u64 looked;          /* live: when, CLOCK_MONOTONIC */
};

struct jit_dumps {
	struct jit_dumps_opts opts;
	struct jit_account account;
	struct map64 by_pid; /* -> struct jit_dump, the last one of the process */
	struct map64 by_serial; /* all that are not freed */
	u64 next_serial;
	struct budget left[NR_LIMITS], lines;
	bool same_clock;
	u8 *line_bytes;      /* entries that jit_dumps__line() has read last, of: */
	u64 line_code, line_size;
};

static bool records_monotonic(const struct recording *r)
{
	for (size_t i = 0; r && i < r->events.nr; i++)
		if (r->events.v[i]->attr.use_clockid)
			return r->events.v[i]->attr.clockid == CLOCK_MONOTONIC;
	return false;
}

static int open_code(void *ctx, const struct dso *dso)
{
	struct jit_dumps *j = ctx;
	jit_elf_bytes bytes = {};
	int err = jit_dumps__elf(j, dso->code, false, &bytes), fd = -1;

	if (!err) {
		fd = memfd_create("jit", MFD_CLOEXEC);
		err = fd < 0 ? -errno : write_all(fd, bytes.v, bytes.nr, NULL);
	}
	if (err && fd >= 0)
		close(fd);
	vec__free(&bytes);
	return err ? err : fd;
}

struct jit_dumps *jit_dumps__new(const struct jit_dumps_opts *opts)
{
	struct jit_dumps *j = xzalloc(sizeof(*j));

	j->opts = *opts;
	for (int i = 0; i < NR_LIMITS; i++)
		j->left[i].left = limits[i] / (opts->share ?: 1) ?: 1;
	j->lines.left = MAX_LINES / (opts->share ?: 1);
	j->same_clock = records_monotonic(opts->recording);
	binaries__on_code(opts->binaries, open_code, j);
	return j;
}

static void jit_dump__free(struct jit_dump *d)
{
	jitdump__close(&d->file);
	vec__free(&d->codes);
	vec__free(&d->events);
	map64__free(&d->by_index);
	arena__free(d->arena);
	free(d);
}

void jit_dumps__free(struct jit_dumps *j)
{
	if (!j)
		return;
	map64__for_each(&j->by_serial, slot)
		jit_dump__free(slot->value);
	map64__free(&j->by_serial);
	map64__free(&j->by_pid);
	free(j->line_bytes);
	free(j);
}

/* "/somewhere/jit-123.dump" */
static bool is_dump_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *p = slash ? slash + 1 : path;

	if (strncmp(p, "jit-", 4) || !isdigit((unsigned char)p[4]))
		return false;
	for (p += 4; isdigit((unsigned char)*p); p++)
		;
	return !strcmp(p, ".dump");
}

static bool is_marker(const struct record *rec, struct mmap_record *mmap)
{
	return (rec->hdr->type == PERF_RECORD_MMAP || rec->hdr->type == PERF_RECORD_MMAP2) &&
	       !record__mmap(rec, mmap) && mmap->cpumode != PERF_RECORD_MISC_KERNEL &&
	       mmap->prot & PROT_EXEC && is_dump_name(mmap->filename);
}

bool jit_dumps__replaces(struct jit_dumps *j, const struct record *rec)
{
	struct mmap_record mmap;
	const struct map *map;
	struct thread *t;

	if (is_marker(rec, &mmap))
		return map64__get(&j->by_pid, mmap.pid);
	if ((rec->hdr->type != PERF_RECORD_MMAP && rec->hdr->type != PERF_RECORD_MMAP2) ||
	    record__mmap(rec, &mmap) || !(mmap.prot & PROT_EXEC) ||
	    !map64__get(&j->by_pid, mmap.pid))
		return false;
	t = machine__thread(j->opts.machine, mmap.pid, mmap.tid);
	map = machine__find_map(j->opts.machine, t, PERF_RECORD_MISC_USER, mmap.start);
	return map && binaries__is_jit(j->opts.binaries, map->dso);
}

/*
 * What a process maps itself is its own word. But where only a name leads to the file, anybody may
 * have put another one there.
 */
static bool is_trusted(int fd, const struct dso *dso)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	return !st.st_uid || st.st_uid == geteuid() ||
	       (dso->ino && st.st_ino == dso->ino &&
		st.st_dev == makedev(dso->maj, dso->min));
}

/* A descriptor of the file that @dso is, which the process @pid has mapped, or -errno. */
static int open_dump(struct jit_dumps *j, const struct dso *dso, u32 pid)
{
	char name[32];
	int fd;

	snprintf(name, sizeof(name), BUNDLE_JIT "/%u", pid);
	fd = bundle__member(binaries__bundle(j->opts.binaries), name);
	if (fd >= 0)
		return fd;
	/* What the recorder has written goes with the recording. */
	fd = strstr(dso->path, ".jit/") ? binaries__open_beside(j->opts.binaries, dso->path) :
					  -ENOENT;
	if (fd >= 0)
		return fd;
	fd = binaries__fd(j->opts.binaries, dso);
	if (fd >= 0 && !is_trusted(fd, dso)) {
		pr_debug("%s belongs to neither you nor root: it is ignored\n", dso->path);
		return -EPERM;
	}
	fd = fd < 0 ? fd : fcntl(fd, F_DUPFD_CLOEXEC, 0);
	return fd == -1 ? -errno : fd;
}

static int open_file(struct jit_dumps *j, struct jit_dump *d, int fd)
{
	int err;

	if (fd < 0)
		return fd;
	if (!budget__take(&j->left[FILES], 1))
		return -EMFILE;
	d->taken[FILES] = 1;
	err = jitdump__open(&d->file, fd);
	if (err)
		budget__give_back(&j->left[FILES], 1);
	return err;
}

/* Adds the file @fd, which is taken over when this succeeds. */
static struct jit_dump *jit_dumps__add(struct jit_dumps *j, const char *path, int fd)
{
	struct jit_dump *d = xzalloc(sizeof(*d));
	int err = open_file(j, d, fd);

	if (err) {
		j->account.foreign += err == -EPERM;
		j->account.too_many += err == -EMFILE;
		j->account.unreadable += err != -EPERM && err != -EMFILE;
		pr_debug("%s is not read: %s\n", path, strerror(-err));
		if (fd >= 0)
			close(fd);
		free(d);
		return NULL;
	}
	d->arena = arena__new();
	d->path = arena__intern(d->arena, path);
	d->serial = j->next_serial++;
	d->shift_known = d->file.is_own ||
			 (j->same_clock && !(d->file.flags & JITDUMP_ARCH_TIME));
	if (d->file.version != JITDUMP_VERSION) {
		j->account.other_version++;
		j->account.version = d->file.version;
	}
	j->account.untimed += !!(d->file.flags & JITDUMP_ARCH_TIME);
	j->account.files++;
	map64__set(&j->by_serial, d->serial, d);
	return d;
}

static void jit_dumps__drop(struct jit_dumps *j, struct jit_dump *d)
{
	for (int i = 0; i < NR_LIMITS; i++)
		budget__give_back(&j->left[i], d->taken[i]);
	map64__del(&j->by_serial, d->serial);
	if (map64__get(&j->by_pid, d->pid) == d)
		map64__del(&j->by_pid, d->pid);
	jit_dump__free(d);
}

static void jit_dumps__mmap(struct jit_dumps *j, const struct record *rec,
			    const struct mmap_record *mmap)
{
	struct thread *t = machine__thread(j->opts.machine, mmap->pid, mmap->tid);
	const struct map *map = machine__find_map(j->opts.machine, t, PERF_RECORD_MISC_USER,
						  mmap->start);
	struct jit_dump *d = map64__get(&j->by_pid, mmap->pid);

	if (!map || map->dso->kind != DSO_USER || (d && d->maps == maps__id(t->maps) &&
						   !strcmp(d->path, map->dso->path)))
		return;
	if (d && j->opts.live)
		jit_dumps__drop(j, d);
	d = jit_dumps__add(j, map->dso->path, open_dump(j, map->dso, mmap->pid));
	if (!d)
		return;
	d->pid = mmap->pid;
	d->maps = maps__id(t->maps);
	d->mapped = rec->time == NO_TIME ? 0 : rec->time;
	map64__set(&j->by_pid, d->pid, d);
}

int jit_dumps__add_own(struct jit_dumps *j, const struct thread *t, const char *path, int fd)
{
	struct jit_dump *d = map64__get(&j->by_pid, t->pid);

	if (d)
		jit_dumps__drop(j, d);
	d = jit_dumps__add(j, path, fd);
	if (!d)
		return -EBADMSG;
	d->pid = t->pid;
	d->maps = maps__id(t->maps);
	map64__set(&j->by_pid, d->pid, d);
	return 0;
}

bool jit_dumps__await(void *ctx, u32 pid)
{
	struct jit_dumps *j = ctx;
	struct jit_dump *d = map64__get(&j->by_pid, pid);

	return d && !d->ended;
}

void jit_dumps__look_again(struct jit_dumps *j, u32 pid)
{
	struct jit_dump *d = map64__get(&j->by_pid, pid);

	if (d)
		d->looked = 0;
}

void jit_dumps__record(struct jit_dumps *j, const struct record *rec)
{
	struct mmap_record mmap;
	struct task_record task;
	struct jit_dump *d;

	if (rec->hdr->type == PERF_RECORD_EXIT && j->opts.live && j->by_pid.nr) {
		if (!record__task(rec, &task) && task.pid == task.tid) {
			d = map64__get(&j->by_pid, task.pid);
			if (d)
				jit_dumps__drop(j, d);
		}
	} else if (is_marker(rec, &mmap)) {
		jit_dumps__mmap(j, rec, &mmap);
	}
}

static bool jit_dump__may(struct jit_dumps *j, struct jit_dump *d, enum limit what, u64 amount)
{
	if (!budget__take(&j->left[what], amount))
		return false;
	d->taken[what] += amount;
	return true;
}

static void jit_dump__event(struct jit_dump *d, const struct jitdump_record *rec, u32 code)
{
	struct jit_event *e = vec__push(&d->events);

	*e = (struct jit_event){
		.time = d->file.flags & JITDUMP_ARCH_TIME ? d->mapped : rec->time,
		.addr = rec->addr, .code = code, .tid = rec->tid, .seq = d->events.nr,
	};
}

/* False: no more is kept. */
static bool jit_dump__load(struct jit_dumps *j, struct jit_dump *d,
			   const struct jitdump_record *rec)
{
	struct jit_code *c, pending = d->pending;

	d->pending = (struct jit_code){};
	if (!rec->size)
		return true;
	if (!jit_dump__may(j, d, NAMES, strlen(rec->name) + 1) || !jit_dump__may(j, d, CODES, 1))
		return false;
	c = vec__push(&d->codes);
	*c = pending;
	if (c->lines_addr != rec->addr)
		c->nr_lines = 0;
	c->addr = rec->addr;
	c->size = rec->size;
	c->index = rec->index;
	c->name = arena__intern(d->arena, rec->name);
	c->code = (struct part){ rec->data_at, rec->data_size };
	map64__set(&d->by_index, rec->index, (void *)d->codes.nr);
	jit_dump__event(d, rec, d->codes.nr - 1);
	j->account.code++;
	return true;
}

/* False: no more is kept. */
static bool jit_dump__take(struct jit_dumps *j, struct jit_dump *d,
			   const struct jitdump_record *rec)
{
	struct part data = { rec->data_at, rec->data_size };
	uintptr_t code;

	switch (rec->type) {
	case JITDUMP_LOAD:
		return jit_dump__load(j, d, rec);
	case JITDUMP_MOVE:
		code = (uintptr_t)map64__get(&d->by_index, rec->index);
		if (code && !jit_dump__may(j, d, CODES, 1))
			return false;
		if (code)
			jit_dump__event(d, rec, code - 1);
		break;
	case JITDUMP_DEBUG_INFO:
		d->pending.lines = data;
		d->pending.lines_addr = rec->addr;
		d->pending.nr_lines = rec->nr_lines;
		break;
	case JITDUMP_UNWINDING:
		d->pending.unwinding = data;
		d->pending.hdr_size = rec->hdr_size;
		break;
	case JITDUMP_CLOSE:
		d->ended = true;
	}
	return true;
}

static int by_time(const void *va, const void *vb)
{
	const struct jit_event *a = va, *b = vb;

	return a->time != b->time ? compare_of(a->time, b->time) : compare_of(a->seq, b->seq);
}

/* Reads what was written since. */
static void jit_dump__read(struct jit_dumps *j, struct jit_dump *d)
{
	struct jitdump_record rec;
	int ret = 1;

	jitdump__grow(&d->file);
	while (!d->ended && (ret = jitdump__next(&d->file, &rec)) > 0) {
		if (!jit_dump__may(j, d, RECORDS, 1) || !jit_dump__take(j, d, &rec)) {
			d->ended = true;
			j->account.too_much++;
		}
	}
	jitdump__rest(&d->file);
	if (ret < 0) {
		d->ended = true;
		j->account.damaged++;
		pr_debug("%s: damaged at byte %llu\n", d->path, (unsigned long long)d->file.at);
	}
	if (d->events.nr > d->next)
		qsort(d->events.v + d->next, d->events.nr - d->next, sizeof(*d->events.v), by_time);
	if (!d->shift_known && d->events.nr) {
		d->shift = d->mapped - d->events.v[0].time;
		d->shift_known = true;
	}
}

/* Live, the file grows; of a recording all of it is read at once. */
static void jit_dump__look(struct jit_dumps *j, struct jit_dump *d)
{
	u64 now;

	if (d->ended || (d->looked && !j->opts.live))
		return;
	now = clock__now(CLOCK_MONOTONIC);
	if (d->looked && now - d->looked < LOOK_AGAIN)
		return;
	d->looked = now;
	jit_dump__read(j, d);
}

static bool jit_dump__has_event(const struct jit_dump *d, u64 time)
{
	return d->next < d->events.nr && d->events.v[d->next].time + d->shift <= time;
}

bool jit_dumps__is_due(struct jit_dumps *j, u32 pid, u64 time)
{
	struct jit_dump *d = j->by_pid.nr ? map64__get(&j->by_pid, pid) : NULL;

	if (!d)
		return false;
	jit_dump__look(j, d);
	return jit_dump__has_event(d, time);
}

/*
 * Inside of an ELF file that is mapped there, the file knows better. (A mapping of data says
 * nothing: that it is gone is not recorded.)
 */
static bool is_in_file(struct jit_dumps *j, const struct thread *t, u64 addr)
{
	const struct map *map = machine__find_map(j->opts.machine, t, PERF_RECORD_MISC_USER, addr);

	return map && map->dso->kind == DSO_USER && map->prot & PROT_EXEC &&
	       !binaries__is_jit(j->opts.binaries, map->dso);
}

static u64 code_name(const struct jit_dump *d, u32 code)
{
	return d->serial << 32 | code;
}

static int jit_dump__unload(struct jit_dumps *j, struct jit_dump *d, const struct jit_event *e,
			    struct thread *t)
{
	struct jit_code *c = &d->codes.v[e->code];
	const struct jit_load load = {
		.pid = d->pid, .tid = e->tid, .start = c->at, .size = c->size, .gone = true,
		.time = e->time + d->shift, .code = code_name(d, e->code), .number = c->index,
		.name = c->name, .path = d->path,
	};

	if (maps__id(t->maps) != d->maps || !c->at)
		return 0;
	c->at = 0;
	if (j->opts.on_load)
		return j->opts.on_load(j->opts.ctx, &load);
	machine__unmap_code(j->opts.machine, t, load.start, load.start + load.size, load.code);
	return 0;
}

/* Its instructions are not known, or following them would prove the wrong thing. */
static bool is_opaque(const struct jit_dump *d, const struct jit_code *c)
{
	if (c->unwinding.size > c->hdr_size)
		return d->file.swap;
	return d->file.swap || d->file.is_v8 ||
	       ((d->file.is_jvm || d->file.is_own) && c->index & JITDUMP_STUB);
}

static int jit_dump__happen(struct jit_dumps *j, struct jit_dump *d, const struct jit_event *e)
{
	struct jit_code *c = &d->codes.v[e->code];
	struct thread *t = machine__thread(j->opts.machine, d->pid, d->pid);
	struct code_mapping code = {
		.start = e->addr, .pgoff = JIT_ELF_TEXT, .function = c->name, .path = d->path,
		.code = code_name(d, e->code),
		.opaque = is_opaque(d, c),
	};
	struct jit_load load = {
		.pid = d->pid, .tid = e->tid, .start = e->addr, .size = c->size,
		.time = e->time + d->shift, .code = code.code, .number = c->index, .name = c->name,
		.path = d->path,
	};

	if (!e->addr)
		return jit_dump__unload(j, d, e, t);
	if (maps__id(t->maps) != d->maps || is_in_file(j, t, e->addr) ||
	    __builtin_add_overflow(e->addr, c->size, &code.end))
		return 0;
	c->at = e->addr;
	if (j->opts.on_load)
		return j->opts.on_load(j->opts.ctx, &load);
	machine__map_code(j->opts.machine, t, &code);
	return 0;
}

int jit_dumps__advance(struct jit_dumps *j, u32 pid, u64 time)
{
	struct jit_dump *d = j->by_pid.nr ? map64__get(&j->by_pid, pid) : NULL;
	int ret = 0;

	if (!d)
		return 0;
	jit_dump__look(j, d);
	while (!ret && jit_dump__has_event(d, time))
		ret = jit_dump__happen(j, d, &d->events.v[d->next++]);
	return ret;
}

static struct jit_code *jit_dumps__code(struct jit_dumps *j, u64 code, struct jit_dump **dump)
{
	struct jit_dump *d = map64__get(&j->by_serial, code >> 32);

	*dump = d;
	return d && (u32)code < d->codes.nr ? &d->codes.v[(u32)code] : NULL;
}

/* Reads a part of the file; @out is freed by the caller. */
static int jit_dump__part(const struct jit_dump *d, const struct part *part, u8 **out)
{
	if (part->size > MAX_PART)
		return -EFBIG;
	*out = xmalloc(part->size + 1);
	return jitdump__read(&d->file, part->at, *out, part->size);
}

static void jit_elf__set_lines(struct jit_elf *elf, const struct jit_dump *d,
			       const struct jit_code *c, const u8 *lines)
{
	elf->addr = c->addr + (d->file.is_v8 ? JITDUMP_V8_SHIFT : 0);
	elf->lines = lines;
	elf->lines_size = c->lines.size;
	elf->nr_lines = c->nr_lines;
}

int jit_dumps__elf(struct jit_dumps *j, u64 code, bool with_lines, jit_elf_bytes *out)
{
	struct jit_dump *d;
	struct jit_code *c = jit_dumps__code(j, code, &d);
	u8 *parts[3] = {};
	struct jit_elf elf;
	int err;

	if (!c)
		return -ENOENT;
	if (d->file.swap)
		return -ENOTSUP;
	err = jit_dump__part(d, &c->code, &parts[0]);
	if (!err)
		err = jit_dump__part(d, &c->unwinding, &parts[1]);
	elf = (struct jit_elf){
		.machine = d->file.machine ?: jit_elf__native_machine(), /* CPython says 0 */
		.name = c->name, .addr = c->addr, .code = parts[0],
		.code_size = c->size, .unwinding = parts[1], .unwinding_size = c->unwinding.size,
		.hdr_size = c->hdr_size,
	};
	if (!err && with_lines && c->nr_lines && !jit_dump__part(d, &c->lines, &parts[2]))
		jit_elf__set_lines(&elf, d, c, parts[2]);
	if (!err)
		jit_elf__write(out, &elf);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		free(parts[i]);
	return err;
}

bool jit_dumps__line(void *ctx, const struct dso *dso, u64 addr, const char **file, u32 *line)
{
	struct jit_dumps *j = ctx;
	struct jit_dump *d;
	struct jit_code *c = jit_dumps__code(j, dso->code, &d);
	struct jit_elf elf = {};
	struct jit_line found;

	if (!c || !c->nr_lines || d->file.swap)
		return false;
	if (!budget__take(&j->lines, c->lines.size)) {
		j->account.lines_left_out++;
		return false;
	}
	if (!j->line_bytes || j->line_code != dso->code) {
		zfree(&j->line_bytes);
		j->line_code = dso->code;
		if (jit_dump__part(d, &c->lines, &j->line_bytes)) {
			zfree(&j->line_bytes);
			return false;
		}
	}
	jit_elf__set_lines(&elf, d, c, j->line_bytes);
	elf.code_size = c->size;
	if (!jit_lines__find(&elf, addr - dso->start + elf.addr, &found))
		return false;
	*file = found.file;
	*line = found.line;
	return true;
}

int jit_dumps__advance_all(struct jit_dumps *j, u64 time)
{
	int ret = 0;

	while (!ret) {
		struct jit_dump *first = NULL;
		u64 at = time;

		map64__for_each(&j->by_pid, slot) {
			struct jit_dump *d = slot->value;

			jit_dump__look(j, d);
			if (jit_dump__has_event(d, at)) {
				first = d;
				at = d->events.v[d->next].time + d->shift;
			}
		}
		if (!first)
			break;
		ret = jit_dump__happen(j, first, &first->events.v[first->next++]);
	}
	return ret;
}

const struct jit_account *jit_dumps__account(struct jit_dumps *j)
{
	j->account.covered = machine__nr_covered(j->opts.machine);
	return &j->account;
}

void jit_dumps__leave_out(struct jit_dumps *j)
{
	j->account.left_out++;
}

int jit_dumps__open_file(struct jit_dumps *j, const struct dso *dso)
{
	struct jit_dump *d;
	int fd;

	if (!jit_dumps__code(j, dso->code, &d))
		return -ENOENT;
	fd = fcntl(d->file.fd, F_DUPFD_CLOEXEC, 0);
	return fd < 0 ? -errno : fd;
}
