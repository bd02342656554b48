# turnpipe-batch(7): a batch in shards, by itself or for a Makefile that says
#	REQUESTS = requests.jsonl
#	include $(shell sharefind batch/batch.mk)
# "make -j8 answers.jsonl" starts what is missing; a shard that was killed
# goes on where its journal ends.
REQUESTS ?= requests.jsonl
SHARDS ?= 8
LLMCALL ?= llmcall -j 64
# Failures that would be the same again are answers, too.
final = case $$(sharefind -s $$?) in final) ;; *) exit 1 ;; esac
batch_shards := $(shell seq $(SHARDS))

answers.jsonl: $(batch_shards:%=batch/answers.%)
	shard -m -i $(REQUESTS) $^ >$@.new || { $(final); [ -s $@.new ]; }
	mv $@.new $@

batch/answers.%: $(REQUESTS)
	@mkdir -p batch
	shard $*/$(SHARDS) <$< | $(LLMCALL) -J batch/journal.$* >$@.new || \
	    $(final)
	mv $@.new $@
.PRECIOUS: batch/answers.%
