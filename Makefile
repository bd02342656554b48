# turnpipe: what is built from what.  The lists are the architecture.

# Head of the pipe first; the order is that of a turn.
CMDS = histfit histadd agentload envinfo ctxfind skillmenu toollist toolpick \
	toolrules factfind todolist reminders promptcompose costguard \
	llmcall llmreplay toolrun histfold factextract agentpool toolhold mcpserve intree taskfile msg \
	sharefind
SCRIPTS = turnpipe turnpipe--turn turnpipe-agent turnpipe-task turnpipe-fold \
	turnpipe-facts turnpipe-log turnpipe-project turnpipe-mcp
# What those read with ".".
SOURCED = turnpipe--sh
# What two commands or more link: lowest layer first, each line and each name
# uses only what stands before it.  A command's own parts are in cmd/NAME/.
BASE = diag buf env utf8 terminal hash jsonstr fd file clock lock \
	signals template match compose pattern cron capture \
	truncate
STREAM = gate json emit out opt record fields section usertext jsoncanon \
	jsonrepair
DATA = path yamlfile frontmatter settings model textfile \
	warnonce confpair keyword markup cond toolgroup
SESSION = token media chat repair window statefacts tail session \
	sessionread transcript
DOMAIN = roots toolrec toolenv permitrule resulttext task fact factlog words \
	bm25 todos schema schemafit recording
LIBS = $(BASE) $(STREAM) $(DATA) $(SESSION) $(DOMAIN)

PREFIX = /usr/local
DESTDIR =
DATADIR = $(CURDIR)/share
O = build
CC = cc
CFLAGS = -O2 -g
# What makes a fault harder to use; HARDEN= leaves it out.
HARDEN = -fPIE -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
RELRO = $(if $(HARDEN),-Wl$(comma)-z$(comma)relro$(comma)-z$(comma)now)
comma = ,
WARN = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wvla -Wformat=2 $(if $(CI),-Werror)
CPPFLAGS = -D_POSIX_C_SOURCE=200809L -Ilib -I$O/obj
LDLIBS = -lm
VERSION = 0.1

# make SAN=1 check: the same suite under ASan, UBSan and LSan.
ifdef SAN
override O := build/san
CFLAGS = -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer \
	-fno-sanitize-recover=undefined
HARDEN =
export ASAN_OPTIONS = exitcode=99
endif
BIN = $O/bin
export BIN O CC

# Who links what beyond libc.
CURL = llmcall
NOYAML = histadd agentpool mcpserve
PCRE = llmcall toolrun
LDLIBS_$(BIN)/llmcall = -lcurl

