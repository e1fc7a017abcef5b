// SPDX-License-Identifier: GPL-2.0-only
#include "brief-waits.h"

#include <stdlib.h>
#include <string.h>

#include "brief.h"

/* Parts of names (brief__name_matches()) that say what a thread waits for; the first that fits. */
struct wait_rule {
	const char *part;
	enum wait_for what;
};

static const struct wait_rule kernel_rules[] = {
	{ "futex_wait", WAIT_FUTEX }, { "futex_do_wait", WAIT_FUTEX },
	{ "futex_lock_pi", WAIT_LOCK }, { "rt_mutex_", WAIT_LOCK },
	{ "nanosleep", WAIT_SLEEP },
	{ "^do_poll", WAIT_POLL }, { "^do_select", WAIT_POLL }, { "^ep_poll", WAIT_POLL },
	{ "^do_sys_poll", WAIT_POLL }, { "sys_poll$", WAIT_POLL }, { "sys_ppoll$", WAIT_POLL },
	{ "epoll_wait", WAIT_POLL }, { "epoll_pwait", WAIT_POLL }, { "sys_select", WAIT_POLL },
	{ "sys_pselect", WAIT_POLL },
	{ "io_cqring_wait", WAIT_DISK }, { "read_events", WAIT_DISK },
	{ "anon_pipe_", WAIT_PIPE }, { "pipe_read", WAIT_PIPE }, { "pipe_write", WAIT_PIPE },
	{ "pipe_wait", WAIT_PIPE }, { "wait_for_partner", WAIT_PIPE },
	{ "^unix_", WAIT_SOCKET },
	{ "inet_csk_accept", WAIT_NETWORK }, { "^inet_", WAIT_NETWORK }, { "^tcp_", WAIT_NETWORK },
	{ "^udp", WAIT_NETWORK }, { "sk_wait_data", WAIT_NETWORK }, { "raw_recvmsg", WAIT_NETWORK },
	{ "sk_stream_wait", WAIT_NETWORK }, { "__skb_wait_for_more_packets", WAIT_NETWORK },
	{ "^tty_", WAIT_TERMINAL }, { "^n_tty_", WAIT_TERMINAL }, { "^pty_", WAIT_TERMINAL },
	{ "^do_wait$", WAIT_CHILD }, { "^wait_for_vfork", WAIT_CHILD },
	{ "^kernel_wait", WAIT_CHILD },
	{ "eventfd_", WAIT_NOTICE }, { "timerfd_", WAIT_NOTICE }, { "inotify_", WAIT_NOTICE },
	{ "signalfd_", WAIT_NOTICE }, { "fanotify_", WAIT_NOTICE },
	{ "sigtimedwait", WAIT_SIGNAL }, { "sigsuspend", WAIT_SIGNAL },
	{ "sys_pause", WAIT_SIGNAL },
	{ "do_signal_stop", WAIT_SIGNAL }, { "ptrace_stop", WAIT_SIGNAL },
	{ "locks_lock", WAIT_FILE_LOCK }, { "flock", WAIT_FILE_LOCK },
	{ "fcntl_setlk", WAIT_FILE_LOCK }, { "posix_lock", WAIT_FILE_LOCK },
	{ "do_msgrcv", WAIT_MESSAGE }, { "do_msgsnd", WAIT_MESSAGE }, { "mq_timed", WAIT_MESSAGE },
	{ "wq_sleep", WAIT_MESSAGE },
	{ "semtimedop", WAIT_SEMAPHORE }, { "do_semtimedop", WAIT_SEMAPHORE },
	{ "rwsem_", WAIT_KERNEL_LOCK }, { "__mutex_lock", WAIT_KERNEL_LOCK },
	{ "io_schedule", WAIT_DISK }, { "folio_wait", WAIT_DISK }, { "bit_wait_io", WAIT_DISK },
	{ "submit_bio_wait", WAIT_DISK }, { "jbd2_", WAIT_DISK }, { "filemap_", WAIT_DISK },
	{ "ext4_", WAIT_DISK }, { "xfs_", WAIT_DISK }, { "btrfs_", WAIT_DISK },
	{ "^blk", WAIT_DISK }, { "fuse_", WAIT_DISK }, { "nfs_", WAIT_DISK }, { "^p9_", WAIT_DISK },
	{ "sync_inodes", WAIT_DISK }, { "do_fsync", WAIT_DISK }, { "vfs_fsync", WAIT_DISK },
};

