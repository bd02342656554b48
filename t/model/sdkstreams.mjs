// Random answers of each protocol, as streams, read by the provider's own library and by llmcall: what
// differs, and a count.  sdkstreams.mjs MODULES COUNT SEED
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { isDeepStrictEqual } from "node:util";

const [modules, count, seed] = process.argv.slice(2);
const { OpenAI } = createRequire(modules + "/x")("openai");
const { Anthropic } = createRequire(modules + "/x")("@anthropic-ai/sdk");

let state = Number(seed);
function below(n) {
	state = Math.imul(state, 1664525) + 1013904223 >>> 0;
	return Math.floor(state / 2 ** 32 * n);
}
const times = (n, f) => Array.from({ length: n }, (_, i) => f(i));
const pick = (list) => list[below(list.length)];
const chance = (n) => below(n) === 0;
const words = ["a", "two ", "\n\n", "\"", "\\", "data: ", "é", "€", "😀", "\u2028", "\r\n", "\t", "{}", "[DONE]",
	"`x`", "\u0001", " ", "event: end\n", "日本"];
const text = (n) => "w" + times(below(n), () => pick(words)).join("") + "z";
const json = () => JSON.stringify(Object.fromEntries(times(below(4), (i) =>
	["k" + i, pick([text(5), below(1000), below(99) / 8, null, true, [text(3)], { x: text(2) }])])));
function pieces(s, f) {
	const all = [...s], out = [];
	while (all.length > 0)
		out.push(f(all.splice(0, 1 + below(6)).join("")));
	return out;
}

// What an answer holds.  Usage: tokens sent, of them from a cache, answered, of them thought.
function answer(id) {
	const calls = times(chance(2) ? below(4) : 0, (k) => ({ id: `c${id}_${k}`, name: "f" + below(3), arguments: json() }));
	const cached = below(500);
	return { calls, text: calls.length > 0 && chance(2) ? "" : text(30), reasoning: chance(3) ? text(9) : "",
		end: calls.length === 0 && chance(5) ? "length" : "end",
		usage: [cached + below(5000), cached, 20 + below(900), below(20)] };
}

