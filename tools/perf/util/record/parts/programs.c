// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the kernel knows of BPF programs, for the source lines of their code: of those that are
 * there when the recording begins, and of those that are loaded later, as they may be gone when it
 * ends. It takes capabilities that the recorder gives up, so another process asks, which only ever
 * gets the ids of programs.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../base/log.h"
#include "../../bpf/loaded.h"
#include "../../io/mapfile.h"
#include "../../io/privileges.h"
#include "../../io/side-process.h"
#include "../../io/write-all.h"
#include "../recorder-priv.h"

#define BYTES_MAX (64u << 20) /* of what is said of all programs */
#define LATER_MAX 65536 /* programs that are loaded later: each costs a question */
#define LIMIT_MS 2000

struct recorder_programs {
	struct bpf_loaded loaded;     /* of the other process */
	struct side_process *process;
	u32 nr_later;
};

enum programs_wanted {
	PROGRAM_ONE, /* is loaded now, and to be remembered */
	PROGRAM_ALL, /* that are loaded, and those that were remembered: in a file */
};

struct programs_request {
	enum programs_wanted wanted;
	u32 id;
};

struct programs_answer {
	int err;
	size_t programs, types; /* bytes of both in the file, one behind the other */
};

static int write_loaded(const struct bpf_loaded *l)
{
	int fd = memfd_create("bpf-programs", MFD_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = write_all(fd, l->programs.v, l->programs.nr, NULL) ?:
	      write_all(fd, l->types.v, l->types.nr, NULL);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

static int serve_programs(void *ctx, const void *request, void *answer)
{
	const struct programs_request *r = request;
	struct programs_answer *a = answer;
	struct bpf_loaded *l = ctx;
	int fd;

	if (r->wanted == PROGRAM_ONE) {
		a->err = bpf_loaded__add(l, r->id);
		return -1;
	}
	bpf_loaded__add_all(l);
	a->programs = l->programs.nr;
	a->types = l->types.nr;
	fd = write_loaded(l);
	a->err = min_of(fd, 0);
	return fd;
}

static void keep(struct recording *rec, const struct mapfile *file, const struct programs_answer *a)
{
	if (!a->programs || file->size != a->programs + a->types)
		return;
	recording__keep_opaque(rec, FEAT_BPF_PROG_INFO, file->data, a->programs);
	recording__keep_opaque(rec, FEAT_BPF_BTF, file->data + a->programs, a->types);
}

/* When the other process does not answer, what was described before stays. */
static void describe(struct recorder *r)
{
	const struct programs_request request = { .wanted = PROGRAM_ALL };
	struct programs_answer answer;
	struct mapfile file;
	int fd;

	if (!r->programs || side_process__ask(r->programs->process, &request, &answer, &fd))
		return;
	if (fd >= 0 && !mapfile__map(&file, fd)) {
		keep(r->written, &file, &answer);
		mapfile__unmap(&file);
	}
	if (fd >= 0)
		close(fd);
}

static bool is_wanted(const struct recording *rec)
{
	for (size_t i = 0; i < rec->events.nr; i++) {
		const struct perf_event_attr *attr = &rec->events.v[i]->attr;

		if (attr->bpf_event && !attr->exclude_kernel)
			return true;
	}
	return false;
}

/* Begins with those that are loaded. */
static int begin(struct recorder *r, struct error *err __unused_arg)
{
	struct recorder_programs *p;
	struct side_process_opts opts = {
		.serve = serve_programs, .limit_ms = LIMIT_MS,
		.request_size = sizeof(struct programs_request),
		.answer_size = sizeof(struct programs_answer),
		.privileges = PRIVILEGE(CAP_SYS_ADMIN) | PRIVILEGE(CAP_BPF) | PRIVILEGE(CAP_SYSLOG),
	};

	if (!is_wanted(r->written) || !(privileges__effective() & PRIVILEGE(CAP_SYS_ADMIN)))
		return 0;
	r->programs = p = xzalloc(sizeof(*p));
	p->loaded.max = BYTES_MAX;
	opts.ctx = &p->loaded;
	p->process = side_process__new(&opts);
	describe(r);
	return 0;
}

static void note(struct recorder *r, struct perf_event_header *hdr)
{
	struct programs_request request = { .wanted = PROGRAM_ONE };
	struct programs_answer answer = {};
	struct { u16 type, flags; u32 id; } body;
	int fd;

	if (!r->programs || hdr->type != PERF_RECORD_BPF_EVENT ||
	    hdr->size < sizeof(*hdr) + sizeof(body))
		return;
	memcpy(&body, hdr + 1, sizeof(body));
	request.id = body.id;
	if (body.type != PERF_BPF_EVENT_PROG_LOAD || r->programs->nr_later > LATER_MAX)
		return;
	if (r->programs->nr_later++ == LATER_MAX) {
		pr_warn("more than %u BPF programs were loaded: only those that are still loaded "
			"at the end get source lines\n", LATER_MAX);
		return;
	}
	if (side_process__ask(r->programs->process, &request, &answer, &fd) || answer.err)
		pr_debug("BPF program %u was unloaded before its lines were read\n", body.id);
}

static void close_programs(struct recorder *r)
{
	if (!r->programs)
		return;
	side_process__free(r->programs->process);
	bpf_loaded__free(&r->programs->loaded);
	free(r->programs);
}

const struct recorder_part recorder_part__programs = {
	.described = begin, .taken = note, .end = describe, .close = close_programs,
};
