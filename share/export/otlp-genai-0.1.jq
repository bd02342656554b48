# turnpipe-log(1)
# The spans of otlp-genai-1.41.jq by version 0.1 of OpenTelemetry's conventions
# for generative AI, the first of their own repository.
def names: {"gen_ai.usage.cache_creation.input_tokens": "gen_ai.usage.cache_write.input_tokens"};
.resourceSpans |= map(.scopeSpans |= map(.schemaUrl = "https://opentelemetry.io/schemas/gen-ai/0.1.0"
    | .spans |= map(.attributes |= map(.key |= (names[.] // .)))))
