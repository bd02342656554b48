// A client of the Agent Client Protocol, the protocol's own library: it goes
// through a session, and says what does not fit the protocol's schema.
// acpclient.mjs NODE_MODULES CWD
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { createRequire } from "node:module";
const [modules, cwd] = process.argv.slice(2);
const require = createRequire(modules + "/x.js");
const acp = await import(require.resolve("@agentclientprotocol/sdk"));
const Ajv = require("ajv/dist/2020.js").default;
const schema = JSON.parse(readFileSync(modules + "/@agentclientprotocol/sdk/schema/v1/schema.json"));
const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema({ $id: "acp", $defs: schema.$defs });
const methods = {}; // of a request that we sent, by its id
const names = {};   // the schema's name of each method
for (const [name, d] of Object.entries(schema.$defs))
	if (d["x-method"])
		(names[d["x-method"]] ??= {})[/Response$/.test(name) ? "answer" : "params"] = name;
let valid = 0;
function hold(name, value) {
	const fits = ajv.compile({ $ref: "acp#/$defs/" + name });
	if (fits(value)) valid++;
	else console.log("invalid", name, JSON.stringify(value), ajv.errorsText(fits.errors));
}
const agent = spawn("turnpipe", ["acp"], { stdio: ["pipe", "pipe", "ignore"] });
const tee = new TransformStream({ transform(chunk, c) { see(chunk); c.enqueue(chunk); } });
let rest = "";
function see(chunk) {
	const lines = (rest + Buffer.from(chunk)).split("\n");
	rest = lines.pop();
	for (const m of lines.map((l) => JSON.parse(l)))
		if (m.method) hold(names[m.method].params, m.params);
		else if (m.result) hold(names[methods[m.id]].answer, m.result);
}
const own = new TransformStream({ transform(chunk, c) {
	for (const l of Buffer.from(chunk).toString().split("\n").filter(Boolean)) {
		const m = JSON.parse(l);
		if (m.method && "id" in m) methods[m.id] = m.method;
	}
	c.enqueue(chunk);
} });
own.readable.pipeTo(Writable.toWeb(agent.stdin));
const stream = acp.ndJsonStream(own.writable, Readable.toWeb(agent.stdout).pipeThrough(tee));
const got = {};
let began;
const text = (s) => [{ type: "text", text: s }];
await acp.client()
	.onNotification("session/update", ({ params }) => {
		const kind = params.update.sessionUpdate;
		got[kind] = (got[kind] ?? 0) + 1;
		if (kind === "agent_message_chunk") began?.();
	})
	.onRequest("session/request_permission", ({ params }) => ({
		outcome: { outcome: "selected", optionId: params.options[0].optionId },
	}))
	.connectWith(stream, async (a) => {
		const { agentInfo } = await a.request("initialize", { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: {} });
		console.log(agentInfo.name);
		const { sessionId } = await a.request("session/new", { cwd, mcpServers: [] });
		const prompt = (s) => a.request("session/prompt", { sessionId, prompt: text(s) });
		console.log((await prompt("change it")).stopReason);
		const waits = new Promise((r) => { began = r; });
		const slow = prompt("long");
		await waits;
		await a.notify("session/cancel", { sessionId });
		console.log((await slow).stopReason);
		console.log((await a.request("session/list", { cwd })).sessions.length);
		await a.request("session/load", { sessionId, cwd, mcpServers: [] });
		await a.request("session/resume", { sessionId, cwd, mcpServers: [] });
		await a.request("session/close", { sessionId });
	});
for (const kind of Object.keys(got).sort()) console.log(kind, got[kind]);
console.log("valid", valid);
agent.stdin.destroy();
process.exit(0);
