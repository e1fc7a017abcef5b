-- SPDX-License-Identifier: GPL-2.0-only
-- Folded stacks for a flame graph, with the thread outermost: text, value. Add conditions to "part",
-- such as WHERE event = 'cpu-clock' AND host = 'web1'.
WITH RECURSIVE part AS (
	SELECT thread, stack, SUM(value) AS value FROM cost
	GROUP BY thread, stack
), path(stack, text) AS (
	SELECT t.stack, s.function FROM cost_stack t JOIN symbol s ON s.frame = t.frame
	WHERE t.caller IS NULL
	UNION ALL
	SELECT t.stack, p.text || ';' || s.function
	FROM path p JOIN cost_stack t ON t.caller = p.stack JOIN symbol s ON s.frame = t.frame
)
SELECT p.thread || COALESCE(';' || a.text, '') AS stack, SUM(p.value) AS value
FROM part p LEFT JOIN path a ON a.stack = p.stack
GROUP BY 1 ORDER BY 1;
