// SPDX-License-Identifier: GPL-2.0-only
/* Settings, as a perfconfig has them. An input is the file. */
#include "../../util/cli/config-options.h"
#include "input.h"

static void say_nothing(const char *fmt, ...)
{
}

static void use(struct config *c, const char *command)
{
	const char *argv[] = { command, "-q", NULL };
	char words[64];
	int argc = 2;

	free(config__add_options(c, &argc, argv, say_nothing));
	FUZZ_TRUE(argc >= 2);
	config__chain_words(c, words, sizeof(words));
	config__chain_mode(c, words, sizeof(words));
}

FUZZ_TARGET(config, "perfconfig")
{
	char *text = fuzz__string(data, size);
	struct config c = {};
	u32 line = config__parse(&c, "perfconfig", text);

	FUZZ_TRUE(line <= size + 1);
	for (size_t i = 0; i < c.entries.nr; i++) {
		const struct config_entry *e = config__find(&c, c.entries.v[i].name);

		FUZZ_TRUE(e >= &c.entries.v[i]);
		FUZZ_TRUE(strchr(e->name, '.') && e->line && e->line <= size + 1);
		config_entry__truth(e);
	}
	if (!line) {
		use(&c, "report");
		use(&c, "record");
		use(&c, "script");
	}
	config__free(&c);
	free(text);
}
