-- SPDX-License-Identifier: GPL-2.0-only
-- Functions that cost most by themselves, of each event and state.
SELECT c.event, c.state, s.function, s.module, SUM(c.value) AS value, SUM(c.count) AS samples
FROM cost c LEFT JOIN cost_stack t ON t.stack = c.stack LEFT JOIN symbol s ON s.frame = t.frame
GROUP BY c.event, c.state, s.function, s.module
ORDER BY value DESC, function;
