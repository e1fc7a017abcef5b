// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* count COMMAND...: what a command, and all that it starts, does to the machine. */
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <perf/evlist.h>
#include <perf/evsel.h>
#include <perf/threadmap.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
	const char *name;
	uint64_t config;
} events[] = {
	{ "task-clock (ns)", PERF_COUNT_SW_TASK_CLOCK },
	{ "page-faults", PERF_COUNT_SW_PAGE_FAULTS },
	{ "context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES },
};

#define NR_EVENTS (sizeof(events) / sizeof(events[0]))

static int add_events(struct perf_evlist *evlist)
{
	for (size_t i = 0; i < NR_EVENTS; i++) {
		struct perf_event_attr attr = {
			.type = PERF_TYPE_SOFTWARE,
			.size = sizeof(attr),
			.config = events[i].config,
			.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
				       PERF_FORMAT_TOTAL_TIME_RUNNING,
			.disabled = 1,
			.enable_on_exec = 1,
			.inherit = 1,
		};
		struct perf_evsel *evsel = perf_evsel__new(&attr);

		if (!evsel)
			return -ENOMEM;
		perf_evlist__add(evlist, evsel);
	}
	return 0;
}

static void print_counts(struct perf_evlist *evlist)
{
	struct perf_counts_values count;
	struct perf_evsel *evsel;
	int i = 0;

	perf_evlist__for_each_evsel(evlist, evsel) {
		if (!perf_evsel__read(evsel, 0, 0, &count)) {
			perf_counts_values__scale(&count, true, NULL);
			printf("%15" PRIu64 "  %s\n", count.val, events[i].name);
		}
		i++;
	}
}

/* The child waits in read() until the events are there, so that exec is what enables them. */
static pid_t start_stopped(char **argv, int *go)
{
	int pipefd[2];
	pid_t pid;
	char c;

	if (pipe(pipefd))
		return -1;
	pid = fork();
	if (!pid) {
		close(pipefd[1]);
		if (read(pipefd[0], &c, 1) == 1)
			execvp(argv[0], argv);
		_exit(127);
	}
	close(pipefd[0]);
	*go = pipefd[1];
	return pid;
}

int main(int argc, char **argv)
{
	struct perf_evlist *evlist = perf_evlist__new();
	struct perf_thread_map *threads;
	int go, err;
	pid_t pid;

	if (argc < 2 || !evlist || (pid = start_stopped(argv + 1, &go)) < 0)
		return 1;
	threads = perf_thread_map__new_array(1, &pid);
	err = threads ? add_events(evlist) : -ENOMEM;
	perf_evlist__set_maps(evlist, NULL, threads);
	if (!err)
		err = perf_evlist__open(evlist);
	if (err)
		fprintf(stderr, "cannot count: %s\n", strerror(-err));
	else if (write(go, "", 1) == 1)
		waitpid(pid, NULL, 0);
	close(go);
	if (!err)
		print_counts(evlist);
	perf_evlist__delete(evlist);
	perf_thread_map__put(threads);
	return err ? 1 : 0;
}
