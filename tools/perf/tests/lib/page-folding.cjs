// SPDX-License-Identifier: GPL-2.0-only
// Usage: page-folding.cjs data.js tree.js
// Compares FoldedTree of the page of `perf report --html` with what its words say (util/stack/folding.h),
// done by hand, over random stacks. Prints how many; fails when one differs.
"use strict";
const { readFileSync } = require("node:fs");
const vm = require("node:vm");

const FUNCTIONS = 11, ROUNDS = 300, STACKS = 40, LONGEST = 25;
const page = vm.createContext({});
vm.runInContext(process.argv.slice(2).map((file) => readFileSync(file, "utf8")).join("\n") +
	"\nthis.FoldedTree = FoldedTree; this.KIND_RUNTIME = KIND_RUNTIME;", page);

let seed = 7;
function below(nr) {
	seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
	return (seed >> 8) % nr;
}

// Functions from @held on are those of runtimes.
function foldByHand(stack, held) {
	const out = [];
	for (const f of stack) {
		let at = out.length;
		while (at && out[at - 1] !== f && (f >= held || out[at - 1] < held))
			at--;
		if (at && out[at - 1] === f)
			out.length = at;
		else
			out.push(f);
	}
	return out;
}

// As Profile has them: node 0 is the root, and a caller has a lower number than what it calls.
function makeTree(stacks, held) {
	const parent = [0], func = [0], known = new Map();
	const ends = stacks.map((stack) => stack.reduce((at, f) => {
		const key = `${at} ${f}`;
		if (!known.has(key)) {
			known.set(key, parent.length);
			parent.push(at);
			func.push(f);
		}
		return known.get(key);
	}, 0));
	const kinds = Uint8Array.from({ length: FUNCTIONS }, (_, f) => f >= held ? page.KIND_RUNTIME : 0);
	return { ends, nr: parent.length, parent, func, profile: { kinds, names: Array(FUNCTIONS).fill("") } };
}

let nr = 0, wrong = 0;
for (let round = 0; round < ROUNDS; round++) {
	const held = round % 3 ? 1 + below(FUNCTIONS - 1) : FUNCTIONS, few = 1 + below(FUNCTIONS - 1);
	const stacks = Array.from({ length: STACKS },
		() => Array.from({ length: below(LONGEST) }, () => 1 + below(few)));
	const tree = makeTree(stacks, held), parent = new Uint32Array(tree.nr);
	const to = page.FoldedTree.fold(tree, parent);
	stacks.forEach((stack, i) => {
		const have = [], want = foldByHand(stack, held);
		for (let node = to[tree.ends[i]]; node; node = parent[node])
			have.unshift(tree.func[node]);
		nr++;
		if (`${have}` === `${want}`)
			return;
		wrong++;
		console.error(`${stack} from ${held} on: ${have}, not ${want}`);
	});
}
console.log(`${nr} stacks, ${wrong} wrong`);
process.exitCode = wrong ? 1 : 0;
