// SPDX-License-Identifier: GPL-2.0-only
// The strip of time: bars for all that is selected, below them a heat map of who it was, and an axis.

const BARS = 28, LINE = 12, AXIS = 13, MAX_LINES_OF_HEAT = 8, LEAST_BAR = 2, LEAST_BARS = 60;
const SAMPLES_OF_A_BAR = 8, LEAST_LINE = 0.002;

// The step of an axis with at most so many: 1, 2 or 5 times a power of ten.
function axisStep(length, most) {
	const least = length / most, power = 10 ** Math.floor(Math.log10(least));
	return power * [1, 2, 5, 10].find((factor) => factor * power >= least);
}

class Strip {
	// @on: select(first bin, end), all(), hover(what under() returns, or null; event)
	constructor(canvas, profile, on) {
		this.canvas = canvas;
		this.p = profile;
		this.on = on;
		this.lines = [];
		this.range = null;
		this.tall = false; // with lines
		this.listen();
		new ResizeObserver(() => this.draw()).observe(canvas);
	}

	// @wanted: by label
	show(wanted) {
		this.lines = this.linesOf(wanted);
		const lineOf = new Map();
		this.lines.forEach((line, i) => lineOf.set(line.key, i));
		const sums = this.p.overTime(wanted, this.p.labels.map((l) => lineOf.get(this.keyOf(l)) ?? -1),
					     this.lines.length);
		this.sums = sums[0];
		this.lines.forEach((line, i) => { line.sums = sums[i + 1]; });
	}

	// @range: [first bin, end], or null: all
	select(range) {
		this.range = range;
		this.draw();
	}

	// Who is told apart: names of threads; of one name, threads; of one thread, CPUs.
	linesOf(wanted) {
		const weights = this.p.weightOfLabels();
		for (const [key, name] of [[(l) => l[3], (l) => l[3] || "no name"],
					   [(l) => l[1], (l) => `${l[3]} ${l[1]}`],
					   [(l) => l[4], (l) => l[4] < 0 ? "CPU not recorded" : `CPU ${l[4]}`]]) {
			const known = new Map();
			this.p.labels.forEach((l, i) => {
				if (!wanted[i])
					return;
				const line = known.get(key(l)) ?? { key: key(l), name: name(l), weight: 0 };
				known.set(line.key, line);
				line.weight += weights[i];
			});
			this.keyOf = key;
			if (known.size > 1)
				return Strip.heaviest([...known.values()]);
		}
		return [];
	}

	static heaviest(lines) {
		const all = lines.reduce((sum, line) => sum + line.weight, 0);
		return lines.sort((a, b) => b.weight - a.weight).slice(0, MAX_LINES_OF_HEAT)
			.filter((line) => line.weight >= LEAST_LINE * all);
	}

	get height() {
		return BARS + (this.tall ? this.lines.length * LINE : 0) + AXIS;
	}

	// So many times are one bar that there are neither slivers of them nor holes between samples.
	barsOf(width) {
		const samples = this.sums.samples;
		const most = Math.min(this.p.bins, Math.floor(width / LEAST_BAR),
				      Math.max(LEAST_BARS, Math.floor(samples / SAMPLES_OF_A_BAR)));
		return Math.ceil(this.p.bins / Math.max(most, 1));
	}

	draw() {
		const width = this.canvas.clientWidth;
		if (!width || !this.sums)
			return;
		const g = this.g = sized(this.canvas, width, this.height);
		this.ink = inks("on", "blocked", "runnable", "fore", "soft", "line", "back", "accent");
		g.font = "10px system-ui, sans-serif";
		this.width = width;
		this.bar = this.barsOf(width);
		this.drawBars();
		if (this.tall)
			this.drawHeat();
		this.drawAxis();
		this.drawRange();
	}

	// Calls fn(x, width, all, off, runnable) with the sums of each bar.
	forBars({ all, off, runnable }, fn) {
		const step = this.width / this.p.bins;
		for (let i = 0; i < this.p.bins; i += this.bar) {
			const end = Math.min(i + this.bar, this.p.bins);
			let sum = 0, sumOff = 0, sumRunnable = 0;
			for (let k = i; k < end; k++) {
				sum += all[k];
				sumOff += off[k];
				sumRunnable += runnable[k];
			}
			if (sum)
				fn(i * step, Math.max((end - i) * step, 1), sum, sumOff, sumRunnable);
		}
	}

	most(sums) {
		let max = 0;
		this.forBars(sums, (x, width, all) => { max = Math.max(max, all); });
		return max || 1;
	}

	drawBars() {
		const { g, ink } = this, scale = (BARS - 3) / this.most(this.sums);
		this.forBars(this.sums, (x, width, all, off, runnable) => {
			let y = BARS - all * scale;
			for (const [colour, sum] of [[ink.blocked, off - runnable], [ink.runnable, runnable], [ink.on, all - off]]) {
				g.fillStyle = colour;
				g.fillRect(x, y, width, sum * scale);
				y += sum * scale;
			}
		});
	}

