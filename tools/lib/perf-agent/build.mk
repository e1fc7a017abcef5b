# SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
# libperf-agent.so: rules for the Makefile that includes this file, from the top of the tree.
#
# Reads     O, CC, CFLAGS, LDFLAGS, Q, say
# Makes     $(AGENT_SO), which `perf record --agent` loads into programs. Never with sanitizers,
#           whose runtime the program does not have; and with all of its symbols bound at the
#           start, since a handler must not look for them.

AGENT_DIR := tools/lib/perf-agent
AGENT_SRC := $(wildcard $(AGENT_DIR)/*.c)
AGENT_SO := $(O)/libperf-agent.so
AGENT_CFLAGS := -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -Wno-unused-parameter \
	-Wmissing-prototypes -Wstrict-prototypes -Wvla -O2 -g -fPIC -fvisibility=hidden -pthread

$(AGENT_SO): $(AGENT_SRC) $(wildcard $(AGENT_DIR)/*.h $(AGENT_DIR)/include/perf/*.h) $(AGENT_DIR)/build.mk
	@mkdir -p $(@D)
	$(call say,LD      $@)
	$(Q)$(CC) $(AGENT_CFLAGS) $(LDFLAGS) -shared -Wl,-z,now -Wl,-z,defs \
		-Wl,-soname,libperf-agent.so -o $@ $(AGENT_SRC)
