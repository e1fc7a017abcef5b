// SPDX-License-Identifier: GPL-2.0-only
// The samples of the page: what html.c has written, as arrays.
"use strict";

const KIND_KERNEL = 1, KIND_MARK = 2, KIND_RUNTIME = 3;

// Reads numbers of seven bits a byte, the lowest first.
class Varints {
	constructor(base64) {
		const text = atob(base64);
		this.bytes = new Uint8Array(text.length);
		for (let i = 0; i < text.length; i++)
			this.bytes[i] = text.charCodeAt(i);
		this.at = 0;
	}

	get more() {
		return this.at < this.bytes.length;
	}

	next() {
		let byte = this.bytes[this.at++], value = byte & 127, scale = 128;
		while (byte > 127) {
			byte = this.bytes[this.at++];
			value += (byte & 127) * scale;
			scale *= 128;
		}
		return value;
	}
}

// Numbers of as many as come.
class Growing {
	constructor(type) {
		this.v = new type(1024);
		this.length = 0;
	}

	push(value) {
		if (this.length === this.v.length) {
			const more = new this.v.constructor(2 * this.length);
			more.set(this.v);
			this.v = more;
		}
		this.v[this.length++] = value;
	}
}

class Profile {
	constructor(json) {
		Object.assign(this, json);
		this.names = json.functions.map((f) => f[0]);
		this.shown = this.shortNames(json.functions);
		this.moduleOf = json.functions.map((f) => f[1]);
		this.kinds = Uint8Array.from(json.functions, (f) => f[2]);
		this.readNodes(json.nodes);
		this.readRows(json.rows);
		this.rankNames();
		this.rankModules();
		this.nodes = this.rows = null;
	}

	// What is shown of names; in a comparison two recordings may have made one text of two names.
	shortNames(functions) {
		const shown = functions.map((f) => f[3] ?? f[0]), named = new Map();
		shown.forEach((text, f) => named.set(text, new Set([...named.get(text) ?? [], functions[f][0]])));
		return shown.map((text, f) => named.get(text).size > 1 ? functions[f][0] : text);
	}

	// Node 0 is the root; a caller has a lower number than what it calls.
	readNodes(text) {
		const from = new Varints(text);
		const parent = new Growing(Uint32Array), func = new Growing(Uint32Array);
		parent.push(0);
		func.push(0);
		while (from.more) {
			parent.push(parent.length - from.next());
			func.push(from.next());
		}
		this.takeNodes(parent.v.subarray(0, parent.length), func.v.subarray(0, parent.length));
	}

	takeNodes(parent, func) {
		this.nr = parent.length;
		this.parent = parent;
		this.func = func;
		this.mark = new Uint32Array(this.nr); // the node that says what is missing; 0: whole
		for (let i = 1; i < this.nr; i++)
			this.mark[i] = this.mark[this.parent[i]] ||
				(this.kinds[this.func[i]] === KIND_MARK ? i : 0);
	}

	// A stack of a thread and event is a list; its rows are from .start[i] to .start[i + 1].
	readRows(text) {
		const from = new Varints(text);
		const label = new Growing(Uint32Array), node = new Growing(Uint32Array);
		const start = new Growing(Uint32Array), bin = new Growing(Uint16Array);
		const count = new Growing(Float64Array), period = new Growing(Float64Array);
		let at = 0;
		while (from.more) {
			label.push(from.next());
			const step = from.next(), nr = from.next();
			const base = this.events[this.labels[label.v[label.length - 1]][2]].base;
			let time = 0;
			at += step % 2 ? -(step + 1) / 2 : step / 2;
			node.push(at);
			start.push(bin.length);
			for (let i = 0; i < nr; i++) {
				time += from.next();
				const coded = from.next(), samples = Math.floor(coded / 2);
				bin.push(Math.min(time, this.bins - 1));
				count.push(samples);
				period.push(coded % 2 ? from.next() : samples * base);
			}
		}
		start.push(bin.length);
		this.lists = { nr: label.length, label: label.v, node: node.v, start: start.v };
		this.bin = bin.v;
		this.count = count.v;
		this.period = period.v;
	}

	// rank: functions in the order of their names.
	rankNames() {
		const order = Array.from(this.names.keys());
		order.sort((a, b) => this.names[a] < this.names[b] ? -1 :
			   this.names[a] > this.names[b] ? 1 : a - b);
		this.rank = new Uint32Array(order.length);
		order.forEach((f, i) => { this.rank[f] = i; });
	}

