// SPDX-License-Identifier: GPL-2.0-only
// A tree drawn as boxes on a canvas: a box as wide as its share, callees above or below callers.

const ROW = 18, LEAST = 0.4, PAD = 3;

// A colour for each name, of one lightness, so that black text can be read on all of them.
function colourOf(profile, func) {
	const kind = profile.kinds[func], name = profile.names[func];
	let hash = 0;
	if (kind === KIND_MARK)
		return "#c4c4c4";
	for (let i = 0; i < name.length; i++)
		hash = (hash * 31 + name.charCodeAt(i)) >>> 0;
	const hue = kind === KIND_KERNEL ? 8 + hash % 10 : 24 + hash % 32;
	return `hsl(${hue} ${62 + hash % 24}% ${kind === KIND_KERNEL ? 70 : 74}%)`;
}

/*
 * Of a comparison: the more of a box is new, the redder, and the more is gone, the bluer it is; the
 * lightness leaves black text readable.
 */
function colourOfChange(tree, node) {
	const part = tree.total[node] ? 1 - tree.before[node] / tree.total[node] : 0;
	const much = Math.min(Math.abs(part) * 2, 1);
	return much < 0.02 ? "#dcdcdc" :
		`hsl(${part > 0 ? 8 : 214} ${Math.round(40 + 50 * much)}% ${Math.round(90 - 22 * much)}%)`;
}

// The end of a name that there is room for, without the namespaces in front; see name__fit() of perf.
function fitName(name, room) {
	let fits = 0, depth = 0;
	for (let i = 0; i < name.length && name.length - fits > room; i++) {
		if ("<([{".includes(name[i]))
			depth++;
		else if (">)]}".includes(name[i]) && depth)
			depth--;
		else if (!depth && name.startsWith("::", i))
			fits = i + 2;
	}
	const text = name.slice(fits);
	return text.length > room ? text.slice(0, room - 1) + "\u2026" : text;
}

class Graph {
	// @on: zoom(node), choose(func), hover(node, event), focus(node)
	constructor(box, label, on) {
		this.box = box;
		this.on = on;
		this.canvas = document.createElement("canvas");
		this.canvas.tabIndex = 0;
		this.canvas.setAttribute("role", "application");
		this.canvas.setAttribute("aria-label", label);
		this.canvas.setAttribute("aria-describedby", "what");
		this.space = document.createElement("div");
		this.space.className = "space";
		box.append(this.canvas, this.space);
		this.colours = [];
		this.tree = null;
		this.upwards = false;
		this.focus = this.zoom = 0;
		this.height = this.view = this.below = 0; // .below: what lies below the part that is seen
		this.matched = null;
		this.pending = false;
		box.addEventListener("scroll", () => {
			// The size may have changed since, or may be why the browser scrolls.
			this.below = this.height - box.scrollTop - Math.max(box.clientHeight, this.view);
			this.later();
		});
		new ResizeObserver(() => this.layout()).observe(box);
		this.listen();
	}

	listen() {
		const c = this.canvas;
		c.addEventListener("click", (e) => {
			const node = this.at(e);
			this.focus = node;
			this.on.focus(node);
			if (node)
				this.on.zoom(node);
		});
		c.addEventListener("dblclick", (e) => {
			const node = this.at(e);
			if (node)
				this.on.choose(this.tree.func[node]);
		});
		c.addEventListener("mousemove", (e) => this.on.hover(this.at(e), e));
		c.addEventListener("mouseleave", (e) => this.on.hover(0, e));
		c.addEventListener("keydown", (e) => this.key(e));
		c.addEventListener("focus", () => this.later());
		c.addEventListener("blur", () => this.later());
	}

	show(tree, zoom, upwards) {
		const scroll = this.tree !== tree || this.zoom !== zoom || this.upwards !== upwards;
		this.tree = tree;
		this.upwards = upwards;
		this.zoom = zoom;
		if (this.focus >= tree.nr || !tree.total[this.focus])
			this.focus = 0;
		this.layout(scroll);
	}

