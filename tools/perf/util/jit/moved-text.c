// SPDX-License-Identifier: GPL-2.0-only
#include "moved-text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../../lib/unwind/core/budget.h"
#include "../base/clock.h"
#include "../base/log.h"
#include "../io/process-memory.h"
#include "../io/side-process.h"

#define PAGE 4096
#define BLOCK PROCESS_MEMORY_MAX
#define TEXTS_MAX 256      /* that are remembered, of all processes */
#define FILES_MAX 1024     /* the same for mappings of files */
#define RUNS_MAX 16        /* pieces of a text that are equal to the file's */
#define TRIES_MAX 8
/* So late all records have come of what was before; a walk may take some rounds. */
#define SURE_MS 1000
/* A program may remap as fast as it can: what is compared in all at first, and with each second. */
#define COMPARED_MAX (512ull << 20)
#define COMPARED_PER_S (4ull << 20)
/* Another code, when of so much in front not even a half is equal. */
#define PROBE (256 << 10)

/* A mapping of a file, as it has come from the rings, and is not in the state yet. */
struct seen_file {
	u32 pid;
	struct map map;
};

/* Bare memory that was mapped where a file has, or had, its code. */
struct text {
	u32 pid;
	struct map file;  /* as it was mapped, or would have been */
	u64 time;         /* of the record of the bare mapping */
	bool over;        /* another mapping has come since, or it is mapped as the file again */
	u32 tries;
	u64 tried_ms, equal_ms; /* CLOCK_MONOTONIC: last try; equal since */
	struct { u64 start, end; } runs[RUNS_MAX]; /* that are equal */
	u32 nr_runs;
};

struct moved_text {
	struct moved_text_opts opts;
	struct memory_reader reader;
	struct budget budget;
	u64 refilled;                /* s, CLOCK_MONOTONIC */
	struct text texts[TEXTS_MAX];
	struct seen_file files[FILES_MAX];
	u32 nr_texts, nr_files;      /* so far: those of the last *_MAX are there */
	u8 memory[BLOCK], file[BLOCK];
};

struct moved_text *moved_text__new(const struct moved_text_opts *opts)
{
	struct moved_text *m = xzalloc(sizeof(*m));

	m->opts = *opts;
	m->budget.left = COMPARED_MAX;
	return m;
}

void moved_text__free(struct moved_text *m)
{
	if (!m)
		return;
	memory_reader__free(&m->reader);
	free(m);
}

void moved_text__forget(struct moved_text *m, const struct dso *dso)
{
	for (u32 i = 0; i < TEXTS_MAX; i++)
		if (m->texts[i].file.dso == dso)
			m->texts[i] = (struct text){ .over = true };
	for (u32 i = 0; i < FILES_MAX; i++)
		if (m->files[i].map.dso == dso)
			m->files[i] = (struct seen_file){};
}

static u64 now_ms(void)
{
	return clock__now(CLOCK_MONOTONIC) / NSEC_PER_MSEC;
}

/* Whether a mapping has no ELF file behind it: memory, huge pages, a memory file. */
static bool is_bare(struct moved_text *m, const struct dso *dso)
{
	char magic[4];
	int fd;

	if (dso->kind != DSO_USER)
		return dso->kind == DSO_ANON;
	fd = binaries__fd(m->opts.binaries, dso);
	return fd < 0 || pread(fd, magic, sizeof(magic), 0) != sizeof(magic) ||
	       memcmp(magic, "\177ELF", sizeof(magic));
}

static bool is_file(struct moved_text *m, const struct map *map)
{
	return map && map->dso->kind == DSO_USER && !is_bare(m, map->dso);
}

static bool map__overlaps(const struct map *map, u64 start, u64 end)
{
	return map->start < end && start < map->end;
}

/* The part of @map that lies in [@start, @end). */
static struct map map__part(const struct map *map, u64 start, u64 end)
{
	struct map part = *map;

	part.start = max_of(start, map->start);
	part.end = min_of(end, map->end);
	part.pgoff += part.start - map->start;
	return part;
}

static void moved_text__refill(struct moved_text *m)
{
	u64 now = now_ms() / 1000;

	if (m->refilled)
		m->budget.left = min_of(m->budget.left + (now - m->refilled) * COMPARED_PER_S,
					(u64)COMPARED_MAX);
	m->refilled = now;
}

/* Returns false when there are too many runs. */
static bool text__add_page(struct text *t, u64 addr)
{
	if (!t->nr_runs || t->runs[t->nr_runs - 1].end != addr) {
		if (t->nr_runs == RUNS_MAX)
			return false;
		t->runs[t->nr_runs++].start = addr;
	}
	t->runs[t->nr_runs - 1].end = addr + PAGE;
	return true;
}