// Its events, by protocol.
const events = {
	chat({ calls, text, reasoning, end, usage: [prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens] }, whole) {
		const usage = { prompt_tokens, completion_tokens, prompt_tokens_details: { cached_tokens },
			completion_tokens_details: { reasoning_tokens }, total_tokens: prompt_tokens + completion_tokens };
		const at = (delta, finish_reason = null) => ({ id: "c", object: "chat.completion.chunk", created: 1, model: "m",
			choices: [{ index: 0, delta, finish_reason }], ...whole ? { usage } : {} });
		const part = (c, index, args) => at({ tool_calls: [{ index, ...c, function: { ...c.function, arguments: args } }] });
		const rest = calls.map((c, i) => pieces(c.arguments, (s) => part({}, i, s)));
		const mixed = []; // of several calls at the same time
		while (rest.some((r) => r.length > 0))
			mixed.push(...pick(rest).splice(0, 1));
		const last = at({}, end === "length" ? "length" : calls.length > 0 ? "tool_calls" : "stop");
		return [at({ role: "assistant", content: pick(["", null]) }),
			...pieces(reasoning, (reasoning_content) => at({ reasoning_content })), ...pieces(text, (content) => at({ content })),
			...calls.map((c, i) => part({ id: c.id, type: "function", function: { name: c.name },
				...whole ? { extra_content: { google: { thought_signature: "s" } } } : {} }, i, whole ? c.arguments : "")),
			...whole ? [] : mixed, ...chance(2) ? [{ ...last, usage }] : [last, { ...at({}), choices: [], usage }], "[DONE]"];
	},
	gemini: (a) => events.chat(a, true),
	responses({ calls, text, reasoning, end, usage: [input_tokens, cached_tokens, output_tokens, reasoning_tokens] }) {
		const out = [], output = [], cut = end === "length";
		const say = (type, o) => out.push({ type: "response." + type, sequence_number: out.length, ...o });
		const response = { id: "r", object: "response", created_at: 1, model: "m", status: "in_progress", output: [],
			tools: [], error: null, incomplete_details: null };
		const add = (item, whole, kind, name, s, part, index) => {
			const at = { item_id: item.id, output_index: output.length, ...index && { [index]: 0 } };
			const [first] = whole.content ?? whole.summary ?? [];
			say("output_item.added", { output_index: output.length, item });
			if (part)
				say(part + ".added", { ...at, part: { ...first, text: "" } });
			pieces(s, (delta) => say(kind + ".delta", { ...at, delta }));
			say(kind + ".done", { ...at, [name]: s });
			if (part)
				say(part + ".done", { ...at, part: first });
			output.push({ ...item, ...whole });
			say("output_item.done", { output_index: output.length - 1, item: output.at(-1) });
		};
		say("created", { response });
		if (reasoning)
			add({ id: "rs", type: "reasoning", summary: [] }, { summary: [{ type: "summary_text", text: reasoning }],
				encrypted_content: "s" }, "reasoning_summary_text", "text", reasoning, "reasoning_summary_part", "summary_index");
		if (text)
			add({ id: "msg", type: "message", role: "assistant", content: [] }, { content: [{ type: "output_text", text,
				annotations: [] }] }, "output_text", "text", text, "content_part", "content_index");
		calls.forEach((c) => add({ id: "fc_" + c.id, type: "function_call", call_id: c.id, name: c.name, arguments: "" },
			{ arguments: c.arguments }, "function_call_arguments", "arguments", c.arguments));
		say(cut ? "incomplete" : "completed", { response: { ...response, output, status: cut ? "incomplete" : "completed",
			incomplete_details: cut ? { reason: "max_output_tokens" } : null, usage: { input_tokens, output_tokens,
				input_tokens_details: { cached_tokens }, output_tokens_details: { reasoning_tokens } } } });
		return out;
	},
	messages({ calls, text, reasoning, end, usage: [prompt, cache_read_input_tokens, output_tokens] }) {
		const block = (content_block, deltas) => [{ type: "content_block_start", content_block },
			...deltas.flatMap((delta) => [...chance(9) ? [{ type: "ping" }] : [], { type: "content_block_delta", delta }]),
			{ type: "content_block_stop" }];
		let index = -1;
		return [{ type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [], model: "m",
			usage: { input_tokens: prompt - cache_read_input_tokens, cache_read_input_tokens, output_tokens: 1 } } },
		...reasoning ? block({ type: "thinking", thinking: "", signature: "" }, [...pieces(reasoning, (thinking) =>
			({ type: "thinking_delta", thinking })), { type: "signature_delta", signature: "c2ln" }]) : [],
		...text ? block({ type: "text", text: "" }, pieces(text, (text) => ({ type: "text_delta", text }))) : [],
		...calls.flatMap((c) => block({ type: "tool_use", id: c.id, name: c.name, input: {} },
			pieces(c.arguments === "{}" ? "" : c.arguments, (partial_json) => ({ type: "input_json_delta", partial_json })))),
		{ type: "message_delta", delta: { stop_reason: end === "length" ? "max_tokens" : calls.length > 0 ? "tool_use" :
			"end_turn" }, usage: { output_tokens } }, { type: "message_stop" }].map((e) => e.type.startsWith("content_block") ?
			{ ...e, index: e.type === "content_block_start" ? ++index : index } : e);
	},
};

// A server of these streams, in pieces that end anywhere.
const streams = new Map();
function bytes(list) {
	const eol = pick(["\n", "\n", "\r\n", "\r"]), space = pick(["", " "]);
	return Buffer.from(list.map((e) => (chance(8) ? ": alive" + eol + eol : "") + (e.type ? "event:" + space + e.type + eol : "")
	    + "data:" + space + (typeof e === "string" ? e : JSON.stringify(e)) + eol + eol).join(""));
}
const server = createServer((req, res) => {
	let body = "";
	req.on("data", (d) => body += d).on("end", async () => {
		const all = streams.get(body.match(/stream (\w+)/)[1]);
		res.writeHead(200, { "Content-Type": "text/event-stream" });
		for (let at = 0; at < all.length; await new Promise(setImmediate))
			res.write(all.subarray(at, at += 1 + Math.floor(Math.random() * 400)));
		res.end();
	});
});
await new Promise((go) => server.listen(0, "127.0.0.1", go));
const url = `http://127.0.0.1:${server.address().port}/v1`;
const openai = new OpenAI({ apiKey: "k", baseURL: url, maxRetries: 0 });
const anthropic = new Anthropic({ apiKey: "k", baseURL: url.slice(0, -3), maxRetries: 0 });

