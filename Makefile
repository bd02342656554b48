# turnpipe: what is built from what.  The lists are the architecture.

# The rooms of cmd/, in the order in which a turn meets them, and their commands.
ROOMS = session prompt model tool mcp memory channel batch eval text
session = histfit histadd histfold agentpool
prompt = agentload envinfo ctxfind skillmenu toolrules todolist reminders \
	promptcompose
model = costguard redact llmcall
tool = toollist toolpick toolrun toolreplay intree webget
mcp = toolhold mcphttp mcpserve turnpipe-acp
memory = factfind factextract
channel = chanroute chanrun
batch = journal shard
eval = score scorediff
text = msg mdterm ttyread taskfile sharefind
CMDS = $(foreach r,$(ROOMS),$($r))
# The room turnpipe: the driver and its subcommands, in sh.
SCRIPTS = turnpipe turnpipe--turn turnpipe-agent turnpipe-task turnpipe-fold \
	turnpipe-facts turnpipe-log turnpipe-cost turnpipe-diff turnpipe-report \
	turnpipe-accept turnpipe-project turnpipe-mcp turnpipe-serve \
	turnpipe-doctor turnpipe-help turnpipe-models turnpipe-agents turnpipe-undo \
	turnpipe-cases turnpipe-ablate turnpipe-import turnpipe-fork \
	turnpipe-each turnpipe-blame
# Other names of turnpipe-help.
LINKS = turnpipe-clear turnpipe-compact turnpipe-context turnpipe-deny \
	turnpipe-model turnpipe-plan turnpipe-skills turnpipe-todos turnpipe-tools
# What those read with ".".
SOURCED = turnpipe--sh turnpipe--talk
# What two rooms or more link: lowest layer first, each line and each name uses
# only what stands before it.  What one room links stands in cmd/ROOM/, what
# one command links in cmd/ROOM/NAME/.
BASE = diag buf env utf8 joiner hash base64 sha256 jsonstr fd file filetype terminal clock lock \
	signals template match nfc pattern cron child capture truncate
STREAM = gate json emit out opt record fields section origin usertext jsoncanon \
	jsonrepair batchline
DATA = path ring yamlparsed yamlfile schema schemafit fileshape frontmatter \
	settings model textfile \
	failure book warnonce confpair keyword markup nothing sse http apikey trust plugin
SESSION = token media chat tail session transcript
DOMAIN = toolrec toolenv permitrule resulttext task stem words bm25
LIBS = $(BASE) $(STREAM) $(DATA) $(SESSION) $(DOMAIN)

PREFIX = /usr/local
DESTDIR =
DATADIR = $(CURDIR)/share
O = build
CC = cc
CFLAGS = -O2 -g
# STATIC= links shared libraries only.
STATIC = 1
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

# YAML that is parsed at build time, by the command that reads it: yamlparsed.h.
PARSED = share/settings.yaml share/schemas/models.json
PARSED_agentload = share/agents/*.md share/models.yaml share/toolnames.yaml \
	share/schemas/agent.json share/schemas/task.json share/schemas/toolnames.json
PARSED_chanroute = share/schemas/bindings.json
PARSED_chanrun = share/faults.yaml share/schemas/faults.json
PARSED_costguard = share/schemas/agent.json
PARSED_envinfo = share/markers.yaml share/schemas/markers.json
PARSED_histfit = share/models.yaml
PARSED_journal = share/faults.yaml share/schemas/faults.json
PARSED_llmcall = share/faults.yaml share/leaks.yaml share/models.yaml \
	share/prices/*.yaml share/providers/*.yaml share/schemas/price.json \
	share/schemas/provider.json share/schemas/faults.json share/schemas/leaks.json
PARSED_promptcompose = share/layouts/*.yaml share/models.yaml share/rules/groups.yaml \
	share/schemas/groups.json share/schemas/layout.json
PARSED_redact = share/redact.yaml share/schemas/redact.json
PARSED_reminders = share/reminders/*.yaml share/schemas/reminder.json
PARSED_score = share/schemas/case.json
PARSED_sharefind = share/faults.yaml share/schemas/faults.json
PARSED_skillmenu = share/playbooks/*/SKILL.md share/schemas/skill.json \
	share/toolnames.yaml share/schemas/toolnames.json
