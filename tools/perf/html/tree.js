// SPDX-License-Identifier: GPL-2.0-only
// Trees of functions with weights: the stacks as they are, and callers and callees of one function.

// What is summed up besides .total: see Profile.weigh().
const SUMS = ["samples", "off", "runnable"];

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
		const first = this.first = new Uint32Array(nr + 1);
		for (let i = 1; i < nr; i++)
			first[parent[i] + 1]++;
		for (let i = 0; i < nr; i++)
			first[i + 1] += first[i];
		this.kids = byParent.subarray(1); // the root is the first of those of parent 0
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
	weigh(weights) {
		const { self, before } = weights;
		this.self = self;
		this.ownBefore = before ?? null;
		this.before = before ? before.slice() : null; // from() would iterate, which takes ten times as long
		this.total = self.slice();
		for (const key of SUMS)
			this[key] = weights[key].slice();
		for (const sums of [this.total, this.before, ...SUMS.map((key) => this[key])])
			if (sums)
				this.addUp(sums);
	}

	addUp(sums) {
		const { parent } = this;
		for (let i = this.nr - 1; i > 0; i--)
			if (sums[i])
				sums[parent[i]] += sums[i];
	}

	// " x 41": so often the function is on one of the stacks, at most.
	timesText(node) {
		return this.times && this.times[node] > 1 ? ` x ${this.times[node]}` : "";
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

	// Calls enter(node) and leave(node) for each node (that has weight), callers around callees.
	walk(enter, leave, all) {
		const path = [], next = [], { first, kids, total } = this;
		let node = 0, at = first[0];
		for (;;) {
			if (at < first[node + 1]) {
				const kid = kids[at++];
				if (!all && !total[kid])
					continue;
				path.push(node);
				next.push(at);
				enter(kid);
				node = kid;
				at = first[kid];
			} else if (path.length) {
				leave(node);
				node = path.pop();
				at = next.pop();
			} else {
				return;
			}
		}
	}

	// The outermost nodes whose functions are @wanted, those that take most first.
	heaviest(wanted) {
		const in_ = new Uint8Array(this.nr), out = [];
		for (let i = 1; i < this.nr; i++) {
			const up = in_[this.parent[i]];
			in_[i] = up || wanted[this.func[i]];
			if (in_[i] && !up && this.total[i])
				out.push(i);
		}
		return out.sort((a, b) => this.total[b] - this.total[a] || a - b);
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
			b.add(to[i], this.self[i], this.ownBefore?.[i], (key) => this.own(i, this[key]));
		}
		return b.tree();
	}

	// Who calls it: the callers are the children. @folded: FoldedTree of this one, or null
	callers(func, folded) {
		const b = new TreeBuilder(this.profile);
		for (const node of this.outermost(func).nodes) {
			const { parent, times } = folded ?? this;
			let at = 0;
			for (let up = folded ? folded.to[node] : node; up; up = parent[up]) {
				at = b.child(at, this.func[up]);
				b.meet(at, times ? times[up] : 0);
			}
			b.add(at, this.total[node], this.before?.[node], (key) => this[key][node]);
		}
		return b.tree();
	}

	// Own ones, which are not kept.
	own(node, sums) {
		let rest = sums[node];
		for (let k = this.first[node]; k < this.first[node + 1]; k++)
			rest -= sums[this.kids[k]];
		return rest;
	}
}

// The first node of each parent and function, without an object for each.
class Children {
	constructor(nr, parent, func) {
		this.mask = 2 ** Math.ceil(Math.log2(2 * nr)) - 1;
		this.slots = new Uint32Array(this.mask + 1);
		Object.assign(this, { parent, func });
	}

	// Returns: the node that was first with the parent and function of this one, which may be itself.
	find(node) {
		const { parent, func, slots, mask } = this, up = parent[node], f = func[node];
		let at = (Math.imul(up, 0x9e3779b1) ^ Math.imul(f, 0x85ebca6b)) >>> 0;
		for (at = (at ^ at >>> 15) & mask; slots[at]; at = at + 1 & mask)
			if (parent[slots[at]] === up && func[slots[at]] === f)
				return slots[at];
		slots[at] = node;
		return node;
	}
}

/*
 * The same stacks without their recursion: what lies between two calls of one function is left out,
 * with all but the first of them (stack/folding.h says what of a runtime's is not). A node here is the first one of the tree whose path becomes this
 * one, and has its number; the others have no weight. .to: which node one has become; .times: how
 * often one of the stacks comes to it, at most.
 */
