# attn: `make demo` for a first look, `make test` for the tests; both install
# what is missing. `make help` lists the rest.

PREFIX  ?= /usr/local
CC      ?= cc
BUILD   ?= build
OPT     ?= -O2 -g
V       ?= 0
Q       := $(if $(filter 1,$(V)),,@)

PKG     := pkg-config
WARN    := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
           -Wvla -Wundef -Wwrite-strings -Wconversion -Wno-sign-conversion $(if $(CI),-Werror)
DEFINES := -D_POSIX_C_SOURCE=200809L -D_DARWIN_C_SOURCE -D_DEFAULT_SOURCE
LIBRARIES := $(shell $(PKG) --cflags --libs-only-L libutf8proc jansson 2>/dev/null)
CFLAGS_ALL := -std=c11 $(OPT) $(WARN) $(DEFINES) -Isrc -MMD -MP $(LIBRARIES) $(CFLAGS)
LDLIBS_ALL := $(shell $(PKG) --libs libutf8proc jansson 2>/dev/null || echo -lutf8proc -ljansson) -lm
VERSION := $(shell cat VERSION 2>/dev/null || echo 0.1.0)

# ---- layers, lowest first; see src/README.md ----
LAYERS  := base engine io lang library view session shell
$(foreach l,$(LAYERS),$(eval SOURCES_$(l) := $(filter-out src/engine/kernels.c src/shell/main.c,$(wildcard src/$(l)/*.c))))
$(foreach l,$(LAYERS),$(eval OBJECTS_$(l) := $(SOURCES_$(l):%.c=$(BUILD)/%.o)))
ARCHIVES := $(LAYERS:%=$(BUILD)/lib%.a)
# The linker wants users before what they use.
LINK    := $(foreach l,shell session view library lang io engine base,$(BUILD)/lib$(l).a)

# ---- kernels: one source, compiled for each instruction set and number type ----
MACHINE := $(shell $(CC) -dumpmachine 2>/dev/null)
ISAS    := base $(if $(filter x86_64%,$(MACHINE)),avx2 avx512)
FLAGS_avx2   := -mavx2 -mfma
FLAGS_avx512 := -mavx512f -mavx512dq -mavx512bw -mavx512vl -mavx2 -mfma -mprefer-vector-width=512
KERNELS := $(foreach i,$(ISAS),$(BUILD)/kernels_$(i)_double.o $(BUILD)/kernels_$(i)_float.o)
OBJECTS_engine += $(KERNELS)
$(BUILD)/src/engine/kernel_table.o: DEFINES += $(if $(filter avx2,$(ISAS)),-DATTN_X86)

all: attn

attn: $(BUILD)/attn
	$(Q)cp $< $@

$(BUILD)/attn: $(BUILD)/src/shell/main.o $(LINK)
	$(Q)$(CC) $(OPT) $(LDFLAGS) -o $@ $^ $(LDLIBS_ALL)

define ARCHIVE_RULE
$(BUILD)/lib$(1).a: $$(OBJECTS_$(1))
	$$(Q)rm -f $$@ && ar rcs $$@ $$^
endef
$(foreach l,$(LAYERS),$(eval $(call ARCHIVE_RULE,$(l))))

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) $(FLAGS_FILE) -c -o $@ $<

define KERNEL_RULE
$(BUILD)/kernels_$(1)_$(2).o: src/engine/kernels.c
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS_ALL) -O3 -ffp-contract=fast $$(FLAGS_$(1)) -DKERNEL_ISA=$(1) -DKERNEL_$(2) -c -o $$@ $$<
endef
$(foreach i,$(ISAS),$(foreach n,double float,$(eval $(call KERNEL_RULE,$(i),$(n)))))

# ---- unit tests: a program for each layer, linked with it and what lies below ----
CHECK_LIBS = $(shell $(PKG) --libs check)
ARCHIVE_INDEX_base    := base
ARCHIVE_INDEX_engine  := engine base
ARCHIVE_INDEX_io      := io engine base
ARCHIVE_INDEX_lang    := lang engine base
ARCHIVE_INDEX_library := library lang io engine base
ARCHIVE_INDEX_view    := view io engine base
ARCHIVE_INDEX_session := session view library lang io engine base
ARCHIVE_INDEX_shell   := shell session view library lang io engine base
TESTED := $(foreach l,$(LAYERS),$(if $(wildcard tests/$(l)/suites.h),$(l)))
# Objects stand apart from the programs: tests/base is a program, not a folder.
TEST_OBJECTS := $(BUILD)/objects/tests
define UNIT_RULE
$(BUILD)/tests/$(1): $$(patsubst tests/%.c,$(TEST_OBJECTS)/%.o,$$(wildcard tests/$(1)/*.c)) $(TEST_OBJECTS)/main_$(1).o $(foreach l,$(ARCHIVE_INDEX_$(1)),$(BUILD)/lib$(l).a)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(OPT) $$(LDFLAGS) -o $$@ $$^ $$(CHECK_LIBS) $$(LDLIBS_ALL)
$(TEST_OBJECTS)/main_$(1).o: tests/main.c tests/$(1)/suites.h
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS_ALL) -I. -DSUITES='"tests/$(1)/suites.h"' -c -o $$@ $$<
endef
$(foreach l,$(LAYERS),$(eval $(call UNIT_RULE,$(l))))
$(TEST_OBJECTS)/%.o: CFLAGS_ALL += -I. -Wno-conversion
$(TEST_OBJECTS)/%.o: tests/%.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -c -o $@ $<

unit: $(TESTED:%=$(BUILD)/tests/%)
	$(Q)for t in $^; do $$t || exit 1; done

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

clean:
	rm -rf build attn attn-bench

.PHONY: all unit clean
