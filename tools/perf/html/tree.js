// SPDX-License-Identifier: GPL-2.0-only
// Trees of functions with weights: the stacks as they are, and callers and callees of one function.

/*
 * .func, .parent by node; node 0 is the root, a child has a higher number than its parent. .total is
 * of a node with all below it, .children are its children by name.
 */
class Tree {
	constructor(profile, func, parent, weights) {
		this.profile = profile;
		this.func = func;
		this.parent = parent;
		this.nr = parent.length;
		this.link();
		this.weigh(weights);
	}

	// Lists of children without a list for each: .kids from .first[node] to .first[node + 1].
	link() {
		const { nr, parent, func } = this, rank = this.profile.rank;
		const byName = Tree.sorted(nr, (i) => i && rank[func[i]], rank.length, null);
		const byParent = Tree.sorted(nr, (i) => parent[i], nr, byName);
		this.first = new Uint32Array(nr + 1);
		for (let i = 1; i < nr; i++)
			this.first[parent[i] + 1]++;
		for (let i = 0; i < nr; i++)
			this.first[i + 1] += this.first[i];
		this.kids = byParent.filter((i) => i !== 0);
	}

	// Nodes by a number of theirs, those of equal ones as they are in @order.
	static sorted(nr, key, keys, order) {
		const at = new Uint32Array(keys + 1), out = new Uint32Array(nr);
		for (let i = 0; i < nr; i++)
			at[key(i) + 1]++;
		for (let i = 0; i < keys; i++)
			at[i + 1] += at[i];
		for (let i = 0; i < nr; i++) {
			const node = order ? order[i] : i;
			out[at[key(node)]++] = node;
		}
		return out;
	}

	// .before: of a comparison, what of the total is before; a node's weight is the mean of both.
	weigh({ self, samples, off, before }) {
		this.self = self;
		this.ownBefore = before ?? null;
		this.before = before ? Float64Array.from(before) : null;
		this.total = Float64Array.from(self);
		this.samples = Float64Array.from(samples);
		this.off = Float64Array.from(off);
		for (let i = this.nr - 1; i > 0; i--) {
			const up = this.parent[i];
			this.total[up] += this.total[i];
			this.samples[up] += this.samples[i];
			this.off[up] += this.off[i];
			if (before)
				this.before[up] += this.before[i];
		}
	}

	// Innermost first.
	stack(node) {
		const out = [];
		for (; node; node = this.parent[node])
			out.push(this.func[node]);
		return out;
	}

	/*
	 * By function: own and total weight, and how much of the total is from stacks that are not
	 * whole. A function counts once on a stack.
	 */
	functions() {
		const nr = this.profile.names.length, on = new Uint32Array(nr);
		const self = new Float64Array(nr), total = new Float64Array(nr);
		const cut = new Float64Array(nr), mark = this.profile.mark;
		const selfBefore = new Float64Array(nr), before = new Float64Array(nr);
		this.walk((node) => {
			const f = this.func[node];
			self[f] += this.self[node];
			selfBefore[f] += this.before ? this.ownBefore[node] : 0;
			if (on[f]++)
				return;
			total[f] += this.total[node];
			before[f] += this.before ? this.before[node] : 0;
			if (mark[node])
				cut[f] += this.total[node];
		}, (node) => { on[this.func[node]]--; });
		return { self, total, cut, selfBefore, before };
	}

	// Calls enter(node) and leave(node) for each node that has weight, callers around callees.
	walk(enter, leave) {
		const path = [], next = [];
		let node = 0, at = this.first[0];
		for (;;) {
			if (at < this.first[node + 1]) {
				const kid = this.kids[at++];
				if (!this.total[kid])
					continue;
				path.push(node);
				next.push(at);
				enter(kid);
				node = kid;
				at = this.first[kid];
			} else if (path.length) {
				leave(node);
				node = path.pop();
				at = next.pop();
			} else {
				return;
			}
		}
	}

	// The sum of the outermost nodes whose functions are @wanted.
	share(wanted) {
		const in_ = new Uint8Array(this.nr);
		let sum = 0;
		for (let i = 1; i < this.nr; i++) {
			const up = in_[this.parent[i]];
			in_[i] = up || wanted[this.func[i]];
			if (in_[i] && !up)
				sum += this.total[i];
		}
		return sum;
	}

	// The outermost nodes of a function.
	outermost(func) {
		const in_ = new Uint8Array(this.nr), out = [];
		for (let i = 1; i < this.nr; i++) {
			const up = in_[this.parent[i]];
			in_[i] = up || this.func[i] === func;
			if (in_[i] && !up && this.total[i])
				out.push(i);
		}
		return { nodes: out, inside: in_ };
	}

	// What a function calls, as a tree with it as the only child of the root.
	callees(func) {
		const b = new TreeBuilder(this.profile), to = new Uint32Array(this.nr);
		const { nodes, inside } = this.outermost(func);
		for (const node of nodes)
			to[node] = b.child(0, func);
		for (let i = 1; i < this.nr; i++) {
			if (!inside[i] || !this.total[i])
				continue;
			to[i] = to[i] || b.child(to[this.parent[i]], this.func[i]);
			b.add(to[i], this.self[i], this.samplesOf(i), this.offOf(i), this.ownBefore?.[i]);
		}
		return b.tree();
	}

	// Who calls it: the callers are the children.
	callers(func) {
		const b = new TreeBuilder(this.profile);
		for (const node of this.outermost(func).nodes) {
			let at = b.child(0, func);
			for (let up = this.parent[node]; up; up = this.parent[up])
				at = b.child(at, this.func[up]);
			b.add(at, this.total[node], this.samples[node], this.off[node], this.before?.[node]);
		}
		return b.tree();
	}

	// Own ones, which are not kept.
	samplesOf(node) {
		return this.own(node, this.samples);
	}

	offOf(node) {
		return this.own(node, this.off);
	}

	own(node, sums) {
		let rest = sums[node];
		for (let k = this.first[node]; k < this.first[node + 1]; k++)
			rest -= sums[this.kids[k]];
		return rest;
	}
}

class TreeBuilder {
	constructor(profile) {
		this.profile = profile;
		this.known = new Map();
		this.func = [0];
		this.parent = [0];
		this.self = [0];
		this.samples = [0];
		this.off = [0];
		this.before = profile.compared ? [0] : null;
	}

	child(parent, func) {
		const key = parent * this.profile.names.length + func;
		let node = this.known.get(key);
		if (node === undefined) {
			node = this.func.length;
			this.known.set(key, node);
			this.func.push(func);
			this.parent.push(parent);
			this.self.push(0);
			this.samples.push(0);
			this.off.push(0);
			this.before?.push(0);
		}
		return node;
	}

	add(node, self, samples, off, before) {
		this.self[node] += self;
		this.samples[node] += samples;
		this.off[node] += off;
		if (this.before)
			this.before[node] += before;
	}

	tree() {
		return new Tree(this.profile, Uint32Array.from(this.func), Uint32Array.from(this.parent),
				this);
	}
}
