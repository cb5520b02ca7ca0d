# attn: `make demo` for a first look, `make test` for the tests; both install
# what is missing. `make help` lists the rest.

VERSION := 0.1.0
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
CC      ?= cc
BUILD   ?= build
OPT     ?= -O2 -g
V       ?= 0
Q       := $(if $(filter 1,$(V)),,@)

# Homebrew keeps its readline and ncurses out of the way of the system's.
KEG_ONLY := $(shell command -v brew >/dev/null 2>&1 && for l in readline ncurses; do printf '%s/lib/pkgconfig:' "$$(brew --prefix $$l)"; done)
PKG_CONFIG ?= pkg-config
PKG     := $(if $(KEG_ONLY),PKG_CONFIG_PATH="$(KEG_ONLY)$(PKG_CONFIG_PATH)") $(PKG_CONFIG)
# The tools that belong to the compiler, which may compile for another machine.
ifeq ($(origin AR),default)
AR      := $(shell $(CC) -print-prog-name=ar 2>/dev/null || echo ar)
endif
NM      ?= $(shell $(CC) -print-prog-name=nm 2>/dev/null || echo nm)
MACHINE := $(shell $(CC) -dumpmachine 2>/dev/null)
WARN    := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
           -Wvla -Wundef -Wwrite-strings -Wconversion -Wno-sign-conversion \
           -Wno-enum-float-conversion $(if $(CI),-Werror)
DEFINES := -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=600 -D_DARWIN_C_SOURCE -D_DEFAULT_SOURCE
NEEDED  := libutf8proc md4c jansson
# Without these all else works; --version says what is lacking.
WANTED  := $(foreach l,readline ncursesw libpcre2-8,$(shell $(PKG) --exists $(l) 2>/dev/null && echo $(l)))
DEFINES += $(if $(filter readline,$(WANTED)),-DHAVE_READLINE) $(if $(filter ncursesw,$(WANTED)),-DHAVE_NCURSES) $(if $(filter libpcre2-8,$(WANTED)),-DHAVE_PCRE2)
LIBRARIES := $(shell $(PKG) --cflags --libs-only-L $(NEEDED) $(WANTED) 2>/dev/null)
# With -std=c11 gcc computes in registers that hold more digits than a number where there are such;
# on i386 results would be wrong, so it computes in those of SSE2 there.
EXCESS  := $(if $(filter i386-% i486-% i586-% i686-%,$(MACHINE)),-msse2 -mfpmath=sse)
EXCESS  += $(if $(filter s390%,$(MACHINE)),$(shell echo | $(CC) -Werror -fexcess-precision=fast -x c -fsyntax-only - 2>/dev/null && echo -fexcess-precision=fast))
CFLAGS_ALL := -std=c11 $(OPT) -pthread $(WARN) $(EXCESS) $(DEFINES) $(CPPFLAGS) -Isrc -MMD -MP $(LIBRARIES) $(CFLAGS)
# The libraries with most symbols come first, so that the loader finds these soonest.
LDLIBS_ALL := $(shell $(PKG) --libs $(WANTED) $(NEEDED) 2>/dev/null || echo -lutf8proc -lmd4c -ljansson) -lm -pthread
# The same as archives, where the compiler has them: a program that loads fewer libraries starts sooner.
ARCHIVES = $(foreach f,$(shell $(PKG) --static --libs $(WANTED) $(NEEDED) 2>/dev/null),$(or $(filter /%,$(shell $(CC) -print-file-name=$(f:-l%=lib%.a))),$(f))) -lm -pthread

# Compiled for double and for float.
BY_TYPE := $(foreach p,rows tiles backward_rows backward_tiles,src/engine/attention/attention_$(p).c)

# ---- layers, lowest first; see src/README.md ----
LAYERS  := base engine io model lang library view session notebook shell
# What each may use, in the order in which the linker wants them. scripts/check-layers reads this, too.
USES_base     :=
USES_engine   := base
USES_io       := engine base
USES_model    := io engine base
USES_lang     := engine base
USES_library  := lang model io engine base
USES_view     := io engine base
USES_session  := view library lang model io engine base
USES_notebook := session view library lang model io engine base
USES_shell    := notebook session view library lang model io engine base
$(foreach l,$(LAYERS),$(eval OBJECTS_$(l) := $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(BY_TYPE) src/engine/kernels/kernels.c src/shell/main.c,$(wildcard src/$(l)/*.c src/$(l)/*/*.c)))))
OBJECTS_notebook += $(BUILD)/lessons.o $(BUILD)/style.o
OBJECTS_shell += $(BUILD)/topics.o
OBJECTS_library += $(BUILD)/models.o $(BUILD)/modules.o
OBJECTS_base += $(BUILD)/languages.o
LINK    := $(foreach l,shell $(USES_shell),$(BUILD)/lib$(l).a)

