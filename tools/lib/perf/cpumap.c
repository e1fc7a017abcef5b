// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <internal/cpumap.h>
#include <internal/lib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_CPUS INT16_MAX /* numbers 0 .. INT16_MAX - 1 */
#define BITS_PER_WORD 64

static struct perf_cpu_map *cpu_map__alloc(unsigned int nr)
{
	struct perf_cpu_map *map = malloc(sizeof(*map) + nr * sizeof(map->map[0]));

	if (map) {
		map->refcnt = 1;
		map->nr = nr;
	}
	return map;
}

LIBPERF_API struct perf_cpu_map *perf_cpu_map__new_int(int cpu)
{
	struct perf_cpu_map *map;

	if (cpu < -1 || cpu >= MAX_CPUS)
		return NULL;
	map = cpu_map__alloc(1);
	if (map)
		map->map[0].cpu = cpu;
	return map;
}

LIBPERF_API struct perf_cpu_map *perf_cpu_map__new_any_cpu(void)
{
	return perf_cpu_map__new_int(-1);
}

static bool parse_number(const char **p, unsigned int *number)
{
	unsigned int n = 0;

	if (!isdigit((unsigned char)**p))
		return false;
	for (; isdigit((unsigned char)**p); (*p)++) {
		n = n * 10 + (**p - '0');
		if (n >= MAX_CPUS)
			return false;
	}
	*number = n;
	return true;
}

/* Sets the bits of "N" or "N-M". Returns how many those are, -1 for anything else. */
static int parse_range(const char **p, u64 *bits)
{
	unsigned int first, last, cpu;

	if (!parse_number(p, &first))
		return -1;
	last = first;
	if (**p == '-') {
		(*p)++;
		if (!parse_number(p, &last) || last < first)
			return -1;
	}
	for (cpu = first; cpu <= last; cpu++) {
		u64 bit = 1ULL << (cpu % BITS_PER_WORD);

		if (bits[cpu / BITS_PER_WORD] & bit)
			return -1;
		bits[cpu / BITS_PER_WORD] |= bit;
	}
	return last - first + 1;
}

static struct perf_cpu_map *cpu_map__from_bits(const u64 *bits, unsigned int nr)
{
	struct perf_cpu_map *map = cpu_map__alloc(nr);
	unsigned int cpu, i = 0;

	for (cpu = 0; map && i < nr && cpu < MAX_CPUS; cpu++) {
		if (bits[cpu / BITS_PER_WORD] & (1ULL << (cpu % BITS_PER_WORD)))
			map->map[i++].cpu = cpu;
	}
	return map;
}

LIBPERF_API struct perf_cpu_map *perf_cpu_map__new(const char *cpu_list)
{
	u64 bits[MAX_CPUS / BITS_PER_WORD + 1] = {0};
	const char *p = cpu_list;
	unsigned int nr = 0;

	if (!cpu_list)
		return perf_cpu_map__new_online_cpus();
	if (!*cpu_list)
		return perf_cpu_map__new_any_cpu();
	while (*p && *p != '\n') {
		int n = parse_range(&p, bits);

		if (n < 0 || (*p && *p != ',' && *p != '\n'))
			return NULL;
		nr += n;
		if (*p == ',')
			p++;
	}
	if (!nr || (*p == '\n' && p[1]))
		return NULL;
	return cpu_map__from_bits(bits, nr);
}

static struct perf_cpu_map *cpu_map__new_sysfs_online(void)
{
	int fd = open("/sys/devices/system/cpu/online", O_RDONLY | O_CLOEXEC);
	char list[4096];
	ssize_t n;

	if (fd < 0)
		return NULL;
	n = read(fd, list, sizeof(list) - 1);
	close(fd);
	if (n <= 0)
		return NULL;
	list[n] = '\0';
	return perf_cpu_map__new(list);
}

LIBPERF_API struct perf_cpu_map *perf_cpu_map__new_online_cpus(void)
{
	struct perf_cpu_map *map = cpu_map__new_sysfs_online();
	long nr, i;

	if (map)
		return map;
	nr = sysconf(_SC_NPROCESSORS_ONLN);
	if (nr < 1 || nr > MAX_CPUS)
		return NULL;
	map = cpu_map__alloc(nr);
	for (i = 0; map && i < nr; i++)
		map->map[i].cpu = i;
	return map;
}

LIBPERF_API struct perf_cpu_map *perf_cpu_map__get(struct perf_cpu_map *map)
{
	if (map)
		refcnt__get(&map->refcnt);
	return map;
}

LIBPERF_API void perf_cpu_map__put(struct perf_cpu_map *map)
{
	if (map && refcnt__put(&map->refcnt))
		free(map);
}

LIBPERF_API struct perf_cpu perf_cpu_map__cpu(const struct perf_cpu_map *cpus, unsigned int idx)
{
	struct perf_cpu none = { .cpu = -1 };

	return cpus && idx < cpus->nr ? cpus->map[idx] : none;
}

