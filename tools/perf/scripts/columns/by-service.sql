-- SPDX-License-Identifier: GPL-2.0-only
-- What each service, host and thread costs, and when it ran or waited.
SELECT service, host, thread, event, state, SUM(value) AS value, SUM(count) AS samples
FROM cost GROUP BY service, host, thread, event, state
ORDER BY value DESC, thread;
