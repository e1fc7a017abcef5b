// SPDX-License-Identifier: GPL-2.0-only
#include "../../util/data/bytes-out.h"
#include "../../util/data/cpu-topology.h"
#include "../../util/data/feature.h"
#include "../test.h"

/* A socket of two CPUs with a core each, with dies. */
static struct bytes_out make_feature(void)
{
	static const u32 ids[] = { 5, 1, 6, 1 }, dies[] = { 7, 8 };
	struct bytes_out out = {};

	bytes_out__u32(&out, 1);
	feature__encode_string(&out, "0-1");
	bytes_out__u32(&out, 2);
	feature__encode_string(&out, "0");
	feature__encode_string(&out, "1");
	bytes_out__put(&out, ids, sizeof(ids));
	bytes_out__u32(&out, 1);
	feature__encode_string(&out, "0-1");
	bytes_out__put(&out, dies, sizeof(dies));
	return out;
}

TEST(cpu_topology, "header: CPU_TOPOLOGY is read, and as far as it goes where it is cut")
{
	struct bytes_out out = make_feature();

	for (size_t size = 0; size <= out.buf.nr; size++) {
		struct recording *r = recording__new();
		bool whole = size == out.buf.nr;
		struct cpu_topology t = {};

		r->nr_cpus_avail = whole ? 2 : (u32)-1; /* and where it lies about that */
		recording__keep_opaque(r, FEAT_CPU_TOPOLOGY, out.buf.v, size);
		cpu_topology__read(&t, r);
		TEST_TRUE(t.sockets.lists.nr <= 1 && t.cores.lists.nr <= 2);
		TEST_TRUE(t.cpus.nr <= size / 8);
		if (whole) {
			TEST_STR(t.sockets.lists.v[0], "0-1");
			TEST_STR(t.cores.lists.v[1], "1");
			TEST_EQ(t.dies.lists.nr, 1);
			TEST_EQ(t.cpus.nr, 2);
			TEST_EQ(t.cpus.v[1].core, 6);
			TEST_EQ(t.cpus.v[1].socket, 1);
			TEST_EQ(t.cpus.v[1].die, 8);
		}
		cpu_topology__free(&t);
		recording__free(r);
	}
	vec__free(&out.buf);
}