# ---- kernels: one source, compiled for each instruction set and number type ----
ISAS    := base $(if $(filter x86_64%,$(MACHINE)),avx2 avx512)
FLAGS_avx2   := -mavx2 -mfma
FLAGS_avx512 := -mavx512f -mavx512dq -mavx512bw -mavx512vl -mavx2 -mfma -mprefer-vector-width=512
KERNELS := $(foreach i,$(ISAS),$(i)_double $(i)_float)
OBJECTS_engine += $(KERNELS:%=$(BUILD)/kernels_%.o) $(foreach n,double float,$(BY_TYPE:%.c=$(BUILD)/%_$(n).o))

all: attn

# Without a compiler or libraries: say what to do, rather than fail at a header.
NUMBER := \#
NEW_ENOUGH := $(shell printf '$(NUMBER)if defined __apple_build_version__ || __clang_major__ >= 14 || !defined __clang__ && __GNUC__ >= 11\nyes\n$(NUMBER)endif\n' | $(CC) -E -P -x c - 2>/dev/null)
NEEDS := $(if $(NEW_ENOUGH),,a C compiler: gcc 11 or clang 14 or newer ($(CC) is $(or $(shell $(CC) -dumpversion 2>/dev/null),not there))) $(shell $(PKG) --exists $(NEEDED) 2>/dev/null || echo "the libraries utf8proc, md4c and jansson, or pkg-config to find them")
ifneq ($(strip $(NEEDS)),)
ifneq ($(filter-out demo test clean help check-layers,$(or $(MAKECMDGOALS),all)),)
$(warning missing: $(strip $(NEEDS)); scripts/install-deps build installs what is needed)
endif
endif

attn attn-bench: %: $(BUILD)/%
	$(Q)cp $< $@.new && mv $@.new $@

$(BUILD)/attn: $(BUILD)/src/shell/main.o $(LINK)
	$(Q)$(CC) $(OPT) $(LDFLAGS) -o $@ $^ $(ARCHIVES) 2>/dev/null || $(CC) $(OPT) $(LDFLAGS) -o $@ $^ $(LDLIBS_ALL)

define ARCHIVE_RULE
$(BUILD)/lib$(1).a: $$(OBJECTS_$(1))
	$$(Q)rm -f $$@ && $$(AR) rcs $$@ $$^
endef
$(foreach l,$(LAYERS),$(eval $(call ARCHIVE_RULE,$(l))))

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) $(FLAGS_FILE) -c -o $@ $<

