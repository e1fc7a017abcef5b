# SPDX-License-Identifier: GPL-2.0-only
#
#   make                   build/perf, build/libperf.{so,a}, build/libperf-unwind.{so,a}
#   make demo              install what is missing, build, record a program, show what comes out
#   make check             install what is missing, build, run every test
#   make mutate            change one line at a time: what do the unit tests not see? (FILES=..., MUTATE=--number=20)
#   make coverage          build in O/coverage, run every test: which lines of which file did not run? (COVERAGE=--once)
#   make wheel             build/perf-*.whl: the module for Python (`import perf`), for pip
#   make check-vm          record on the kernels of sid, trixie and bookworm in QEMU (SUITES=..., CASES=...,
#                          ARCH=x86_64,arm64,s390x)
#   make install           to DESTDIR and prefix (/usr/local); also: uninstall, clean, help
#   make install-extension `perf whole`, for the perf that is there; also uninstall-extension
#   make dist              build/perf-whole-VERSION.tar.xz; also deb, rpm: packages of that
#
# Variables: O=DIR builds there instead of build/; DEBUG=1 for -O0 -g3; SANITIZE=address,undefined;
# V=1 shows the commands; WERROR=1 takes warnings for errors, as in a clone, WERROR= does not; CC,
# CFLAGS, LDFLAGS, prefix, libdir, DESTDIR as usual. For another machine,
# CROSS_COMPILE=aarch64-linux-gnu-: in front of gcc, gcc-ar, nm and, if there is one, pkg-config; or
# CC (with options), AR, NM and PKG_CONFIG.
#
# Every .c file in a room (a folder of tools/perf/util) is part of perf; no list names it. What
# the machine offers is probed once, by tools/build/probe, into $(O)/features.mk.

O ?= build
V ?= 0
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(Q),@echo '  $(1)')
ifeq ($(origin CC),default)
CC := $(CROSS_COMPILE)gcc
endif
ifeq ($(origin AR),default)
AR := $(CROSS_COMPILE)$(if $(findstring clang,$(CC)),ar,gcc-ar)
endif
NM ?= $(CROSS_COMPILE)nm
WERROR ?= $(if $(wildcard .git),1)
PYTHON ?= /usr/bin/python3

# Uninstalling knows where this tree was installed last, unless it is told.
PLACES := prefix bindir libdir includedir mandir libexecdir sysconfdir bashcompdir zshcompdir
ifeq ($(origin prefix)$(DESTDIR),undefined)
ifneq ($(filter uninstall %-uninstall,$(MAKECMDGOALS)),)
-include $(O)/installed.mk
else ifneq ($(filter uninstall-extension,$(MAKECMDGOALS)),)
-include $(O)/installed-extension.mk
endif
endif
, := ,
define newline


endef
note_places = $(if $(DESTDIR),,$(file >$(O)/$(1),$(foreach p,$(PLACES),$(p) ?= $($(p))$(newline))))

prefix ?= /usr/local
bindir ?= $(prefix)/bin
libdir ?= $(prefix)/lib
includedir ?= $(prefix)/include
mandir ?= $(prefix)/share/man
libexecdir ?= $(prefix)/libexec
sysconfdir ?= $(if $(filter /usr,$(prefix)),/etc,$(prefix)/etc)
execdir ?= $(libexecdir)/perf-core
bashcompdir ?= $(prefix)/share/bash-completion/completions
zshcompdir ?= $(prefix)/share/zsh/site-functions

all: programs
.DEFAULT_GOAL := all

# These goals need no compiler and no library yet.
BARE := deps test-deps demo check check-vm coverage clean help uninstall uninstall-extension dist \
	deb rpm check-packages release
ifneq ($(filter-out $(BARE),$(or $(MAKECMDGOALS),all)),)
include $(O)/features.mk
endif

CFLAGS ?= $(if $(DEBUG),-O0 -g3,-O2 -g)
WARN := -Wall -Wextra $(if $(WERROR),-Werror) -Wno-unused-parameter -Wmissing-prototypes -Wstrict-prototypes -Wvla
# GCC's thread sanitizer does not know fences, and warns of them.
SANITIZE_FLAGS := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer) \
	$(if $(filter thread,$(SANITIZE)),-Wno-unknown-warning-option -Wno-tsan)
ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) -pthread -Itools/lib/perf/include \
	-Itools/lib/unwind/include -I$(O)/include $(FEATURE_CFLAGS) $(SANITIZE_FLAGS)
ALL_LDFLAGS = $(LDFLAGS) -pthread $(SANITIZE_FLAGS)
LIBS = $(FEATURE_LIBS) -lm

