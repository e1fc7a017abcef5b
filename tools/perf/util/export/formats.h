/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The formats. Internal to this room.
 *
 * folded: stacks as text, Brendan Gregg's FlameGraph and all that reads its input.
 * pprof: profile.proto of github.com/google/pprof, in gzip where there is zlib.
 * gecko: JSON for profiler.firefox.com, its processed format.
 * speedscope: JSON, www.speedscope.app/file-format-schema.json.
 * otlp: profiles of the OpenTelemetry protocol. json: as perf data convert --to-json of Linux perf.
 * sqlite: a database. perfetto: a trace of Perfetto.
 * html: a page that shows a flame graph and more; svg: a flame graph for documents.
 */
#ifndef PERF_EXPORT_FORMATS_H
#define PERF_EXPORT_FORMATS_H

#include "export.h"

extern const struct export_format export_folded, export_pprof, export_gecko, export_speedscope,
	export_html, export_svg, export_otlp, export_json, export_sqlite, export_perfetto;

#endif