INSTALLED = $(CMDS) $(SCRIPTS) $(SOURCED)
PROGS = $(INSTALLED:%=$(BIN)/%)
SERVER = t/llmanswer.c t/llmfamily.c t/llmscript.c
# t/NAME.c tests the module NAME, of lib/ or of a command.
UNITS = $(patsubst t/%.c,$O/t/%,$(filter-out $(SERVER),$(wildcard t/*.c)))
TESTS = $(wildcard t/*.t) $(filter-out %/llmserver,$(UNITS))

all: $(PROGS)

deps:
	+@sh .ci/deps $(if $(findstring n,$(firstword -$(MAKEFLAGS))),-n)

demo: all
	@sh share/demo/demo LIVE=$(LIVE)

check: all $(UNITS)
	prove $(if $(V),-v) -j4 -e 'sh t/exec' $(TESTS)

# Oracles that are large: build/npm has the MCP servers; check skips them.
deps-extra:
	+@sh .ci/deps-extra
check-extra: all $(UNITS)
	EXTRA=1 prove $(if $(V),-v) t/mcp-npm.t

# What is too long for check.
soak: all $(UNITS)
	SOAK=1 prove $(if $(V),-v) t/llmcall-batch.t t/soak.t

lint:
	@sh t/lint
bench: all $(UNITS)
	@sh t/bench $(BENCH)
fuzz:
	@sh t/fuzz $(FUZZ)

install:
	$(MAKE) O=build/install DATADIR=$(PREFIX)/share/turnpipe all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/turnpipe
	install -m 755 $(addprefix build/install/bin/,$(INSTALLED)) \
	    $(DESTDIR)$(PREFIX)/bin
	cp -R share/. $(DESTDIR)$(PREFIX)/share/turnpipe
	for s in 1 5 7; do d=$(DESTDIR)$(PREFIX)/share/man/man$$s; \
	    install -d $$d && install -m 644 man/*.$$s $$d || exit 1; done

uninstall:
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/bin/,$(INSTALLED))
	rm -rf $(DESTDIR)$(PREFIX)/share/turnpipe
	for f in man/*.[157]; do \
	    rm -f $(DESTDIR)$(PREFIX)/share/man/man$${f##*.}/$${f#man/}; done

clean:
	rm -rf build compile_commands.json

compile_commands.json: Makefile
	@for f in cmd/*.c cmd/*/*.c lib/*.c t/*.c; do printf \
	    '%s{"directory":"%s","file":"%s","command":"%s"}' "$$c" \
	    '$(CURDIR)' $$f "cc -std=c11 $(CPPFLAGS) -It $(WARN) -c $$f"; \
	    c=,; done | sed '1s/^/[/; $$s/$$/]/' >$@

$(BIN) $O/t:
	@mkdir -p $@

$O/obj/config.h: Makefile
	@mkdir -p $(@D)
	@printf '#define VERSION "%s"\n#define DATADIR "%s"\n' \
	    '$(VERSION)' '$(DATADIR)' >$@
# Another PREFIX is another program.
ifneq ($(shell sed -n 's/.*DATADIR "\(.*\)"/\1/p' $O/obj/config.h 2>&1),$(DATADIR))
$O/obj/config.h: FORCE
endif
FORCE:

# Quiet, but for faults; make V=1 shows every command.
$(if $V,,.SILENT:)
COMPILE = $(CC) -std=c11 $(CPPFLAGS) $(CFLAGS) $(HARDEN) $(WARN) -MMD -MP
$O/obj/%.o: %.c $O/obj/config.h
	@mkdir -p $(@D)
	$(COMPILE) -c -o $@ $<

# main(NAME): where its main() stands; parts(NAME): what else is its own.
main = $(wildcard cmd/$1.c cmd/$1/$1.c)
parts = $(filter-out cmd/$1/$1.c,$(wildcard cmd/$1/*.c))
# owner(MODULE): whose part it is; nothing for one of lib/.
owner = $(patsubst cmd/%/,%,$(dir $(wildcard cmd/*/$(1:fuzz-%=%).c)))
objects = $(addprefix $O/obj/,$(1:.c=.o))
archive = $(if $1,$(if $(call parts,$1),$O/$1.a))
.SECONDEXPANSION:
$O/lib.a: $(LIBS:%=$O/obj/lib/%.o)
	@rm -f $@
	ar rcs $@ $^
$(CMDS:%=$O/%.a): $O/%.a: $$(call objects,$$(call parts,$$*))
	@rm -f $@
	ar rcs $@ $^

# A turn is made of short processes: without the dynamic linker's work each
# starts a quarter faster.  Where no static library is, a shared one serves.
$(CMDS:%=$(BIN)/%): $(BIN)/%: $$(call objects,$$(call main,$$*)) \
    $$(call archive,$$*) $O/lib.a | $(BIN)
	link() { $(CC) $(CFLAGS) $(HARDEN) $(LDFLAGS) -o $@ $(filter %.o %.a,$^) \
	    $(if $(filter $*,$(NOYAML)),,-lyaml) \
	    $(if $(filter $*,$(PCRE)),-lpcre2-8) $(LDLIBS_$@) $(LDLIBS) $$1; }; \
	$(if $(SAN)$(filter $*,$(CURL)),,link '$(if $(HARDEN),$(RELRO) \
	    -static-pie,-static)' 2>/dev/null ||) link '$(if $(HARDEN),$(RELRO) -pie)'
$(addprefix $(BIN)/,$(SCRIPTS) $(SOURCED)): $(BIN)/%: cmd/% | $(BIN)
	install -m 755 $< $@
$O/t/llmserver: $(SERVER) $(SERVER:.c=.h)
$O/t/%: t/%.c $$(call archive,$$(call owner,$$*)) $O/lib.a | $O/t
	$(COMPILE) -It $(addprefix -Icmd/,$(call owner,$*)) \
	    -MF $O/obj/t-$*.d -o $@ $(filter %.c,$^) $(filter %.a,$^) \
	    -lyaml -lcurl -lpcre2-8 $(if $(filter llmserver,$*),-lmicrohttpd) $(LDLIBS)

-include $(wildcard $O/obj/*.d $O/obj/lib/*.d $O/obj/cmd/*.d $O/obj/cmd/*/*.d)
.DELETE_ON_ERROR:
.PHONY: FORCE all deps deps-extra demo check check-extra soak lint bench fuzz install uninstall clean