	// moduleRank: binaries but for the kernel, those with the most rows in their frames first.
	rankModules() {
		const rows = new Float64Array(this.nr), weight = this.modules.map(() => 0), { nr, node, start } = this.lists;
		for (let i = 0; i < nr; i++)
			rows[node[i]] += start[i + 1] - start[i];
		const isUsers = this.kinds.map((kind) => kind !== KIND_KERNEL && kind !== KIND_MARK);
		for (let n = this.nr - 1; n > 0; n--) {
			rows[this.parent[n]] += rows[n];
			if (isUsers[this.func[n]])
				weight[this.moduleOf[this.func[n]]] += rows[n];
		}
		const order = Array.from(weight.keys()).slice(1).sort((a, b) => weight[b] - weight[a]);
		this.moduleRank = new Uint32Array(weight.length);
		order.forEach((m, i) => { this.moduleRank[m] = i; });
	}

	// Where a function begins, "/src/a.c:12", and a link to it; null: not known, or not wanted.
	source(func) {
		const [file, line] = this.sources?.[func] || [];
		if (!file)
			return null;
		const parts = { f: file.split("/").map(encodeURIComponent).join("/"), l: String(line), "%": "%" };
		return { text: `${file}:${line}`,
			 link: this.source_url.replace(/%([fl%])/g, (_, key) => parts[key]) };
	}

	module(func) {
		return this.modules[this.moduleOf[func]];
	}

	// Calls fn(list, first row, end of rows) for the lists of a selection, a list of labels.
	forLists(wanted, fn) {
		const { nr, label, start } = this.lists;
		for (let i = 0; i < nr; i++)
			if (wanted[label[i]])
				fn(i, start[i], start[i + 1]);
	}

	/*
	 * What each node has itself, of the labels and times wanted: periods, samples, and the parts
	 * of the periods that are off the CPU, and off it although runnable.
	 */
	weigh(wanted, low, high, wholeOnly) {
		const self = new Float64Array(this.nr), samples = new Float64Array(this.nr);
		const off = new Float64Array(this.nr), runnable = new Float64Array(this.nr);
		const { label, node } = this.lists;
		this.forLists(wanted, (list, first, end) => {
			let sum = 0, nr = 0;
			const n = node[list];
			if (wholeOnly && this.mark[n])
				return;
			const isOff = this.isOff(label[list]);
			for (let r = first; r < end; r++) {
				const part = this.partOf(r, isOff, low, high);
				sum += part;
				nr += part || this.isIn(r, low, high) ? this.count[r] : 0;
			}
			self[n] += sum;
			samples[n] += nr;
			if (isOff)
				off[n] += sum;
			if (this.labels[label[list]][5])
				runnable[n] += sum;
		});
		return { self, samples, off, runnable };
	}

	isOff(label) {
		return this.events[this.labels[label][2]].off;
	}

	isIn(row, low, high) {
		return this.bin[row] >= low && this.bin[row] < high;
	}

	/*
	 * What a row has between two times. A sample off the CPU comes at the end of a wait, which
	 * began so much earlier; what was before the first time belongs to that. Waits of a thread
	 * do not overlap, so that several that end at one time are like a long one.
	 */
	partOf(row, isOff, low, high) {
		const period = this.period[row], end = this.bin[row] + 1;
		if (!isOff || period <= this.width)
			return this.isIn(row, low, high) ? period : 0;
		const start = end - period / this.width, from = low ? Math.max(start, low) : start;
		if (from === start && end <= high)
			return period;
		return Math.max(0, Math.min(end, high) - from) * this.width;
	}

	// How many rows each label has.
	weightOfLabels() {
		const weights = this.labels.map(() => 0);
		this.forLists(this.labels.map(() => true), (list, first, end) => {
			weights[this.lists.label[list]] += end - first;
		});
		return weights;
	}

	/*
	 * Sums of each bin, and how many samples there are: first of all, then of @nr groups of
	 * labels. @groups: the group of each label; -1: none
	 */
	overTime(wanted, groups, nr) {
		const sums = Array.from({ length: nr + 1 }, () => ({
			all: new Float64Array(this.bins), off: new Float64Array(this.bins),
			runnable: new Float64Array(this.bins), samples: 0,
		}));
		this.forLists(wanted, (list, first, end) => {
			const label = this.lists.label[list], to = [sums[0]];
			if (groups[label] >= 0)
				to.push(sums[groups[label] + 1]);
			for (let r = first; r < end; r++)
				for (const sum of to)
					this.putOverTime(sum, r, this.isOff(label), this.labels[label][5]);
		});
		return sums;
	}

	putOverTime(sum, row, isOff, isRunnable) {
		sum.samples += this.count[row];
		let rest = this.period[row];
		for (let bin = this.bin[row]; rest > 0; bin--) {
			const part = isOff && bin > 0 ? Math.min(rest, this.width) : rest;
			sum.all[bin] += part;
			if (isOff)
				sum.off[bin] += part;
			if (isRunnable)
				sum.runnable[bin] += part;
			rest -= part;
		}
	}
}