/* Returns how many bytes of the block are equal, in whole pages. */
static size_t moved_text__block(struct moved_text *m, struct text *t, int fd, u64 addr, size_t size)
{
	ssize_t from_file = pread(fd, m->file, size, t->file.pgoff + (addr - t->file.start));
	ssize_t from_memory = memory_reader__read(&m->reader, t->pid, addr, m->memory, size);
	ssize_t both = min_of(from_file, from_memory);
	size_t equal = 0;

	for (size_t at = 0; at < size && both >= (ssize_t)(at + PAGE); at += PAGE)
		if (!memcmp(m->file + at, m->memory + at, PAGE) && text__add_page(t, addr + at))
			equal += PAGE;
	return equal;
}

/* Finds what of a text is equal to the file's. */
static void moved_text__compare(struct moved_text *m, struct text *t)
{
	int fd = binaries__fd(m->opts.binaries, t->file.dso);
	u64 equal = 0, size;

	t->tries++;
	t->tried_ms = now_ms();
	t->nr_runs = 0;
	moved_text__refill(m);
	for (u64 at = t->file.start; fd >= 0 && at < t->file.end; at += size) {
		size = min_of((u64)BLOCK, t->file.end - at);
		if ((at - t->file.start >= PROBE && equal < (at - t->file.start) / 2) ||
		    !budget__take(&m->budget, size))
			break;
		equal += moved_text__block(m, t, fd, at, size);
	}
	if (!t->nr_runs)
		t->equal_ms = 0;
	else if (!t->equal_ms)
		t->equal_ms = t->tried_ms;
	pr_debug2("%u: %" PRIu64 " kB of code at %#" PRIx64 ": %" PRIu64 " kB are the same as in "
		  "%s\n",
		  t->pid, (t->file.end - t->file.start) >> 10, t->file.start, equal >> 10,
		  t->file.dso->name);
}

/* Tells what is equal. Returns: 0, or what .on_text has returned. */
static int moved_text__tell(struct moved_text *m, struct text *text, u64 time)
{
	struct text t = *text; /* it may be forgotten when the state changes */
	int ret = 0;

	text->over = true;
	for (u32 i = 0; !ret && i < t.nr_runs; i++) {
		struct map map = map__part(&t.file, t.runs[i].start, t.runs[i].end);

		ret = m->opts.on_text(m->opts.ctx, t.pid, &map, time);
	}
	return ret;
}

static struct text *moved_text__note(struct moved_text *m, u32 pid, const struct map *file,
				     u64 time)
{
	struct text *t = &m->texts[m->nr_texts++ % TEXTS_MAX];

	*t = (struct text){ .pid = pid, .file = *file, .time = time };
	return t;
}

/* What of an old mapping is hidden by a bare one is compared at once. Returns: whether it is. */
static bool moved_text__hide(struct moved_text *m, const struct map *old, const struct dso *bare,
			     const struct mmap_record *mmap, u64 time)
{
	struct map part = map__part(old, mmap->start, mmap->start + mmap->len);

	if (!map__overlaps(old, mmap->start, mmap->start + mmap->len) || old->dso == bare ||
	    !(old->prot & PROT_EXEC) || !is_file(m, old) || !is_bare(m, bare))
		return false;
	moved_text__compare(m, moved_text__note(m, mmap->pid, &part, time));
	return true;
}

/* The file that was mapped there, as far as the rings have told by now, or the state. */
static bool moved_text__find_old(struct moved_text *m, const struct dso *bare,
				 const struct mmap_record *mmap, u64 time)
{
	const struct thread *t = machine__find_thread(m->opts.machine, mmap->pid);
	u64 end = mmap->start + mmap->len, next;
	const struct map *old;
	bool found = false;

	for (u32 i = 0; i < min_of(m->nr_files, (u32)FILES_MAX); i++) {
		const struct seen_file *f = &m->files[(m->nr_files - 1 - i) % FILES_MAX];

		if (f->pid == mmap->pid && f->map.dso &&
		    moved_text__hide(m, &f->map, bare, mmap, time))
			return true;
	}
	for (u64 at = mmap->start; t && t->maps && (old = maps__next(t->maps, at)) &&
	     old->start < end; at = next) {
		next = old->end;
		found |= moved_text__hide(m, old, bare, mmap, time);
	}
	return found;
}

void moved_text__arrives(struct moved_text *m, const struct mmap_record *mmap,
			 const struct dso *dso, u64 time)
{
	u64 end;

	if (__builtin_add_overflow(mmap->start, mmap->len, &end) ||
	    (dso->kind != DSO_USER && dso->kind != DSO_ANON))
		return;
	for (u32 i = 0; i < TEXTS_MAX; i++)
		if (m->texts[i].pid == mmap->pid &&
		    map__overlaps(&m->texts[i].file, mmap->start, end))
			m->texts[i].over = true;
	if (moved_text__find_old(m, dso, mmap, time) || dso->kind != DSO_USER)
		return;
	m->files[m->nr_files++ % FILES_MAX] = (struct seen_file){
		.pid = mmap->pid,
		.map = { .start = mmap->start, .end = end, .pgoff = mmap->pgoff,
			 .prot = mmap->prot, .flags = mmap->flags, .dso = dso },
	};
}