/* What a futex is used for. Libraries without symbols still have the names that they export. */
static const struct wait_rule futex_rules[] = {
	{ "pthread_cond_", WAIT_CONDITION }, { "cnd_wait", WAIT_CONDITION },
	{ "cnd_timedwait", WAIT_CONDITION }, { "Condvar", WAIT_CONDITION },
	{ "pthread_clockjoin", WAIT_THREAD }, { "pthread_join", WAIT_THREAD },
	{ "pthread_timedjoin", WAIT_THREAD }, { "pthread_tryjoin", WAIT_THREAD },
	{ "thrd_join", WAIT_THREAD },
	{ "sem_wait", WAIT_SEMAPHORE }, { "sem_timedwait", WAIT_SEMAPHORE },
	{ "sem_clockwait", WAIT_SEMAPHORE }, { "pthread_barrier_wait", WAIT_BARRIER },
	{ "pthread_mutex_", WAIT_LOCK }, { "pthread_rwlock_", WAIT_LOCK },
	{ "mtx_lock", WAIT_LOCK },
	{ "lll_lock", WAIT_LOCK }, { "lock_contended", WAIT_LOCK },
	{ "PyThread_acquire", WAIT_LOCK },
};

/* Where the stack has no part of the kernel: of threads that sleep all the time. */
static const struct wait_rule user_rules[] = {
	{ "nanosleep", WAIT_SLEEP }, { "^sleep$", WAIT_SLEEP }, { "^usleep$", WAIT_SLEEP },
	{ "epoll_wait", WAIT_POLL }, { "epoll_pwait", WAIT_POLL }, { "^poll$", WAIT_POLL },
	{ "_poll$", WAIT_POLL }, { "ppoll", WAIT_POLL }, { "^select$", WAIT_POLL },
	{ "pselect", WAIT_POLL }, { "^__wait", WAIT_CHILD }, { "^wait", WAIT_CHILD },
	{ "sigsuspend", WAIT_SIGNAL }, { "sigwait", WAIT_SIGNAL }, { "sigtimedwait", WAIT_SIGNAL },
	{ "^pause$", WAIT_SIGNAL }, { "accept", WAIT_NETWORK }, { "recvfrom", WAIT_NETWORK },
	{ "recvmsg", WAIT_NETWORK },
};

#define USER_FUNCTIONS 8 /* of the user, the innermost ones, that are asked */

const char *wait_for__text(enum wait_for what)
{
	static const char *const texts[WAIT_KINDS] = {
		[WAIT_OTHER] = "something else", [WAIT_LOCK] = "a lock",
		[WAIT_CONDITION] = "a condition", [WAIT_THREAD] = "the end of a thread",
		[WAIT_SEMAPHORE] = "a semaphore", [WAIT_BARRIER] = "a barrier",
		[WAIT_FUTEX] = "a futex", [WAIT_SLEEP] = "time to pass (sleep)",
		[WAIT_DISK] = "files and disks", [WAIT_PIPE] = "a pipe",
		[WAIT_NETWORK] = "the network", [WAIT_SOCKET] = "a local socket",
		[WAIT_TERMINAL] = "a terminal", [WAIT_CHILD] = "a child process",
		[WAIT_POLL] = "events of descriptors (poll)",
		[WAIT_NOTICE] = "a notice of the kernel",
		[WAIT_SIGNAL] = "a signal", [WAIT_FILE_LOCK] = "a lock on a file",
		[WAIT_MESSAGE] = "a message queue", [WAIT_KERNEL_LOCK] = "a lock of the kernel",
	};

	return texts[what];
}

void brief_waits__keys(struct column_list *keys)
{
	column_list__add(keys, COLUMN_STATE);
	column_list__add(keys, COLUMN_WAKER);
	column_list__add(keys, COLUMN_SYSCALL);
	column_list__add(keys, COLUMN_OBJECT);
}

static enum wait_for find_rule(const struct wait_rule *rules, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (brief__name_matches(name, rules[i].part))
			return rules[i].what;
	return WAIT_OTHER;
}

static const struct stack_frame *frame_at(const struct hist *h, const u32 *frames, u32 i)
{
	return &h->stacks.frames.v[frames[i]];
}

/* By the innermost function of the kernel that tells; of a futex, by who uses it. */
static enum wait_for what_of(const struct hist *h, const u32 *frames, u32 nr)
{
	enum wait_for what = WAIT_OTHER, use;
	u32 i = 0;

