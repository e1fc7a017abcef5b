/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/* How the names and signatures of the Java Virtual Machine Specification (4.3) are shown. */
#ifndef PERF_JVMTI_NAMES_H
#define PERF_JVMTI_NAMES_H

#define NAME_MAX_LEN 1024 /* bytes of what is made here, with the end; the rest is cut off */

/*
 * "int Main.deep(int, java.lang.String[])".
 * @out: of NAME_MAX_LEN bytes
 * @class: its signature: "LMain;"
 * @method: "deep"
 * @signature: "(I[Ljava/lang/String;)I"
 */
void name__of_method(char *out, const char *class, const char *method, const char *signature);

/*
 * "java/util/TreeMap.java".
 * @out: of NAME_MAX_LEN bytes
 * @class: its signature: "Ljava/util/TreeMap;"
 * @file: "TreeMap.java"
 */
void name__of_file(char *out, const char *class, const char *file);

#endif
