/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of the machine when a recording begins, as records: kernel and modules, BPF programs,
 * and for each
 * process of the target its tasks (FORK), names (COMM) and executable mappings (MMAP2); control
 * groups and namespaces where the event asks for such records.
 *
 * The records have no time (0), so that they come before all that the kernel writes, and build-ids
 * (misc bit 14) when the file has one. A process that has ended meanwhile or may not be read is
 * left out and counted.
 */
#ifndef PERF_LIVE_SYNTHESIZE_H
#define PERF_LIVE_SYNTHESIZE_H

#include "../data/record.h"
#include "../event/target.h"

enum synth_part {
	SYNTH_TASKS = 1,
	SYNTH_MAPPINGS = 2,
	SYNTH_CGROUPS = 4,
};

/* From _text to _etext; 0 where addresses are hidden from us. */
struct kernel_text {
	u64 start, end;
};

/*
 * Reads the addresses of the kernel's text. Takes CAP_SYSLOG, or kernel.kptr_restrict and
 * perf_event_paranoid low enough; without CAP_SYS_ADMIN it lasts 40 ms.
 */
void kernel_text__read(struct kernel_text *t);

struct synthesize {
	/* Takes a record; the bytes are only valid during the call. Non-zero ends the run. */
	int (*emit)(void *ctx, const struct perf_event_header *hdr);
	void *ctx;
	/* Build-id of an ELF file: 0 or -errno. */
	int (*build_id)(int fd, struct build_id *out);
	int (*kernel_build_id)(struct build_id *out);
	int (*module_build_id)(const char *name, struct build_id *out);
	const struct evsel *event;      /* of the side-band records: lays out their sample_id */
	const struct kernel_text *kernel_text; /* as it was read before; NULL: it is read now */
	u64 time;             /* of the records; 0: they belong in front of all others */
	u32 leave_out;        /* SYNTH_*; without tasks there are no mappings */

	/* Results. */
	u64 tasks, mappings;
	u64 skipped;          /* processes that could not be read */
	u64 unreadable;       /* mapped files that could not be opened for their build-id */
	struct map64 seen;    /* internal: build-ids by file */
	struct arena *arena;  /* internal */
	struct mounts *mounts; /* internal: build-ids are read on local file systems only */
};

/* Initializes the internal fields and the results; the caller has filled in the others. */
void synthesize__init(struct synthesize *s);

/*
 * Emits [kernel.kallsyms]_text and the modules. Kernel addresses that are hidden are left out.
 * Returns: what s->emit() has returned.
 */
int synthesize__kernel(struct synthesize *s);

/*
 * Emits what the kernel has compiled so far: BPF programs, trampolines. Takes CAP_SYSLOG, or
 * kernel.kptr_restrict low enough; hidden addresses are left out. Takes 40 ms where there are any.
 * Returns: what s->emit() has returned.
 */
int synthesize__ksymbols(struct synthesize *s);

/* Emits every control group, with the id that samples have. Returns what s->emit() has returned. */
int synthesize__cgroups(struct synthesize *s);

/* Emits the namespaces of the thread @tid of @pid. Returns what s->emit() has returned. */
int synthesize__namespaces(struct synthesize *s, u32 pid, u32 tid);

/*
 * Emits the processes of the target with their threads. Returns what s->emit() has returned, or
 * -errno.
 */
int synthesize__processes(struct synthesize *s, const struct target *target);

/*
 * Emits the thread @tid of @pid, which may be gone meanwhile. Returns what s->emit() has returned.
 */
int synthesize__thread(struct synthesize *s, u32 pid, u32 tid);

/*
 * Emits the mappings that @pid has now; of a process that is gone, none. Returns what s->emit() has
 * returned.
 */
int synthesize__mappings(struct synthesize *s, u32 pid);

/* Frees the internal fields. */
void synthesize__done(struct synthesize *s);

#endif
