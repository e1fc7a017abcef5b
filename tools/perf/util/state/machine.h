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
	DSO_JIT,     /* one function of a JIT compiler that says where it is (util/jit) */
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
	u32 pid;                /* a process that mapped it: for /proc/PID/root and perf-PID.map */
	u64 start, end;         /* where that process mapped it; where a bpf program lies */
	u64 code_pgoff, code_len; /* of the largest mapping of its code, in the file; 0, 0: none */
	const char *function;   /* of DSO_JIT: its name; else NULL */
	u64 code;               /* of DSO_JIT: struct code_mapping.code, and .opaque */
	bool opaque;
};

/* Returns whether its addresses are those of the kernel, not of a file. */
static inline bool dso__is_kernel(const struct dso *dso)
{
	return dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE;
}

#define PERF_MAP_NAME "/tmp/perf-" /* names of memory with code, which a perf map may name */

/* Returns: whether a perf map of its process may name what is in it: memory, or a memory file. */
static inline bool dso__may_have_perf_map(const struct dso *dso)
{
	return dso->kind == DSO_ANON ? !strncmp(dso->name, PERF_MAP_NAME, strlen(PERF_MAP_NAME)) :
	       dso->kind == DSO_USER && !strncmp(dso->path, "/memfd:", strlen("/memfd:"));
}

/* Returns: whether it has the functions of an interpreter, as `perf record --agent` lists them. */
static inline bool dso__is_interpreted(const struct dso *dso)
{
	return dso->kind == DSO_USER && strstr(dso->path, ".jit/python-");
}

/*
 * Returns: whether it has functions of an interpreter or of a JIT compiler (Python, Node, Java),
 *         whose names are recorded beside the samples. @dso: may be NULL
 */
static inline bool dso__is_of_runtime(const struct dso *dso)
{
	return dso && (dso->kind == DSO_JIT || dso__is_interpreted(dso));
}

/* A mapping. Never changes once made: one that a newer mapping cuts is replaced by smaller ones. */
struct map {
	u64 start, end;         /* [start, end) */
	u64 pgoff;              /* file offset of start; the kernel's: address of _text */
	u32 prot, flags;
	const struct dso *dso;
};

/*
 * Translates an address of a process into one of the file.
 * @ip: an address in the map
 * Returns: a file offset for DSO_USER and DSO_VDSO; for everything else (kernel, modules, BPF, JIT
 *         code) @ip itself.
 */
u64 map__dso_addr(const struct map *map, u64 ip);

struct thread {
	u32 pid, tid;           /* pid: thread group leader's */
	const char *comm;       /* ":TID" until a COMM was seen; interned, unless with .forget */
	char *own_comm;         /* internal: the same, where it is not interned; else NULL */
	bool comm_known, exited;
	struct maps *maps;      /* shared by the threads of a process; holds a reference */
	u32 nr_exec;            /* execs of the process seen so far */
	u64 serial;             /* internal: tells those of one tid apart */
};

struct machine;

struct machine_opts {
	const struct recording *recording; /* its build-ids are given to dsos; or NULL */
	/*
	 * For users that run without end, and keep no pointers to threads, maps and dsos. The maps
	 * of tasks that exited are freed at once, and the tasks some thousand exits later; dsos
	 * that are mapped nowhere are freed when there are some hundred others of these.
	 */
	bool forget;
	/*
	 * Mappings that are looked at for functions in memory that is mapped again; 0: 64 million.
	 * Tests have a smaller one.
	 */
	u64 max_around;
};

/*
 * @opts: copied; the recording is borrowed
 * Returns: what machine__free() frees.
 */
struct machine *machine__new(const struct machine_opts *opts);

/* Frees the state, with all threads, maps and dsos. @m may be NULL. */
void machine__free(struct machine *m);

/*
 * Updates the state by a record: MMAP, MMAP2, COMM, FORK, EXIT and KSYMBOL; other types are
 * ignored.
 * Returns: 0, or -EINVAL when the contents of the record do not fit.
 */
int machine__process(struct machine *m, const struct record *rec);

/* A function that a JIT compiler has made. */
struct code_mapping {
	u64 start, end;       /* where it lies, [start, end) */
	u64 pgoff;            /* of the mapping: offset of the code in the file that holds it */
	const char *function; /* its name */
	const char *path;     /* of the file that says so: the dso's name */
	u64 code;             /* names the code, with .path and .start, among all of the machine */
	bool opaque;          /* its instructions are not known, or cannot be followed */
};

/*
 * Maps code that a JIT compiler has made into the address space of a thread, in place of what was
 * there. Later mappings of memory without a file leave it there: such a compiler changes the
 * protection of its memory now and then, which looks like a mapping.
 * @code: its strings are copied
 * Returns: the dso of the function.
 */
const struct dso *machine__map_code(struct machine *m, struct thread *t,
				    const struct code_mapping *code);

/*
 * Takes code that machine__map_code() has mapped away again: there is memory without a file, as far
 * as the place has not become other code's.
 * @start, @end: where it was mapped
 * @code: its number
 */
void machine__unmap_code(struct machine *m, struct thread *t, u64 start, u64 end, u64 code);

/* Returns: how often functions lost their place to a mapping, since too many lay there. */
u64 machine__nr_covered(const struct machine *m);

/* Returns: whether machine__process() looks at records of @type. */
bool machine__uses(u32 type);

/*
 * Finds a thread; makes it, with the comm ":TID", when it is new.
 * @pid: its process; NO_ID: as it is known; another one than is known means that the tid was reused
 * @tid: 0 is "swapper", the idle task of a CPU
 * Returns: the thread, never NULL; valid until its tid is reused.
 */