	// Where the boxes are: by depth, from left to right. Boxes below LEAST points are left out.
	layout(scroll) {
		const t = this.tree, width = this.box.clientWidth;
		if (!t || !width)
			return;
		this.width = width;
		this.rows = [];
		this.hidden = 0;
		const path = [];
		for (let n = t.parent[this.zoom]; n && this.zoom; n = t.parent[n])
			path.unshift(n);
		for (const n of path)
			this.put(this.rows.length, n, 0, width);
		this.lay(this.zoom, this.rows.length, t.total[this.zoom]);
		this.view = this.box.clientHeight;
		this.height = Math.max(this.rows.length * ROW, this.view);
		this.space.style.height = this.height + "px";
		if (scroll) // the browser tells of that later, and may ask for another layout before
			this.below = 0;
		if (this.upwards) // rows come and go above: the others stay where they are
			this.box.scrollTop = this.height - this.below - this.view;
		else if (scroll)
			this.box.scrollTop = 0;
		this.draw();
	}

	lay(top, depth, sum) {
		const t = this.tree, scale = sum ? this.width / sum : 0;
		const nodes = [top], lefts = [0], depths = [depth];
		while (nodes.length) {
			const node = nodes.pop(), d = depths.pop();
			let x = lefts.pop();
			if (node)
				this.put(d, node, x, t.total[node] * scale);
			for (let k = t.first[node]; k < t.first[node + 1]; k++) {
				const kid = t.kids[k], w = t.total[kid] * scale;
				if (w >= LEAST) {
					nodes.push(kid);
					lefts.push(x);
					depths.push(node ? d + 1 : d);
				} else if (w) {
					this.hidden++;
				}
				x += w;
			}
		}
		for (const row of this.rows)
			row.sort((a, b) => a.x - b.x);
	}

	put(depth, node, x, w) {
		while (this.rows.length <= depth)
			this.rows.push([]);
		this.rows[depth].push({ node, x, w });
	}

	later() {
		if (this.pending)
			return;
		this.pending = true;
		requestAnimationFrame(() => {
			this.pending = false;
			this.draw();
		});
	}

	yOf(depth) {
		return (this.upwards ? this.height - (depth + 1) * ROW : depth * ROW) -
			this.box.scrollTop;
	}

	draw() {
		if (!this.tree || !this.rows)
			return;
		const c = this.canvas, ratio = window.devicePixelRatio || 1;
		const height = this.box.clientHeight;
		if (c.width !== Math.round(this.width * ratio) ||
		    c.height !== Math.round(height * ratio)) {
			c.width = Math.round(this.width * ratio);
			c.height = Math.round(height * ratio);
			c.style.width = this.width + "px";
			c.style.height = height + "px";
		}
		const g = c.getContext("2d");
		g.setTransform(ratio, 0, 0, ratio, 0, 0);
		g.clearRect(0, 0, this.width, height);
		g.font = "12px ui-monospace, monospace";
		g.textBaseline = "middle";
		this.letter = this.letter || g.measureText("m").width;
		for (let d = 0; d < this.rows.length; d++) {
			const y = this.yOf(d);
			if (y > -ROW && y < height)
				for (const b of this.rows[d])
					this.drawBox(g, b, y);
		}
	}

	drawBox(g, b, y) {
		const t = this.tree, func = t.func[b.node], w = Math.max(b.w - 0.5, 0.4);
		const matched = this.matched && this.matched[func];
		const above = b.node !== this.zoom && this.zoom && b.w === this.width &&
			this.isAbove(b.node);
		this.colours[func] = this.colours[func] || colourOf(t.profile, func);
		g.fillStyle = above ? "#b9bcc2" : matched ? "#e58cf0" :
			t.before ? colourOfChange(t, b.node) : this.colours[func];
		g.fillRect(b.x, y, w, ROW - 1);
		if (t.off[b.node] > 0 && t.total[b.node] > 0 && !above && !matched) {
			const part = w * t.off[b.node] / t.total[b.node];
			g.fillStyle = "#7fb0f5";
			g.fillRect(b.x + w - part, y, part, ROW - 1);
		}
		if (t.profile.kinds[func] === KIND_MARK)
			this.hatch(g, b.x, y, w);
		if (b.node === this.focus && document.activeElement === this.canvas) {
			g.strokeStyle = "#0b3fd0";
			g.lineWidth = 2;
			g.strokeRect(b.x + 1, y + 1, Math.max(w - 2, 1), ROW - 3);
		}
		this.drawName(g, t.profile[t.profile.full ? "names" : "shown"][func], t.timesText(b.node), b, y);
	}

