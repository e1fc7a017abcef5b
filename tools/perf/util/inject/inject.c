// SPDX-License-Identifier: GPL-2.0-only
#include "inject.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../io/output-file.h"
#include "../io/replace-file.h"
#include "../io/write-all.h"
#include "../live/synth-record.h"
#include "../sink/file-sink.h"

struct inject {
	const struct inject_opts *opts;
	struct inject_result *result;
	struct reader *reader;
	struct recording *written;
	struct writer *writer;
	struct replace_file file;
	struct file_sink sink;
	struct pipeline *pipeline;
	struct synthesize synth;
	struct map64 names; /* hash of a path -> dso.code + 1 of the function that is in it */
};

/* The path of the ELF file of a function; false: it is too long. */
static bool jitted_path(struct inject *in, const struct jit_load *load, char *path, size_t size)
{
	const char *slash = strrchr(load->path, '/');
	int len, dir = slash ? slash - load->path + 1 : 0;
	u64 key, had;

	len = snprintf(path, size, "%.*sjitted-%u-%" PRIu64 ".so", dir, load->path, load->pid,
		       load->number);
	key = hash_bytes(path, strlen(path));
	had = (uintptr_t)map64__get(&in->names, key);
	/* The compiler has given the number to another function before. */
	if (had && had != load->code + 1)
		len = snprintf(path, size, "%.*sjitted-%u-%" PRIu64 "-%" PRIu64 ".so", dir,
			       load->path, load->pid, load->number, load->code & UINT32_MAX);
	else
		map64__set(&in->names, key, (void *)(uintptr_t)(load->code + 1));
	return len > 0 && (size_t)len < size;
}

bool inject__makes(const void *ctx __unused_arg, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t head = strlen("jitted-"), middle;

	if (strncmp(name, "jitted-", head))
		return false;
	middle = strspn(name + head, "0123456789-");
	return middle && !strcmp(name + head + middle, ".so");
}

/* Writes a new file; never through a link that somebody has put there. */
static int write_new(const char *path, const jit_elf_bytes *bytes, struct stat *st)
{
	int fd = output_file__open(path, OUTPUT_FILE_INSTEAD, 0644, NULL), err;

	if (fd < 0)
		return fd;
	err = write_all(fd, bytes->v, bytes->nr, NULL);
	if (!err && fstat(fd, st))
		err = -errno;
	close(fd);
	if (err)
		output_file__remove(path);
	return err;
}

static int inject__elf(struct inject *in, const struct jit_load *load, const char *path,
		       struct stat *st)
{
	jit_elf_bytes bytes = {};
	int err = jit_dumps__elf(pipeline__jit(in->pipeline), load->code, true, &bytes);

	if (!err)
		err = write_new(path, &bytes, st);
	vec__free(&bytes);
	in->result->files += !err;
	return err;
}

static int emit(void *ctx, const struct perf_event_header *hdr)
{
	struct inject *in = ctx;
	struct record rec = { .hdr = hdr };

	(void)record__identify(&rec, in->written);
	return file_sink__record(&in->sink, &rec);
}

/* What was a function is memory without a file again. */
static int inject__gone(struct inject *in, const struct jit_load *load)
{
	const struct synth_mmap2 mmap = {
		.misc = PERF_RECORD_MISC_USER, .pid = load->pid, .tid = load->tid,
		.start = load->start, .len = load->size, .prot = PROT_READ | PROT_EXEC,
		.flags = MAP_PRIVATE, .filename = "//anon",
	};

	in->synth.time = load->time;
	return synth__mmap2(&in->synth, &mmap);
}

/* A function was made: its file, and the mapping of that. */
static int on_code(void *ctx, const struct jit_load *load)
{
	struct inject *in = ctx;
	char path[PATH_MAX] = "";
	struct stat st = {};
	int err = -ENAMETOOLONG;
	struct synth_mmap2 mmap = {
		.misc = PERF_RECORD_MISC_USER, .pid = load->pid, .tid = load->tid,
		.start = load->start, .len = load->size, .pgoff = JIT_ELF_TEXT,
		.prot = PROT_READ | PROT_EXEC, .flags = MAP_PRIVATE, .filename = path,
	};

	if (load->gone)
		return inject__gone(in, load);
	if (jitted_path(in, load, path, sizeof(path)))
		err = inject__elf(in, load, path, &st);
	if (err) {
		if (!in->result->unwritten++)
			error__set(&in->result->unwritten_why, err, "%s: %s", path, strerror(-err));
		return 0;
	}
	mmap.maj = major(st.st_dev);
	mmap.min = minor(st.st_dev);
	mmap.ino = st.st_ino;
	in->synth.time = load->time;
	in->result->mappings++;
	return synth__mmap2(&in->synth, &mmap);
}

