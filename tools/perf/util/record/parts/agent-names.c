// SPDX-License-Identifier: GPL-2.0-only
/*
 * --agent: functions without code have addresses in the file by a mapping of a file that names
 * them, which is written at the end.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../io/write-all.h"
#include "../../live/synth-record.h"
#include "../recorder-priv.h"

static int emit_map(void *ctx, const struct perf_event_header *hdr)
{
	struct recorder *r = ctx;
	struct record rec = { .hdr = hdr };

	(void)record__identify(&rec, r->live);
	if (machine__process(pipeline__machine(r->pipeline), &rec))
		return 0;
	return file_sink__record(&r->sink, &rec);
}

static char *codes_name(u32 pid, u32 nr, const struct agent_codes *c)
{
	return xasprintf("%s-%u-%u", c->python ? "python" : "functions", pid, nr);
}

int recorder_agent__map_codes(void *ctx, u32 pid, u32 nr, u64 time,
			      const struct agent_codes *codes)
{
	struct recorder *r = ctx;
	struct synthesize s = {
		.emit = emit_map, .ctx = r, .event = recorder__tracking_event(r->live),
		.time = time,
	};
	/* Linux perf takes whatever begins with /tmp/perf- for a list of symbols of a JIT. */
	bool misread = !strncmp(r->jit_dir.path, "/tmp/perf-", 10);
	char *name = codes_name(pid, nr, codes);
	char *path = xasprintf("%s%s/%s", misread ? "/." : "", r->jit_dir.path, name);
	struct synth_mmap2 mmap = {
		.misc = PERF_RECORD_MISC_USER, .pid = pid, .tid = pid, .start = codes->start,
		.len = codes->size, .prot = PROT_READ | PROT_EXEC, .flags = MAP_PRIVATE,
		.filename = path,
	};
	int ret;

	if (attr__test_bit(&s.event->attr, ATTR_BIT_BUILD_ID)) {
		mmap.misc |= ABI_MISC_MMAP_BUILD_ID;
		mmap.build_id.size = sizeof(codes->build_id);
		memcpy(mmap.build_id.data, codes->build_id, sizeof(codes->build_id));
	}
	ret = synth__mmap2(&s, &mmap);
	free(path);
	free(name);
	return ret;
}

static int write_file(struct jit_dir *dir, const char *name, const jit_elf_bytes *elf, int *out)
{
	*out = jit_dir__create(dir, name);
	return *out < 0 ? *out : write_all(*out, elf->v, elf->nr, NULL);
}

/* With --buildid-cache, others find it there, too, when the recording is elsewhere. */
static void cache_file(struct recorder *r, const char *name, const struct agent_codes *codes,
		       int fd)
{
	char *path = xasprintf("%s/%s", r->jit_dir.path, name);
	struct build_id id = { .size = sizeof(codes->build_id) };

	memcpy(id.data, codes->build_id, id.size);
	if (r->cache.fd >= 0 && !id_cache__add(&r->cache, path, &id, "elf", fd, ID_CACHE_REPLACE))
		r->result->cached++;
	free(path);
}

int recorder_agent__write_codes(void *ctx, u32 pid, u32 nr, const struct agent_codes *codes)
{
	struct recorder *r = ctx;
	char *name = codes_name(pid, nr, codes);
	jit_elf_bytes elf = {};
	int fd = -1, ret;

	agent_codes__write(codes, &elf);
	ret = write_file(&r->jit_dir, name, &elf, &fd);
	vec__free(&elf);
	if (!ret)
		cache_file(r, name, codes, fd);
	if (fd >= 0)
		close(fd);

	if (ret && !r->result->agent_err.code)
		error__set(&r->result->agent_err, ret, "%s/%s: the names of functions could "
			   "not be written: %s", r->jit_dir.path, name, strerror(-ret));
	r->result->agent_files += !ret;
	free(name);
	return 0;
}
