# turnpipe-models(1): rows of what is known of models, or the lines of new files.
# Input: what sharefind -j prints of providers, prices and models.yaml.

def name: .path | split("/") | last | rtrimstr(".yaml");
def kind: .path | split("/") | .[-2];
# The name of a provider in the table of models.dev.
def theirs:
  {gemini: "google", bedrock: "amazon-bedrock", vertex: "google-vertex",
   "openai-responses": "openai"}[.] // .;
def providers: map(select(kind == "providers") | name);
def prices($p): [.[] | select(kind == "prices" and name == $p) | .content.prices[]?];
def windows: [.[] | select(.path | endswith("/models.yaml")) | .content.models[]?];
# Does a pattern fit a name?
def fits($name): . as $m | $name | test("^" + ($m | gsub("(?<c>[.+(){}|^$\\\\])"; "\\\(.c)")
  | gsub("\\*"; ".*") | gsub("\\?"; ".")) + "$");
def window($p; $m): first(.[] | . as $w
  | select(($w.match | fits($m)) or ($w.match | fits($p + "/" + $m)))) // {};
def count: if . == null then "-" elif . >= 1000000 then "\(. / 100000 | floor / 10)M"
  elif . >= 1000 then "\(. / 1000 | floor)k" else tostring end;
def dollars: if . == null then "-" else tostring end;

def rows:
  . as $all | windows as $w
  | providers[] as $p
  | select($provider == "" or $provider == $p)
  | ($all[] | select(kind == "providers" and name == $p) | .content) as $file
  | ([$all | prices($p)[]]) as $prices
  # Models by name: those with a price, of it windows with the provider.
  | ([$prices[] | .match] + [$w[] | .match | select(startswith($p + "/")) | ltrimstr($p + "/")]
     + [$file.default_model // empty] | unique) as $names
  | if $names == [] then {provider: $p, model: null}
    else $names[] | . as $m
      | ($w | window($p; $m)) as $win
      | (first($prices[] | . as $e | select($e.match == $m or ($e.match | fits($m)))) // {}) as $price
      | {provider: $p, model: $m, default: ($m == $file.default_model),
         context_window: $win.context_window, max_output: $win.max_output,
         input: $price.input, cached: $price.cached, output: $price.output}
    end;

# A number that is one, and no price below 0.
def number: if type == "number" and . >= 0 then . else null end;
def entry: "  - {" + ([to_entries[] | select(.value != null)
  | "\(.key): \(.value | tojson)"] | join(", ")) + "}";

# Entries, and of those known before the ones that are not among them.
def with($known): (map(.match)) as $names
  | (., [$known[] | select(.match as $m | $names | index($m) | not)]) | .[];

def table: type == "object" and length > 0 and
  all(.[]; type == "object" and (.models | type == "object"));
def update:
  . as $all | $api[0] as $api
  | [providers[] | . as $p | select($api[theirs] != null)
     | {p: $p, models: [$api[theirs].models | to_entries[]
        | select(.key | test("[][*?\\\\[:cntrl:]]") | not)]}]
  | (.[] | .p as $p
      | [.models[] | select(.value.cost.input | number) | .key as $match | .value.cost
         # A prompt of more than 200000 tokens may have prices of its own.
         | (select(.context_over_200k | type == "object") | . + {up_to: 200000}, .context_over_200k),
           select(.context_over_200k | type != "object")
         | {$match, up_to, input: (.input | number), cached: (.cache_read | number),
            cache_write: (.cache_write | number), output: (.output | number)}
         | select(.output != null)]
      | select(. != [])
      | with($all | prices($p)) | "prices/\($p).yaml\t\(entry)"),
    ([.[] | .p as $p | .models[] | .value as $v
      | {match: "\($p)/\(.key)", context_window: ($v.limit.context | number),
         max_output: ($v.limit.output | number)}
      | select(.context_window != null and .context_window > 0)]
     | with($all | windows) | "models.yaml\t\(entry)");

if $form == "update" then
  if $api | length > 0 and all(.[]; table) then update else "" | halt_error(65) end
elif $form == "json" then rows | tojson
else [rows | [.provider + "/" + (.model // "-"), (.context_window | count), (.max_output | count),
     (.input | dollars), (.cached | dollars), (.output | dollars)]]
  | if . == [] then empty else
  # A name that is too long for a row of the terminal has one of its own.
  ([([.[][0] | length] | max), ($cols | tonumber? // 999) - 40] | min) as $w
  | (["model", "window", "output", "$ in", "cached", "out"], .[])
  | .[0] + (if .[0] | length > $w then "\n" + " " * ([$w, 0] | max) else " " * ($w - (.[0] | length)) end)
    + (.[1:] | map("       "[:8 - length] + .) | add)
  end
end
