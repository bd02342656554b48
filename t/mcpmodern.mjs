// A server of 2026-07-28 by the official SDK, for t/mcp/mcp-npm.t:
//	node mcpmodern.mjs MODULES stdio|http serve|reject [LOG]
// MODULES: where @modelcontextprotocol/server is.  serve: it speaks
// 2025-11-25 too.  http prints its port.  LOG gets the bodies of requests.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const [modules, how, legacy, log] = process.argv.slice(2);
const load = createRequire(modules + '/x.js');
const { McpServer, createMcpHandler } = load('@modelcontextprotocol/server');
const { serveStdio } = load('@modelcontextprotocol/server/stdio');
const { z } = createRequire(load.resolve('@modelcontextprotocol/server'))('zod');

function make() {
	const s = new McpServer({ name: 'modern', version: '1' });
	s.registerTool('echo', { description: 'Echo.',
		inputSchema: z.object({ text: z.string(),
			region: z.string().optional()
			    .meta({ 'x-mcp-header': 'Region' }) }) },
	    async ({ text }) => ({ content: [{ type: 'text', text }] }));
	s.registerTool('steps', { description: 'Report progress.' },
	    async (ctx) => {
		const token = ctx.mcpReq._meta?.progressToken;
		for (const progress of [1, 2])
			await ctx.mcpReq.notify({
				method: 'notifications/progress',
				params: { progressToken: token, progress } });
		return { content: [{ type: 'text', text: 'done' }] };
	    });
	return s;
}

if (how === 'stdio') {
	serveStdio(make, { legacy });
} else {
	const h = createMcpHandler(make,
	    { legacy: legacy === 'serve' ? 'stateless' : 'reject' });
	createServer(async (req, res) => {
		const parts = [];
		for await (const c of req)
			parts.push(c);
		const body = Buffer.concat(parts);
		if (log)
			appendFileSync(log, body + '\n');
		const r = await h.fetch(new Request('http://127.0.0.1' + req.url, {
			method: req.method, headers: req.headers,
			body: body.length ? body : undefined }));
		res.writeHead(r.status, Object.fromEntries(r.headers));
		for await (const c of r.body ?? [])
			res.write(c);
		res.end();
	}).listen(0, '127.0.0.1', function () {
		console.log(this.address().port);
	});
}
