// SPDX-License-Identifier: GPL-2.0-only
// Threads in time: a lane for each, and below them the stacks of one thread as they followed each other.

const LANE = 16, GUTTER = 150, UNIT = 1024, MAX_ARROWS = 300, STATE = 6;
// By state: the colour's name, and what part of a lane is high.
const STATES = [["on", 1], ["runnable", 2 / 3], ["blocked", 1 / 3]], STATE_NAMES = ["on a CPU", "runnable", "blocked"];

/*
 * What a thread did, in the order of time, as spans.c has written it: .end, .start and .wake in ns,
 * .node, .waker (number of a thread, or -1); .wait: it was off the CPU, and runnable from .wake on.
 */
class ThreadSpans {
	constructor([pid, tid, name], number) {
		Object.assign(this, { pid, tid, name: name || "?", number, start: [], wake: [], end: [], node: [],
				      waker: [], wait: [], waits: 0, last: 0 });
	}

	add(start, wake, end, waker, wait) {
		this.start.push(start);
		this.wake.push(wake);
		this.end.push(end);
		this.node.push(this.last);
		this.waker.push(waker);
		this.wait.push(wait);
		this.waits += wait;
	}

	// A sample stands for @period before it, or what is left since the span before.
	static read(profile) {
		const threads = profile.threads.map((t, i) => new ThreadSpans(t, i)), from = new Varints(profile.spans);
		const period = profile.events.find((e) => e.time && !e.off)?.base ?? profile.width;
		let end = 0;
		while (from.more) {
			const coded = from.next(), t = threads[Math.floor(coded / 4)], wait = coded & 1;
			end += from.next() * UNIT;
			const step = from.next(), before = t.end[t.end.length - 1] ?? 0;
			t.last += step % 2 ? -(step + 1) / 2 : step / 2;
			const blocked = wait && from.next() * UNIT, runnable = wait && from.next() * UNIT;
			const waker = wait && coded & 2 ? from.next() : -1;
			t.add(wait ? Math.max(end - blocked - runnable, 0) : Math.max(before, end - period), end - runnable, end,
			      waker, wait);
		}
		return threads;
	}

	// The first span that ends behind a time.
	at(time) {
		let low = 0, high = this.end.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.end[middle] <= time)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}

	/*
	 * Adds up the states for columns of one width: .[state][column] in ns. Where waits are known, all
	 * else between the first and last span is on a CPU.
	 */
	columns(from, width, nr) {
		const sums = STATES.map(() => new Float64Array(nr)), put = (state, a, b) => {
			let i = Math.max(Math.floor((a - from) / width), 0);
			for (; i < nr && from + i * width < b; i++)
				sums[state][i] += Math.min(b, from + (i + 1) * width) - Math.max(a, from + i * width);
		};
		for (let i = this.at(from); i < this.end.length && this.start[i] < from + nr * width; i++)
			if (this.wait[i]) {
				put(2, this.start[i], this.wake[i]);
				put(1, this.wake[i], this.end[i]);
			} else if (!this.waits) {
				put(0, this.start[i], this.end[i]);
			}
		if (this.waits) {
			put(0, this.start[0], this.end[this.end.length - 1]);
			sums[0].forEach((sum, i) => { sums[0][i] = Math.max(0, sum - sums[1][i] - sums[2][i]); });
		}
		return sums;
	}

	stateAt(time) {
		const i = this.at(time), in_ = i < this.end.length && this.start[i] <= time;
		if (in_ && this.wait[i])
			return { state: time < this.wake[i] ? 2 : 1, span: i };
		return in_ || (this.waits && i > 0 && i < this.end.length) ? { state: 0, span: in_ ? i : -1 } : null;
	}
}

class Lanes {
	/*
	 * @boxes: of the lanes, and of the stacks of one
	 * @on: select(from, to) in ns; thread(tid); hover(lines or null, event); choose(func); moved()
	 */
	constructor(boxes, profile, on) {
		this.p = profile;
		this.on = on;
		this.views = boxes.map((box, i) => {
			const canvas = element("canvas", "", {
				tabindex: 0, role: "img", "aria-label": i ? "Stacks of the thread over time" :
					"Threads over time: drag to select, wheel, + and \u2212 magnify, arrow keys move, Enter takes a thread",
			});
			const space = element("div", "", { class: "space" });
			box.append(canvas, space);
			box.addEventListener("scroll", () => this.draw());
			new ResizeObserver(() => this.draw()).observe(box);
			return { box, canvas, space };
		});
		this.from = 0;
		this.to = profile.bins * profile.width;
		this.listen();
	}