# libperf.a, libperf.so; libperf-check, libperf-install-files, libperf-uninstall.
include tools/lib/perf/build.mk

# libperf-unwind.a, libperf-unwind.so; unwind-check, unwind-install-files, unwind-uninstall. perf is
# made of the same objects.
include tools/lib/unwind/build.mk
$(UNWIND_OBJ): private ALL_CFLAGS += $(UNWIND_OBJ_CFLAGS)

# libperf-agent.so; agent-install-files, agent-uninstall.
include tools/lib/perf-agent/build.mk

# libperf-jvmti.so, for Java virtual machines, where their header is.
include tools/lib/perf-jvmti/build.mk

MAN_TXT := $(wildcard Documentation/perf*.txt)
MAN := $(MAN_TXT:Documentation/%.txt=$(O)/man/%.1)
$(O)/man/%.1: Documentation/%.txt tools/build/manpage.awk VERSION
	@mkdir -p $(@D)
	$(call say,MAN     $@)
	$(Q)awk -f tools/build/manpage.awk -v source="perf $(file <VERSION)" -v manual="perf Manual" $< >$@

PLUGIN_SRC := $(wildcard tools/perf/util/script/python/*.c)
SRC := $(filter-out $(PLUGIN_SRC),$(wildcard tools/perf/*.c tools/perf/util/*.c \
	tools/perf/util/*/*.c tools/perf/util/*/*/*.c tools/perf/util/*/*/*/*.c \
	tools/perf/tests/*.c $(foreach part,unit lib workloads fuzz,tools/perf/tests/$(part)/*.c) \
	tools/perf/bench/*.c)) \
	tools/lib/perf-jvmti/names.c $(UNWIND_SRC)
OBJ := $(SRC:%.c=$(O)/%.o)

# What lies on the stack while perf records has frame pointers: `perf record -a` samples itself, too,
# and a kernel that defers callchains follows them.
RECORDER_ROOMS := record-command record live state pipeline order complete callchain-deferred sink agent data io
RECORDER_OBJ := $(filter $(patsubst %,$(O)/tools/perf/%.o,perf builtin-record) \
	$(foreach room,$(RECORDER_ROOMS),$(O)/tools/perf/util/$(room)/%.o),$(OBJ))
$(RECORDER_OBJ): private ALL_CFLAGS += -fno-omit-frame-pointer

# What the module for Python (`import perf`) is made of besides its own files: what the room python
# may know, by the table of include-graph.py, which fails for another list.
PYMODULE_ROOMS := base io data activity event order state callchain-deferred binary jit dwarf \
	symbol sample off-cpu complete sink pipeline runtime stack unwinder elf
PYMODULE_UTIL := $(O)/tools/lib/perf-jvmti/names.o $(foreach room,$(PYMODULE_ROOMS),$(patsubst %.c,$(O)/%.o, \
	$(wildcard tools/perf/util/$(room).c tools/perf/util/$(room)/*.c)))
$(PYMODULE_UTIL): private ALL_CFLAGS += -fPIC -fno-semantic-interposition

# What runs scripts, where there is Python. perf loads it when there is a script, and exports the
# functions that it calls.
ifneq ($(FEATURE_PYTHON_LIBS),)
PLUGIN := $(O)/script-python.so
PLUGIN_OBJ := $(PLUGIN_SRC:%.c=$(O)/%.o)
PLUGIN_EXPORTS := $(O)/script-python.exports
PERF_LDFLAGS := -Wl,--dynamic-list=$(PLUGIN_EXPORTS)
endif

# One binary for Python 3.11 and all later versions, in a folder that is the package.
PYMODULE_NAMES := $(notdir $(foreach end,py pyi typed,$(wildcard tools/perf/python/perf/*.$(end))))
ifneq ($(FEATURE_PYTHON_LIBS),)
PYMODULE := $(O)/python/perf/_perf.abi3.so
PYMODULE_SRC := $(wildcard tools/perf/python/*.c)
PYMODULE_OBJ := $(PYMODULE_SRC:%.c=$(O)/%.o)
PYMODULE_TEXT := $(PYMODULE_NAMES:%=$(O)/python/perf/%)
$(PYMODULE_OBJ): private ALL_CFLAGS += -fPIC -fvisibility=hidden $(FEATURE_PYTHON_CFLAGS)
$(PYMODULE): $(PYMODULE_OBJ) $(PYMODULE_UTIL) $(UNWIND_OBJ) $(LIBPERF_A) $(O)/module-objects \
		tools/perf/python/module.map
	@mkdir -p $(@D)
	$(call say,LD      $@)
	$(Q)$(CC) $(ALL_LDFLAGS) -shared -Wl,--version-script=tools/perf/python/module.map -o $@ \
		$(PYMODULE_OBJ) $(PYMODULE_UTIL) $(UNWIND_OBJ) \
		-Wl,--whole-archive $(LIBPERF_A) -Wl,--no-whole-archive $(LIBS)
$(PYMODULE_TEXT): $(O)/python/%: tools/perf/python/%
	@mkdir -p $(@D)
	@cp $< $@
endif
pymodule: $(PYMODULE) $(PYMODULE_TEXT)

# Where Python looks below this prefix: dist-packages on Debian, /usr/lib/python3 of its packages.
PYMODULE_DIR ?= $(shell $(PYTHON) -c 'import sys, sysconfig; \
	deb = "deb_system" in sysconfig.get_scheme_names(); p = sys.argv[1]; \
	print("%s/lib/python%s/%s-packages/perf" % (p, "3" if deb and p == "/usr" else \
	"%d.%d" % sys.version_info[:2], "dist" if deb else "site"))' $(prefix) 2>/dev/null)

# A wheel for pip, made without the network.
wheel: pymodule
	$(if $(PYMODULE),,$(error the module for Python needs its headers: on Debian, apt install python3-dev))
	$(Q)$(PYTHON) tools/perf/python/make-wheel.py $(O)/python $(O) $(file <VERSION)

programs: $(O)/perf $(PLUGIN) $(AGENT_SO) $(JVMTI_SO) pymodule $(LIBPERF_SO) $(O)/tests $(O)/scripts $(O)/mcp $(O)/Documentation \
	$(MAN) $(LIBPERF_MAN) $(AGENT_MAN) $(UNWIND_A) $(UNWIND_SO) $(UNWIND_MAN)

$(O)/perf: $(OBJ) $(LIBPERF_A) $(O)/objects $(PLUGIN_EXPORTS)
	$(call say,LD      $@)
	$(Q)$(CC) $(ALL_LDFLAGS) $(PERF_LDFLAGS) -o $@ $(OBJ) $(LIBPERF_A) $(LIBS)

$(PLUGIN_OBJ): $(O)/%.o: %.c $(O)/flags
	@mkdir -p $(@D)
	$(call say,CC      $<)
	$(Q)$(CC) $(ALL_CFLAGS) -fPIC -fvisibility=hidden \
		$(FEATURE_PYTHON_CFLAGS) -MMD -MP -c -o $@ $<
$(PLUGIN): $(PLUGIN_OBJ)
	$(call say,LD      $@)
	$(Q)$(CC) $(ALL_LDFLAGS) -shared -o $@ $^ $(FEATURE_PYTHON_LIBS)
$(PLUGIN_EXPORTS): $(PLUGIN)
	$(Q)$(NM) -D -u $< | awk 'BEGIN { print "{" } $$2 !~ /@|^_?Py|^_/ { print $$2 ";" } END { print "};" }' >$@.new
	$(call update,$@)

$(O)/%.o: %.c $(O)/flags
	@mkdir -p $(@D)
	$(call say,CC      $<)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# A perf that was not installed finds its tests and texts beside itself.
$(O)/tests $(O)/scripts $(O)/mcp:
	@ln -sfn "$(CURDIR)/tools/perf/$(@F)" $@
$(O)/Documentation:
	@ln -sfn "$(CURDIR)/Documentation" $@

$(LIBPERF_OBJ): $(O)/flags

# Files that change only when their contents do: other flags rebuild, another set of sources
# links again, another commit compiles the version again.
update = @mkdir -p $(dir $(1)); cmp -s $(1).new $(1) && rm $(1).new || mv $(1).new $(1)
$(O)/flags: FORCE
	@mkdir -p $(@D)
	$(file >$@.new,$(CC) $(ALL_CFLAGS))
	$(call update,$@)
$(O)/module-objects: FORCE
	@mkdir -p $(@D)
	$(file >$@.new,$(PYMODULE_UTIL))
	$(call update,$@)
$(O)/objects: FORCE
	@mkdir -p $(@D)
	$(file >$@.new,$(ALL_LDFLAGS) $(PERF_LDFLAGS) $(LIBS) $(OBJ))
	$(call update,$@)
$(O)/include/perf-version.h: FORCE
	@mkdir -p $(@D); tools/build/version >$@.new
	$(call update,$@)
$(O)/include/perf-exec-dir.h: FORCE
	@mkdir -p $(@D)
	$(file >$@.new,#define PERF_EXEC_DIR "$(execdir)")
	$(file >>$@.new,#define PERF_MAN_DIR "$(mandir)")
	$(file >>$@.new,#define PERF_CONFIG_DIR "$(sysconfdir)")
	$(call update,$@)

# The page of `perf report --html` is built in.
$(O)/tools/perf/util/export/page.o $(O)/fuzz/obj/tools/perf/util/export/page.o: \
	$(wildcard tools/perf/html/*)

$(O)/features.mk: tools/build/probe tools/build/packages $(wildcard tools/build/feature/*.c)
	@CROSS_COMPILE='$(CROSS_COMPILE)' PKG_CONFIG='$(PKG_CONFIG)' tools/build/probe $(O) $(CC)

# Goals that people type without -j.
PARALLEL = $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))

DEPS := CC='$(CC)' tools/build/install-deps
deps:
	@$(DEPS) build optional
test-deps:
	@$(DEPS) build optional test

demo:
	@$(DEPS) build optional
	@$(PARALLEL) programs
	@CC='$(CC)' tools/build/demo $(O)/perf

check:
	@$(DEPS) build optional test
	@$(PARALLEL) programs
	+@tools/build/check $(O)

check-vm:
	@tools/build/install-deps build vm $(addprefix vm-,$(filter-out x86_64,$(subst $(,), ,$(ARCH))))
	@$(PARALLEL) programs
	@$(PYTHON) tools/perf/tests/vm/run.py $(if $(CASES),--cases='$(CASES)') $(ARCH:%=--arch=%) \
		$(O)/perf $(O)/vm $(SUITES)

# In a build of its own, with other flags. See scripts/coverage.py for what COVERAGE may say.
coverage:
	@$(DEPS) build optional test
	+@$(PYTHON) scripts/coverage.py $(COVERAGE) $(O)/coverage

# See scripts/mutate.py for what MUTATE may say.
mutate: programs
	@$(PYTHON) scripts/mutate.py $(O) $(FILES) $(MUTATE)

# Fuzz targets need clang: make fuzz CC=clang. Its check of pointer arithmetic objects to NULL + 0,
# which does no harm; what is read beyond an object, the address sanitizer sees. They are parts of
# perf, too: its tests run the inputs that are kept.
FUZZ := $(patsubst tools/perf/tests/fuzz/%.c,$(O)/fuzz/%,$(wildcard tools/perf/tests/fuzz/*.c))
FUZZ_OBJ := $(patsubst %.c,$(O)/fuzz/obj/%.o,$(filter-out tools/perf/perf.c,$(SRC)))
FUZZ_FLAGS := -DFUZZING -fsanitize=fuzzer-no-link,address,undefined \
	-fno-sanitize=pointer-overflow -fno-sanitize-recover=undefined
fuzz: $(FUZZ)
$(O)/fuzz/obj/%.o: %.c $(O)/flags
	@mkdir -p $(@D)
	$(call say,FUZZ    $<)
	$(Q)$(CC) $(ALL_CFLAGS) $(FUZZ_FLAGS) -MMD -MP -c -o $@ $<
$(O)/fuzz/perf.a: $(filter-out $(O)/fuzz/obj/tools/perf/tests/fuzz/%,$(FUZZ_OBJ))
	@rm -f $@
	$(Q)$(AR) rcs $@ $^
$(FUZZ): $(O)/fuzz/%: $(O)/fuzz/obj/tools/perf/tests/fuzz/%.o $(O)/fuzz/perf.a $(LIBPERF_A)
	$(call say,LD      $@)
	$(Q)$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer,address,undefined -o $@ $^ $(LIBS)

# What `perf test` and `perf help` read, as paths below the places where it is and where it goes.
RUNTIME := $(shell cd tools/perf && find service tests/shell tests/data tests/source tests/lib/*.py \
	scripts mcp -type f -not -name "*.pyc")
PROGRAMS := $(filter scripts/python/bin/%,$(RUNTIME))
TEXTS := $(MAN_TXT)
to = "$(DESTDIR)"$(1)
# The unit in folder $(2) runs the command $(1) of ours: /usr/bin/perf may be another perf.
unit_of = $(Q)sed -i 's|^ExecStart=/usr/bin/perf |ExecStart=$(bindir)/$(1) |' \
	$(call to,$(2))/service/perf-host.service

# Which directories were not there before is noted in a file, and uninstalling removes those again.
# While one of the FILEs is there, another part of ours still is.
MADE := $(libexecdir)/perf-core.directories
directories = DESTDIR='$(DESTDIR)' tools/build/directories
make_directories = $(directories) make $(MADE) $(1)
remove_directories = $(directories) remove $(MADE) $(1)

install: programs
	$(Q)$(MAKE) --no-print-directory install-files
install-files: # alone: what is built, as it is
	$(call say,INSTALL $(DESTDIR)$(bindir) $(DESTDIR)$(execdir))
	$(Q)$(call make_directories,$(bindir) $(mandir)/man1 $(LIBPERF_DIRS) $(UNWIND_DIRS) \
		$(bashcompdir) $(zshcompdir) $(if $(PYMODULE),$(PYMODULE_DIR)) \
		$(sort $(patsubst %/,$(execdir)/%,$(dir $(RUNTIME) $(TEXTS)))))
	$(Q)install -m 755 $(O)/perf $(call to,$(bindir))/perf
	$(Q)cd tools/perf && cp --parents --remove-destination $(RUNTIME) $(call to,$(execdir))
	$(call unit_of,perf,$(execdir))
	$(Q)cd $(call to,$(execdir)) && chmod 644 $(RUNTIME) \
		$(if $(PROGRAMS),&& chmod 755 $(PROGRAMS))
	$(Q)$(if $(PLUGIN),install -m 644 $(PLUGIN) $(call to,$(execdir)))
	$(Q)$(if $(AGENT_SO)$(JVMTI_SO),install -m 644 $(AGENT_SO) $(JVMTI_SO) $(call to,$(execdir)))
	$(Q)$(if $(PYMODULE),install -m 644 -t $(call to,$(PYMODULE_DIR)) $(PYMODULE) $(PYMODULE_TEXT))
	$(Q)install -m 644 -t $(call to,$(execdir))/Documentation $(TEXTS)
	$(Q)install -m 644 -t $(call to,$(mandir))/man1 $(MAN)
	$(Q)install -m 644 tools/perf/completion/perf.bash $(call to,$(bashcompdir))/perf
	$(Q)install -m 644 tools/perf/completion/_perf $(call to,$(zshcompdir))/_perf
	$(Q)$(MAKE) --no-print-directory -s libperf-install-files unwind-install-files \
		agent-install-files
	$(call note_places,installed.mk)

# The manuals of the extension stay if that is installed, too.
uninstall:
	$(call say,REMOVE  $(DESTDIR)$(bindir) $(DESTDIR)$(execdir))
	$(Q)rm -f $(call to,$(bindir))/perf $(call to,$(bashcompdir))/perf \
		$(call to,$(zshcompdir))/_perf
	$(Q)cd $(call to,$(execdir)) 2>/dev/null && rm -f $(RUNTIME) $(TEXTS) \
		script-python.so libperf-agent.so libperf-jvmti.so && find tests scripts mcp -name __pycache__ -prune -exec rm -rf {} + || :
	$(Q)$(if $(PYMODULE_DIR),cd $(call to,$(PYMODULE_DIR)) 2>/dev/null && rm -rf __pycache__ \
		_perf.abi3.so $(PYMODULE_NAMES) || :)
	$(Q)for f in $(notdir $(MAN)); do \
		[ -e $(call to,$(bindir))/$${f%.1} ] || rm -f $(call to,$(mandir))/man1/$$f; done
	$(Q)$(MAKE) --no-print-directory -s libperf-uninstall unwind-uninstall agent-uninstall
	$(Q)$(call remove_directories,$(EXTENSION:%=$(bindir)/perf-%))

# The extension of another perf; install-extension, uninstall-extension.
include packaging/extension.mk

# dist, deb, rpm.
include packaging/build.mk

clean:
	rm -rf $(O)

help:
	@sed -n '/^#   make/,/^$$/s/^#//p' Makefile

# Before anything is compiled; who includes them is in the .d files from then on.
$(OBJ) $(PLUGIN_OBJ) $(PYMODULE_OBJ) $(FUZZ_OBJ): | $(O)/include/perf-version.h \
	$(O)/include/perf-exec-dir.h
# Goals that compile nothing do without.
ifneq ($(filter-out $(BARE) %install-files install-extension-files %-uninstall,$(or $(MAKECMDGOALS),all)),)
-include $(OBJ:.o=.d) $(PLUGIN_OBJ:.o=.d) $(PYMODULE_OBJ:.o=.d) $(FUZZ_OBJ:.o=.d)
endif
FORCE:
.DELETE_ON_ERROR:
.PHONY: all programs deps test-deps demo check check-vm coverage mutate fuzz install uninstall clean help FORCE
.PHONY: pymodule wheel install-files