	// The darker, the more; off the CPU where more of it is.
	drawHeat() {
		const g = this.g, max = this.lines.reduce((m, line) => Math.max(m, this.most(line.sums)), 0);
		const on = this.ink.on, offColour = this.ink.blocked;
		this.lines.forEach((line, i) => {
			const y = BARS + i * LINE;
			this.forBars(line.sums, (x, width, all, off) => {
				g.globalAlpha = 0.15 + 0.85 * Math.sqrt(all / max);
				g.fillStyle = 2 * off > all ? offColour : on;
				g.fillRect(x, y + 1, width, LINE - 1);
			});
			g.globalAlpha = 0.75;
			g.fillStyle = this.ink.back;
			g.fillRect(0, y + 1, g.measureText(line.name).width + 8, LINE - 1);
			g.globalAlpha = 1;
			g.fillStyle = this.ink.fore;
			g.fillText(line.name, 4, y + LINE / 2 + 1);
		});
	}

	drawAxis() {
		const g = this.g, ns = this.p.bins * this.p.width, y = this.height - AXIS;
		const step = axisStep(ns, Math.max(this.width / 110, 1));
		g.fillStyle = this.ink.line;
		g.fillRect(0, y, this.width, 1);
		for (let i = 0; i * step < ns; i++) {
			const x = i * step / ns * this.width;
			g.fillStyle = this.ink.line;
			g.fillRect(x, y, 1, 4);
			g.fillStyle = this.ink.soft;
			g.fillText(`${Number((i * step / 1e9).toFixed(9))} s`, x + 3, y + AXIS / 2 + 1);
		}
	}

	drawRange() {
		const g = this.g, step = this.width / this.p.bins;
		if (!this.range)
			return;
		const x = this.range[0] * step, end = this.range[1] * step;
		g.fillStyle = "rgba(120, 120, 120, 0.55)";
		g.fillRect(0, 0, x, this.height);
		g.fillRect(end, 0, this.width - end, this.height);
		g.strokeStyle = this.ink.accent;
		g.lineWidth = 2;
		g.strokeRect(x, 1, Math.max(end - x, 2), this.height - 2);
	}

	binAt(e) {
		const area = this.canvas.getBoundingClientRect();
		const bin = Math.floor((e.clientX - area.left) / area.width * this.p.bins);
		return Math.min(Math.max(bin, 0), this.p.bins - 1);
	}

	// What is under the mouse: .line, a name, or undefined: all; its times and sums.
	under(e) {
		const y = e.clientY - this.canvas.getBoundingClientRect().top;
		const line = this.tall ? this.lines[Math.floor((y - BARS) / LINE)] : undefined;
		const first = Math.floor(this.binAt(e) / this.bar) * this.bar;
		const end = Math.min(first + this.bar, this.p.bins);
		let all = 0, off = 0;
		for (let i = first; i < end; i++) {
			all += (line?.sums ?? this.sums).all[i];
			off += (line?.sums ?? this.sums).off[i];
		}
		return { line: line?.name, from: first * this.p.width, to: end * this.p.width, all, off };
	}

	key(e) {
		const bins = this.p.bins, step = Math.max(1, Math.round(bins / 100));
		let [a, b] = this.range ?? [0, step];
		const d = { ArrowLeft: -step, ArrowRight: step }[e.key];
		if (e.key === "Delete")
			return this.on.all();
		if (!d)
			return undefined;
		e.preventDefault();
		if (e.shiftKey)
			b = Math.max(b + d, a + 1);
		else if (this.range && a + d >= 0 && b + d <= bins)
			[a, b] = [a + d, b + d];
		return this.on.select(a, b);
	}

	listen() {
		const c = this.canvas;
		let start = -1;
		c.addEventListener("pointerdown", (e) => {
			start = this.binAt(e);
			c.setPointerCapture(e.pointerId);
		});
		c.addEventListener("pointermove", (e) => {
			if (start >= 0) {
				const at = this.binAt(e);
				this.range = [Math.min(start, at), Math.max(start, at) + 1];
				this.draw();
			}
			this.on.hover(this.under(e), e);
		});
		c.addEventListener("pointerleave", (e) => this.on.hover(null, e));
		c.addEventListener("pointerup", (e) => {
			const end = this.binAt(e);
			if (start >= 0 && end !== start)
				this.on.select(Math.min(start, end), Math.max(start, end) + 1);
			else if (start >= 0)
				this.on.all();
			start = -1;
		});
		c.addEventListener("pointercancel", () => { start = -1; });
		c.addEventListener("keydown", (e) => this.key(e));
	}
}
