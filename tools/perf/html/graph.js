// SPDX-License-Identifier: GPL-2.0-only
// A tree drawn as boxes on a canvas: a box as wide as its share, callees above or below callers.

const ROW = 18, LEAST = 0.4, PAD = 3, MOST = 1e5;

// Of binaries, the heaviest first: hue, saturation, lightness. The kernel's is none of them, nor blue.
const BINARIES = [[42, 82, 73], [152, 40, 72], [274, 50, 82], [60, 70, 80], [178, 45, 62], [322, 55, 82],
		  [88, 40, 70], [30, 25, 72]];

// A colour for each binary, a little lighter or darker by name, so that boxes side by side differ.
function colourOf(profile, func) {
	const kind = profile.kinds[func], name = profile.names[func], module = profile.moduleOf[func];
	let hash = 0;
	if (kind === KIND_MARK)
		return "#c4c4c4";
	for (let i = 0; i < name.length; i++)
		hash = (hash * 31 + name.charCodeAt(i)) >>> 0;
	const [hue, much, light] = kind === KIND_KERNEL ? [14, 70, 68] : !module ? [40, 6, 80] :
		BINARIES[profile.moduleRank[module] % BINARIES.length];
	return `hsl(${hue} ${much}% ${light + hash % 7}%)`;
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

// Colours of the page's style, in the theme of now.
function inks(...names) {
	const style = getComputedStyle(document.documentElement);
	return Object.fromEntries(names.map((name) => [name, style.getPropertyValue("--" + name)]));
}

// Makes a canvas as large as it is to be shown. Returns what draws on it, in points.
function sized(canvas, width, height) {
	const ratio = window.devicePixelRatio || 1, w = Math.round(width * ratio), h = Math.round(height * ratio);
	if (canvas.width !== w || canvas.height !== h) {
		canvas.width = w;
		canvas.height = h;
		canvas.style.height = height + "px";
	}
	const g = canvas.getContext("2d");
	g.setTransform(ratio, 0, 0, ratio, 0, 0);
	g.clearRect(0, 0, width, height);
	g.textBaseline = "middle";
	return g;
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
		this.limit = 0; // what has less is left out
		this.pending = false;
		this.magnified = 1; // and .left: how many points of what is magnified are left of the box
		this.left = 0;
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
			if (this.dragged)
				return;
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
		this.listenMoves();
	}

	// Dragging moves what is magnified; so does a wheel, which else magnifies where it cannot scroll.
	listenMoves() {
		const c = this.canvas;
		let last = null;
		c.addEventListener("pointerdown", (e) => {
			last = e.clientX;
			this.dragged = 0;
		});
		c.addEventListener("pointermove", (e) => {
			if (!e.buttons || last === null || this.magnified === 1)
				return;
			this.dragged += Math.abs(e.clientX - last);
			this.move(last - e.clientX);
			last = e.clientX;
		});
		this.box.addEventListener("wheel", (e) => {
			const sideways = e.shiftKey && !e.deltaX ? e.deltaY : e.deltaX;
			const magnifies = e.ctrlKey || this.box.scrollHeight <= this.box.clientHeight + 1;
			if (Math.abs(sideways) > Math.abs(e.shiftKey ? 0 : e.deltaY))
				this.move(sideways);
			else if (magnifies)
				this.magnify(Math.exp(-e.deltaY / 300), e.clientX - c.getBoundingClientRect().left);
			else
				return;
			e.preventDefault();
		}, { passive: false });
	}

	// @x: what stays where it is
	magnify(factor, x = this.width / 2) {
		const to = Math.min(Math.max(this.magnified * factor, 1), MOST);
		this.left = (this.left + x) * to / this.magnified - x;
		this.magnified = to;
		this.move(0);
	}

	move(by) {
		this.left = Math.min(Math.max(this.left + by, 0), this.width * (this.magnified - 1));
		this.layoutLater();
	}

	show(tree, zoom, upwards) {
		const scroll = this.tree !== tree || this.zoom !== zoom || this.upwards !== upwards;
		if (scroll) {
			this.magnified = 1;
			this.left = 0;
		}
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
		const path = [];
		for (let n = t.parent[this.zoom]; n && this.zoom; n = t.parent[n])
			path.unshift(n);
		for (const n of path)
			this.put(this.rows.length, n, 0, width, true);
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
		const t = this.tree, scale = sum ? this.width * this.magnified / sum : 0;
		const nodes = [top], lefts = [-this.left], depths = [depth];
		while (nodes.length) {
			const node = nodes.pop(), d = depths.pop();
			let x = lefts.pop();
			if (node)
				this.put(d, node, x, t.total[node] * scale);
			for (let k = t.first[node]; k < t.first[node + 1]; k++) {
				const kid = t.kids[k], w = t.total[kid] * scale;
				if (x > this.width)
					break;
				if (w >= LEAST && x + w > 0 && t.total[kid] >= this.limit) {
					nodes.push(kid);
					lefts.push(x);
					depths.push(node ? d + 1 : d);
				}
				x += w;
			}
		}
		for (const row of this.rows)
			row.sort((a, b) => a.x - b.x);
	}

	// @above: it is around the box that is zoomed to
	put(depth, node, x, w, above) {
		while (this.rows.length <= depth)
			this.rows.push([]);
		this.rows[depth].push({ node, x, w, above });
	}

	later() {
		if (this.pending)
			return;
		this.pending = true;
		requestAnimationFrame(() => {
			this.pending = false;
			if (this.moved)
				this.layout();
			else
				this.draw();
			this.moved = false;
		});
	}

	layoutLater() {
		this.moved = true;
		this.later();
	}

	yOf(depth) {
		return (this.upwards ? this.height - (depth + 1) * ROW : depth * ROW) -
			this.box.scrollTop;
	}

	draw() {
		if (!this.tree || !this.rows)
			return;
		const height = this.box.clientHeight, g = sized(this.canvas, this.width, height);
		this.canvas.style.width = this.width + "px";
		this.ink = inks("dim", "accent", "soft", "blocked", "runnable");
		g.font = "12px ui-monospace, monospace";
		this.letter = this.letter || g.measureText("m").width;
		for (let d = 0; d < this.rows.length; d++) {
			const y = this.yOf(d);
			if (y > -ROW && y < height)
				for (const b of this.rows[d])
					this.drawBox(g, b, y);
		}
	}

	// Grey: around the box that is zoomed to, or not what is searched for.
	drawBox(g, b, y) {
		const t = this.tree, func = t.func[b.node], w = Math.max(b.w - 0.5, 0.4);
		const matched = !this.matched || this.matched[func];
		const grey = !matched || (this.zoom && b.node !== this.zoom && b.above);
		this.colours[func] = this.colours[func] || colourOf(t.profile, func);
		g.fillStyle = !matched ? this.ink.dim : grey ? "#b9bcc2" :
			t.before ? colourOfChange(t, b.node) : this.colours[func];
		g.fillRect(b.x, y, w, ROW - 1);
		if (t.off[b.node] > 0 && !grey)
			this.drawOff(g, b, y, w);
		if (t.profile.kinds[func] === KIND_MARK && matched)
			this.hatch(g, b.x, y, w);
		if (b.node === this.focus) {
			g.strokeStyle = this.ink.accent;
			g.lineWidth = 2;
			g.strokeRect(b.x + 1, y + 1, Math.max(w - 2, 1), ROW - 3);
		}
		g.fillStyle = matched ? "#111111" : this.ink.soft;
		this.drawName(g, t.profile[t.profile.full ? "names" : "shown"][func], t.timesText(b.node), b, y);
	}

	// The right part of a box: what was off the CPU, runnable and then blocked.
	drawOff(g, b, y, w) {
		const t = this.tree, scale = w / t.total[b.node], right = b.x + w;
		const off = t.off[b.node] * scale, blocked = off - t.runnable[b.node] * scale;
		g.fillStyle = this.ink.runnable;
		g.fillRect(right - off, y, off, ROW - 1);
		g.fillStyle = this.ink.blocked;
		g.fillRect(right - blocked, y, blocked, ROW - 1);
	}

	// @times: how often it is called, where there is room for that
	drawName(g, name, times, b, y) {
		const x = Math.max(b.x, 0), w = Math.min(b.x + b.w, this.width) - x;
		const all = Math.floor((w - 2 * PAD) / this.letter), fits = times.length + 3 < all;
		const room = fits ? all - times.length : all;
		if (room >= 3)
			g.fillText(fitName(name, room) + (fits ? times : ""), x + PAD, y + ROW / 2);
	}

	hatch(g, x, y, w) {
		g.strokeStyle = "#8a8a8a";
		g.lineWidth = 1;
		g.beginPath();
		for (let at = Math.max(x, 0) + 6; at < Math.min(x + w, this.width); at += 8) {
			g.moveTo(at, y);
			g.lineTo(Math.max(at - 8, x), y + ROW - 1);
		}
		g.stroke();
	}

	// Whether a box is wide enough to be seen.
	shows(node) {
		const box = this.rows[this.depthOf(node)]?.find((b) => b.node === node);
		return box !== undefined && box.w >= 2 * PAD && box.x >= 0 && box.x < this.width;
	}

	focusOn(node) {
		this.focus = node;
		this.reveal(node);
		this.on.focus(node);
		this.draw();
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
		else if (e.key === "+" || e.key === "-")
			this.magnify(e.key === "+" ? 2 : 0.5);
		else
			return;
		e.preventDefault();
		this.focusOn(to);
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
