/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a process tells readers of its threads' contexts: the names of attributes, by number. The
 * process context of OTEP 4719 is a mapping whose name has OTEL_CTX in it; its header leads to a
 * message of type ProcessContext (opentelemetry-proto, processcontext/v1development), of which only
 * the attribute threadlocal.attribute_key_map is read here.
 */
#ifndef PERF_TLS_OTEL_CONTEXT_H
#define PERF_TLS_OTEL_CONTEXT_H

#include "../../../lib/unwind/core/bytes.h"

struct tls_processes;

#define OTEL_NAMES_MAX 256

struct otel_names {
	u32 nr;
	struct bytes v[OTEL_NAMES_MAX]; /* any bytes, in .payload */
	u8 *payload;
};

/*
 * Reads them from the memory of the process @pid.
 * @out: filled in any case; for otel_names__free()
 * @t: by whom it is read
 * Returns: 0; -ENOENT: it says nothing; -EAGAIN: it was changing them; another -errno.
 */
int otel_names__read(struct otel_names *out, struct tls_processes *t, u32 pid);

/*
 * Reads them from the message.
 * @payload, @size: not to be believed; what .v points to
 */
void otel_names__decode(struct otel_names *out, const u8 *payload, size_t size);

/* Frees them; there are none then. */
void otel_names__free(struct otel_names *n);

#endif