PARSED_taskfile = share/schemas/task.json
PARSED_mcpserve = share/results.yaml share/schemas/results.json
PARSED_toolhold = share/results.yaml share/schemas/mcp.json share/schemas/results.json
PARSED_toollist = share/schemas/tool.json share/tools/*.json
PARSED_toolpick = share/schemas/route.json share/routes/*.yaml
PARSED_toolrules = share/schemas/groups.json share/schemas/rule.json share/rules/*.yaml
PARSED_toolrun = share/results.yaml share/schemas/results.json \
	share/schemas/shell.json share/shell/*.yaml

# Who links what beyond libc.
CURL = llmcall mcphttp webget
NOYAML = shard scorediff agentpool mcphttp mdterm ttyread
PCRE = llmcall redact score toolrun
STEM = toolpick factfind
# The shared libcurl of a distribution loads 35 libraries more, two thirds of
# llmcall's start.  A libcurl.a with http and https alone loads none:
#	make LIBCURL='/opt/curl/lib/libcurl.a -Wl,-Bstatic -lssl -lcrypto -lz -Wl,-Bdynamic'
LIBCURL = -lcurl
$(foreach c,$(CURL),$(eval LDLIBS_$(BIN)/$c = $(LIBCURL)))

# Editing at the terminal, under the GPL then; READLINE= does without.  Looked
# for when it is used: make deps check installs it first.
READLINE = $(shell ls /usr/include/readline/readline.h \
	/usr/local/include/readline/readline.h 2>/dev/null)
$O/obj/cmd/text/ttyread/%.o: CPPFLAGS += $(if $(READLINE),-DREADLINE)
LDLIBS_$(BIN)/ttyread = $(if $(READLINE),-lreadline)

INSTALLED = $(CMDS) $(SCRIPTS) $(SOURCED)
PROGS = $(INSTALLED:%=$(BIN)/%) $(LINKS:%=$(BIN)/%)
# Completions, of what each command prints as --help, and where they go; bash
# and fish look for a file of the command's name.
COMPLETED = $(filter-out turnpipe--%,$(CMDS) $(SCRIPTS) $(LINKS))
SHELLS = bash zsh fish
bash = share/bash-completion/completions/turnpipe
zsh = share/zsh/site-functions/_turnpipe
fish = share/fish/vendor_completions.d/turnpipe.fish
SERVER = t/llmanswer.c t/llmfamily.c t/llmscript.c
# t/lib/NAME.c and t/ROOM/NAME.c test the module NAME, of lib/ or of that room.
UNITS = $(addprefix $O/t/,$(basename $(notdir \
	$(filter-out $(SERVER),$(wildcard t/*.c t/*/*.c)))))
# Those that take longest begin, so that none of them is left alone at the end.
SLOW = $(patsubst %,/%.t,turnpipe-agent tools turnpipe-mcp llmcall-services \
	turnpipe--turn turnpipe toolrun-sandbox llmcall-batch toolrun toollist \
	turnpipe-task llmcall-shared llmcall-exit soak toolhold skillmenu \
	cookbook profile-default llmcall-chat turnpipe-serve demo onpty)
ALL_T = $(wildcard t/*.t t/*/*.t)
TESTS = $(foreach s,$(SLOW),$(filter %$s,$(ALL_T))) \
	$(filter-out $(addprefix %,$(SLOW)),$(ALL_T)) \
	$(filter-out %/llmserver %/pick,$(UNITS))

all: $(PROGS) $(SHELLS:%=$O/completions/%)

deps:
	+@sh .ci/deps $(if $(findstring n,$(firstword -$(MAKEFLAGS))),-n)

