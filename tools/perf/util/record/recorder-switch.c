// SPDX-License-Identifier: GPL-2.0-only
/*
 * One output file after the other, each readable alone: records that have left the pipeline are in
 * the old one, and the new one begins with the state of the machine at that point. Samples that
 * wait for their deferred callchain are written, at the latest, at the end of the file, with the
 * stack of their thread if it was asleep then.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/log.h"
#include "../binary/build-id.h"
#include "../live/synth-record.h"
#include "recorder-file.h"
#include "recorder-priv.h"

struct state_writer {
	struct synthesize s;
	struct map64 written; /* address spaces by id */
};

static int emit(void *ctx, const struct perf_event_header *hdr)
{
	struct recorder *r = ctx;

	return writer__write(r->writer, hdr, hdr->size, &r->sink.err);
}

static int write_map(struct state_writer *w, u32 pid, const struct map *map)
{
	const struct dso *dso = map->dso;
	struct synth_mmap2 mmap = {
		.misc = PERF_RECORD_MISC_USER,
		.pid = pid,
		.tid = pid,
		.start = map->start,
		.len = map->end - map->start,
		.pgoff = map->pgoff,
		.maj = dso->maj,
		.min = dso->min,
		.ino = dso->ino,
		.prot = map->prot,
		.flags = map->flags,
		.build_id = dso->build_id,
		/* Not by the name of a perf map: that would be a file, with other addresses. */
		.filename = dso->kind == DSO_ANON && dso__may_have_perf_map(dso) ? "//anon" :
			    dso->path,
	};

	return synth__mmap2(&w->s, &mmap);
}

static int write_thread(void *ctx, const struct thread *thread)
{
	struct state_writer *w = ctx;
	u64 id = (u64)maps__id(thread->maps) + 1;
	int ret;

	if (thread->exited || !thread->tid)
		return 0;
	ret = synth__fork(&w->s, thread->pid, thread->tid, thread->pid, thread->pid);
	if (!ret)
		ret = synthesize__namespaces(&w->s, thread->pid, thread->tid);
	if (!ret && thread->comm_known)
		ret = synth__comm(&w->s, thread->pid, thread->tid, thread->comm);
	if (ret || map64__set(&w->written, id, w))
		return ret;
	for (size_t i = 0; !ret && i < maps__nr(thread->maps); i++)
		ret = write_map(w, thread->pid, maps__at(thread->maps, i));
	return ret;
}

static int write_state(struct recorder *r)
{
	struct state_writer w = {
		.s = {
			.emit = emit,
			.ctx = r,
			.build_id = build_id__read_fd,
			.kernel_build_id = build_id__read_kernel,
			.module_build_id = build_id__read_module,
			.event = recorder__tracking_event(r->written),
			.leave_out = r->opts->leave_out,
			.kernel_text = &r->kernel_text,
		},
	};
	int ret;

	synthesize__init(&w.s);
	ret = synthesize__kernel(&w.s);
	if (!ret)
		ret = synthesize__ksymbols(&w.s);
	if (!ret)
		ret = synthesize__cgroups(&w.s);
	if (!ret)
		ret = machine__for_each_thread(pipeline__machine(r->pipeline), write_thread, &w);
	if (!ret && r->result->late_cpu >= 0) {
		w.s.time = r->newest;
		ret = synth__unseen_cpu(&w.s);
	}
	synthesize__done(&w.s);
	map64__free(&w.written);
	return ret;
}

/* Removes the oldest of the files written so far, when their number is limited. */
static void keep_newest(struct recorder *r, const char *name)
{
	u32 max = r->opts->switch_output.max_files;
	int ret;

	*vec__push(&r->files) = xstrdup(name);
	/* The next file counts, too. */
	if (!max || r->files.nr < max)
		return;
	ret = recorder_file__remove(recorder__place(r), r->files.v[0]);
	if (ret)
		pr_debug("cannot remove %s: %s\n", r->files.v[0], strerror(-ret));
	free(r->files.v[0]);
	r->files.nr--;
	memmove(r->files.v, r->files.v + 1, r->files.nr * sizeof(r->files.v[0]));
}

void recorder__forget_files(struct recorder *r)
{
	for (size_t i = 0; i < r->files.nr; i++)
		free(r->files.v[i]);
	vec__free(&r->files);
}

int recorder__switch_output(struct recorder *r)
{
	char name[sizeof(r->result->output)];
	int ret;

	recorder__check_asleep(r);
	ret = pipeline__flush_waiting(r->pipeline);
	if (!ret)
		ret = recorder__write_lost(r);
	if (ret)
		return ret;
	file_sink__describe(&r->sink, r->written);
	ret = writer__finish(r->writer, &r->sink.err);
	r->writer = NULL;
	if (ret)
		return ret;
	/* With its old name it would be replaced by the next file. */
	ret = recorder_file__stamp(recorder__place(r), name, sizeof(name), &r->sink.err);
	if (ret)
		return ret;
	if (r->opts->callbacks.switched)
		r->opts->callbacks.switched(r->opts->callbacks.ctx, name);
	keep_newest(r, name);
	if (pipeline__map_copies(r->pipeline))
		map_copies__next_file(pipeline__map_copies(r->pipeline));
	r->result->nr_switched++;
	file_sink__restart(&r->sink);
	r->written->build_ids.nr = 0;
	r->written->first_sample_time = r->written->last_sample_time = 0;
	ret = recorder__open_output(r, &r->sink.err);
	return ret ? ret : write_state(r);
}