	// @tid: of the thread that is chosen, or -1; @pid likewise; @range: the times that are selected, or null
	show({ tid, pid, range, matched }) {
		this.all = this.all ?? ThreadSpans.read(this.p);
		const weight = new Map(), some = this.all.filter((t) => t.end.length && (pid < 0 || t.pid === pid));
		for (const t of some)
			weight.set(t.pid, (weight.get(t.pid) ?? 0) + t.end.length);
		this.lanes = some.sort((a, b) => weight.get(b.pid) - weight.get(a.pid) || a.pid - b.pid ||
				       b.end.length - a.end.length);
		this.chosen = this.lanes.findIndex((t) => t.tid === tid);
		this.lane = this.chosen >= 0 ? this.chosen : Math.min(this.lane ?? 0, Math.max(this.lanes.length - 1, 0));
		this.range = range;
		this.matched = matched;
		this.draw();
	}

	get scale() {
		return this.width / (this.to - this.from);
	}

	xOf(time) {
		return GUTTER + (time - this.from) * this.scale;
	}

	timeAt(e) {
		const x = e.clientX - this.views[0].canvas.getBoundingClientRect().left;
		return this.from + Math.max(x - GUTTER, 0) / this.scale;
	}

	// Prepares a view of so many points of height. Returns what draws on it.
	begin(view, height) {
		const { box, canvas, space } = view;
		space.style.height = height + "px";
		canvas.style.width = box.clientWidth + "px";
		const g = sized(canvas, box.clientWidth, box.clientHeight);
		g.font = "11px system-ui, sans-serif";
		return g;
	}

	draw() {
		const [above, below] = this.views;
		this.width = above.box.clientWidth - GUTTER;
		if (!this.lanes || this.width <= 0)
			return;
		this.ink = inks("on", "runnable", "blocked", "fore", "soft", "line", "panel", "accent", "dim");
		above.box.style.height = `${this.lanes.length * LANE + 2}px`;
		const g = this.begin(above, this.lanes.length * LANE), scroll = above.box.scrollTop;
		this.lanes.forEach((t, i) => {
			const y = i * LANE - scroll;
			if (y > -LANE && y < above.box.clientHeight)
				this.drawLane(g, t, y, i === this.lane);
		});
		this.drawWakers(g, scroll);
		this.drawRange(g, above.box.clientHeight);
		this.drawStacks(this.begin(below, (this.deepest ?? 0) * ROW + STATE + 2), below.box);
		this.on.moved(this);
	}

	drawLane(g, t, y, chosen) {
		const nr = Math.ceil(this.width), sums = t.columns(this.from, (this.to - this.from) / this.width, nr);
		if (chosen) {
			g.fillStyle = this.ink.dim;
			g.fillRect(0, y, GUTTER + this.width, LANE - 1);
		}
		this.drawStates(g, sums, y, LANE - 2);
		g.fillStyle = this.ink.fore;
		g.fillText(fitName(`${t.name} ${t.tid}`, 22), 4, y + LANE / 2);
	}

	// In each column the state that most of it has.
	drawStates(g, sums, y, height) {
		const most = (i) => [0, 1, 2].reduce((best, s) => sums[s][i] > (best < 0 ? 0 : sums[best][i]) ? s : best, -1);
		for (let i = 0, end; i < sums[0].length; i = end) {
			const state = most(i);
			for (end = i + 1; end < sums[0].length && most(end) === state;)
				end++;
			if (state < 0)
				continue;
			const [name, part] = STATES[state];
			g.fillStyle = this.ink[name];
			g.fillRect(GUTTER + i, y + height * (1 - part), end - i, height * part);
		}
	}

