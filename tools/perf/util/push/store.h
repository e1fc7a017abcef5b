/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What stores of profiles want to be sent, by the path of their URL:
 *
 * /ingest                        Pyroscope: pprof, with name{labels} and the times in the query
 * /push.v1.PusherService/Push    Pyroscope: PushRequest, a pprof profile with labels
 * /profiles/writeraw             Parca: WriteRawRequest as JSON, a pprof profile with labels
 * /v1development/profiles        OpenTelemetry: ExportProfilesServiceRequest, layout of 1.10, which
 *                                is version 1 of the header that names the layout; its labels are
 *                                attributes of the resource, and so in the profile
 */
#ifndef PERF_PUSH_STORE_H
#define PERF_PUSH_STORE_H

#include "../export/export.h"

enum store_kind { STORE_INGEST, STORE_PUSH_V1, STORE_PARCA, STORE_OTLP, STORE_UNKNOWN };

/* A profile that waits to be sent. */
struct store_profile {
	const char *name;         /* of the service: letters, digits, "._-" */
	const char *id;           /* 32 hexadecimal digits; the same when it is sent again */
	u64 from, until;          /* ns since 1970; 0: unknown */
	const struct export_label *labels;
	size_t nr_labels;
	const void *data;         /* pprof, or ProfilesData */
	size_t size;
};

/* Returns: the kind of store whose URL ends as @url does. */
enum store_kind store__kind(const char *url);

/* Returns: the path of a store that takes @format, "pprof" or "otlp", for a URL without one. */
const char *store__path(const char *format);

/* Returns: the format that it takes, as export_format__find() knows it. */
const char *store__format(enum store_kind kind);

/* Returns: the type of the content of a request. */
const char *store__type(enum store_kind kind);

/* Returns: a header that each request must have, "Name: value"; NULL: none. */
const char *store__header(enum store_kind kind);

/*
 * Makes a request.
 * @url: the store's; @full: gets the one to send to, in memory of its own
 * @body: gets the body, unless that is the profile itself
 * Returns: whether it is in @body.
 */
bool store__request(enum store_kind kind, const char *url, const struct store_profile *p,
		    char **full, struct textbuf *body);

#endif
