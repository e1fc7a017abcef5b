/* SPDX-License-Identifier: GPL-2.0-only */
/* A workload that tells whose words the agent's are: see `perf help test`. */
#ifndef PERF_TESTS_WORKLOADS_AGENT_H
#define PERF_TESTS_WORKLOADS_AGENT_H

/*
 * agent [plain|timer|blocked|dropN|runtime|faults] [sec [threads]]: the main thread and so many
 * others count, and spell the last twelve bits of the number by the functions in their stacks
 * (agent_one, agent_zero, the highest bit outermost, below agent_leaf), while all addresses and
 * stack pointers stay the same. The number is in perf_test_activity, too. timer: each has a signal
 * a thousand times a second; blocked: SIGTRAP is blocked nine tenths of the time; dropN: N percent
 * of the records that `perf record --agent` has of it are made away with. runtime: they are run by
 * an interpreter, which tells its functions: a call of agent_eval() runs lower(), which was called
 * by upper(), twice, in "mock.src", lines 10 to 19 and 20 to 29; faults: telling ends with a load
 * from nowhere.
 * @argc, @argv: the arguments
 * Returns: the exit status.
 */
int workload_agent(int argc, const char **argv);

#endif