/*
 * The code that the file below has for the mapping behind it. @below: its mapping, of whatever
 * segment
 */
static void moved_text__derive(struct moved_text *m, const struct map *below,
			       const struct mmap_record *mmap, u64 time)
{
	int fd = binaries__fd(m->opts.binaries, below->dso);
	u64 end = mmap->start + mmap->len, base;
	const struct elf_load *at, *load;
	struct elf_image img = {};
	struct map text = *below;

	at = fd < 0 || elf_image__open_sparse(&img, fd) ? NULL :
	     elf_image__load_at(&img, below->pgoff, PAGE);
	for (size_t i = 0; at && i < img.loads.nr; i++) {
		load = &img.loads.v[i];
		/* Where the file would begin, if all of it were mapped as this segment is. */
		base = below->start - below->pgoff - (at->vaddr - at->offset) +
		       load->vaddr - load->offset;
		text.start = max_of(mmap->start, (base + load->offset) & -(u64)PAGE);
		text.end = min_of(end, (base + load->offset + load->filesz + PAGE - 1) &
				       -(u64)PAGE);
		text.pgoff = text.start - base;
		text.prot = PROT_READ | PROT_EXEC;
		if (load->exec && text.start < text.end && text.end <= end)
			moved_text__compare(m, moved_text__note(m, mmap->pid, &text, time));
	}
	elf_image__close(&img);
}

/* A program that runs already: what is below its mapping is in the state. */
static void moved_text__find_below(struct moved_text *m, const struct mmap_record *mmap, u64 time)
{
	const struct thread *t = machine__find_thread(m->opts.machine, mmap->pid);
	const struct map *own = t && t->maps ? maps__next(t->maps, mmap->start) : NULL;
	const struct map *below = own && mmap->start ? maps__next(t->maps, mmap->start - 1) : NULL;

	if (own && own->start == mmap->start && own->prot & PROT_EXEC && below &&
	    below->end == mmap->start && below->dso != own->dso && is_file(m, below) &&
	    is_bare(m, own->dso))
		moved_text__derive(m, below, mmap, time);
}

bool moved_text__awaits(const struct moved_text *m, u32 pid, u64 addr)
{
	for (u32 i = 0; i < TEXTS_MAX; i++)
		if (m->texts[i].pid == pid && !m->texts[i].over && m->texts[i].file.dso &&
		    map__overlaps(&m->texts[i].file, addr, addr + 1))
			return true;
	return false;
}

static bool text__is_of(const struct text *t, const struct mmap_record *mmap, u64 time)
{
	return t->pid == mmap->pid && t->time == time && t->file.dso &&
	       map__overlaps(&t->file, mmap->start, mmap->start + mmap->len);
}

int moved_text__turn(struct moved_text *m, const struct record *rec)
{
	struct mmap_record mmap;
	bool known = false;
	int ret = 0;

	if (rec->hdr->type != PERF_RECORD_MMAP2 || record__mmap(rec, &mmap) ||
	    !(mmap.prot & PROT_EXEC) || mmap.start + mmap.len < mmap.start)
		return 0;
	for (u32 i = 0; i < TEXTS_MAX; i++)
		known |= text__is_of(&m->texts[i], &mmap, rec->time);
	if (!known)
		moved_text__find_below(m, &mmap, rec->time);
	for (u32 i = 0; !ret && i < TEXTS_MAX; i++)
		if (text__is_of(&m->texts[i], &mmap, rec->time) && !m->texts[i].over &&
		    m->texts[i].nr_runs)
			ret = moved_text__tell(m, &m->texts[i], rec->time);
	return ret;
}

/*
 * Whether it is certain by now that the bytes at @ip are those of this mapping. What is compared
 * here may be those of a next one, whose record has not come: then it comes until SURE_MS later.
 */
static bool moved_text__is_sure(struct moved_text *m, struct text *t, u64 ip)
{
	u64 now = now_ms();
	bool equal = false;

	if (t->tries >= TRIES_MAX || (t->tries && now - t->tried_ms < SURE_MS))
		return false;
	moved_text__compare(m, t);
	for (u32 i = 0; i < t->nr_runs; i++)
		equal |= t->runs[i].start <= ip && ip < t->runs[i].end;
	return equal && now - t->equal_ms >= SURE_MS;
}

int moved_text__look(struct moved_text *m, const struct thread *t, u64 ip, u64 time)
{
	const struct map *map = m->nr_texts ? maps__next(t->maps, ip) : NULL;

	if (!map || map->start > ip || !(map->prot & PROT_EXEC))
		return 0;
	for (u32 i = 0; i < TEXTS_MAX; i++) {
		struct text *text = &m->texts[i];

		if (text->over || text->pid != t->pid || !text->file.dso ||
		    !map__overlaps(&text->file, ip, ip + 1) || !is_bare(m, map->dso) ||
		    !moved_text__is_sure(m, text, ip))
			continue;
		return moved_text__tell(m, text, time) ?: 1;
	}
	return 0;
}