demo: all
	@sh share/demo/demo LIVE=$(LIVE)

# python3 for tests, without what a version manager or a site adds to its start.
$O/t/python/bin/python3: | $O/t
	@p=$$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null) || \
	    exit 0; mkdir -p $(@D) && ln -sf "$$p" $@ && \
	    printf 'home = %s\ninclude-system-site-packages = false\n' \
		"$${p%/*}" >$O/t/python/pyvenv.cfg
check check-extra soak trust: $O/t/python/bin/python3

# Linked with shared libraries, the programs have their calls fail (t/trust.py).
check: FAULTY = histadd toolrun llmcall
trust: FAULTY = $(CMDS)
check trust: $(if $(SAN),,$O/trust/fault.so)
$O/trust/fault.so: t/data/trust/fault.c all FORCE
	@mkdir -p $(@D)
	[ $@ -nt $< ] || $(CC) -O2 -fPIC -shared -o $@ $< -ldl 2>/dev/null || :
	+$(MAKE) -s BIN=$O/trust/bin STATIC= $(FAULTY:%=$O/trust/bin/%)

check: all $(UNITS)
	prove $(if $(V),-v) -j8 -e 'perl t/exec' $(TESTS)

# Oracles that are large: build/npm has the MCP servers; check skips them.
deps-extra:
	@sh .ci/deps-extra
deps-package: deps
	@sh .ci/deps-extra package
check-extra: all $(UNITS)
	EXTRA=1 prove $(if $(V),-v) -e 'perl t/exec' $(addprefix t/mcp/,mcp-npm.t \
	    acp-npm.t clients-npm.t conformance.t) t/package.t \
	    t/batch/cluster.t t/model/sdk-npm.t t/text/mdterm.t \
	    $(addprefix t/turnpipe/,events-npm.t \
	    turnpipe-report.t import-npm.t otlp.t task-cron.t)

# What is too long for check.
soak: all $(UNITS)
	SOAK=1 prove $(if $(V),-v) t/model/llmcall-batch.t t/soak.t t/stream.t \
	    t/channel/chanrun.t t/turnpipe/turnpipe-serve.t

# What turnpipe-trust(7) says, with figures: under half an hour.
trust: all $(UNITS)
	@sh t/trust

lint:
	@sh t/lint
# What the compilers' and other readers of C say, six minutes.
analyze: all
	@sh t/analyze
# Lines of C and sh, by room.
count:
	@sh t/count
bench: all $(UNITS)
	@sh t/bench $(BENCH)
# In less than a minute: few runs of little; for a first look.
bench-quick: all $O/t/llmserver
	@RUNS=5 MB=10 sh t/bench turn start pass stream
fuzz:
	@sh t/fuzz $(FUZZ)

