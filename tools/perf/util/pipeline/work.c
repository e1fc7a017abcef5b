// SPDX-License-Identifier: GPL-2.0-only
#include "work.h"

#include <inttypes.h>

#include "../base/log.h"
#include "../complete/complete.h"
#include "../jit/gdb-jit.h"
#include "../order/order.h"
#include "../state/machine.h"

void work__say(const struct order *o, const struct machine *m, const struct complete *c,
	       const struct gdb_jit *g)
{
	struct order_counts n = order__counts(o);

	pr_debug("order: %zu records were held at most, in %zu runs at the end\n", n.max_held,
		 n.runs);
	pr_debug("state: %zu kB; mappings that were read: %" PRIu64 " for walks, %" PRIu64
		 " for code that is registered for debuggers\n", machine__bytes(m) / 1024,
		 complete__nr_looked_at(c), g ? gdb_jit__nr_maps(g) : 0);
}
