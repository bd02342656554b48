# turnpipe-eval(7): are the prompts as good as before?  In a Makefile, or by
# itself: make -f "$(sharefind eval/eval.mk)" pass
# Only what changed is asked; with OFFLINE=1 nothing is, and what the book lacks
# is named.  accept makes this run the one to compare with.
CASES ?= cases.jsonl
NAME := $(CASES:.jsonl=)
ANSWER ?= llmcall -j 16
JUDGE ?= $(ANSWER)
# ask BOOK COMMAND ANSWERS: FILE: refused, too long: such answers are scored, too.
ask = journal $(if $(OFFLINE),-o) -J $(NAME).$1 -k '$2' \
    -- $2 || case $$? in [1-8]) ;; *) \
	jq -r 'select(.code >= 64) | "\(.id): \(.message)"' $3 | sed 5q; \
	exit 1 ;; esac

pass: $(NAME).new
	@if [ -e $(NAME).scores ]; then \
		scorediff $(DIFFFLAGS) $(NAME).scores $<; \
	else \
		cp $< $(NAME).scores && scorediff $<; \
	fi
accept: $(NAME).new
	cp $< $(NAME).scores
$(NAME).new: FORCE
	turnpipe cases $(CASEFLAGS) $(CASES) >$@.requests
	<$@.requests >$@.answers $(call ask,book,$(ANSWER),$@.answers)
	score -q $(CASES) <$@.answers >$@.questions
	<$@.questions >$@.verdicts $(call ask,judged,$(JUDGE),$@.verdicts)
	score -j $@.verdicts $(CASES) <$@.answers >$@.part
	mv $@.part $@
FORCE:
.PHONY: pass accept FORCE
