// SPDX-License-Identifier: GPL-2.0-only
/* What is said of a recording that did not go as expected; the rest: shell/record-hints.sh. */
#include "../../util/base/mem.h"
#include "../../util/record-command/record-hints.h"
#include "../test.h"

TEST(record_hint_too_many, "record: more samples than -F asks for are told, but not of periods")
{
	struct event_list list = {};
	struct recorder_opts opts = { .events = &list };
	struct recorder_result res = { .samples = 306599, .ms = 1000 };
	struct event_spec *spec = vec__push(&list.specs);
	char line[512];

	*spec = (struct event_spec){ .attr = { .freq = 1, .sample_freq = 4000 } };
	*vec__push(&list.specs) = (struct event_spec){ .is_dummy = true };
	TEST_TRUE(record_hint__too_many(&opts, &res, 2, line, sizeof(line)));
	TEST_TRUE(strstr(line, "306599 samples were taken, 34 times"));
	res.samples = 8700;
	TEST_TRUE(!record_hint__too_many(&opts, &res, 2, line, sizeof(line)));
	res.account.lost_samples = 408939;
	TEST_TRUE(record_hint__too_many(&opts, &res, 2, line, sizeof(line)));
	TEST_TRUE(!record_hint__too_many(&opts, &res, 200, line, sizeof(line)));
	res.ms = 60000;
	TEST_TRUE(!record_hint__too_many(&opts, &res, 2, line, sizeof(line)));
	res.ms = 1000;
	list.specs.v[0].attr.freq = 0;
	TEST_TRUE(!record_hint__too_many(&opts, &res, 2, line, sizeof(line)));
	vec__free(&list.specs);
}
