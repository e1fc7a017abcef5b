# SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
# libperf-unwind: rules for the Makefile that includes this file, from the top of the tree or from
# here.
#
# Reads     UNWIND_DIR (where this file is, from there), O, CC, AR, CFLAGS, LDFLAGS, SANITIZE, Q,
#           DESTDIR, prefix, libdir, includedir, mandir; and a rule of that Makefile for
#           $(UNWIND_OBJ), with $(UNWIND_OBJ_CFLAGS)
# Makes     $(UNWIND_A), $(UNWIND_SO), $(UNWIND_MAN), the targets libperf-unwind (these three),
#           unwind-install-files (as they are, into $(UNWIND_DIRS), which must be there),
#           unwind-uninstall, unwind-tests (programs), unwind-check (runs them), unwind-examples

UNWIND_DIR ?= tools/lib/unwind
UNWIND_VERSION := 0.1.0
UNWIND_SONAME := libperf-unwind.so.$(firstword $(subst ., ,$(UNWIND_VERSION)))
UNWIND_O := $(O)/libperf-unwind
UNWIND_SRC := $(patsubst ./%,%,$(wildcard $(UNWIND_DIR)/*.c \
	$(foreach room,core elf arch arch/* rows source space walk,$(UNWIND_DIR)/$(room)/*.c)))
UNWIND_OBJ := $(UNWIND_SRC:%.c=$(O)/%.o)
UNWIND_HDRS := $(wildcard $(UNWIND_DIR)/include/perf/*.h)
UNWIND_A := $(O)/libperf-unwind.a
UNWIND_SO := $(O)/libperf-unwind.so.$(UNWIND_VERSION)
UNWIND_WARN := -Wall -Wextra $(if $(WERROR),-Werror) -Wno-unused-parameter -Wmissing-prototypes -Wstrict-prototypes \
	-Wvla
UNWIND_SAN := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer) \
	$(if $(filter thread,$(SANITIZE)),-Wno-unknown-warning-option -Wno-tsan)
UNWIND_CFLAGS := -std=gnu11 -D_GNU_SOURCE $(UNWIND_WARN) $(CFLAGS) $(UNWIND_SAN) -pthread \
	-I$(UNWIND_DIR)/include
UNWIND_OBJ_CFLAGS := -fPIC -fvisibility=hidden
UNWIND_LIBS := -lelf

prefix ?= /usr/local
libdir ?= $(prefix)/lib
includedir ?= $(prefix)/include
mandir ?= $(prefix)/share/man

UNWIND_MAN := $(UNWIND_O)/libperf-unwind.3
unwind_say = $(if $(Q),@echo '  $(1)')

libperf-unwind: $(UNWIND_A) $(UNWIND_SO) $(UNWIND_MAN)

$(UNWIND_A): $(UNWIND_OBJ)
	$(call unwind_say,AR      $@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(UNWIND_SO): $(UNWIND_OBJ) $(UNWIND_DIR)/libperf-unwind.map
	$(call unwind_say,LD      $@)
	$(Q)$(CC) -shared $(CFLAGS) $(UNWIND_SAN) $(LDFLAGS) -pthread -Wl,-soname,$(UNWIND_SONAME) \
		-Wl,--version-script=$(UNWIND_DIR)/libperf-unwind.map \
		$(if $(SANITIZE),,-Wl,-z,defs) -o $@ $(UNWIND_OBJ) $(UNWIND_LIBS)
	$(Q)ln -sf $(@F) $(O)/$(UNWIND_SONAME) && ln -sf $(@F) $(O)/libperf-unwind.so

UNWIND_MANPAGE := $(UNWIND_DIR)/../../build/manpage.awk
$(UNWIND_MAN): $(UNWIND_DIR)/Documentation/libperf-unwind.txt \
		$(wildcard $(UNWIND_DIR)/examples/*.c) $(UNWIND_MANPAGE)
	@mkdir -p $(@D)
	$(call unwind_say,MAN     $@)
	$(Q)awk -f $(UNWIND_MANPAGE) -v source="libperf-unwind $(UNWIND_VERSION)" \
		-v manual="libperf-unwind Manual" $< >$@

# Tests are programs, built against the archive and, unless they need internals, against the shared
# library too. They have frame pointers, by which walks could guess where they should not.
UNWIND_TESTS := $(patsubst $(UNWIND_DIR)/tests/%.c,%,$(wildcard $(UNWIND_DIR)/tests/*.c))
UNWIND_TEST_BINS := $(UNWIND_TESTS:%=$(UNWIND_O)/tests/%-static) \
	$(patsubst %,$(UNWIND_O)/tests/%-shared,$(filter test-%,$(UNWIND_TESTS)))
UNWIND_EXAMPLES := $(patsubst $(UNWIND_DIR)/examples/%.c,$(UNWIND_O)/examples/%, \
	$(wildcard $(UNWIND_DIR)/examples/*.c))

UNWIND_TEST_CFLAGS := $(UNWIND_CFLAGS) -fno-omit-frame-pointer -I$(UNWIND_DIR)/tests/include

unwind-tests: $(UNWIND_TEST_BINS)
unwind-examples: $(UNWIND_EXAMPLES)

$(UNWIND_O)/tests/%-static: $(UNWIND_DIR)/tests/%.c $(UNWIND_A)
	@mkdir -p $(@D)
	$(Q)$(CC) $(UNWIND_TEST_CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $(UNWIND_A) -ldw $(UNWIND_LIBS)
$(UNWIND_O)/tests/%-shared: $(UNWIND_DIR)/tests/%.c $(UNWIND_SO)
	@mkdir -p $(@D)
	$(Q)$(CC) $(UNWIND_TEST_CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $(UNWIND_SO) -ldw $(UNWIND_LIBS)
$(UNWIND_O)/examples/%: $(UNWIND_DIR)/examples/%.c $(UNWIND_A)
	@mkdir -p $(@D)
	$(Q)$(CC) $(UNWIND_CFLAGS) $(LDFLAGS) -rdynamic -MMD -MP -o $@ $< $(UNWIND_A) $(UNWIND_LIBS)

unwind-check: $(UNWIND_TEST_BINS) $(UNWIND_EXAMPLES)
	$(Q)LD_LIBRARY_PATH=$(abspath $(O)) sh $(UNWIND_DIR)/tests/run.sh $(UNWIND_O) \
		$(UNWIND_SO) $(UNWIND_DIR) $(UNWIND_TEST_BINS)

UNWIND_DIRS := $(libdir)/pkgconfig $(includedir)/perf $(mandir)/man3
unwind-install-files:
	install -m 644 $(UNWIND_A) "$(DESTDIR)"$(libdir)
	install -m 755 $(UNWIND_SO) "$(DESTDIR)"$(libdir)
	ln -sf $(notdir $(UNWIND_SO)) "$(DESTDIR)"$(libdir)/$(UNWIND_SONAME)
	ln -sf $(UNWIND_SONAME) "$(DESTDIR)"$(libdir)/libperf-unwind.so
	sed -e 's|@PREFIX@|$(prefix)|' -e 's|@LIBDIR@|$(libdir)|' -e 's|@INCLUDEDIR@|$(includedir)|' \
		-e 's|@VERSION@|$(UNWIND_VERSION)|' $(UNWIND_DIR)/libperf-unwind.pc.in \
		>"$(DESTDIR)"$(libdir)/pkgconfig/libperf-unwind.pc
	install -m 644 $(UNWIND_HDRS) "$(DESTDIR)"$(includedir)/perf
	install -m 644 $(UNWIND_MAN) "$(DESTDIR)"$(mandir)/man3

unwind-uninstall:
	rm -f "$(DESTDIR)"$(libdir)/libperf-unwind.a "$(DESTDIR)"$(libdir)/libperf-unwind.so* \
		"$(DESTDIR)"$(libdir)/pkgconfig/libperf-unwind.pc \
		"$(DESTDIR)"$(mandir)/man3/libperf-unwind.3 \
		$(UNWIND_HDRS:$(UNWIND_DIR)/include/perf/%="$(DESTDIR)"$(includedir)/perf/%)

-include $(UNWIND_OBJ:.o=.d) $(UNWIND_TEST_BINS:=.d) $(UNWIND_EXAMPLES:=.d)
.PHONY: libperf-unwind unwind-tests unwind-check unwind-examples unwind-install-files \
	unwind-uninstall
