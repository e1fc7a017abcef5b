-- SPDX-License-Identifier: GPL-2.0-only
-- Functions that cost most with all that they call; a stack counts once for each of its functions.
WITH RECURSIVE weight AS (
	SELECT event, state, stack, SUM(value) AS value, SUM(count) AS samples
	FROM cost WHERE stack IS NOT NULL GROUP BY event, state, stack
), up(origin, node) AS (
	SELECT DISTINCT stack, stack FROM weight
	UNION ALL
	SELECT u.origin, t.caller FROM up u JOIN cost_stack t ON t.stack = u.node
	WHERE t.caller IS NOT NULL
), has AS (
	SELECT DISTINCT u.origin, s.function, s.module
	FROM up u JOIN cost_stack t ON t.stack = u.node JOIN symbol s ON s.frame = t.frame
)
SELECT w.event, w.state, h.function, h.module, SUM(w.value) AS value, SUM(w.samples) AS samples
FROM weight w JOIN has h ON h.origin = w.stack
GROUP BY w.event, w.state, h.function, h.module
ORDER BY value DESC, function;