# The directories that were not there before are listed, and go again.
INTO = $(DESTDIR)$(PREFIX)
install:
	$(MAKE) O=build/install DATADIR="$(PREFIX)/share/turnpipe" all
	for d in bin share/man/man1 share/man/man5 share/man/man7 share/turnpipe \
	    $(foreach s,$(SHELLS),$(patsubst %/,%,$(dir $($s)))); do \
	    while [ "$$d" != . ] && [ ! -d "$(INTO)/$$d" ]; do \
		echo "$$d"; d=$$(dirname "$$d"); done; done >build/install/made
	install -d "$(INTO)/bin" "$(INTO)/share/turnpipe"
	install -m 755 $(addprefix build/install/bin/,$(INSTALLED)) "$(INTO)/bin"
	for l in $(LINKS); do ln -sf turnpipe-help "$(INTO)/bin/$$l" || exit 1; done
	cat "$(INTO)/share/turnpipe/made" >>build/install/made 2>/dev/null || :
	rm -rf "$(INTO)/share/turnpipe"
	cp -R share "$(INTO)/share/turnpipe"
	for s in 1 5 7; do d="$(INTO)/share/man/man$$s"; \
	    install -d "$$d" && install -m 644 man/*.$$s "$$d" || exit 1; done
	$(foreach s,$(SHELLS),install -d "$(INTO)/$(dir $($s))" && \
	    install -m 644 build/install/completions/$s "$(INTO)/$($s)" &&) true
	for c in $(filter-out turnpipe,$(COMPLETED)); do \
	    ln -sf turnpipe "$(INTO)/$(dir $(bash))$$c" && \
	    ln -sf turnpipe.fish "$(INTO)/$(dir $(fish))$$c.fish" || exit 1; done
	[ -n "$(DESTDIR)" ] || \
	    sort -ru build/install/made >"$(INTO)/share/turnpipe/made"

uninstall:
	cd "$(INTO)/bin" && rm -f $(INSTALLED) $(LINKS)
	cd "$(INTO)" && rm -f $(foreach s,$(SHELLS),$($s)) $(foreach c, \
	    $(COMPLETED),$(dir $(bash))$c $(dir $(fish))$c.fish)
	for f in man/*.[157]; do \
	    rm -f "$(INTO)/share/man/man$${f##*.}/$${f#man/}"; done
	made=$$(cat "$(INTO)/share/turnpipe/made" 2>/dev/null); \
	    rm -rf "$(INTO)/share/turnpipe"; cd "$(INTO)" && \
	    for d in $$made; do [ ! -d "$$d" ] || \
	    rmdir --ignore-fail-on-non-empty "$$d" || exit 1; done

# The source of this commit; a Debian package of it; what is linked in.
dist:
	@mkdir -p build
	git archive --prefix=turnpipe-$(VERSION)/ HEAD | gzip -n -9 \
	    >build/turnpipe-$(VERSION).tar.gz
package:
	@sh .ci/package
sbom:
	@sh .ci/sbom

clean:
	rm -rf build compile_commands.json

compile_commands.json: Makefile
	@for f in cmd/*/*.c cmd/*/*/*.c lib/*.c t/*.c t/*/*.c; do printf \
	    '%s{"directory":"%s","file":"%s","command":"%s"}' "$$c" '$(CURDIR)' \
	    $$f "cc -std=c11 $(CPPFLAGS) $(ROOMS:%=-Icmd/%) -It $(WARN) -c $$f"; \
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
	$(COMPILE) $(addprefix -Icmd/,$(call room,$<)) -c -o $@ $<

