// Print the true number of o200k_base tokens of each file: "NAME COUNT".
//
//	npm install --prefix build/npm gpt-tokenizer
//	node t/token-counts.mjs build/npm/node_modules t/data/token/*
//
// The first argument is the directory that holds gpt-tokenizer (MIT).

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, resolve } from "node:path";

const [dir, ...files] = process.argv.slice(2);
if (dir === undefined) {
	console.error("usage: token-counts.mjs NODE_MODULES FILE...");
	process.exit(64);
}
const load = createRequire(resolve(dir, "x.js"));
const { encode } = load("gpt-tokenizer/encoding/o200k_base");

// Text that looks like a special token is text, as it is for a provider.
const plain = { allowedSpecial: new Set(), disallowedSpecial: new Set() };

for (const f of files)
	if (basename(f) !== "counts")
		console.log(basename(f) + " " +
		    encode(readFileSync(f, "utf8"), plain).length);
