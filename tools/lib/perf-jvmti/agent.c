// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * libperf-jvmti.so: tells perf of the code that a Java virtual machine makes, by the JVM Tool
 * Interface. `java -agentpath:.../libperf-jvmti.so[=FOLDER]`, or `jcmd PID JVMTI.agent_load` of one
 * that runs, writes FOLDER/jit-PID.dump: compiled methods with names as in the machine's own perf
 * map ("int Main.deep(int)") and source lines, the interpreter, and stubs.
 *
 * Code that the machine throws away is not told of: before its memory is used again for other code,
 * that is told, and readers take the latest.
 */
#include <jvmti.h>
#include <jvmticmlr.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump.h"
#include "names.h"

#define SOURCES 32 /* methods that are inlined into one, whose lines are remembered */
#define LINES_MAX (1 << 20) /* of one method */

/* Where the code of a method comes from. */
struct source {
	jmethodID method;
	char file[NAME_MAX_LEN];
	jvmtiLineNumberEntry *lines; /* the machine's */
	jint nr;
};

struct sources {
	struct source of[SOURCES];
	size_t nr, next;
};

static void release(jvmtiEnv *env, void *p)
{
	if (p)
		(*env)->Deallocate(env, p);
}

/* "LPACKAGE/CLASS;" and "FILE" make PACKAGE/FILE. */
static void read_source(jvmtiEnv *env, jmethodID method, struct source *out)
{
	char *signature = NULL, *name = NULL;
	jclass class;

	*out = (struct source){ .method = method };
	if ((*env)->GetMethodDeclaringClass(env, method, &class) ||
	    (*env)->GetClassSignature(env, class, &signature, NULL) ||
	    (*env)->GetSourceFileName(env, class, &name) ||
	    (*env)->GetLineNumberTable(env, method, &out->nr, &out->lines))
		out->nr = 0;
	else
		name__of_file(out->file, signature, name);
	release(env, signature);
	release(env, name);
}

static struct source *find_source(jvmtiEnv *env, struct sources *s, jmethodID method)
{
	struct source *at;

	for (size_t i = 0; i < s->nr; i++)
		if (s->of[i].method == method)
			return &s->of[i];
	at = &s->of[s->next];
	if (s->nr < SOURCES)
		s->nr++;
	else
		release(env, at->lines);
	s->next = (s->next + 1) % SOURCES;
	read_source(env, method, at);
	return at;
}

/* Returns the line of a bytecode; 0: it is not known. */
static jint line_of(const struct source *s, jlocation at)
{
	jlocation best = -1;
	jint line = 0;

	for (jint i = 0; i < s->nr; i++)
		if (s->lines[i].start_location <= at && s->lines[i].start_location > best) {
			best = s->lines[i].start_location;
			line = s->lines[i].line_number;
		}
	return line;
}

struct lines {
	struct sources sources;
	struct dump_line *v;
	size_t nr;
	const char *file; /* of the last one */
	uint64_t from;    /* where the code of the next line begins */
};

/*
 * The machine says of an address what is done before it: it is where a call returns to. So the line
 * is that of the code from the place before up to this one.
 */
static void add_line(jvmtiEnv *env, struct lines *l, uint64_t end, jmethodID method, jlocation at)
{
	const struct source *s = find_source(env, &l->sources, method);
	jint line = line_of(s, at);

	if (line > 0 && end > l->from) {
		bool same = l->file && !strcmp(l->file, s->file);
		/* The source's own name may make room for another's. */
		char *file = same ? NULL : strdup(s->file);

		if (!same && !file)
			return;
		l->v[l->nr++] = (struct dump_line){ l->from, file, line };
		l->file = same ? l->file : file;
	}
	if (end > l->from)
		l->from = end;
}

/* Of the functions that are inlined at an address the innermost counts, the first. */
static void add_inlined(jvmtiEnv *env, struct lines *l,
			const jvmtiCompiledMethodLoadInlineRecord *r)
{
	l->v = calloc(r->numpcs < LINES_MAX ? r->numpcs : 0, sizeof(*l->v));
	for (jint i = 0; l->v && i < r->numpcs && i < LINES_MAX; i++) {
		const PCStackInfo *p = &r->pcinfo[i];

		if (p->numstackframes > 0)
			add_line(env, l, (uintptr_t)p->pc, p->methods[0], p->bcis[0]);
	}
}

static void find_lines(jvmtiEnv *env, struct lines *l, const void *info)
{
	const jvmtiCompiledMethodLoadRecordHeader *h = info;

	while (h && h->kind != JVMTI_CMLR_INLINE_INFO)
		h = h->next;
	if (h)
		add_inlined(env, l, (const jvmtiCompiledMethodLoadInlineRecord *)h);
}

