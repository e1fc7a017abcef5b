# SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
# libperf-agent.so: rules for the Makefile that includes this file, from the top of the tree.
#
# Reads     O, CC, CFLAGS, LDFLAGS, Q, say, DESTDIR, includedir, mandir, FEATURE_MACHINE
# Makes     $(AGENT_SO), which `perf record --agent` loads into programs; empty but for x86-64,
#           whose signal frames it reads. Never with sanitizers, whose runtime the program lacks;
#           all of its symbols are bound at the start, for its handler. $(AGENT_MAN); the targets
#           agent-install-files (header and manual, as they are, into folders that are there),
#           agent-uninstall

AGENT_DIR := tools/lib/perf-agent
AGENT_SRC := $(wildcard $(AGENT_DIR)/*.c)
AGENT_SO := $(if $(filter x86_64%,$(FEATURE_MACHINE)),$(O)/libperf-agent.so)
AGENT_CFLAGS := -std=gnu11 -D_GNU_SOURCE -Wall -Wextra $(if $(WERROR),-Werror) -Wno-unused-parameter \
	-Wmissing-prototypes -Wstrict-prototypes -Wvla -O2 -g -fPIC -fvisibility=hidden -pthread

$(O)/libperf-agent.so: $(AGENT_SRC) $(wildcard $(AGENT_DIR)/*.h $(AGENT_DIR)/include/perf/*.h) $(AGENT_DIR)/build.mk
	@mkdir -p $(@D)
	$(call say,LD      $@)
	$(Q)$(CC) $(AGENT_CFLAGS) $(LDFLAGS) -shared -Wl,-z,now -Wl,-z,defs \
		-Wl,-soname,libperf-agent.so -o $@ $(AGENT_SRC)

AGENT_HDR := $(AGENT_DIR)/include/perf/agent.h
AGENT_MAN := $(O)/man/perf-agent.3
$(AGENT_MAN): $(AGENT_DIR)/Documentation/perf-agent.txt tools/build/manpage.awk
	@mkdir -p $(@D)
	$(call say,MAN     $@)
	$(Q)awk -f tools/build/manpage.awk -v source="perf $(file <VERSION)" -v manual="perf Manual" $< >$@

agent-install-files:
	install -m 644 $(AGENT_HDR) "$(DESTDIR)"$(includedir)/perf
	install -m 644 $(AGENT_MAN) "$(DESTDIR)"$(mandir)/man3
agent-uninstall:
	rm -f "$(DESTDIR)"$(includedir)/perf/agent.h "$(DESTDIR)"$(mandir)/man3/perf-agent.3

.PHONY: agent-install-files agent-uninstall
