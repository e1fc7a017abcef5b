/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of the recorded machine at the present time of the stream: threads with their
 * names, address spaces with their maps, and the DSOs behind the maps.
 *
 * Fed in time order by machine__process(). Dsos, maps and interned strings live until
 * machine__free(), so downstream stages may keep pointers to them, unless they ask for .forget; a
 * struct thread may be replaced when its tid is reused, so they must not keep pointers to threads.
 */
#ifndef PERF_STATE_MACHINE_H
#define PERF_STATE_MACHINE_H

#include "../data/record.h"

enum dso_kind {
	DSO_USER,    /* an ELF file of user space */
	DSO_KERNEL,  /* [kernel.kallsyms] or a vmlinux */
	DSO_MODULE,  /* a kernel module; name is "[ext4]" */
	DSO_VDSO,    /* [vdso] */
	DSO_ANON,    /* //anon, [heap], [stack], memory without a file: JIT code */
	DSO_BPF,     /* bpf_prog_...: from KSYMBOL records */
};

/*
 * A file (or what stands for one) that code was mapped from. Same path, other inode: other dso.
 * With .forget, the id of a dso that was forgotten is given to another one.
 */
struct dso {
	u32 id;                 /* from 0 in order of appearance: index for tables of others */
	enum dso_kind kind;
	/* These live as long as the dso. path is as recorded: "[kernel.kallsyms]_text", ... */
	const char *name;       /* for people: path, "[ext4]", "/tmp/perf-PID.map" (JIT code) */
	const char *short_name; /* basename, "[ext4]", "[JIT] tid PID" */
	const char *path;
	struct build_id build_id;
	u32 maj, min;
	u64 ino, ino_generation;
	u32 pid;                /* one that mapped it: whose /proc/PID/root and perf-PID.map */
	u64 start, end;         /* where that process mapped it; where a bpf program lies */
};

/* Never changes once made: what is cut by a newer mapping is replaced by smaller ones. */
struct map {
	u64 start, end;         /* [start, end) */
	u64 pgoff;              /* file offset of start; the kernel's: address of _text */
	u32 prot, flags;
	const struct dso *dso;
};

/*
 * ip -> address in the dso: a file offset for DSO_USER and DSO_VDSO, the address itself for
 * everything else (kernel, modules, bpf, JIT code).
 */
u64 map__dso_addr(const struct map *map, u64 ip);

struct thread {
	u32 pid, tid;           /* pid: thread group leader's */
	const char *comm;       /* ":TID" until a COMM was seen; interned, unless with .forget */
	char *own_comm;         /* internal: the same, where it is not interned; else NULL */
	bool comm_known, exited;
	struct maps *maps;      /* shared by the threads of a process */
	u32 nr_exec;            /* execs of the process seen so far */
	u64 serial;             /* internal: tells those of one tid apart */
};

struct machine;

struct machine_opts {
	const struct recording *recording; /* its build-ids are given to dsos; or NULL */
	/*
	 * For who runs without end, and keeps no pointers to threads, maps and dsos: of tasks that
	 * exited, the maps go at once and the rest some thousand exits later; dsos that nobody
	 * maps go when some hundred others are there that nobody does.
	 */
	bool forget;
};

struct machine *machine__new(const struct machine_opts *opts);
void machine__free(struct machine *m);

/* MMAP, MMAP2, COMM, FORK, EXIT and KSYMBOL; other types are ignored. 0/-EINVAL. */
int machine__process(struct machine *m, const struct record *rec);
bool machine__uses(u32 type); /* it is not ignored */

/*
 * Never NULL; made on demand with comm ":TID". tid 0 is "swapper". A @pid of NO_ID takes the
 * thread as it is known; another pid than the known one means that the tid was reused.
 */
struct thread *machine__thread(struct machine *m, u32 pid, u32 tid);
struct thread *machine__find_thread(struct machine *m, u32 tid); /* or NULL */
/* In no order, until @fn returns other than 0, which is returned. It must not make threads. */
int machine__for_each_thread(struct machine *m, int (*fn)(void *ctx, const struct thread *t),
			     void *ctx);

/*
 * The map that holds @ip as seen by @t in @cpumode (PERF_RECORD_MISC_*), or NULL. Where the
 * recording does not say where its kernel lies, one map stands for all kernel addresses. Guests
 * are not followed: NULL.
 */
const struct map *machine__find_map(struct machine *m, const struct thread *t, u8 cpumode, u64 ip);

/*
 * Is @t, which was in the kernel with @ip as its user pc, in the midst of an execve()? From the
 * moment in which the old program's memory is freed, until the new one runs, the user registers
 * are still the old one's.
 */
bool thread__is_in_exec(const struct thread *t, u64 ip);

const struct map *machine__kernel_map(const struct machine *m); /* NULL: the recording has none */
const struct recording *machine__recording(const struct machine *m); /* or NULL */

/* Maps of a process in address order, for the unwinder; they do not overlap. */
size_t maps__nr(const struct maps *maps);
const struct map *maps__at(const struct maps *maps, size_t i);
const struct map *maps__next(const struct maps *maps, u64 addr); /* ends behind @addr; or NULL */
u64 maps__generation(const struct maps *maps); /* grows whenever the set changes */
u32 maps__id(const struct maps *maps);         /* names this address space; new after exec */

/*
 * Who keeps something for each map can keep up with a set that changes: all that was different at
 * the generation @since lies in these @nr ranges, and each map then and now in all of them wholly
 * or not at all. They may overlap. NULL: that is not known any more, or it was never asked before;
 * from now on it is kept. Valid until the next change.
 */
struct map_change {
	u64 start, end;
};
const struct map_change *maps__changes(struct maps *maps, u64 since, size_t *nr);

size_t machine__nr_dsos(const struct machine *m); /* with those that are forgotten */
const struct dso *machine__dso(const struct machine *m, u32 id); /* NULL: it is forgotten */
struct arena *machine__arena(struct machine *m); /* where all of this lies; for tests */

/*
 * A process that exited after an execve() and mapped no code: its program took other rights than
 * who started it has (setuid, file capabilities), and there the kernel ends the events of a task,
 * as if it had exited. Or records were lost.
 */
bool machine__saw_hidden(const struct machine *m);

/*
 * The dso that code will be mapped from when @mmap is processed, or NULL where that is no file: for
 * who looks at a record before its turn has come.
 */
const struct dso *machine__dso_ahead(struct machine *m, const struct mmap_record *mmap);

/*
 * With .forget: called for each dso just before it is forgotten. No address space has it, but for
 * those that have no thread any more.
 */
void machine__on_forget(struct machine *m, void (*fn)(void *ctx, const struct dso *dso), void *ctx);

/*
 * Forgets the dso that nobody has mapped for longest, but not @but, for who needs the room. False:
 * there is none.
 */
bool machine__forget_dso(struct machine *m, const struct dso *but);

/* Called when a mapping of code arrives, while its file can still be opened. May be NULL. */
void machine__on_map(struct machine *m, void (*fn)(void *ctx, const struct thread *t,
						   const struct map *map), void *ctx);

#endif