	// @times: how often it is called, where there is room for that
	drawName(g, name, times, b, y) {
		const all = Math.floor((b.w - 2 * PAD) / this.letter), fits = times.length + 3 < all;
		const room = fits ? all - times.length : all;
		if (room < 3)
			return;
		g.fillStyle = "#111111";
		g.fillText(fitName(name, room) + (fits ? times : ""), b.x + PAD, y + ROW / 2);
	}

	hatch(g, x, y, w) {
		g.strokeStyle = "#8a8a8a";
		g.lineWidth = 1;
		g.beginPath();
		for (let at = x + 6; at < x + w && at < x + 4000; at += 8) {
			g.moveTo(at, y);
			g.lineTo(Math.max(at - 8, x), y + ROW - 1);
		}
		g.stroke();
	}

	isAbove(node) {
		for (let n = this.tree.parent[this.zoom]; n; n = this.tree.parent[n])
			if (n === node)
				return true;
		return false;
	}

	depthAt(y) {
		const at = y + this.box.scrollTop;
		return Math.floor((this.upwards ? this.height - at : at) / ROW);
	}

	// The node under the mouse; 0: none.
	at(e) {
		const area = this.canvas.getBoundingClientRect();
		const row = this.rows && this.rows[this.depthAt(e.clientY - area.top)];
		const x = e.clientX - area.left;
		let low = 0, high = row ? row.length : 0;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (row[middle].x + row[middle].w <= x)
				low = middle + 1;
			else
				high = middle;
		}
		return row && low < row.length && row[low].x <= x ? row[low].node : 0;
	}

	depthOf(node) {
		let depth = 0;
		for (let n = this.tree.parent[node]; n; n = this.tree.parent[n])
			depth++;
		return depth;
	}

	largest(node) {
		const t = this.tree;
		let best = 0;
		for (let k = t.first[node]; k < t.first[node + 1]; k++)
			if (t.total[t.kids[k]] > (best ? t.total[best] : 0))
				best = t.kids[k];
		return best;
	}

	beside(node, step) {
		const row = this.rows[this.depthOf(node)] || [];
		const at = row.findIndex((b) => b.node === node);
		return at >= 0 && row[at + step] ? row[at + step].node : node;
	}

	// Returns whether the key was one of the graph's.
	key(e) {
		const t = this.tree, now = this.focus || 0;
		const inwards = this.upwards ? "ArrowUp" : "ArrowDown";
		const outwards = this.upwards ? "ArrowDown" : "ArrowUp";
		let to = now;
		if (e.ctrlKey || e.metaKey || e.altKey || !t)
			return;
		if (e.key === inwards)
			to = this.largest(now || (this.zoom ? t.parent[this.zoom] : 0)) || now;
		else if (e.key === outwards)
			to = t.parent[now] || now;
		else if (e.key === "ArrowLeft" || e.key === "ArrowRight")
			to = this.beside(now, e.key === "ArrowLeft" ? -1 : 1);
		else if (e.key === "Enter" && now)
			this.on.zoom(now);
		else
			return;
		e.preventDefault();
		this.focus = to;
		this.reveal(to);
		this.on.focus(to);
		this.draw();
	}

	reveal(node) {
		if (!node)
			return;
		const y = this.yOf(this.depthOf(node));
		if (y < 0)
			this.box.scrollTop += y;
		else if (y + ROW > this.box.clientHeight)
			this.box.scrollTop += y + ROW - this.box.clientHeight;
	}
}
