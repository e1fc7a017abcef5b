// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Signals that the agent and the program both have handlers of. The program sees its own: what it
 * sets is kept, and called for what is not the agent's.
 */
#include <dlfcn.h>
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "priv.h"

typedef int (*sigaction_fn)(int sig, const struct sigaction *act, struct sigaction *old);

AGENT_API int sigaction(int sig, const struct sigaction *act, struct sigaction *old);
AGENT_API int __sigaction(int sig, const struct sigaction *act, struct sigaction *old);
AGENT_API __sighandler_t signal(int sig, __sighandler_t handler);

int agent__sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
	static sigaction_fn real;
	sigaction_fn f = __atomic_load_n(&real, __ATOMIC_RELAXED);

	if (!f) {
		f = (sigaction_fn)dlsym(RTLD_NEXT, "sigaction");
		__atomic_store_n(&real, f, __ATOMIC_RELAXED);
	}
	if (f)
		return f(sig, act, old);
	errno = ENOSYS;
	return -1;
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	const struct sigaction *program = &agent.fault[sig == SIGBUS];
	bool ends = program->sa_handler == SIG_DFL && info->si_code > 0;
	int saved = errno;

	if (!agent__fault(context) && !agent__end_walk(context) &&
	    (!ends || agent__faults_again(context)))
		agent__pass_on(program, sig, info, context);
	errno = saved;
}

/* Where what the program believes is kept; NULL: the signal is the program's alone. */
static struct sigaction *believed(int sig)
{
	if (agent.pid && sig == SIGTRAP)
		return &agent.trap;
	if (agent.guards && (sig == SIGSEGV || sig == SIGBUS))
		return &agent.fault[sig == SIGBUS];
	return NULL;
}

/* The agent's handler, with what the program wants as far as it does not matter to the agent. */
static int install(int sig, const struct sigaction *program)
{
	struct sigaction sa = { .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART };

	if (sig == SIGTRAP) {
		sa.sa_sigaction = agent.on_trap;
		sigfillset(&sa.sa_mask);
		sigdelset(&sa.sa_mask, SIGSEGV);
		sigdelset(&sa.sa_mask, SIGBUS);
		return agent__sigaction(sig, &sa, NULL);
	}
	sa.sa_sigaction = on_fault;
	if (program->sa_handler != SIG_DFL && program->sa_handler != SIG_IGN) {
		sa.sa_flags = SA_SIGINFO | (program->sa_flags & ~SA_RESETHAND);
		sa.sa_mask = program->sa_mask;
	}
	return agent__sigaction(sig, &sa, NULL);
}

void agent__install(void)
{
	agent__sigaction(SIGTRAP, NULL, &agent.trap);
	/* That is what another agent has left behind for the exec; see exec.c. */
	if (agent.trap.sa_handler == SIG_IGN || (agent.trap.sa_flags & SA_SIGINFO &&
	    agent.trap.sa_sigaction == agent.on_trap))
		agent.trap = (struct sigaction){ .sa_handler = SIG_DFL };
	install(SIGTRAP, &agent.trap);
}

void agent__guard(void)
{
	static const int faults[] = { SIGSEGV, SIGBUS };

	for (int i = 0; i < 2 && !agent.guards; i++) {
		agent__sigaction(faults[i], NULL, &agent.fault[i]);
		install(faults[i], &agent.fault[i]);
	}
	agent.guards = true;
}

void agent__uninstall(void)
{
	agent__sigaction(SIGTRAP, &agent.trap, NULL);
	if (agent.guards) {
		agent__sigaction(SIGSEGV, &agent.fault[0], NULL);
		agent__sigaction(SIGBUS, &agent.fault[1], NULL);
	}
	agent.guards = false;
}

/* The default of these signals ends the process: where the fault is, if it is one. */
static void by_default(int sig, const siginfo_t *info)
{
	struct sigaction sa = { .sa_handler = SIG_DFL };

	agent__sigaction(sig, &sa, NULL);
	if (info->si_code <= 0 || sig == SIGTRAP)
		syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), sig);
}

void agent__pass_on(const struct sigaction *act, int sig, siginfo_t *info, void *context)
{
	struct sigaction sa = *act;

	if (sa.sa_flags & SA_RESETHAND)
		((struct sigaction *)act)->sa_handler = SIG_DFL;
	if (sa.sa_handler == SIG_DFL || (sa.sa_handler == SIG_IGN && info->si_code > 0))
		by_default(sig, info);
	else if (sa.sa_handler == SIG_IGN)
		return;
	else if (sa.sa_flags & SA_SIGINFO)
		sa.sa_sigaction(sig, info, context);
	else
		sa.sa_handler(sig);
}

AGENT_API int sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
	struct sigaction *mine = believed(sig), before;

	if (!mine)
		return agent__sigaction(sig, act, old);
	before = *mine;
	if (act) {
		*mine = *act;
		if (sig != SIGTRAP)
			install(sig, act);
	}
	if (old)
		*old = before;
	return 0;
}

AGENT_API int __sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
	return sigaction(sig, act, old);
}

AGENT_API __sighandler_t signal(int sig, __sighandler_t handler)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_RESTART }, old;

	sigemptyset(&sa.sa_mask);
	if (handler == SIG_ERR) {
		errno = EINVAL;
		return SIG_ERR;
	}
	sigaddset(&sa.sa_mask, sig);
	return sigaction(sig, &sa, &old) ? SIG_ERR : old.sa_handler;
}
