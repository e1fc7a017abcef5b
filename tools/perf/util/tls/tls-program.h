/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BPF program that reads a thread-local variable of whoever is interrupted by a sample
 * (Documentation/design/bpf.md): what it is told, and what it writes. It runs before the sample is
 * written, and what it writes lies directly in front of the sample in the same ring.
 */
#ifndef PERF_TLS_TLS_PROGRAM_H
#define PERF_TLS_TLS_PROGRAM_H

#include "../bpf/bpf.h"
#include "../bpf/btf.h"
#include "tls-process.h"

/*
 * Who a process is: an execve(2) and a reuse of its pid make another of it. The kernel's numbers;
 * who is told of a process by the program gives them back with its place.
 */
struct tls_identity {
	u64 start;   /* ns, CLOCK_BOOTTIME */
	u64 nr_exec;
};

/* Value of the map of places; the key is the pid, u32. */
struct tls_target {
	struct tls_identity identity;
	u64 ask_at;  /* of TLS_NOWHERE, TLS_NOT_YET: to ask again, CLOCK_MONOTONIC; 0: never */
	s64 offset;  /* these as in struct tls_place */
	u32 where, module, stride;
	u32 kind;    /* enum activity_kind */
	u32 size;    /* of ACTIVITY_VALUE: bytes to read, at most ACTIVITY_VALUE_MAX */
	u32 reserved;
};

/* What is written into the ring of questions: this process is not in the map. */
struct tls_question {
	struct tls_identity identity;
	u32 pid, reserved;
};

/* What is written in front of a sample. */
struct tls_output {
	u32 kind;  /* enum activity_kind */
	u32 size;  /* bytes of .data */
	u64 ip;    /* of the sample */
	u8 data[];
};

#define TLS_OTEL_HEAD 28         /* bytes of a record of otel_thread_ctx_v1 without attributes */
#define TLS_OTEL_ATTRIBUTES 612  /* bytes of attributes that are read: a record of 640 */
#define TLS_LABELS_MAX 10
#define TLS_LABEL_KEY_MAX 16
#define TLS_LABEL_VALUE_MAX 48

/* One of the labels in tls_output.data; .key_size 0: none. */
struct tls_label {
	u32 key_size, value_size;
	u8 key[TLS_LABEL_KEY_MAX], value[TLS_LABEL_VALUE_MAX];
};

#define TLS_OUTPUT_MAX 768 /* bytes of the longest output: TLS_LABELS_MAX labels */

/* Places in the kernel's task_struct. */
struct tls_offsets {
	struct btf_place group_leader, start, nr_exec, fsbase;
};

/* The program and its maps, as descriptors; negative: none. */
struct tls_program {
	int program, targets, outputs, scratch, questions;
	struct tls_offsets offsets;
};

/*
 * Makes what the program needs: then it can be loaded, or be part of another one.
 * @p: filled; to be closed by tls_program__close() in any case
 * Returns: 0, or -errno with words that say what is missing.
 */
int tls_program__prepare(struct tls_program *p, struct error *err);

/*
 * Appends the program as a function, for another one that runs at samples: (the context, where a
 * struct tls_output of at most TLS_OUTPUT_MAX bytes goes to) returns the bytes that are there; 0:
 * there is nothing to say. What it writes goes to whoever calls it.
 * @p: prepared
 * @label: of the function
 */
void tls_program__append(const struct tls_program *p, struct bpf_asm *a, int label);

/*
 * Loads it as a program of its own into the kernel.
 * @p: prepared
 * @nr_cpus: the highest number of a CPU + 1
 * Returns: 0, or -errno with words that say what is missing.
 */
int tls_program__load(struct tls_program *p, u32 nr_cpus, struct error *err);

/* Closes what is open; a program that is attached runs on until its events are closed. */
void tls_program__close(struct tls_program *p);

#endif