	// Who ended the waits of the thread, if they are few enough to be told apart.
	drawWakers(g, scroll) {
		const t = this.lanes[this.lane], lines = [];
		for (let i = t ? t.at(this.from) : 0; t && i < t.end.length && t.start[i] < this.to; i++)
			if (t.waker[i] >= 0 && t.wake[i] >= this.from && lines.length <= MAX_ARROWS)
				lines.push([t.wake[i], this.lanes.indexOf(this.all[t.waker[i]])]);
		g.strokeStyle = g.fillStyle = this.ink.fore;
		g.lineWidth = 1;
		for (const [time, lane] of lines.length > MAX_ARROWS ? [] : lines) {
			const x = this.xOf(time), middle = (n) => n * LANE + LANE / 2 - scroll, y = middle(this.lane);
			if (lane < 0 || time > this.to)
				continue;
			g.beginPath();
			g.moveTo(x, middle(lane));
			g.lineTo(x, y);
			g.stroke();
			g.fillRect(x - 2, y - 2, 4, 4);
		}
	}

	drawRange(g, height) {
		if (!this.range)
			return;
		const [x, end] = this.range.map((time) => this.xOf(time));
		g.strokeStyle = this.ink.accent;
		g.lineWidth = 2;
		g.strokeRect(Math.max(x, GUTTER), 1, Math.min(end, GUTTER + this.width) - Math.max(x, GUTTER), height - 2);
	}

	// Boxes of one function go on while nothing else is between; spans too narrow to see are left out.
	drawStacks(g, box) {
		const t = this.lanes[this.lane], open = [], { parent } = this.p;
		this.boxes = [];
		this.deepest = 0;
		const close = (depth) => {
			while (open.length > depth)
				this.boxes.push(open.pop());
		};
		let last = -1;
		for (let i = t ? t.at(this.from) : 0; t && i < t.end.length && t.start[i] < this.to; i++) {
			const x = Math.max(this.xOf(t.start[i]), GUTTER), end = Math.min(this.xOf(t.end[i]), GUTTER + this.width);
			const path = [];
			if (end - last < 0.5)
				continue;
			for (let n = t.node[i]; n; n = parent[n])
				path.unshift(n);
			let same = 0;
			while (x - last < 1 && same < path.length && open[same]?.node === path[same])
				same++;
			close(same);
			open.forEach((b) => { b.w = end - b.x; });
			path.slice(same).forEach((node, k) => open.push({ node, x, w: end - x, depth: same + k, span: i }));
			this.deepest = Math.max(this.deepest, path.length);
			last = end;
		}
		close(0);
		if (t)
			this.drawStates(g, t.columns(this.from, (this.to - this.from) / this.width, Math.ceil(this.width)),
					-box.scrollTop, STATE);
		g.fillStyle = this.ink.fore;
		g.fillText(t ? fitName(`${t.name} ${t.tid}`, 22) : "", 4, 8 - box.scrollTop);
		g.font = "12px ui-monospace, monospace";
		this.letter = this.letter ?? g.measureText("m").width;
		for (const b of this.boxes)
			this.drawBox(g, b, STATE + 2 + b.depth * ROW - box.scrollTop);
	}

	drawBox(g, { node, x, w }, y) {
		const func = this.p.func[node], found = !this.matched || this.matched[func];
		g.fillStyle = found ? colourOf(this.p, func) : this.ink.dim;
		g.fillRect(x, y, Math.max(w - 0.5, 0.4), ROW - 1);
		const room = Math.floor((w - 2 * PAD) / this.letter);
		g.fillStyle = found ? "#111111" : this.ink.soft;
		if (room >= 3)
			g.fillText(fitName(this.p.shown[func], room), x + PAD, y + ROW / 2);
	}

	// "blocked 1.20 ms, from 3.004 s on", and who ended it.
	linesAt(t, time) {
		const found = t.stateAt(time), i = found?.span ?? -1;
		if (!found)
			return [`${t.name} ${t.tid}`, "not known"];
		const start = found.state === 1 ? t.wake[i] : t.start[i], end = found.state === 2 ? t.wake[i] : t.end[i];
		const lines = [STATE_NAMES[found.state] + (found.state ? ` ${amount(end - start, true)}, from ` +
			`${(start / 1e9).toFixed(6)} s on` : ""), `${t.name} ${t.tid}`];
		if (i >= 0 && t.waker[i] >= 0)
			lines.push(`woken by ${this.all[t.waker[i]].name} ${this.all[t.waker[i]].tid}`);
		if (i >= 0 && t.node[i])
			lines.push(`in ${this.p.shown[this.p.func[t.node[i]]]}`);
		return lines;
	}

