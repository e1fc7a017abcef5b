// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../io/procfile.h"
#include "target.h"

int target__parse_ids(id_vec *ids, const char *text, const char *what, struct error *err)
{
	const char *p = text;

	for (;;) {
		char *end;
		unsigned long v;

		errno = 0;
		v = strtoul(p, &end, 10);
		if (end == p || *p < '0' || *p > '9' || errno || !v || v > INT_MAX ||
		    (*end && *end != ','))
			return error__set(err, -EINVAL, "'%s' is not a list of %s", text, what);
		*vec__push(ids) = v;
		if (!*end)
			return 0;
		p = end + 1;
	}
}

struct user_search {
	id_vec *pids;
	uid_t uid;
};

static int push_of_user(void *ctx, u32 pid)
{
	struct user_search *s = ctx;
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%u", pid);
	if (!stat(path, &st) && st.st_uid == s->uid && pid != (u32)getpid())
		*vec__push(s->pids) = pid;
	return 0;
}

/* Finds a user by name or number. -1 is not a user: system calls use it for none. */
static bool find_user(const char *user, uid_t *uid)
{
	const struct passwd *pw = getpwnam(user);
	unsigned long v;
	char *end;

	if (pw) {
		*uid = pw->pw_uid;
		return true;
	}
	errno = 0;
	v = strtoul(user, &end, 10);
	*uid = v;
	return *user >= '0' && *user <= '9' && !*end && !errno && v < UINT32_MAX;
}

int target__add_user(struct target *t, const char *user, struct error *err)
{
	struct user_search s = { .pids = &t->pids };

	if (!find_user(user, &s.uid))
		return error__set(err, -EINVAL, "unknown user '%s'", user);
	if (procfile__for_each_number("/proc", push_of_user, &s) || !t->pids.nr)
		return error__set(err, -ESRCH, "user '%s' has no running processes", user);
	return 0;
}

static int push_number(void *ctx, u32 number)
{
	*vec__push((id_vec *)ctx) = number;
	return 0;
}

static bool tid_exists(u32 tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/stat", tid);
	return !access(path, F_OK);
}

static bool contains(const id_vec *ids, u32 id)
{
	for (size_t i = 0; i < ids->nr; i++)
		if (ids->v[i] == id)
			return true;
	return false;
}

int target__threads(const struct target *t, id_vec *tids, struct error *err)
{
	u32 missing = 0;
	char path[64];

	if (t->workload)
		*vec__push(tids) = t->workload;
	for (size_t i = 0; i < t->pids.nr; i++) {
		snprintf(path, sizeof(path), "/proc/%u/task", t->pids.v[i]);
		if (procfile__for_each_number(path, push_number, tids) && !missing)
			missing = t->pids.v[i];
	}
	for (size_t i = 0; i < t->tids.nr; i++) {
		if (!tid_exists(t->tids.v[i]))
			missing = missing ?: t->tids.v[i];
		else if (!contains(tids, t->tids.v[i]))
			*vec__push(tids) = t->tids.v[i];
	}
	if (tids->nr)
		return 0;
	return error__set(err, -ESRCH, "no process or thread %u", missing);
}

/* Thread group leader of a thread; 0 when it is gone. */
static u32 leader_of(u32 tid)
{
	char path[64], *text, *tgid;
	u32 pid = 0;

	snprintf(path, sizeof(path), "/proc/%u/status", tid);
	if (procfile__read(path, &text, NULL))
		return 0;
	tgid = strstr(text, "\nTgid:");
	if (tgid)
		pid = strtoul(tgid + 6, NULL, 10);
	free(text);
	return pid;
}

int target__processes(const struct target *t, id_vec *pids)
{
	if (t->system_wide)
		return procfile__for_each_number("/proc", push_number, pids);
	for (size_t i = 0; i < t->pids.nr; i++)
		if (!contains(pids, t->pids.v[i]))
			*vec__push(pids) = t->pids.v[i];
	for (size_t i = 0; i < t->tids.nr; i++) {
		u32 pid = leader_of(t->tids.v[i]);

		if (pid && !contains(pids, pid))
			*vec__push(pids) = pid;
	}
	return 0;
}

void target__free(struct target *t)
{
	vec__free(&t->pids);
	vec__free(&t->tids);
}