# Texts and models that become a part of the program; a folder is newer when a file of it is gone.
EMBEDDED := languages lessons models modules style topics
FILES_languages := $(sort $(wildcard src/language/*.po))
FILES_lessons := $(sort $(wildcard lessons/*/[0-9]*.md))
FILES_models  := $(sort $(wildcard lessons/models/*.safetensors))
FILES_modules := src/library/composed.py $(filter-out $(if $(filter libpcre2-8,$(WANTED)),,%/re.py %/regex.py),$(sort $(wildcard src/library/modules/*.py)))
FILES_style   := src/notebook/export/page.css src/notebook/export/search.js lessons/zh/TERMS.md
FILES_topics  := src/shell/help/topics.txt
define EMBED_RULE
$(BUILD)/$(1).c: $(FILES_$(1)) $(sort $(dir $(FILES_$(1)))) scripts/embed
	@mkdir -p $$(@D)
	$$(Q)scripts/embed $(1) $(FILES_$(1)) > $$@
$(BUILD)/$(1).o: $(BUILD)/$(1).c
	$$(Q)$$(CC) $$(CFLAGS_ALL) -c -o $$@ $$<
endef
$(foreach e,$(EMBEDDED),$(eval $(call EMBED_RULE,$(e))))

$(BUILD)/src/shell/help/manual.o: FLAGS_FILE := -DATTN_VERSION='"$(VERSION)"'
$(BUILD)/src/shell/help/manual.o: Makefile

define KERNEL_RULE
$(BUILD)/$(notdir $(3))_$(1)_$(2).o: $(3).c
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS_ALL) -O3 -ffp-contract=fast -fno-math-errno -fno-trapping-math $$(FLAGS_$(1)) -DKERNEL_ISA=$(1) -DKERNEL_$(2) -c -o $$@ $$<
endef
$(foreach i,$(ISAS),$(foreach n,double float,$(foreach s,src/engine/kernels/kernels tests/bench/fma,$(eval $(call KERNEL_RULE,$(i),$(n),$(s))))))

NUMBERS_double := f64
NUMBERS_float  := f32
define TYPE_RULE
$(BUILD)/$(2:.c=_$(1).o): $(2)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS_ALL) -DN=$(1) -DNUMBERS=$$(NUMBERS_$(1)) '-DTYPED(name)=name##_$(1)' -c -o $$@ $$<
endef
$(foreach n,double float,$(foreach s,$(BY_TYPE),$(eval $(call TYPE_RULE,$(n),$(s)))))

# ---- unit tests: a program for each layer, linked with it and what lies below ----
CHECK_LIBS = $(shell $(PKG) --libs check)
TESTED := $(foreach l,$(LAYERS),$(if $(wildcard tests/$(l)/suites.h),$(l)))
# Objects stand apart from the programs: tests/base is a program, not a folder.
TEST_OBJECTS := $(BUILD)/objects/tests
MORE_model := $(TEST_OBJECTS)/engine/near.o
define UNIT_RULE
$(BUILD)/tests/$(1): $$(patsubst tests/%.c,$(TEST_OBJECTS)/%.o,$$(wildcard tests/$(1)/*.c)) $(MORE_$(1)) $(TEST_OBJECTS)/main_$(1).o $(foreach l,$(1) $(USES_$(1)),$(BUILD)/lib$(l).a)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(OPT) $$(LDFLAGS) -o $$@ $$^ $$(CHECK_LIBS) $$(LDLIBS_ALL)
$(TEST_OBJECTS)/main_$(1).o: tests/main.c tests/$(1)/suites.h
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS_ALL) -I. -DSUITES='"tests/$(1)/suites.h"' -c -o $$@ $$<
endef
$(foreach l,$(LAYERS),$(eval $(call UNIT_RULE,$(l))))
$(TEST_OBJECTS)/%.o: CFLAGS_ALL += -I. -Wno-conversion -Wno-missing-prototypes
$(TEST_OBJECTS)/%.o: tests/%.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -c -o $@ $<

# Scripts with the answer beside the line; each allocation failing in turn; the harnesses of `make fuzz` over their corpus.
HARNESSES := $(patsubst tests/fuzz/%.c,%,$(filter-out tests/fuzz/replay.c,$(wildcard tests/fuzz/*.c)))
FUZZ_MAIN := $(TEST_OBJECTS)/fuzz/replay.o
$(BUILD)/tests/language: $(TEST_OBJECTS)/language_runner.o
$(BUILD)/tests/failure: $(TEST_OBJECTS)/failure/allocation.o
$(BUILD)/tests/grammar: $(patsubst %.c,$(BUILD)/objects/%.o,$(wildcard tests/grammar/*.c))
$(BUILD)/tests/grammar: override FUZZ_FLAGS := # it has a main of its own
$(HARNESSES:%=$(BUILD)/fuzz/%): $(BUILD)/fuzz/%: $(TEST_OBJECTS)/fuzz/%.o $(FUZZ_MAIN)
SESSION_TESTS := $(BUILD)/tests/language $(BUILD)/tests/failure $(BUILD)/tests/grammar $(HARNESSES:%=$(BUILD)/fuzz/%)
$(SESSION_TESTS): $(LINK)
	@mkdir -p $(@D)
	$(Q)$(CC) $(OPT) $(LDFLAGS) $(FUZZ_FLAGS) -o $@ $(filter %.o,$^) $(LINK) $(LDLIBS_ALL)

# What tests/models/run-tokenizers compares with other programs.
$(BUILD)/tests/encode: $(TEST_OBJECTS)/models/encode.o $(foreach l,model $(USES_model),$(BUILD)/lib$(l).a)
	@mkdir -p $(@D)
	$(Q)$(CC) $(OPT) $(LDFLAGS) -o $@ $^ $(LDLIBS_ALL)

# The program in a language that is made from all its messages, which tests/messages/run-pseudo looks at.
$(BUILD)/pseudo.o: tests/messages/pseudo tests/messages/catalogue.py scripts/embed src/language/zh.po
	@mkdir -p $(@D)
	$(Q)$< > $(BUILD)/pseudo.po && scripts/embed languages $(BUILD)/pseudo.po > $(BUILD)/pseudo.c
	$(Q)$(CC) $(CFLAGS_ALL) -c -o $@ $(BUILD)/pseudo.c
$(BUILD)/tests/attn-pseudo: $(BUILD)/src/shell/main.o $(BUILD)/pseudo.o $(LINK)
	@mkdir -p $(@D)
	$(Q)$(CC) $(OPT) $(LDFLAGS) -o $@ $^ $(LDLIBS_ALL)

unit: $(TESTED:%=$(BUILD)/tests/%)
	$(Q)for t in $^; do $$t || exit 1; done
# ---- what people call ----
# On a fresh machine the libraries are there only after install-deps: a make of its own looks for them.
PARALLEL = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2))

demo:
	$(Q)scripts/install-deps demo
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) attn
	$(Q)mkdir -p build/demo
	$(Q)./attn --plots build/demo scripts/first-look.attn
	@ls build/demo | awk 'NR == 1 { print "\nThe pictures lie in build/demo:" } 1'

# The lessons as pages to hand out or to put on the web.
site: attn
	$(Q)./attn export --all -o build/site

# The models that come with the program, trained anew: two minutes, and the time of both stories.
models: attn stories stories_zh
	$(Q)mkdir -p lessons/models
	$(Q)./attn --quiet scripts/models.attn "$(CURDIR)/lessons/models"
	$(Q)cp build/stories/stories.safetensors build/stories_zh/stories_zh.safetensors lessons/models

# A model that reads stories, trained in build/stories (Chinese: build/stories_zh) in half an hour on
# two cores: once more goes on where it was stopped.
stories stories_zh: attn
	$(Q)mkdir -p build/$@
	$(Q)./attn --quiet scripts/stories/train.attn "$(CURDIR)/build/$@" $@

test:
	$(Q)scripts/install-deps test
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) test-programs
	$(Q)BUILD=$(BUILD) OPT="$(OPT)" CC="$(CC)" tests/run-all

# The kinds of tests that are done in seconds, for between two edits; it builds, but installs nothing.
CHECK_KINDS := python lang base io library notebook language readme reference layers
check:
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) test-programs
	$(Q)BUILD=$(BUILD) tests/run-all $(CHECK_KINDS)

test-programs: $(BUILD)/attn $(BUILD)/attn-bench $(TESTED:%=$(BUILD)/tests/%) $(SESSION_TESTS) $(BUILD)/tests/encode $(BUILD)/tests/attn-pseudo

sanitize:
	$(Q)$(MAKE) --no-print-directory test BUILD=build/sanitize OPT="-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined -DATTN_NO_SANDBOX"
race valgrind: ; $(Q)tests/$@

coverage:
	$(Q)find build/coverage -name '*.gcda' -exec rm {} + 2>/dev/null || true
	$(Q)$(MAKE) --no-print-directory test BUILD=build/coverage OPT="-O0 -g --coverage -fprofile-update=atomic -DATTN_NO_SANDBOX"
	$(Q)tests/coverage build/coverage

FUZZ_SECONDS ?= 60
fuzz:
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) CC=clang BUILD=build/fuzzing OPT="-O1 -g -fsanitize=fuzzer-no-link,address,undefined" \
	    FUZZ_MAIN= FUZZ_FLAGS=-fsanitize=fuzzer $(HARNESSES:%=build/fuzzing/fuzz/%) build/fuzzing/tests/grammar
	$(Q)build/fuzzing/tests/grammar --seconds $(FUZZ_SECONDS) --entries 300 --seed "$$(date +%s)000"
	$(Q)build/fuzzing/tests/grammar --walk 1 --sessions 1 --longest 20
	$(Q)for h in $(HARNESSES); do tests/fuzz/search $$h $(FUZZ_SECONDS) || exit 1; done

BENCH := $(patsubst %.c,$(BUILD)/objects/%.o,$(filter-out %/fma.c %/peak_memory.c,$(wildcard tests/bench/*.c)))
$(BUILD)/attn-bench: $(BENCH) $(KERNELS:%=$(BUILD)/fma_%.o) $(foreach l,model $(USES_model),$(BUILD)/lib$(l).a)
	$(Q)$(CC) $(OPT) $(LDFLAGS) -o $@ $^ $(LDLIBS_ALL)

$(BUILD)/peak_memory: $(TEST_OBJECTS)/bench/peak_memory.o
	$(Q)$(CC) -o $@ $<
bench: $(BUILD)/attn $(BUILD)/attn-bench $(BUILD)/peak_memory
	$(Q)CC="$(CC)" tests/bench/peers/prepare $(BUILD)/bench
	$(Q)BUILD=$(BUILD) tests/bench/attention
	$(Q)tests/bench/figures $(BUILD)/attn $(BUILD)/peak_memory $(BUILD)/attn-bench

# Every lesson whole, its trainings too; LESSONS="09-learned-positions" only some.
lessons: $(BUILD)/attn
	$(Q)ATTN=$(abspath $(BUILD)/attn) tests/lessons/run --whole $(LESSONS)

# The same with other random numbers, lesson by lesson: what is done is kept, and it goes on where it stopped.
lessons-seeds: $(BUILD)/attn
	$(Q)ATTN=$(abspath $(BUILD)/attn) BUILD=$(abspath $(BUILD)) tests/lessons/seeds $(LESSONS)

# What models learn at the prompt, with five seeds, in about half an hour; WORDS="sort order" only some rows.
learn: $(BUILD)/attn
	$(Q)ATTN=$(BUILD)/attn tests/models/learn $(WORDS)

check-layers:
	$(Q)scripts/check-layers -v
# One layout for all C sources; tables that are laid by hand stand between clang-format off and on.
# Versions of clang-format differ in details: 14 is the one that counts.
CLANG_FORMAT ?= $(firstword $(foreach f,clang-format-14 clang-format,$(shell command -v $(f) 2>/dev/null)))
C_SOURCES = $(shell git ls-files 'src/*.[ch]' 'src/*.inc' 'tests/*.[ch]')
format:
	$(Q)$(CLANG_FORMAT) -i $(C_SOURCES)
format-check:
	$(Q)$(CLANG_FORMAT) --dry-run -Werror $(C_SOURCES)

# ---- installing: the program, and the engine as a library for C programs ----
LIBRARY_LAYERS := $(filter base engine io model,$(LAYERS))
# Programs of others have names of their own: each global symbol of the library begins with attn_, by
# definitions that every installed header includes.
$(BUILD)/attn_names.h: $(foreach l,$(LIBRARY_LAYERS),$(BUILD)/lib$(l).a)
	$(Q)$(NM) -g -P $^ | sed -n 's/^_\{0,1\}\([a-z][a-z0-9_]*\) [BCDRST] .*/$(NUMBER)define \1 attn_\1/p' | sort -u > $@
$(BUILD)/libattn.a: $(BUILD)/attn_names.h
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) BUILD=$(BUILD)/library CFLAGS='$(CFLAGS) -include $(abspath $<)' objects-of-library
	$(Q)rm -f $@ && $(AR) rcs $@ $(patsubst $(BUILD)/%,$(BUILD)/library/%,$(foreach l,$(LIBRARY_LAYERS),$(OBJECTS_$(l))))
objects-of-library: $(foreach l,$(LIBRARY_LAYERS),$(OBJECTS_$(l)))

# What the program writes about itself. One for another machine is not run: one for this machine is.
HOST_CC ?= cc
RUNS    := $(if $(filter $(MACHINE),$(shell $(HOST_CC) -dumpmachine 2>/dev/null)),$(BUILD)/attn,$(BUILD)/host/attn)
$(BUILD)/host/attn:
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) CC="$(HOST_CC)" BUILD=$(BUILD)/host CFLAGS= CPPFLAGS= LDFLAGS= PKG_CONFIG=pkg-config $@
WRITTEN := attn.1 completions/attn completions/_attn completions/attn.fish
$(WRITTEN:%=$(BUILD)/%): $(RUNS) scripts/completions
	@mkdir -p $(@D)
	$(Q)case $@ in *.1) $< --manual ;; *.fish) scripts/completions fish $< ;; */_attn) scripts/completions zsh $< ;; *) scripts/completions bash $< ;; esac > $@.new && mv $@.new $@

