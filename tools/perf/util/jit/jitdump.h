/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Jitdump files: what a just-in-time compiler writes down of its code, record by record.
 *
 * The format is that of the kernel's tools/perf/Documentation/jitdump-specification.txt, version 1:
 * a header, then records with a size and a time each, in the byte order of the machine. A record is
 * decoded where it lies in the file; code, lines and unwind information stay there until they are
 * asked for. The file may grow while it is read, and everything in it may be hostile.
 *
 * A file that says that it is of another version is read as well, up to the first record that is
 * not one of version 1: runtimes have written other numbers, and the same records.
 */
#ifndef PERF_JIT_JITDUMP_H
#define PERF_JIT_JITDUMP_H

#include "../../../lib/unwind/core/types.h"

enum jitdump_type {
	JITDUMP_LOAD,       /* code, which is valid from now on */
	JITDUMP_MOVE,       /* code has another address from now on; 0: it is gone, see below */
	JITDUMP_DEBUG_INFO, /* source lines of the code that the next JITDUMP_LOAD brings */
	JITDUMP_CLOSE,      /* there is no more */
	JITDUMP_UNWINDING,  /* unwind information of the code of the next JITDUMP_LOAD */
};

/*
 * The format has no record for code that is gone. Here a JITDUMP_MOVE to address 0 says so, which
 * no compiler writes, and which other readers take for code where nothing runs.
 */

#define JITDUMP_VERSION 1

#define JITDUMP_ARCH_TIME 1 /* in .flags: times are of a clock of the CPU, not CLOCK_MONOTONIC */

/* Padding of files of jitdump-out.h: their times are of the recording's clock. */
#define JITDUMP_OWN_PADDING 0x66726570 /* "perf" */

/* Padding of files that libperf-jvmti.so writes (tools/lib/perf-jvmti). */
#define JITDUMP_JVM_PADDING 0x6d766a70 /* "pjvm" */

/*
 * In files of these two kinds this bit of the index is set of code of Java virtual machines that is
 * no method: the interpreter, which returns to places that no call leads to, and stubs. Like V8's,
 * it cannot be followed.
 */
#define JITDUMP_STUB (1ULL << 63)

#define JITDUMP_V8_SHIFT 0x40

/* A name is cut behind so many bytes. */
#define JITDUMP_NAME_MAX 4096

struct jitdump {
	int fd;          /* owned */
	u64 size;        /* of the file, when jitdump__grow() looked last; bytes */
	u64 at;          /* offset of the next record */
	u32 version;     /* as the file says; JITDUMP_VERSION is known */
	bool swap;       /* the file has the other byte order */
	u16 machine;     /* e_machine of elf.h */
	u32 pid;         /* of the process, in its own namespace */
	u64 flags;       /* JITDUMP_ARCH_TIME */
	/*
	 * V8 is known by its padding. Its code keeps frame pointers, but must not be followed where
	 * it has no rows: some of its functions have a prologue that they call. It writes the
	 * addresses of lines JITDUMP_V8_SHIFT bytes too high: where the code would be in the ELF
	 * file that perf inject of its time made.
	 */
	bool is_v8;
	bool is_jvm;     /* see JITDUMP_JVM_PADDING */
	bool is_own;     /* see JITDUMP_OWN_PADDING */
	u8 *window;      /* internal, may be NULL: bytes of the file from .window_at on */
	u64 window_at;
	size_t window_len;
};

struct jitdump_record {
	u32 type;       /* enum jitdump_type, or unknown */
	u32 tid;        /* of JITDUMP_LOAD and JITDUMP_MOVE: who has written it */
	u64 time;       /* ns of CLOCK_MONOTONIC, unless JITDUMP_ARCH_TIME */
	u64 addr, size; /* of the code; JITDUMP_MOVE: the new address. They do not overflow */
	u64 index;      /* the code's number, by which JITDUMP_MOVE names it */
	const char *name; /* of JITDUMP_LOAD; valid until the next call */
	u64 data_at;    /* offset in the file: of code, of entries of lines, of .eh_frame */
	u64 data_size;  /* bytes */
	u32 hdr_size;   /* of JITDUMP_UNWINDING: .eh_frame_hdr, at the end of the data */
	u64 nr_lines;   /* of JITDUMP_DEBUG_INFO: entries */
};

/*
 * Reads the header.
 * @d: filled; for jitdump__close() when it succeeds
 * @fd: taken over when it succeeds
 * Returns: 0; -EBADMSG: it is no such file; another -errno.
 */
int jitdump__open(struct jitdump *d, int fd);

/* Frees what it takes to read the file, until that goes on. There may be thousands of files. */
void jitdump__rest(struct jitdump *d);

/* Closes the file. */
void jitdump__close(struct jitdump *d);

/* Looks how large the file is now. */
void jitdump__grow(struct jitdump *d);

/*
 * Reads the next record, if the whole of it is there.
 * @rec: filled
 * Returns: 1; 0: there is none yet; -EBADMSG: the file is damaged from here on; another -errno.
 */
int jitdump__next(struct jitdump *d, struct jitdump_record *rec);

/* Reads @size bytes at offset @at of the file @to a buffer. Returns 0, or -errno when they lack. */
int jitdump__read(const struct jitdump *d, u64 at, void *to, size_t size);

struct jit_line {
	u64 addr;         /* from here on, up to the next line's */
	const char *file; /* borrowed from the bytes that it was decoded from */
	u32 line;
};

/*
 * Decodes the entries of a JITDUMP_DEBUG_INFO, as far as they fit.
 * @data, @size: the bytes at .data_at
 * @swap: of the file
 * @nr_lines: .nr_lines
 * @fn: called for each entry; ends it when it returns false
 */
void jitdump__lines(const void *data, size_t size, bool swap, u64 nr_lines,
		    bool (*fn)(void *ctx, const struct jit_line *line), void *ctx);

#endif