# room(FILE): the room it stands in.  main(NAME): where its main() stands;
# parts(NAME): what else is its own; shared(ROOM): what its commands share.
room = $(if $(filter cmd/%,$1),$(word 2,$(subst /, ,$1)))
main = $(wildcard cmd/*/$1.c cmd/*/$1/$1.c)
parts = $(filter-out %/$1/$1.c,$(wildcard cmd/*/$1/*.c))
shared = $(filter-out $(patsubst %,cmd/$1/%.c,$($1)),$(wildcard cmd/$1/*.c))
objects = $(addprefix $O/obj/,$(1:.c=.o))
# The archives of a command's own parts and of what its room shares.
own = $(if $(call parts,$1),$O/$1.a) $(call rooms,$(call main,$1))
rooms = $(if $(call shared,$(call room,$1)),$O/cmd-$(call room,$1).a)
# tested(NAME): the part of a command that t/*/NAME.c or t/fuzz-NAME.c tests.
tested = $(wildcard cmd/*/*/$(1:fuzz-%=%).c)
# dirs(NAME): that command's folder, and the room of the test.
dirs = $(dir $(call tested,$1)) $(addprefix cmd/,$(call room,$(or \
	$(call tested,$1),$(patsubst t/%,cmd/%,$(wildcard t/*/$1.c)))))
.SECONDEXPANSION:
$O/lib.a: $(LIBS:%=$O/obj/lib/%.o)
	@rm -f $@
	ar rcs $@ $^
$(CMDS:%=$O/%.a): $O/%.a: $$(call objects,$$(call parts,$$*))
	@rm -f $@
	ar rcs $@ $^
$(ROOMS:%=$O/cmd-%.a): $O/cmd-%.a: $$(call objects,$$(call shared,$$*))
	@rm -f $@
	ar rcs $@ $^

$O/yamlparse: $O/obj/cmd/text/yamlparse/yamlparse.o $O/lib.a
	$(CC) $(CFLAGS) $(HARDEN) $(LDFLAGS) -o $@ $^ -lyaml $(LDLIBS)
parsed = $(sort $(wildcard $(PARSED) $(PARSED_$1)))
$(CMDS:%=$O/parsed/%.c): $O/parsed/%.c: $O/yamlparse $$(call parsed,$$*)
	@mkdir -p $(@D)
	$O/yamlparse $(filter share/%,$^) >$@
$O/parsed/%.o: $O/parsed/%.c
	$(COMPILE) -c -o $@ $<

# A turn is made of short processes: without the dynamic linker's work each
# starts a quarter faster.  Where no static library is, a shared one serves.
tables = $(if $(filter $1,$(NOYAML)),,$O/parsed/$1.o)
$(CMDS:%=$(BIN)/%): $(BIN)/%: $$(call objects,$$(call main,$$*)) \
    $$(call tables,$$*) $$(call own,$$*) $O/lib.a | $(BIN)
	link() { $(CC) $(CFLAGS) $(HARDEN) $(LDFLAGS) -o $@ $(filter %.o %.a,$^) \
	    $(if $(filter $*,$(NOYAML)),,-lyaml) \
	    $(if $(filter $*,$(PCRE)),-lpcre2-8) \
	    $(if $(filter $*,$(STEM)),-lstemmer) $(LDLIBS_$@) $(LDLIBS) $$1; }; \
	$(if $(SAN)$(filter $*,$(CURL) ttyread)$(if $(STATIC),,1),,link '$(if $(HARDEN),$(RELRO) \
	    -static-pie,-static)' 2>/dev/null ||) link '$(if $(HARDEN),$(RELRO) -pie)'
$(addprefix $(BIN)/,$(SCRIPTS) $(SOURCED)): $(BIN)/%: cmd/turnpipe/% | $(BIN)
	install -m 755 $< $@
$(SHELLS:%=$O/completions/%): $O/completions/%: cmd/turnpipe/completions $(COMPLETED:%=$(BIN)/%) \
    $(BIN)/turnpipe--sh
	@mkdir -p $(@D)
	sh $< $* $(COMPLETED:%=$(BIN)/%) >$@
$(LINKS:%=$(BIN)/%): $(BIN)/%: $(BIN)/turnpipe-help
	ln -sf turnpipe-help $@
$O/t/llmserver: $(SERVER) $(SERVER:.c=.h)
archives = $(foreach d,$(call dirs,$1),$(if $(filter %/,$d),\
	$(call own,$(notdir $(d:%/=%))) $(call tables,$(notdir $(d:%/=%))),\
	$(call rooms,$d)))
$O/t/%: $$(wildcard t/$$*.c t/*/$$*.c) $$(call archives,$$*) $O/lib.a | $O/t
	$(COMPILE) -It $(addprefix -I,$(wildcard $(call dirs,$*))) \
	    -MF $O/obj/t-$*.d -o $@ $(filter %.c %.o,$^) $(filter %.a,$^) \
	    -lyaml -lcurl -lpcre2-8 -lstemmer $(if $(filter llmserver,$*),-lmicrohttpd) $(LDLIBS)

-include $(wildcard $O/parsed/*.d $O/obj/*.d $O/obj/lib/*.d $O/obj/cmd/*/*.d \
	$O/obj/cmd/*/*/*.d)
.DELETE_ON_ERROR:
.PHONY: trust analyze dist package sbom FORCE all deps deps-extra deps-package demo check check-extra soak lint count bench bench-quick fuzz install uninstall clean