SHARED := README.md LICENSE $(shell find lessons scripts \( -name '*.md' -o -name '*.attn' -o -name '*.txt' \) ! -path scripts/README.md ! -path scripts/models.attn ! -path 'scripts/stories/*')
HEADERS = $(shell cd src && find $(LIBRARY_LAYERS) -name '*.h')
INTO   := $(DESTDIR)$(PREFIX)
COMPLETIONS := share/bash-completion/completions/attn share/zsh/site-functions/_attn share/fish/vendor_completions.d/attn.fish
install: $(BUILD)/attn $(WRITTEN:%=$(BUILD)/%) $(BUILD)/libattn.a
	install -d $(INTO)/bin $(INTO)/share/man/man1 $(DESTDIR)$(LIBDIR)/pkgconfig $(addprefix $(INTO)/,$(dir $(COMPLETIONS)))
	install -m 755 $(BUILD)/attn $(INTO)/bin/attn
	install -m 644 $(BUILD)/attn.1 $(INTO)/share/man/man1/attn.1
	for f in $(COMPLETIONS); do install -m 644 $(BUILD)/completions/$${f##*/} $(INTO)/$$f || exit 1; done
	for f in $(SHARED); do install -d $(INTO)/share/attn/$$(dirname $$f) && install -m 644 $$f $(INTO)/share/attn/$$f || exit 1; done
	install -m 644 $(BUILD)/libattn.a $(DESTDIR)$(LIBDIR)/libattn.a
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@VERSION@|$(VERSION)|' src/libattn.pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/libattn.pc
	for h in $(HEADERS); do install -d $(INTO)/include/attn/$${h%/*} && { echo '#include "attn_names.h"'; cat src/$$h; } > $(INTO)/include/attn/$$h || exit 1; done
	{ echo '#ifndef ATTN_NAMES_H'; echo '#define ATTN_NAMES_H'; cat $(BUILD)/attn_names.h; echo '#endif'; } > $(INTO)/include/attn/attn_names.h

uninstall:
	rm -rf $(addprefix $(INTO)/,bin/attn share/man/man1/attn.1 share/attn include/attn $(COMPLETIONS)) $(DESTDIR)$(LIBDIR)/libattn.a $(DESTDIR)$(LIBDIR)/pkgconfig/libattn.pc

# The sources as one file, from which all of this can be made without git.
dist:
	$(Q)mkdir -p $(BUILD)
	git archive --prefix=attn-$(VERSION)/ -o $(BUILD)/attn-$(VERSION).tar.gz HEAD

# One file without libraries beside it, for any Linux of this architecture.
STATIC ?= $(BUILD)/static/attn
static:
	$(Q)CC="$(CC)" AR="$(AR)" scripts/static-libraries $(BUILD)/static/libraries
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) BUILD=$(BUILD)/static PKG_CONFIG='PKG_CONFIG_LIBDIR="$(abspath $(BUILD))/static/libraries" pkg-config --static' LDFLAGS='-static -s $(LDFLAGS)' $(STATIC)
	@ls -l $(BUILD)/static/attn

help:
	@echo 'make            builds ./attn'
	@echo 'make demo       installs what is missing, builds, shows a first look'
	@echo 'make site       all lessons as pages, in build/site; make models: trains the models of lessons/models again; make stories, stories_zh: a model of stories, in build/'
	@echo 'make test       installs what is missing, builds, runs every test'
	@echo 'make check      the tests that take seconds; make unit: only the unit tests; tests/run-all NAME... some kinds after a make test'
	@echo 'make sanitize   every test under AddressSanitizer and UndefinedBehaviorSanitizer; make race: threads (needs clang); make valgrind: odd shapes'
	@echo 'make coverage   lines of src/ that the tests run'
	@echo 'make fuzz       random entries, and each harness, for FUZZ_SECONDS (default 60; needs clang)'
	@echo 'make bench      times, beside those of peers that are installed; make attn-bench only the program that times'
	@echo 'make lessons    every lesson with its trainings; make lessons-seeds: with other random numbers, going on where it stopped; LESSONS="..." some'
	@echo 'make learn      what models learn at the prompt, with five seeds and times (half an hour)'
	@echo 'make install    the program and libattn, under PREFIX (default /usr/local), LIBDIR; make uninstall, check-layers, format, format-check, clean'
	@echo 'make static     the program in one file without libraries, build/static/attn; make dist: the sources as a tarball'

clean:
	rm -rf build attn attn-bench

-include $(wildcard $(BUILD)/*.d $(BUILD)/src/*/*.d $(BUILD)/src/*/*/*.d $(TEST_OBJECTS)/*.d $(TEST_OBJECTS)/*/*.d)

.PHONY: all static dist objects-of-library unit demo site models stories stories_zh test check test-programs sanitize race valgrind coverage fuzz bench lessons lessons-seeds learn check-layers format format-check install uninstall help clean