static void free_lines(jvmtiEnv *env, struct lines *l)
{
	for (size_t i = 0; i < l->nr; i++)
		free((void *)l->v[i].file);
	for (size_t i = 0; i < l->sources.nr; i++)
		release(env, l->sources.of[i].lines);
	free(l->v);
}

static struct dump *dump_of(jvmtiEnv *env)
{
	void *d = NULL;

	return (*env)->GetEnvironmentLocalStorage(env, &d) ? NULL : d;
}

static void put_method(jvmtiEnv *env, const struct dump_code *code, const char *class,
		       const char *method, const char *signature)
{
	struct dump_code named = *code;
	char name[NAME_MAX_LEN];

	name__of_method(name, class, method, signature);
	named.name = name;
	dump__code(dump_of(env), &named);
}

static void JNICALL on_method(jvmtiEnv *env, jmethodID method, jint size, const void *addr,
			      jint nr_map, const jvmtiAddrLocationMap *map, const void *info)
{
	char *class_name = NULL, *name = NULL, *signature = NULL;
	struct lines lines = { .from = (uintptr_t)addr };
	struct dump_code code = { .addr = addr, .size = size };
	jclass class;

	if (!dump_of(env) || size <= 0)
		return;
	if (!(*env)->GetMethodDeclaringClass(env, method, &class) &&
	    !(*env)->GetClassSignature(env, class, &class_name, NULL) &&
	    !(*env)->GetMethodName(env, method, &name, &signature, NULL)) {
		find_lines(env, &lines, info);
		code.lines = lines.v;
		code.nr_lines = lines.nr;
		put_method(env, &code, class_name, name, signature);
	}
	free_lines(env, &lines);
	release(env, class_name);
	release(env, name);
	release(env, signature);
}

static void JNICALL on_stub(jvmtiEnv *env, const char *name, const void *addr, jint size)
{
	const struct dump_code code = {
		.addr = addr, .size = size, .name = name, .is_stub = true,
	};

	if (dump_of(env) && size > 0)
		dump__code(dump_of(env), &code);
}

static void JNICALL on_death(jvmtiEnv *env, JNIEnv *jni)
{
	if (dump_of(env))
		dump__close(dump_of(env));
}

static const jvmtiEvent events[] = {
	JVMTI_EVENT_COMPILED_METHOD_LOAD, JVMTI_EVENT_DYNAMIC_CODE_GENERATED, JVMTI_EVENT_VM_DEATH,
};

static jvmtiError enable(jvmtiEnv *env, struct dump *d)
{
	const jvmtiCapabilities caps = {
		.can_generate_compiled_method_load_events = 1, .can_get_line_numbers = 1,
		.can_get_source_file_name = 1,
	};
	const jvmtiEventCallbacks calls = {
		.CompiledMethodLoad = on_method, .DynamicCodeGenerated = on_stub,
		.VMDeath = on_death,
	};
	jvmtiError err = (*env)->AddCapabilities(env, &caps);

	if (!err)
		err = (*env)->SetEnvironmentLocalStorage(env, d);
	if (!err)
		err = (*env)->SetEventCallbacks(env, &calls, sizeof(calls));
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]) && !err; i++)
		err = (*env)->SetEventNotificationMode(env, JVMTI_ENABLE, events[i], NULL);
	return err;
}

/* The folder: what follows "=", or $JITDUMPDIR, or /tmp. */
static const char *folder(const char *options)
{
	const char *dir = options && *options ? options : getenv("JITDUMPDIR");

	return dir && *dir ? dir : "/tmp";
}

/* What fails is said, and is no reason for the program not to run. */
static jvmtiEnv *begin(JavaVM *vm, const char *options)
{
	struct dump *d = calloc(1, sizeof(*d));
	jvmtiEnv *env = NULL;
	const char *why;
	jvmtiError err;
	int ret;

	if (!d || (*vm)->GetEnv(vm, (void **)&env, JVMTI_VERSION_11)) {
		fprintf(stderr, "libperf-jvmti: the virtual machine has no tool interface\n");
		return NULL;
	}
	ret = dump__open(d, folder(options), &why);
	if (ret) {
		fprintf(stderr, "libperf-jvmti: cannot %s in %s: %s\n", why, folder(options),
			strerror(-ret));
		return NULL;
	}
	err = enable(env, d);
	if (!err)
		return env;
	fprintf(stderr, "libperf-jvmti: the virtual machine does not report its code: error "
			"%d\n", err);
	dump__close(d);
	return NULL;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	begin(vm, options);
	return 0;
}

/* Code that was made before is told of now. */
JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
	jvmtiEnv *env = begin(vm, options);

	for (size_t i = 0; i < 2 && env; i++)
		(*env)->GenerateEvents(env, events[i]);
	return 0;
}