	under(e, view) {
		const y = e.clientY - view.canvas.getBoundingClientRect().top + view.box.scrollTop;
		if (view === this.views[0]) {
			const lane = Math.floor(y / LANE);
			return { lane, lines: this.lanes[lane] ? this.linesAt(this.lanes[lane], this.timeAt(e)) : null };
		}
		const x = e.clientX - view.canvas.getBoundingClientRect().left, depth = Math.floor((y - STATE - 2) / ROW);
		const box = this.boxes.find((b) => b.depth === depth && b.x <= x && x < b.x + b.w);
		if (!box)
			return { lines: null };
		const func = this.p.func[box.node], [module] = this.p.module(func);
		return { box, lines: [amount(Math.round(box.w / this.scale), true), this.p.names[func], module] };
	}

	// Magnified around a time, down to some microseconds.
	magnify(factor, time = (this.from + this.to) / 2) {
		const all = this.p.bins * this.p.width, length = Math.min(Math.max((this.to - this.from) * factor, 20 * UNIT), all);
		this.from = time - (time - this.from) * length / (this.to - this.from);
		this.to = this.from + length;
		this.move(0);
	}

	move(by) {
		const all = this.p.bins * this.p.width, length = this.to - this.from;
		this.from = Math.min(Math.max(this.from + by, 0), all - length);
		this.to = this.from + length;
		if (!this.pending)
			requestAnimationFrame(() => {
				this.pending = false;
				this.draw();
			});
		this.pending = true;
	}

	key(e) {
		const step = (this.to - this.from) / 10, keys = {
			"+": () => this.magnify(0.5), "-": () => this.magnify(2),
			ArrowLeft: () => this.move(-step), ArrowRight: () => this.move(step),
			ArrowUp: () => this.take(this.lane - 1), ArrowDown: () => this.take(this.lane + 1),
			Enter: () => this.on.thread(this.chosen === this.lane ? -1 : this.lanes[this.lane].tid),
			Delete: () => this.on.select(0, Infinity),
		};
		if (e.ctrlKey || e.metaKey || e.altKey || !Object.hasOwn(keys, e.key))
			return;
		e.preventDefault();
		keys[e.key]();
	}

	take(lane) {
		const { box } = this.views[0];
		if (!this.lanes[lane])
			return;
		this.lane = lane;
		box.scrollTop = Math.min(Math.max(box.scrollTop, (lane + 1) * LANE - box.clientHeight), lane * LANE);
		this.draw();
	}

	listen() {
		for (const view of this.views) {
			const { canvas, box } = view;
			canvas.addEventListener("mousemove", (e) => this.on.hover(this.under(e, view).lines, e));
			canvas.addEventListener("mouseleave", (e) => this.on.hover(null, e));
			canvas.addEventListener("keydown", (e) => this.key(e));
			box.addEventListener("wheel", (e) => {
				const sideways = e.shiftKey && !e.deltaX ? e.deltaY : e.deltaX;
				if (Math.abs(sideways) > Math.abs(e.shiftKey ? 0 : e.deltaY))
					this.move(sideways / this.scale);
				else if (e.ctrlKey || box.scrollHeight <= box.clientHeight + 1)
					this.magnify(Math.exp(e.deltaY / 300), this.timeAt(e));
				else
					return;
				e.preventDefault();
			}, { passive: false });
		}
		this.views[1].canvas.addEventListener("dblclick", (e) => {
			const { box } = this.under(e, this.views[1]);
			if (box)
				this.on.choose(this.p.func[box.node]);
		});
		this.listenSelection(this.views[0]);
	}

	// Dragging selects times, a click a thread.
	listenSelection(view) {
		let start = null;
		view.canvas.addEventListener("pointerdown", (e) => {
			start = { x: e.clientX, time: this.timeAt(e) };
			view.canvas.setPointerCapture(e.pointerId);
		});
		view.canvas.addEventListener("pointermove", (e) => {
			if (!start || Math.abs(e.clientX - start.x) < 3)
				return;
			this.range = [start.time, this.timeAt(e)].sort((a, b) => a - b);
			this.draw();
		});
		view.canvas.addEventListener("pointerup", (e) => {
			const { lane } = this.under(e, view), from = start;
			start = null;
			if (from && Math.abs(e.clientX - from.x) >= 3) {
				this.on.select(Math.min(from.time, this.timeAt(e)), Math.max(from.time, this.timeAt(e)));
			} else if (this.lanes[lane]) {
				this.lane = lane;
				this.on.thread(this.chosen === lane ? -1 : this.lanes[lane].tid);
			}
		});
	}
}