struct thread *machine__thread(struct machine *m, u32 pid, u32 tid);

/* Returns: the thread with the number @tid as it is known, or NULL. */
struct thread *machine__find_thread(struct machine *m, u32 tid);

/*
 * Visits all threads, in no order.
 * @fn: must not make threads; ends the visit when it returns other than 0
 * Returns: what @fn has returned last.
 */
int machine__for_each_thread(struct machine *m, int (*fn)(void *ctx, const struct thread *t),
			     void *ctx);

/*
 * Finds the map of an address.
 * @t: whose address space it is
 * @cpumode: PERF_RECORD_MISC_*: kernel or user
 * @ip: the address
 * Returns: the map, owned by the machine, or NULL. When the recording does not say where its kernel
 *         lies, one map stands for all kernel addresses. Guests are not followed: NULL.
 */
const struct map *machine__find_map(struct machine *m, const struct thread *t, u8 cpumode, u64 ip);

/*
 * From the moment in which an execve() frees the old program's memory, until the new program runs,
 * the user registers are still those of the old one.
 * @t: it was in the kernel
 * @ip: its user pc
 * Returns: whether it is in the midst of an execve().
 */
bool thread__is_in_exec(const struct thread *t, u64 ip);

/*
 * Of a thread in the midst of an execve(). A program that maps no libraries has the address space
 * of the one before it still, when it calls execve() itself.
 * @said: the call's COMM record is written; if not, it may be written nevertheless, just now
 * Returns: the address space of the program that has called it, as far as the call is known; else
 *         the thread's. Without a reference.
 */
struct maps *thread__maps_before_exec(const struct thread *t, bool said);

/*
 * With .forget: to be asked behind an EXIT record.
 * Returns: whether the process @pid has ended: its leader may exit before its other threads, one of
 *         which may call execve() even.
 */
bool machine__process_ended(struct machine *m, u32 pid);

/* Returns: the map of the kernel itself; NULL when the recording has none. */
const struct map *machine__kernel_map(const struct machine *m);

/* Returns: the recording that machine__new() was given, or NULL. */
const struct recording *machine__recording(const struct machine *m);

/* Returns: the number of maps of an address space. */
size_t maps__nr(const struct maps *maps);

/*
 * Returns: map number @i, from 0 in the order of addresses; they do not overlap. NULL behind the
 *         last.
 */
const struct map *maps__at(const struct maps *maps, size_t i);

/* Returns: the lowest map that ends behind @addr, or NULL. */
const struct map *maps__next(const struct maps *maps, u64 addr);

/* Returns: a number that grows whenever the set changes. */
u64 maps__generation(const struct maps *maps);

/* Returns: a number that names this address space; a new one after an execve(). */
u32 maps__id(const struct maps *maps);

/*
 * Copies an address space as it is now, which costs next to nothing until it changes: to look
 * addresses up later, as a thread of which only .maps is set.
 * Returns: a copy that does not change, with the same id and generation; for maps__put() before
 *         machine__free().
 */
struct maps *maps__freeze(struct maps *maps);

/* Gives a reference back; with the last one the set is freed. @maps may be NULL. */
void maps__put(struct maps *maps);

/* A range of addresses in which maps were changed: [start, end). */
struct map_change {
	u64 start, end;
};

/*
 * For a user that keeps something for each map, and wants to keep up with a set that changes: all
 * that was different at an earlier generation lies in these ranges, and each map of then and of now
 * lies in all of them wholly or not at all. They may overlap.
 * @since: that generation
 * @nr: out: the number of ranges
 * Returns: the ranges, valid until the next change; NULL when it is not known any more, or was
 *         never asked before: from now on it is kept.
 */
const struct map_change *maps__changes(struct maps *maps, u64 since, size_t *nr);

/* Returns: the number of dso ids, those of forgotten dsos included. */
size_t machine__nr_dsos(const struct machine *m);

/* Returns: the dso with the number @id, from 0; NULL when it was forgotten. */
const struct dso *machine__dso(const struct machine *m, u32 id);

/* Returns: the bytes of memory that are kept until machine__free(). */
size_t machine__bytes(const struct machine *m);

/*
 * Returns: whether a process exited after an execve() and mapped no code. Its program took other
 *         privileges than those of its caller (setuid, file capabilities): the kernel then ends the
 *         events of the task, as if it had exited. Or records were lost.
 */
bool machine__saw_hidden(const struct machine *m);

/*
 * For a look at a record before its turn has come.
 * Returns: the dso that code will be mapped from when @mmap is processed; NULL when it maps none.
 */
const struct dso *machine__dso_ahead(struct machine *m, const struct mmap_record *mmap);

/*
 * With .forget: sets a function to be called for each dso just before it is forgotten.
 * @fn: no address space has the dso, except for those that have no thread any more; may be NULL
 */
void machine__on_forget(struct machine *m, void (*fn)(void *ctx, const struct dso *dso), void *ctx);

/*
 * Makes room: forgets the dso that is unmapped for longest, but not @but.
 * Returns: false when no dso is unmapped.
 */
bool machine__forget_dso(struct machine *m, const struct dso *but);

/*
 * Sets a function to be called when a mapping of code arrives, while its file can still be opened.
 * @fn: may be NULL
 */
void machine__on_map(struct machine *m, void (*fn)(void *ctx, const struct thread *t,
						   const struct map *map), void *ctx);

#endif
