# SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
# libperf: rules for the Makefile that includes this file, from the top of the tree or from here.
#
# Reads     LIBPERF_DIR (where this file is, from there), O, CC, AR, CFLAGS, LDFLAGS, SANITIZE, Q,
#           DESTDIR, prefix, libdir, includedir, mandir
# Makes     $(LIBPERF_A), $(LIBPERF_SO), $(LIBPERF_MAN), the targets libperf (these three),
#           libperf-install-files (as they are, into $(LIBPERF_DIRS), which must be there),
#           libperf-uninstall, libperf-tests (programs), libperf-check (runs them), libperf-examples
# Objects are position-independent and apart from those that perf is built of: $(O)/libperf/.

LIBPERF_DIR ?= tools/lib/perf
LIBPERF_VERSION := 0.0.1
LIBPERF_SONAME := libperf.so.$(firstword $(subst ., ,$(LIBPERF_VERSION)))
LIBPERF_O := $(O)/libperf
LIBPERF_SRC := $(wildcard $(LIBPERF_DIR)/*.c)
LIBPERF_OBJ := $(LIBPERF_SRC:$(LIBPERF_DIR)/%.c=$(LIBPERF_O)/%.o)
LIBPERF_HDRS := $(wildcard $(LIBPERF_DIR)/include/perf/*.h)
LIBPERF_A := $(O)/libperf.a
LIBPERF_SO := $(O)/libperf.so.$(LIBPERF_VERSION)
LIBPERF_WARN := -Wall -Wextra $(if $(WERROR),-Werror) -Wmissing-prototypes -Wstrict-prototypes -Wvla
LIBPERF_SAN := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer) \
	$(if $(filter thread,$(SANITIZE)),-Wno-unknown-warning-option -Wno-tsan)
LIBPERF_CFLAGS := -std=gnu11 -D_GNU_SOURCE $(LIBPERF_WARN) $(CFLAGS) $(LIBPERF_SAN) \
	-I$(LIBPERF_DIR)/include

prefix ?= /usr/local
libdir ?= $(prefix)/lib
includedir ?= $(prefix)/include
mandir ?= $(prefix)/share/man

LIBPERF_MAN := $(LIBPERF_O)/libperf.3
libperf_say = $(if $(Q),@echo '  $(1)')

libperf: $(LIBPERF_A) $(LIBPERF_SO) $(LIBPERF_MAN)

$(LIBPERF_O)/%.o: $(LIBPERF_DIR)/%.c
	@mkdir -p $(@D)
	$(call libperf_say,CC      $< (libperf))
	$(Q)$(CC) $(LIBPERF_CFLAGS) -fPIC -fvisibility=hidden -MMD -MP -c -o $@ $<

$(LIBPERF_A): $(LIBPERF_OBJ)
	$(call libperf_say,AR      $@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# Upstream's soname is libperf.so. Programs linked with either library run with both, as both are
# installed under libperf.so and libperf.so.0, too.
$(LIBPERF_SO): $(LIBPERF_OBJ) $(LIBPERF_DIR)/libperf.map
	$(call libperf_say,LD      $@)
	$(Q)$(CC) -shared $(CFLAGS) $(LIBPERF_SAN) $(LDFLAGS) -Wl,-soname,$(LIBPERF_SONAME) \
		-Wl,--version-script=$(LIBPERF_DIR)/libperf.map $(if $(SANITIZE),,-Wl,-z,defs) \
		-o $@ $(LIBPERF_OBJ)
	$(Q)ln -sf $(@F) $(O)/$(LIBPERF_SONAME) && ln -sf $(@F) $(O)/libperf.so

LIBPERF_MANPAGE := $(LIBPERF_DIR)/../../build/manpage.awk
$(LIBPERF_MAN): $(LIBPERF_DIR)/Documentation/libperf.txt $(wildcard $(LIBPERF_DIR)/examples/*.c) \
		$(LIBPERF_MANPAGE)
	@mkdir -p $(@D)
	$(call libperf_say,MAN     $@)
	$(Q)awk -f $(LIBPERF_MANPAGE) -v source="libperf $(LIBPERF_VERSION)" -v manual="libperf Manual" $< >$@

# Tests are programs, built against the archive and, unless they need internals, against the shared
# library too.
LIBPERF_TESTS := $(patsubst $(LIBPERF_DIR)/tests/%.c,%,$(wildcard $(LIBPERF_DIR)/tests/*.c))
LIBPERF_TEST_BINS := $(LIBPERF_TESTS:%=$(LIBPERF_O)/tests/%-static) \
	$(patsubst %,$(LIBPERF_O)/tests/%-shared,$(filter test-%,$(LIBPERF_TESTS)))
LIBPERF_EXAMPLES := $(patsubst $(LIBPERF_DIR)/examples/%.c,$(LIBPERF_O)/examples/%, \
	$(wildcard $(LIBPERF_DIR)/examples/*.c))
LIBPERF_TEST_CFLAGS := $(LIBPERF_CFLAGS) -Wno-unused-parameter -I$(LIBPERF_DIR)/tests/include \
	-pthread

libperf-tests: $(LIBPERF_TEST_BINS)
libperf-examples: $(LIBPERF_EXAMPLES)

$(LIBPERF_O)/tests/%-static: $(LIBPERF_DIR)/tests/%.c $(LIBPERF_A)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LIBPERF_TEST_CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $(LIBPERF_A)
$(LIBPERF_O)/tests/%-shared: $(LIBPERF_DIR)/tests/%.c $(LIBPERF_SO)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LIBPERF_TEST_CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $(LIBPERF_SO)
$(LIBPERF_O)/examples/%: $(LIBPERF_DIR)/examples/%.c $(LIBPERF_A)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LIBPERF_CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $(LIBPERF_A)

libperf-check: $(LIBPERF_TEST_BINS) $(LIBPERF_EXAMPLES)
	$(Q)LD_LIBRARY_PATH=$(abspath $(O)) sh $(LIBPERF_DIR)/tests/run.sh $(LIBPERF_O) \
		$(LIBPERF_SO) $(LIBPERF_DIR) $(LIBPERF_TEST_BINS)

LIBPERF_DIRS := $(libdir)/pkgconfig $(includedir)/perf $(mandir)/man3
libperf-install-files:
	install -m 644 $(LIBPERF_A) "$(DESTDIR)"$(libdir)
	install -m 755 $(LIBPERF_SO) "$(DESTDIR)"$(libdir)
	ln -sf $(notdir $(LIBPERF_SO)) "$(DESTDIR)"$(libdir)/$(LIBPERF_SONAME)
	ln -sf $(LIBPERF_SONAME) "$(DESTDIR)"$(libdir)/libperf.so
	sed -e 's|@PREFIX@|$(prefix)|' -e 's|@LIBDIR@|$(libdir)|' -e 's|@INCLUDEDIR@|$(includedir)|' \
		-e 's|@VERSION@|$(LIBPERF_VERSION)|' $(LIBPERF_DIR)/libperf.pc.in \
		>"$(DESTDIR)"$(libdir)/pkgconfig/libperf.pc
	install -m 644 $(LIBPERF_HDRS) "$(DESTDIR)"$(includedir)/perf
	install -m 644 $(LIBPERF_MAN) "$(DESTDIR)"$(mandir)/man3

libperf-uninstall:
	rm -f "$(DESTDIR)"$(libdir)/libperf.a "$(DESTDIR)"$(libdir)/libperf.so* \
		"$(DESTDIR)"$(libdir)/pkgconfig/libperf.pc "$(DESTDIR)"$(mandir)/man3/libperf.3 \
		$(LIBPERF_HDRS:$(LIBPERF_DIR)/include/perf/%="$(DESTDIR)"$(includedir)/perf/%)

-include $(LIBPERF_OBJ:.o=.d) $(LIBPERF_TEST_BINS:=.d) $(LIBPERF_EXAMPLES:=.d)
.PHONY: libperf libperf-tests libperf-check libperf-examples \
	libperf-install-files libperf-uninstall
