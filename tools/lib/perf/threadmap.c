// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <internal/lib.h>
#include <internal/threadmap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct perf_thread_map *thread_map__alloc(int nr)
{
	struct perf_thread_map *map;

	if (nr < 0 || (size_t)nr > (SIZE_MAX - sizeof(*map)) / sizeof(map->map[0]))
		return NULL;
	map = calloc(1, sizeof(*map) + nr * sizeof(map->map[0]));
	if (map) {
		map->refcnt = 1;
		map->nr = nr;
	}
	return map;
}

LIBPERF_API struct perf_thread_map *perf_thread_map__new_array(int nr_threads, pid_t *array)
{
	struct perf_thread_map *map = thread_map__alloc(nr_threads);
	int i;

	for (i = 0; map && i < nr_threads; i++)
		map->map[i].pid = array ? array[i] : -1;
	return map;
}

LIBPERF_API struct perf_thread_map *perf_thread_map__new_dummy(void)
{
	return perf_thread_map__new_array(1, NULL);
}

/* Returns NULL when the name cannot be read. */
static char *read_comm(pid_t tid)
{
	char path[64], comm[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/comm", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	n = read(fd, comm, sizeof(comm) - 1);
	close(fd);
	if (n <= 0)
		return NULL;
	if (comm[n - 1] == '\n')
		n--;
	comm[n] = '\0';
	return strdup(comm);
}

LIBPERF_API struct perf_thread_map *perf_thread_map__new_by_tid(pid_t tid)
{
	struct perf_thread_map *map;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d", tid);
	if (tid <= 0 || access(path, F_OK)) {
		errno = ESRCH;
		return NULL;
	}
	map = perf_thread_map__new_array(1, &tid);
	if (map)
		map->map[0].comm = read_comm(tid);
	return map;
}

static struct perf_thread_map *thread_map__append(struct perf_thread_map *map, pid_t tid)
{
	int nr = map ? map->nr : 0;
	struct perf_thread_map *grown = map;

	if (!(nr & (nr - 1))) { /* full: room for twice as many */
		int room = nr ? 2 * nr : 1;

		grown = realloc(map, sizeof(*map) + room * sizeof(map->map[0]));
		if (!grown)
			return NULL;
	}
	grown->refcnt = 1;
	grown->map[nr].pid = tid;
	grown->map[nr].comm = read_comm(tid);
	grown->nr = nr + 1;
	return grown;
}

static struct perf_thread_map *thread_map__read_tasks(DIR *dir)
{
	struct perf_thread_map *map = NULL, *grown;
	struct dirent *entry;

	while ((entry = readdir(dir)) != NULL) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		grown = thread_map__append(map, strtol(entry->d_name, NULL, 10));
		if (!grown) {
			perf_thread_map__put(map);
			errno = ENOMEM;
			return NULL;
		}
		map = grown;
	}
	if (!map)
		errno = ESRCH;
	return map;
}

LIBPERF_API struct perf_thread_map *perf_thread_map__new_by_pid(pid_t pid)
{
	struct perf_thread_map *map;
	char path[64];
	int saved;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = pid > 0 ? opendir(path) : NULL;
	if (!dir) {
		errno = pid > 0 && errno != ENOENT ? errno : ESRCH;
		return NULL;
	}
	map = thread_map__read_tasks(dir);
	saved = errno;
	closedir(dir);
	errno = saved;
	return map;
}

static struct thread_map_data *thread_map__entry(struct perf_thread_map *map, int idx)
{
	return map && idx >= 0 && idx < map->nr ? &map->map[idx] : NULL;
}

LIBPERF_API void perf_thread_map__set_pid(struct perf_thread_map *map, int idx, pid_t pid)
{
	struct thread_map_data *entry = thread_map__entry(map, idx);

	if (entry)
		entry->pid = pid;
}

LIBPERF_API char *perf_thread_map__comm(struct perf_thread_map *map, int idx)
{
	struct thread_map_data *entry = thread_map__entry(map, idx);

	return entry ? entry->comm : NULL;
}

LIBPERF_API int perf_thread_map__nr(struct perf_thread_map *threads)
{
	return threads ? threads->nr : 1;
}

LIBPERF_API pid_t perf_thread_map__pid(struct perf_thread_map *map, int idx)
{
	struct thread_map_data *entry = thread_map__entry(map, idx);

	return entry ? entry->pid : -1;
}

LIBPERF_API int perf_thread_map__idx(struct perf_thread_map *map, pid_t pid)
{
	int i;

	for (i = 0; i < perf_thread_map__nr(map); i++) {
		if (perf_thread_map__pid(map, i) == pid)
			return i;
	}
	return -1;
}

LIBPERF_API struct perf_thread_map *perf_thread_map__get(struct perf_thread_map *map)
{
	if (map)
		refcnt__get(&map->refcnt);
	return map;
}

LIBPERF_API void perf_thread_map__put(struct perf_thread_map *map)
{
	int i;

	if (!map || !refcnt__put(&map->refcnt))
		return;
	for (i = 0; i < map->nr; i++)
		free(map->map[i].comm);
	free(map);
}
