# turnpipe-batch(7): a batch in shards, by itself or for a Makefile that says
#	REQUESTS = requests.jsonl
#	include $(shell sharefind batch/batch.mk)
# "make -j8 answers.jsonl" starts what is missing; a shard that was killed
# goes on where its book ends.  Status 1 is a result: a failure is an answer.
REQUESTS ?= requests.jsonl
SHARDS ?= 8
LLMCALL ?= llmcall -j 64 -r batch/rate
batch_shards := $(shell seq $(SHARDS))
batch_sums = reduce inputs as $$r ({a: 0, f: 0, i: 0, o: 0}; \
    if $$r.role == "assistant" then .a += 1 \
    elif $$r.type == "error" then .f += 1 \
    elif $$r.type == "usage" then .i += ($$r.prompt_tokens // 0) \
	| .o += ($$r.completion_tokens // 0) | .c += ($$r.cost // null) \
    else . end) \
    | "$(SHARDS) shards: \(.a) answers, \(.f) failed, \(.i) tokens in, \(.o) out" \
    + if .c then ", \(.c * 10000 | round / 10000) dollars" else "" end

answers.jsonl: $(batch_shards:%=batch/answers.%)
	cat $(batch_shards:%=batch/failed.%) >failed.jsonl
	shard -m -i $(REQUESTS) $^ >$@.new || [ $$? -eq 1 ]
	mv $@.new $@
	@jq -nr '$(batch_sums)' $@

batch/answers.%: $(REQUESTS)
	@mkdir -p batch
	shard $*/$(SHARDS) $< -- journal -J batch/journal.$* -g 3 \
	    -e batch/failed.$* -- $(LLMCALL) >$@.new || [ $$? -eq 1 ]
	mv $@.new $@
.PRECIOUS: batch/answers.%
