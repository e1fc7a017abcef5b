# SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
# libperf-jvmti.so: rules for the Makefile that includes this file, from the top of the tree.
#
# Reads     O, CC, LDFLAGS, Q, say; JAVA_HOME, if it is set
# Makes     $(JVMTI_SO), which a Java virtual machine loads (-agentpath), where jvmti.h is; else
#           that is empty. Never with sanitizers, whose runtime the machine does not have.

JVMTI_DIR := tools/lib/perf-jvmti
JVMTI_SRC := $(wildcard $(JVMTI_DIR)/*.c)
JVMTI_INCLUDE := $(firstword $(patsubst %/jvmti.h,%,$(wildcard \
	$(addsuffix /include/jvmti.h,$(JAVA_HOME) /usr/lib/jvm/default-java /usr/lib/jvm/*))))
JVMTI_SO := $(if $(JVMTI_INCLUDE),$(O)/libperf-jvmti.so)
JVMTI_CFLAGS := -std=gnu11 -D_GNU_SOURCE -Wall -Wextra $(if $(WERROR),-Werror) -Wno-unused-parameter \
	-Wmissing-prototypes -Wstrict-prototypes -Wvla -O2 -g -fPIC -fvisibility=hidden -pthread \
	-isystem $(JVMTI_INCLUDE) -isystem $(JVMTI_INCLUDE)/linux

ifneq ($(JVMTI_SO),)
$(JVMTI_SO): $(JVMTI_SRC) $(wildcard $(JVMTI_DIR)/*.h) $(JVMTI_DIR)/build.mk
	@mkdir -p $(@D)
	$(call say,LD      $@)
	$(Q)$(CC) $(JVMTI_CFLAGS) $(LDFLAGS) -shared -Wl,-z,defs -Wl,-soname,libperf-jvmti.so \
		-o $@ $(JVMTI_SRC)
endif