LIBPERF_API unsigned int perf_cpu_map__nr(const struct perf_cpu_map *cpus)
{
	return cpus ? cpus->nr : 1;
}

LIBPERF_API bool perf_cpu_map__is_empty(const struct perf_cpu_map *map)
{
	return !map;
}

LIBPERF_API bool perf_cpu_map__has_any_cpu(const struct perf_cpu_map *map)
{
	return map && perf_cpu_map__cpu(map, 0).cpu == -1;
}

LIBPERF_API bool perf_cpu_map__has_any_cpu_or_is_empty(const struct perf_cpu_map *map)
{
	return perf_cpu_map__cpu(map, 0).cpu == -1;
}

LIBPERF_API bool perf_cpu_map__is_any_cpu_or_is_empty(const struct perf_cpu_map *map)
{
	return perf_cpu_map__nr(map) == 1 && perf_cpu_map__has_any_cpu_or_is_empty(map);
}

LIBPERF_API struct perf_cpu perf_cpu_map__min(const struct perf_cpu_map *map)
{
	return perf_cpu_map__cpu(map, perf_cpu_map__has_any_cpu(map));
}

LIBPERF_API struct perf_cpu perf_cpu_map__max(const struct perf_cpu_map *map)
{
	return perf_cpu_map__cpu(map, perf_cpu_map__nr(map) - 1);
}

int perf_cpu_map__idx(const struct perf_cpu_map *cpus, struct perf_cpu cpu)
{
	unsigned int low = 0, high = cpus ? cpus->nr : 0;

	while (low < high) {
		unsigned int mid = low + (high - low) / 2;

		if (cpus->map[mid].cpu == cpu.cpu)
			return mid;
		if (cpus->map[mid].cpu < cpu.cpu)
			low = mid + 1;
		else
			high = mid;
	}
	return -1;
}

LIBPERF_API bool perf_cpu_map__has(const struct perf_cpu_map *map, struct perf_cpu cpu)
{
	return perf_cpu_map__idx(map, cpu) >= 0;
}

LIBPERF_API bool perf_cpu_map__equal(const struct perf_cpu_map *lhs,
				     const struct perf_cpu_map *rhs)
{
	if (lhs == rhs)
		return true;
	if (!lhs || !rhs || lhs->nr != rhs->nr)
		return false;
	return !memcmp(lhs->map, rhs->map, lhs->nr * sizeof(lhs->map[0]));
}

bool perf_cpu_map__is_subset(const struct perf_cpu_map *a, const struct perf_cpu_map *b)
{
	unsigned int i;

	if (a == b || !b)
		return true;
	for (i = 0; i < b->nr; i++) {
		if (!perf_cpu_map__has(a, b->map[i]))
			return false;
	}
	return true;
}

/* Of two sorted maps, what is in both, or what is in either; into out, unless that is NULL. */
static unsigned int cpu_map__combine(const struct perf_cpu_map *a, const struct perf_cpu_map *b,
				     bool both, struct perf_cpu *out)
{
	unsigned int i = 0, j = 0, nr = 0;

	while (i < a->nr || j < b->nr) {
		/* beyond the end: larger than any CPU */
		int x = i < a->nr ? a->map[i].cpu : MAX_CPUS;
		int y = j < b->nr ? b->map[j].cpu : MAX_CPUS;

		if (!both || x == y) {
			if (out)
				out[nr].cpu = x < y ? x : y;
			nr++;
		}
		i += x <= y;
		j += y <= x;
	}
	return nr;
}

static struct perf_cpu_map *cpu_map__combined(const struct perf_cpu_map *a,
					      const struct perf_cpu_map *b, bool both)
{
	unsigned int nr = cpu_map__combine(a, b, both, NULL);
	struct perf_cpu_map *map = nr ? cpu_map__alloc(nr) : NULL;

	if (map)
		cpu_map__combine(a, b, both, map->map);
	return map;
}

LIBPERF_API int perf_cpu_map__merge(struct perf_cpu_map **orig, struct perf_cpu_map *other)
{
	struct perf_cpu_map *map;

	if (perf_cpu_map__is_subset(*orig, other))
		return 0;
	map = perf_cpu_map__is_subset(other, *orig) ? perf_cpu_map__get(other) :
						       cpu_map__combined(*orig, other, false);
	if (!map)
		return -ENOMEM;
	perf_cpu_map__put(*orig);
	*orig = map;
	return 0;
}

LIBPERF_API struct perf_cpu_map *perf_cpu_map__intersect(struct perf_cpu_map *orig,
							 struct perf_cpu_map *other)
{
	if (perf_cpu_map__is_subset(other, orig))
		return perf_cpu_map__get(orig);
	if (perf_cpu_map__is_subset(orig, other))
		return perf_cpu_map__get(other);
	return cpu_map__combined(orig, other, true);
}
