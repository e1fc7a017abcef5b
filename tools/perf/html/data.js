// SPDX-License-Identifier: GPL-2.0-only
// The samples of the page: what html.c has written, as arrays.
"use strict";

const KIND_KERNEL = 1, KIND_MARK = 2;

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
		this.moduleOf = json.functions.map((f) => f[1]);
		this.kinds = Uint8Array.from(json.functions, (f) => f[2]);
		this.readNodes(json.nodes);
		this.readRows(json.rows);
		this.rankNames();
		this.nodes = this.rows = null;
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
	 * What each node has itself, of the labels and times wanted: periods, samples, and the part
	 * of the periods that is off the CPU.
	 */
	weigh(wanted, low, high, wholeOnly) {
		const self = new Float64Array(this.nr), samples = new Float64Array(this.nr);
		const off = new Float64Array(this.nr);
		const { label, node } = this.lists;
		this.forLists(wanted, (list, first, end) => {
			let sum = 0, nr = 0;
			const n = node[list];
			if (wholeOnly && this.mark[n])
				return;
			for (let r = first; r < end; r++) {
				if (this.bin[r] < low || this.bin[r] >= high)
					continue;
				sum += this.period[r];
				nr += this.count[r];
			}
			self[n] += sum;
			samples[n] += nr;
			if (this.events[this.labels[label[list]][2]].off)
				off[n] += sum;
		});
		return { self, samples, off };
	}

	// The same over time: the sums of each bin.
	overTime(wanted) {
		const all = new Float64Array(this.bins), off = new Float64Array(this.bins);
		this.forLists(wanted, (list, first, end) => {
			const isOff = this.events[this.labels[this.lists.label[list]][2]].off;
			for (let r = first; r < end; r++) {
				all[this.bin[r]] += this.period[r];
				if (isOff)
					off[this.bin[r]] += this.period[r];
			}
		});
		return { all, off };
	}
}