// What a library makes of a stream, in the words of answer(); what it does not read is taken from there.
const call = (id, { name, arguments: args, input = JSON.parse(args) }) => ({ id, name, arguments: input });
const ended = (word) => /length|max_tokens|incomplete/.test(word) ? "length" : "end";
const read = {
	async chat(messages) {
		const { choices: [{ message: m, finish_reason }], usage: u } =
			await openai.chat.completions.stream({ model: "m", messages }).finalChatCompletion();
		return { text: m.content ?? "", end: ended(finish_reason), calls: (m.tool_calls ?? []).map((c) => call(c.id, c.function)),
			usage: [u.prompt_tokens, u.prompt_tokens_details.cached_tokens, u.completion_tokens,
				u.completion_tokens_details.reasoning_tokens] };
	},
	async responses(input) {
		const r = await openai.responses.stream({ model: "m", input }).finalResponse(), u = r.usage;
		return { text: r.output_text, end: ended(r.status), calls: r.output.filter((o) => o.call_id).map((c) => call(c.call_id, c)),
			reasoning: r.output.flatMap((o) => o.summary ?? []).map((s) => s.text).join(""), usage: [u.input_tokens,
				u.input_tokens_details.cached_tokens, u.output_tokens, u.output_tokens_details.reasoning_tokens] };
	},
	async messages(messages) {
		const { content, stop_reason, usage: u } =
			await anthropic.messages.stream({ model: "m", max_tokens: 9, messages }).finalMessage();
		const all = (name) => content.map((b) => b[name] ?? "").join("");
		return { text: all("text"), end: ended(stop_reason), calls: content.filter((b) => b.input).map((b) => call(b.id, b)),
			reasoning: all("thinking"), usage: [u.input_tokens + u.cache_read_input_tokens, u.cache_read_input_tokens,
				u.output_tokens, 0] };
	},
};
read.gemini = read.chat;

// What llmcall makes of each.
const ask = (id) => [{ role: "user", content: "stream " + id }];
const tools = times(3, (n) => ({ type: "function", function: { name: "f" + n, parameters: { type: "object" } } }));
async function llmcall(model, ids) {
	const p = spawn("llmcall", ["-j", "8", "-x", "0", "-m", model], { stdio: ["pipe", "pipe", "ignore"], env: { ...process.env,
		OPENAI_BASE_URL: url, ANTHROPIC_BASE_URL: url, GOOGLE_GEMINI_BASE_URL: url } });
	p.stdin.end(ids.map((id) => JSON.stringify({ type: "request", id, tools, messages: ask(id) }) + "\n").join(""));
	const got = Object.fromEntries(ids.map((id) => [id, { end: "end" }]));
	const out = (await p.stdout.toArray()).join("").trim().split("\n").map((line) => JSON.parse(line));
	for (const r of out)
		Object.assign(got[r.id], r.type === "error" ? { end: r.code === 7 ? "length" : r.message }
			: r.type === "usage" ? { usage: [r.prompt_tokens, r.cached_tokens ?? 0, r.completion_tokens, r.reasoning_tokens ?? 0] }
			: { text: r.content ?? "", reasoning: r.reasoning_content ?? r.reasoning ?? "",
				calls: (r.tool_calls ?? []).map((c) => call(c.id, c.function)) });
	return got;
}
const models = { chat: "openai/m", gemini: "gemini/m", responses: "openai-responses/m", messages: "anthropic/m" };
for (const api of Object.keys(read)) {
	const sent = Object.fromEntries(times(Number(count), () => [state + api, answer(below(2 ** 30))]));
	const ids = Object.keys(sent);
	ids.forEach((id) => streams.set(id, bytes(events[api](sent[id]))));
	const got = await llmcall(models[api], ids);
	let same = 0;
	for (const id of ids) {
		const want = { reasoning: sent[id].reasoning, ...await read[api](ask(id)) };
		if (isDeepStrictEqual(want, got[id]))
			same++;
		else
			console.log(id, JSON.stringify(want), JSON.stringify(got[id]));
	}
	console.log(`${api}: ${same} of ${ids.length}`);
}
server.close();
