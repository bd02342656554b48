# turnpipe: what is built from what.  The three lists are the architecture.

# Head of the pipe first; the order is that of a turn.
CMDS = \
	histfit \
	histadd \
	agentload \
	envinfo \
	ctxfind \
	skillmenu \
	toollist \
	toolpick \
	toolrules \
	factfind \
	todolist \
	reminders \
	promptcompose \
	llmcall \
	toolrun \
	factextract \
	agentpool \
	msg \
	sharefind
SCRIPTS = turnpipe
# Lowest layer first: each uses only those before it.
LIBS = diag buf utf8 gate json emit out record fields opt file path clock lock yml \
	front settings template token cond section

PREFIX = /usr/local
DESTDIR =
# Where the programs look for share/ when nothing else is said.
DATADIR = $(CURDIR)/share
O = build
CC = cc
CFLAGS = -O2 -g
WARN = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wvla -Wformat=2 $(if $(CI),-Werror)
CPPFLAGS = -D_POSIX_C_SOURCE=200809L -Ilib -I$O
ifdef SAN
O := $O/san
CFLAGS = -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer \
	-fno-sanitize-recover=undefined
export ASAN_OPTIONS = exitcode=99
export UBSAN_OPTIONS = print_stacktrace=1
endif
BIN = $O/bin
VERSION = 0.1

# Who links what beyond libc; the archive's other members stay out.
CURL = llmcall
LDLIBS_llmcall = -lcurl
NOYAML = histadd msg toolrun agentpool sharefind
PROGS = $(CMDS:%=$(BIN)/%) $(SCRIPTS:%=$(BIN)/%)
UNITS = $(patsubst t/%.c,$O/t/%,$(wildcard t/*.c))

all: $(PROGS)

-include share/deps.mk
-include $(wildcard $O/obj/*.d)

$O/obj $(BIN) $O/t:
	@mkdir -p $@

$O/config.h: Makefile | $O/obj
	@printf '#define VERSION "%s"\n#define DATADIR "%s"\n' \
	    '$(VERSION)' '$(DATADIR)' >$@

$O/obj/%.o: lib/%.c $O/config.h | $O/obj
	$(CC) -std=c11 $(CPPFLAGS) $(CFLAGS) $(WARN) -MMD -MP -c -o $@ $<

$O/obj/cmd-%.o: cmd/%.c $O/config.h | $O/obj
	$(CC) -std=c11 $(CPPFLAGS) $(CFLAGS) $(WARN) -MMD -MP -c -o $@ $<

$O/lib.a: $(LIBS:%=$O/obj/%.o)
	@rm -f $@
	ar rcs $@ $^

$(CMDS:%=$(BIN)/%): $(BIN)/%: $O/obj/cmd-%.o $O/lib.a | $(BIN)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $< $O/lib.a \
	    $(if $(filter $*,$(NOYAML)),,-lyaml) $(LDLIBS_$*)

$(SCRIPTS:%=$(BIN)/%): $(BIN)/%: cmd/% | $(BIN)
	install -m 755 $< $@

.DELETE_ON_ERROR:
.PHONY: all
