# SPDX-License-Identifier: GPL-2.0-only
# Skeleton: builds every .c file found in the rooms into build/perf. O=DIR builds elsewhere.
O ?= build
V ?= 0
CC ?= gcc
Q := $(if $(filter 1,$(V)),,@)

CFLAGS ?= $(if $(DEBUG),-O0 -g3,-O2 -g)
WARN := -Wall -Wextra -Werror -Wno-unused-parameter -Wmissing-prototypes -Wstrict-prototypes -Wvla
DEPS := libelf libdw libzstd libtraceevent
ALL_CFLAGS := -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) -pthread -Itools/lib/perf/include \
	$(shell pkg-config --cflags $(DEPS)) $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer)
ALL_LDFLAGS := $(LDFLAGS) -pthread $(if $(SANITIZE),-fsanitize=$(SANITIZE))
LIBS := $(shell pkg-config --libs $(DEPS)) -lstdc++ -lm

SRC := $(wildcard tools/lib/perf/*.c tools/perf/*.c tools/perf/util/*.c tools/perf/util/*/*.c tools/perf/tests/*.c)
OBJ := $(SRC:%.c=$(O)/%.o)

all: $(O)/perf
$(O)/perf: $(OBJ)
	@echo "  LD      $@"
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)
$(O)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
clean:
	rm -rf $(O)
-include $(OBJ:.o=.d)
.PHONY: all clean
