// SPDX-License-Identifier: GPL-2.0-only
// Several recordings as one profile, to be compared: those before, and those after.
const fileName = (path) => path.slice(path.lastIndexOf("/") + 1);

// Things of several lists, each once: numbers of them by a key.
class Union {
	constructor() {
		this.numbers = new Map();
		this.items = [];
	}

	add(key, item) {
		let nr = this.numbers.get(key);
		if (nr === undefined) {
			nr = this.items.length;
			this.numbers.set(key, nr);
			this.items.push(item);
		}
		return nr;
	}
}

/*
 * Functions are the same if name and binary's name are, threads if their names are: addresses and
 * numbers differ from run to run. .runs[i].after says on which side a recording is; a label knows its
 * recording, as last item.
 */
class Comparison extends Profile {
	constructor({ runs, after, files, changes }) {
		super(Comparison.merged(runs.map((run) => new Profile(run)), files));
		this.runs = runs.map((run, i) => ({ after: after[i], file: files[i] }));
		this.compared = true;
		this.takeChanges(changes);
	}

	static merged(parts, files) {
		const to = { modules: new Union(), functions: new Union(), events: new Union(),
			     nodes: new Union(), comms: new Union(), labels: [], lists: [], base: [] };
		to.modules.add("", ["", ""]);
		parts.forEach((part, run) => Comparison.add(to, part, run));
		const width = Math.max(...parts.map((p) => p.width));
		const ends = parts.map((p) => Math.ceil(p.bins * p.width / width));
		return { samples: parts.reduce((sum, p) => sum + p.samples, 0), width,
			 bins: Math.max(1, ...ends), parts, to,
			 words: parts.map((p, i) => `${files[i]}: ${p.words}`).join("\n"),
			 host: parts[0].host, system: parts[0].system, cpu: parts[0].cpu,
			 command: parts[0].command, events: to.events.items, labels: to.labels,
			 modules: to.modules.items, functions: to.functions.items };
	}

	static add(to, part, run) {
		const modules = part.modules.map((m) => to.modules.add(fileName(m[0]), m));
		const functions = part.functions.map(([name, module, kind, brief]) =>
			to.functions.add(`${kind} ${modules[module]} ${name}`, [name, modules[module], kind, brief]));
		const events = part.events.map((e) => {
			const nr = to.events.add(e.name, { ...e, samples: 0, period: 0 });
			to.events.items[nr].samples += e.samples;
			to.events.items[nr].period += e.period;
			return nr;
		});
		part.functionTo = functions;
		part.firstLabel = to.labels.length;
		for (const [, , event, comm, cpu, runnable] of part.labels) {
			const thread = to.comms.add(comm, comm);
			to.labels.push([thread, thread, events[event], comm, cpu, runnable, run]);
		}
	}

	// The nodes of all trees, each once: a caller is there before what it calls.
	readNodes() {
		const known = new Map(), parent = [0], func = [0], nr = this.names.length;
		for (const part of this.parts) {
			part.nodeTo = new Uint32Array(part.nr);
			for (let i = 1; i < part.nr; i++) {
				const up = part.nodeTo[part.parent[i]], f = part.functionTo[part.func[i]];
				let node = known.get(up * nr + f);
				if (node === undefined) {
					node = parent.length;
					known.set(up * nr + f, node);
					parent.push(up);
					func.push(f);
				}
				part.nodeTo[i] = node;
			}
		}
		this.takeNodes(Uint32Array.from(parent), Uint32Array.from(func));
	}

	// The lists of all, with times of one length.
	readRows() {
		const label = [], node = [], start = [0];
		const sum = (key) => this.parts.reduce((n, p) => n + p[key].length, 0);
		this.bin = new Uint16Array(sum("bin"));
		this.count = new Float64Array(this.bin.length);
		this.period = new Float64Array(this.bin.length);
		let at = 0;
		for (const part of this.parts) {
			const { nr, start: ends } = part.lists, scale = part.width / this.width;
			for (let i = 0; i < nr; i++) {
				label.push(part.lists.label[i] + part.firstLabel);
				node.push(part.nodeTo[part.lists.node[i]]);
				start.push(at + ends[i + 1]);
			}
			for (let r = 0; r < part.bin.length; r++)
				this.bin[at + r] = Math.min(part.bin[r] * scale, this.bins - 1);
			this.count.set(part.count, at);
			this.period.set(part.period, at);
			at += part.bin.length;
		}
		this.lists = { nr: label.length, label, node, start };
		this.parts = this.to = null;
	}

	// What perf diff says of functions: whether they differ by more than chance.
	takeChanges(changes) {
		const functions = new Map();
		this.changes = new Map();
		this.names.forEach((name, f) => functions.set(`${fileName(this.module(f)[0])} ${name}`, f));
		for (const change of changes) {
			const f = functions.get(`${change.dso} ${change.name}`);
			const event = this.events.findIndex((e) => e.name === change.event);
			if (f !== undefined && event >= 0)
				this.changes.set(`${event} ${change.total} ${f}`, change);
		}
	}

	changeOf(event, total, func) {
		return this.changes.get(`${event} ${total} ${func}`);
	}

	/*
	 * As of one recording, but all runs of a side have the same sum, and the sides have: a node's
	 * weight is the mean of both sides, and .before what that before is.
	 */
	weigh(wanted, low, high, wholeOnly) {
		const sides = [0, 0], sums = this.runs.map(() => 0);
		const parts = this.runs.map((run, i) => {
			const part = super.weigh(this.labels.map((l, k) => wanted[k] && l[6] === i), low, high,
						 wholeOnly);
			sums[i] = part.self.reduce((a, b) => a + b, 0);
			sides[Number(run.after)] += sums[i] ? 1 : 0;
			return part;
		});
		const mean = sums.reduce((a, b) => a + b, 0) / (sides[0] + sides[1] || 1);
		const out = { ...FoldedTree.nothing(this.nr), before: new Float64Array(this.nr) };
		this.empty = [!sides[0], !sides[1]];
		parts.forEach((part, i) => {
			const { after } = this.runs[i], scale = sums[i] ? mean / sums[i] / sides[Number(after)] : 0;
			for (let n = 0; n < this.nr; n++) {
				out.self[n] += part.self[n] * scale / 2;
				out.samples[n] += part.samples[n];
				if (!after)
					out.before[n] += part.self[n] * scale;
			}
		});
		return out;
	}
}
