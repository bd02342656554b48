# turnpipe-eval(7): are the prompts as good as before?  In a Makefile, or by
# itself: make -f "$(sharefind eval/eval.mk)" pass
# Only what changed is asked; with OFFLINE=1 nothing is, and what the book lacks
# is named.  accept makes this run the one to compare with.  With TOOLS=DIR the
# agent's tools run, in sessions there, with the options CASEFLAGS=-y.
CASES ?= cases.jsonl
NAME := $(CASES:.jsonl=)
ANSWER ?= llmcall -j 16
JUDGE ?= $(ANSWER)
# ask BOOK COMMAND ANSWERS: FILE: refused, too long: such answers are scored, too.
ask = journal $(if $(OFFLINE),-o) -J $(NAME).$1 \
    $(if $(filter-out llmcall,$(firstword $2)),-k '$2') -- $2 || case $$? in [1-8]) ;; *) $(call name,$3) ;; esac
name = jq -r 'select(.code >= 64) | "\(.id): \(.message)"' $1 | sed 5q; exit 1

pass: $(NAME).new
	@if [ -e $(NAME).scores ]; then \
		scorediff $(DIFFFLAGS) $(NAME).scores $<; \
	else \
		cp $< $(NAME).scores && scorediff $<; \
	fi
accept: $(NAME).new
	cp $< $(NAME).scores
$(NAME).new: FORCE
ifdef TOOLS
	turnpipe cases $(CASEFLAGS) -d $(TOOLS) -J $(NAME).books \
	    $(if $(OFFLINE),-o) $(CASES) -- $(ANSWER) >$@.answers
	@! jq -e 'select(.code >= 64)' $@.answers >/dev/null || { $(call name,$@.answers); }
else
	turnpipe cases $(CASEFLAGS) $(CASES) >$@.requests
	<$@.requests >$@.answers $(call ask,book,$(ANSWER),$@.answers)
endif
	score -q $(CASES) <$@.answers >$@.questions
	<$@.questions >$@.verdicts $(call ask,judged,$(JUDGE),$@.verdicts)
	score -j $@.verdicts $(CASES) <$@.answers >$@.part
	mv $@.part $@
FORCE:
.PHONY: pass accept FORCE