	for (; i < nr && frame_at(h, frames, i)->cpumode == PERF_RECORD_MISC_KERNEL; i++)
		if (what == WAIT_OTHER && frame_at(h, frames, i)->sym)
			what = find_rule(kernel_rules, ARRAY_SIZE(kernel_rules),
					 frame_at(h, frames, i)->sym->name);
	if (what != WAIT_FUTEX && i)
		return what;
	for (u32 end = min_of(nr, i + USER_FUNCTIONS), asleep = !i; i < end; i++) {
		const struct stack_frame *f = frame_at(h, frames, i);
		const char *name = f->sym ? f->sym->name : "";

		use = find_rule(futex_rules, ARRAY_SIZE(futex_rules), name);
		if (asleep && use == WAIT_OTHER)
			use = find_rule(user_rules, ARRAY_SIZE(user_rules), name);
		if (use != WAIT_OTHER)
			return use;
	}
	return what;
}

/* The function that waits: the innermost of the program, or of the user. 0: of the kernel alone. */
static u32 who_of(const struct hist *h, const u32 *frames, u32 nr)
{
	u32 user = 0;

	for (u32 i = 0; i < nr; i++) {
		const struct stack_frame *f = frame_at(h, frames, i);

		if (f->cpumode == PERF_RECORD_MISC_KERNEL || f->is_cookie)
			continue;
		if (f->sym && !brief__is_of_system(f))
			return f->shown;
		if (!user)
			user = f->shown;
	}
	return user;
}

static bool is_same(const struct brief_wait *a, const struct brief_wait *b)
{
	return a->what == b->what && a->runnable == b->runnable && a->frame == b->frame &&
	       a->object == b->object && a->waker == b->waker;
}

struct tallies {
	VEC(struct brief_wait) v;
	struct index index;
};

static void count(struct tallies *t, const struct brief_wait *w)
{
	u64 hash = hash_u64(w->frame ^ (u64)w->what << 40 ^ (uintptr_t)w->object * 31 ^
			    hash_u64((uintptr_t)w->waker));
	struct index_probe p;
	u32 i;

	for (i = index__first(&t->index, hash, &p); i; i = index__next(&t->index, &p))
		if (is_same(&t->v.v[i - 1], w))
			break;
	if (!i) {
		*vec__push(&t->v) = *w;
		index__add(&t->index, hash, t->v.nr);
		return;
	}
	t->v.v[i - 1].ns += w->ns;
	t->v.v[i - 1].nr += w->nr;
}

/* What is known of a record. Runnable time is not for anything, nor ended by anybody. */
static struct brief_wait wait_of(const struct hist *h, const struct stack_record *r)
{
	const struct hist_context *c = &h->contexts.v[r->context];
	u32 nr;
	const u32 *frames = brief__frames(h, r, &nr);
	struct brief_wait w = {
		.runnable = c->state && !strcmp(c->state, "runnable"), .object = "", .waker = "",
		.frame = who_of(h, frames, nr), .ns = r->period, .nr = r->nr,
	};

	if (w.runnable)
		return w;
	w.what = what_of(h, frames, nr);
	w.object = c->object ?: "";
	w.waker = c->waker ?: "";
	return w;
}

static int by_time(const void *va, const void *vb)
{
	const struct brief_wait *a = va, *b = vb;

	return compare_of(b->ns, a->ns) ?: compare_of(a->frame, b->frame);
}

static bool has_function(const struct hist *h, const struct stack_record *r, const char *name)
{
	u32 nr;
	const u32 *frames = brief__frames(h, r, &nr);

	for (u32 i = 0; i < nr; i++)
		if (frame_at(h, frames, i)->sym && !strcmp(frame_at(h, frames, i)->sym->name, name))
			return true;
	return false;
}

void brief_waits__make(struct brief_waits *w, const struct hist *h, const char *within)
{
	struct tallies t = {};

	*w = (struct brief_waits){};
	for (u32 i = 1; i < h->stacks.records.nr; i++) {
		struct brief_wait one = wait_of(h, &h->stacks.records.v[i]);

		if (within && !has_function(h, &h->stacks.records.v[i], within))
			continue;
		*(one.runnable ? &w->runnable : &w->blocked) += one.ns;
		count(&t, &one);
	}
	if (t.v.nr)
		qsort(t.v.v, t.v.nr, sizeof(*t.v.v), by_time);
	for (size_t i = 0, nr_runnable = 0; i < t.v.nr; i++) {
		bool runnable = t.v.v[i].runnable;

		if (runnable ? nr_runnable == BRIEF_RUNNABLE :
			       w->nr - nr_runnable == BRIEF_BLOCKED)
			continue;
		nr_runnable += runnable;
		w->v[w->nr++] = t.v.v[i];
	}
	vec__free(&t.v);
	index__free(&t.index);
}
