// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include <stdarg.h>
#include <suite.h>

static bool is_list(struct perf_cpu_map *map, int nr, ...)
{
	va_list ap;
	bool same = map && (int)perf_cpu_map__nr(map) == nr;

	va_start(ap, nr);
	for (int i = 0; same && i < nr; i++)
		same = perf_cpu_map__cpu(map, i).cpu == va_arg(ap, int);
	va_end(ap);
	return same;
}

static bool is_new(const char *list, int nr, int a, int b, int c)
{
	struct perf_cpu_map *map = perf_cpu_map__new(list);
	bool same = is_list(map, nr, a, b, c);

	perf_cpu_map__put(map);
	return same;
}

static int test_parse(void)
{
	static const char *const refused[] = {
		"a", "-1", "1-", "2-1", "1,,2", ",1", "1 2", "0-1x", "1,1", "0-2,1", "32767",
		"0-32767", "99999999999999999999", "0x1", "\n", "1\n2", " 1", "0-1-2",
	};

	__T("one", is_new("3", 1, 3, 0, 0));
	__T("range", is_new("0-2", 3, 0, 1, 2));
	__T("sorted", is_new("7,0-1", 3, 0, 1, 7));
	__T("line of sysfs", is_new("0,2-3\n", 3, 0, 2, 3));
	__T("comma at the end", is_new("1,", 1, 1, 0, 0));
	__T("largest", is_new("32766", 1, 32766, 0, 0));
	__T("empty is any", is_new("", 1, -1, 0, 0));
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		__T(refused[i], !perf_cpu_map__new(refused[i]));
	return 0;
}

static int test_online(void)
{
	struct perf_cpu_map *online = perf_cpu_map__new_online_cpus();
	struct perf_cpu_map *null = perf_cpu_map__new(NULL);
	struct perf_cpu cpu, last = { -1 };
	int idx;

	__T("online", online && !perf_cpu_map__has_any_cpu(online));
	__T("no list means online", perf_cpu_map__equal(online, null));
	__T("count", (long)perf_cpu_map__nr(online) == sysconf(_SC_NPROCESSORS_ONLN));
	perf_cpu_map__for_each_cpu(cpu, idx, online) {
		__T("ascending", cpu.cpu > last.cpu);
		last = cpu;
	}
	__T("max", perf_cpu_map__max(online).cpu == last.cpu);
	perf_cpu_map__put(online);
	perf_cpu_map__put(null);
	return 0;
}

/* The empty set, the set of -1, and -1 with others are told apart. */
static int test_any(void)
{
	struct perf_cpu_map *any = perf_cpu_map__new_any_cpu(), *mixed = perf_cpu_map__new("2,5");
	struct perf_cpu cpu;
	int idx, seen = 0;

	__T("merge", !perf_cpu_map__merge(&mixed, any) && is_list(mixed, 3, -1, 2, 5));
	__T("empty", perf_cpu_map__is_empty(NULL) && !perf_cpu_map__is_empty(any));
	__T("has any", !perf_cpu_map__has_any_cpu(NULL) && perf_cpu_map__has_any_cpu(any) &&
	    perf_cpu_map__has_any_cpu(mixed));
	__T("has any or empty", perf_cpu_map__has_any_cpu_or_is_empty(NULL) &&
	    perf_cpu_map__has_any_cpu_or_is_empty(mixed));
	__T("is any or empty", perf_cpu_map__is_any_cpu_or_is_empty(NULL) &&
	    perf_cpu_map__is_any_cpu_or_is_empty(any) &&
	    !perf_cpu_map__is_any_cpu_or_is_empty(mixed));
	__T("empty looks like any", perf_cpu_map__nr(NULL) == 1 &&
	    perf_cpu_map__cpu(NULL, 0).cpu == -1);
	__T("min and max", perf_cpu_map__min(mixed).cpu == 2 && perf_cpu_map__max(mixed).cpu == 5);
	__T("no min", perf_cpu_map__min(any).cpu == -1 && perf_cpu_map__max(NULL).cpu == -1);
	perf_cpu_map__for_each_cpu_skip_any(cpu, idx, mixed)
		seen += cpu.cpu;
	__T("skip any", seen == 7);
	__T("beyond the end", perf_cpu_map__cpu(mixed, 3).cpu == -1);
	perf_cpu_map__put(any);
	perf_cpu_map__put(mixed);
	return 0;
}

static int test_sets(void)
{
	struct perf_cpu_map *a = perf_cpu_map__new("0-3,8"), *b = perf_cpu_map__new("2-4,8-9");
	struct perf_cpu_map *one = perf_cpu_map__new_int(3), *both, *none;

	both = perf_cpu_map__intersect(a, b);
	__T("intersect", is_list(both, 3, 2, 3, 8));
	perf_cpu_map__put(both);
	both = perf_cpu_map__intersect(a, one);
	__T("intersect with a part of it", both == one);
	perf_cpu_map__put(both);
	none = perf_cpu_map__new_int(7);
	__T("nothing in common", !perf_cpu_map__intersect(a, none));
	__T("with the empty set", !perf_cpu_map__intersect(NULL, a) &&
	    !perf_cpu_map__intersect(a, NULL));
	__T("has", perf_cpu_map__has(a, (struct perf_cpu){ 8 }) &&
	    !perf_cpu_map__has(a, (struct perf_cpu){ 4 }) &&
	    !perf_cpu_map__has(NULL, (struct perf_cpu){ 0 }));
	__T("equal", perf_cpu_map__equal(a, a) && !perf_cpu_map__equal(a, b) &&
	    !perf_cpu_map__equal(a, NULL) && perf_cpu_map__equal(NULL, NULL));
	__T("merge", !perf_cpu_map__merge(&a, b) && is_list(a, 7, 0, 1, 2, 3, 4, 8, 9));
	__T("merge what is in it", !perf_cpu_map__merge(&a, one) && perf_cpu_map__nr(a) == 7);
	both = NULL;
	__T("merge into nothing", !perf_cpu_map__merge(&both, one) && both == one);
	__T("bad number", !perf_cpu_map__new_int(-2) && !perf_cpu_map__new_int(32767));
	perf_cpu_map__put(both);
	perf_cpu_map__put(none);
	perf_cpu_map__put(one);
	perf_cpu_map__put(a);
	perf_cpu_map__put(b);
	return 0;
}

static const struct test tests[] = {
	{ "lists are parsed, others refused", test_parse },
	{ "online CPUs", test_online },
	{ "any CPU and the empty set", test_any },
	{ "merge, intersect, has, equal", test_sets },
};

SUITE(tests)