class FoldedTree extends Tree {
	// @ends: nodes where stacks end
	constructor(tree, ends) {
		const { profile, func, nr } = tree, parent = new Uint32Array(nr);
		const to = FoldedTree.fold(tree, parent);
		super(profile, func, parent, FoldedTree.nothing(nr));
		this.to = to;
		this.times = FoldedTree.count(tree, to, parent, ends);
	}

	static nothing(nr) {
		return Object.fromEntries(["self", ...SUMS].map((key) => [key, new Float64Array(nr)]));
	}

	// Of a tree that has its weights.
	static of(tree) {
		const ends = Array.from(tree.self.keys()).filter((i) => tree.own(i, tree.samples));
		const folded = new FoldedTree(tree, ends), weights = { self: tree.self, before: tree.ownBefore };
		for (const key of SUMS)
			weights[key] = tree[key].map((_, i) => tree.own(i, tree[key]));
		folded.weighAll(weights);
		return folded;
	}

	// The nodes of all paths; @parent is filled.
	static fold(tree, parent) {
		const { func, nr } = tree, to = new Uint32Array(nr), depth = new Uint32Array(nr);
		const { kinds } = tree.profile, held = new Uint32Array(nr);
		const outer = new Uint32Array(nr); // the same function, nearest to it on its path
		const known = new Children(nr, parent, func), path = [0], place = new Uint32Array(tree.profile.names.length);
		let at = 0;
		for (let i = 1; i < nr; i++) {
			const from = to[tree.parent[i]];
			// Only what differs from the path of the node before is put again.
			let n = from;
			for (; depth[n] > depth[at] || path[depth[n]] !== n; n = parent[n])
				path[depth[n]] = n;
			for (let d = depth[n] + 1; d <= depth[from]; d++)
				place[func[path[d]]] = path[d];
			let before = place[func[i]];
			while (before && (depth[before] > depth[from] || path[depth[before]] !== before))
				before = outer[before];
			const holds = kinds[func[i]] === KIND_RUNTIME;
			if (before && (holds || depth[before] >= held[from])) {
				to[i] = at = before;
				continue;
			}
			parent[i] = from;
			at = to[i] = known.find(i);
			if (at === i) {
				depth[i] = depth[from] + 1;
				held[i] = holds ? depth[i] : held[from];
				outer[i] = before;
			} else
				parent[i] = 0;
			path[depth[at]] = at;
			place[func[i]] = at;
		}
		return to;
	}

	// Of functions that are left on the stacks that end at some nodes.
	static count(tree, to, parent, ends) {
		const { nr } = tree, times = new Uint32Array(nr), depth = new Uint32Array(nr);
		const left = new Uint32Array(nr), on = new Uint32Array(nr);
		for (let i = 1; i < nr; i++)
			depth[i] = to[i] === i ? depth[parent[i]] + 1 : 0;
		for (const end of ends)
			left[end] = depth[to[end]];
		for (let i = nr - 1; i > 0; i--) {
			const up = tree.parent[i];
			left[up] = Math.max(left[up], Math.min(left[i], depth[to[up]]));
		}
		tree.walk((i) => {
			on[to[i]]++;
			if (left[i] === depth[to[i]])
				times[to[i]] = Math.max(times[to[i]], on[to[i]]);
		}, (i) => { on[to[i]]--; }, true);
		return times;
	}

	// @weights: by node of the tree
	weighAll(weights) {
		const sums = {};
		for (const [key, from] of Object.entries(weights)) {
			if (!from)
				continue;
			sums[key] = new Float64Array(this.nr);
			const { nr, to } = this, sum = sums[key];
			for (let i = 0; i < nr; i++)
				if (from[i])
					sum[to[i]] += from[i];
		}
		this.weigh(sums);
	}
}

class TreeBuilder {
	constructor(profile) {
		this.profile = profile;
		this.known = new Map();
		this.func = [0];
		this.parent = [0];
		this.self = [0];
		for (const key of SUMS)
			this[key] = [0];
		this.before = profile.compared ? [0] : null;
		this.times = [0];
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
			for (const sum of SUMS)
				this[sum].push(0);
			this.times.push(0);
			this.before?.push(0);
		}
		return node;
	}

	// @sum: what is added by key
	add(node, self, before, sum) {
		this.self[node] += self;
		for (const key of SUMS)
			this[key][node] += sum(key);
		if (this.before)
			this.before[node] += before;
	}

	meet(node, times) {
		this.times[node] = Math.max(this.times[node], times);
	}

	tree() {
		const tree = new Tree(this.profile, Uint32Array.from(this.func),
				      Uint32Array.from(this.parent), this);
		tree.times = this.times;
		return tree;
	}
}
