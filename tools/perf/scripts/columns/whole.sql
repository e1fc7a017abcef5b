-- SPDX-License-Identifier: GPL-2.0-only
-- How many stacks are whole, and why the others are not.
SELECT host, event, user_stack, SUM(count) AS samples, SUM(value) AS value
FROM cost GROUP BY host, event, user_stack
ORDER BY samples DESC, host, user_stack;
