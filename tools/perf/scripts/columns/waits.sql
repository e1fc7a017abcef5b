-- SPDX-License-Identifier: GPL-2.0-only
-- Waits by cause: the innermost function of the kernel that is not its scheduler. "runnable" is the
-- part of a wait in which the thread could have run, and no CPU was free.
WITH RECURSIVE waits AS (
	SELECT state, stack, SUM(value) AS value, SUM(count) AS samples
	FROM cost WHERE state <> 'running' GROUP BY state, stack
), find(origin, node, function, depth) AS (
	SELECT w.stack, t.caller, s.function, 0
	FROM (SELECT DISTINCT stack FROM waits) w JOIN cost_stack t ON t.stack = w.stack
	JOIN symbol s ON s.frame = t.frame
	UNION ALL
	SELECT f.origin, t.caller, s.function, f.depth + 1
	FROM find f JOIN cost_stack t ON t.stack = f.node JOIN symbol s ON s.frame = t.frame
	WHERE f.function IN ('__schedule', 'schedule', 'schedule_timeout', 'preempt_schedule',
		'preempt_schedule_common', 'preempt_schedule_irq', 'io_schedule',
		'schedule_hrtimeout_range', 'schedule_hrtimeout_range_clock', '__cond_resched',
		'schedule_idle', 'finish_task_switch.isra.0', 'finish_task_switch')
), cause AS (
	SELECT f.origin, f.function FROM find f
	JOIN (SELECT origin, MAX(depth) AS depth FROM find GROUP BY origin) d
	ON d.origin = f.origin AND d.depth = f.depth
)
SELECT w.state, c.function AS cause, SUM(w.value) AS value, SUM(w.samples) AS waits
FROM waits w LEFT JOIN cause c ON c.origin = w.stack
GROUP BY w.state, c.function
ORDER BY value DESC, cause;