static void inject__begin(void *ctx, struct machine *machine, struct symbols *symbols)
{
	struct inject *in = ctx;

	file_sink__begin(&in->sink, machine, symbols);
}

static int inject__sample(void *ctx, const struct whole_sample *ws)
{
	struct inject *in = ctx;

	return file_sink__sample(&in->sink, ws);
}

static int inject__record(void *ctx, const struct record *rec)
{
	struct inject *in = ctx;

	if (in->opts->jit && jit_dumps__replaces(pipeline__jit(in->pipeline), rec))
		return 0;
	return file_sink__record(&in->sink, rec);
}

static int inject__open(struct inject *in, struct error *err)
{
	struct writer_opts opts = { .copies = true };
	int ret;

	in->written = recording__copy(reader__recording(in->reader), NULL, NULL);
	if (!in->written->events.nr)
		return error__set(err, -EINVAL, "the recording has no events");
	in->synth = (struct synthesize){
		.emit = emit, .ctx = in, .event = in->written->events.v[0],
	};
	ret = replace_file__open(&in->file, in->opts->output, err);
	if (ret)
		return ret;
	opts.path = in->opts->output;
	opts.file = &in->file;
	ret = writer__open(&in->writer, &opts, in->written, err);
	in->sink.writer = in->writer;
	in->sink.live = in->opts->build_ids;
	return ret;
}

static int inject__finish(struct inject *in, int ret, struct error *err)
{
	struct error failed = {};
	int end;

	recording__add_build_ids(in->written, reader__recording(in->reader));
	if (in->opts->build_ids)
		file_sink__describe(&in->sink, in->written);
	end = writer__finish(in->writer, &failed);
	in->writer = NULL;
	ret = ret ?: end;
	if (ret)
		return error__set(err, ret, "cannot write %s: %s", in->opts->output,
				  failed.code ? failed.text : strerror(-ret));
	return replace_file__commit(&in->file, &in->result->bytes_out, err);
}

static int inject__make_pipeline(struct inject *in, struct error *err)
{
	const struct pipeline_opts opts = {
		.keep_deferred = true, .keep_copies = true, .symbols = in->opts->symbols,
		.sink = {
			.begin = inject__begin, .sample = inject__sample,
			.record = inject__record, .ctx = in,
		},
		.progress = in->opts->progress, .progress_ctx = in->opts->progress_ctx,
		.on_code = in->opts->jit ? on_code : NULL, .on_code_ctx = in,
	};

	return pipeline__new(&in->pipeline, reader__recording(in->reader), &opts, err);
}

/* The pipeline has pointers to opts->symbols only. */
int inject__run(struct reader *r, const struct inject_opts *opts, struct inject_result *result,
		struct error *err)
{
	struct inject in = { .opts = opts, .result = result, .reader = r };
	int ret;

	*result = (struct inject_result){};
	if (recording__has(reader__recording(r), FEAT_AUXTRACE))
		return error__set(err, -EOPNOTSUPP, "the recording has AUX area data, which the "
				  "result could not keep");
	file_sink__init(&in.sink);
	reader__keep_unknown(r);
	ret = reader__is_stream(r) ? reader__unpack_stream(r, err) : 0;
	if (!ret)
		ret = inject__make_pipeline(&in, err);
	if (!ret)
		ret = inject__open(&in, err);
	if (!ret) {
		ret = inject__finish(&in, pipeline__run(in.pipeline, r, err), err);
		result->jit = *jit_dumps__account(pipeline__jit(in.pipeline));
		result->account = *pipeline__account(in.pipeline);
	}
	writer__abort(in.writer);
	replace_file__abort(&in.file);
	pipeline__free(in.pipeline);
	file_sink__free(&in.sink);
	recording__free(in.written);
	map64__free(&in.names);
	return ret;
}
