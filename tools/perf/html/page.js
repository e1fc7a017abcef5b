// SPDX-License-Identifier: GPL-2.0-only
// The page: what is chosen is its address behind '#', and all that is shown follows from that.

const MAX_CPUS = 65536, MAX_THREADS = 500;
const FIRST = { e: "0", t: "", c: "", v: "flame", z: "0", f: "", q: "", a: "", b: "", w: "", r: "", l: "" };

const byId = (id) => document.getElementById(id);

function element(tag, text, attributes = {}) {
	const e = document.createElement(tag);
	e.textContent = text;
	for (const [key, value] of Object.entries(attributes))
		e.setAttribute(key, value);
	return e;
}

function percent(part, all) {
	return all ? (100 * part / all).toFixed(2) + " %" : "0 %";
}

// What a weight is in words: ns as a time, all else as a number.
function amount(value, isTime) {
	if (!isTime)
		return Math.round(value).toLocaleString("en");
	for (const [unit, ns] of [["s", 1e9], ["ms", 1e6], ["\u00b5s", 1e3]])
		if (value >= ns)
			return (value / ns).toFixed(2) + " " + unit;
	return value + " ns";
}

// "/text/" is a regular expression; else text, whose case does not matter.
function matcher(query) {
	if (query.length > 2 && query.startsWith("/") && query.endsWith("/")) {
		try {
			const re = new RegExp(query.slice(1, -1), "u");
			return (name) => re.test(name);
		} catch {
			return null;
		}
	}
	const low = query.toLowerCase();
	return (name) => name.toLowerCase().includes(low);
}

// "12.00 % before, 14.50 % after: +2.50 points"
function changeText(before, after, all) {
	const points = all ? 100 * (after - before) / all : 0;
	return `${percent(before, all)} before, ${percent(after, all)} after: ${pointsText(points)}`;
}

function pointsText(points) {
	const size = Math.abs(points).toFixed(2), sign = size === "0.00" ? "" : points > 0 ? "+" : "\u2212";
	return `${sign}${size} points`;
}

class Page {
	constructor(profile) {
		this.p = profile;
		FIRST.e = profile.first ?? FIRST.e;
		FIRST.r = profile.each_depth ? "1" : "";
		FIRST.l = profile.limit ?? "";
		this.state = null;
		this.past = [];
		this.trees = new Map();
		this.sort = { table: "self", tree: "total" }; // by view
		this.hoverNode = 0;
		const on = (graph) => ({
			zoom: (node) => this.zoom(graph(), node),
			choose: (func) => this.go({ v: "sandwich", f: String(func) }),
			hover: (node, e) => this.hover(graph(), node, e),
			focus: (node) => this.describe(graph(), node),
		});
		this.upper = new Graph(byId("upper"), "Flame graph", on(() => this.upper));
		this.lower = new Graph(byId("lower"), "Callees", on(() => this.lower));
		this.strip = new Strip(byId("strip"), profile, {
			select: (a, b) => this.selectTime(a, b),
			all: () => this.selectAllTimes(),
			hover: (words, e) => this.hoverStrip(words, e),
		});
		this.table = new Table(byId("table"), profile, this.tableOn());
		this.lanes = profile.spans ? new Lanes([byId("lanes"), byId("stacks")], profile, this.lanesOn()) : null;
		this.fillHeader();
		this.fillEvents();
		this.fillThreads();
		this.fillCpus();
		this.listen();
		this.apply(Page.parse(location.hash));
		this.showTheme();
	}

	// The state in the address.

	static parse(hash) {
		const state = { ...FIRST };
		for (const [key, value] of new URLSearchParams(hash.slice(1)))
			if (key in FIRST)
				state[key] = value;
		return state;
	}

	static address(state) {
		const out = new URLSearchParams();
		for (const key of Object.keys(FIRST))
			if (state[key] !== FIRST[key])
				out.set(key, state[key]);
		return "#" + out;
	}

	go(change) {
		const next = { ...this.state, ...change }, hash = Page.address(next);
		if (hash === Page.address(this.state))
			return;
		this.past.push(this.state);
		this.expected = hash;
		location.hash = hash;
		this.apply(next);
	}

	undo() {
		const last = this.past.pop();
		if (!last)
			return this.say("There is nothing to undo.");
		this.expected = Page.address(last);
		location.hash = this.expected;
		return this.apply(last);
	}

	// What is shown.

	apply(state) {
		const before = this.state, same = (keys) => before && keys.every((k) => before[k] === this.state[k]);
		this.state = this.checked(state);
		this.showControls();
		// What a change leaves as it is need not be made again: zoom and search are quick.
		if (!same(["e", "t", "c"])) {
			this.wanted = this.labelsWanted();
			this.strip.show(this.wanted);
		}
		this.strip.tall = this.state.v === "time" && !this.lanes; // of too many samples, and of a comparison
		this.strip.select(this.range);
		if (!same(["e", "t", "c", "a", "b", "w"]))
			this.tree = this.treeOf();
		this.folds = this.state.r !== "1";
		this.stacks = this.folds ? this.foldedTree() : this.tree;
		this.findMatches();
		this.showView();
	}

	// Numbers from an address may be anything.
	checked(state) {
		const number = (v, end) => Number.isInteger(Number(v)) && v !== "" &&
			Number(v) >= 0 && Number(v) < end;
		const s = { ...state };
		if (s.e !== "all" && !number(s.e, this.p.events.length))
			s.e = FIRST.e;
		if (!this.eventsShown.includes(s.e))
			s.e = this.eventsShown[0] ?? "0";
		if (!["flame", "icicle", "time", "tree", "sandwich", "table"].includes(s.v))
			s.v = FIRST.v;
		if (!number(s.z, this.p.nr))
			s.z = "0";
		if (!number(s.f, this.p.names.length))
			s.f = "";
		if (!number(s.a, this.p.bins) || !number(s.b, this.p.bins + 1) || Number(s.b) <= Number(s.a))
			s.a = s.b = "";
		if (!/^[pt]-?\d+$/.test(s.t))
			s.t = "";
		if (!number(s.c, MAX_CPUS))
			s.c = "";
		if (!(Number(s.l) >= 0 && Number(s.l) <= 100))
			s.l = "";
		s.w = s.w ? "1" : "";
		s.r = s.r === "1" ? "1" : "";
		return s;
	}

	// By label: whether it belongs to the event and thread that were chosen.
	labelsWanted() {
		const { e, t, c } = this.state, id = Number(t.slice(1));
		return this.p.labels.map(([pid, tid, event, , cpu]) =>
			(c === "" || cpu === Number(c)) &&
			(e === "all" ? this.p.events[event].time : event === Number(e)) &&
			(!t || (t[0] === "p" ? pid : tid) === id));
	}

	get isTime() {
		return this.state.e === "all" || this.p.events[Number(this.state.e)].time;
	}

	treeOf() {
		const { a, b, w } = this.state;
		const low = a === "" ? 0 : Number(a), high = b === "" ? this.p.bins : Number(b);
		const weights = this.p.weigh(this.wanted, low, high, w === "1");
		if (!this.main)
			this.main = new Tree(this.p, this.p.func, this.p.parent, weights);
		else
			this.main.weigh(weights);
		this.weights = weights;
		return this.main;
	}

	// The same without recursion; made when it is first shown, as most are.
	foldedTree() {
		const { lists } = this.p;
		this.folded = this.folded ?? new FoldedTree(this.main, lists.node.slice(0, lists.nr));
		if (this.weights)
			this.folded.weighAll(this.weights);
		this.weights = null;
		return this.folded;
	}

	findMatches() {
		const { q } = this.state, match = q ? matcher(q) : null;
		if (q !== this.searched) {
			this.matched = match ? this.p.names.map(match) : null;
			this.hit = -1;
		}
		this.searched = q;
		this.hits = match ? this.stacks.heaviest(this.matched) : [];
		byId("earlier").disabled = byId("later").disabled = !this.hits.length;
		this.upper.matched = this.lower.matched = this.matched;
		this.upper.limit = this.lower.limit = this.limit * this.tree.total[0];
		this.tellFound();
	}

	// "12.34 %, 3 of 57"
	tellFound() {
		const { hits, hit, stacks } = this, out = byId("found");
		const share = percent(hits.reduce((sum, n) => sum + stacks.total[n], 0), stacks.total[0]);
		if (!this.matched)
			out.textContent = this.state.q ? "not a regular expression" : "";
		else
			out.textContent = !hits.length ? "nothing found" :
				`${share}, ${hit < 0 ? "" : `${hit + 1} of `}${hits.length}`;
	}

	// Goes to another match. @step: 1 or -1
	nextHit(step) {
		const nr = this.hits.length;
		if (!nr)
			return undefined;
		this.hit = this.hit < 0 && step < 0 ? nr - 1 : (this.hit + step + nr) % nr;
		this.tellFound();
		const node = this.hits[this.hit];
		if (this.state.v === "table")
			return this.table.step(step);
		if (this.state.v === "tree")
			return this.table.reveal(node);
		if (this.state.v === "sandwich")
			this.go({ v: "flame", z: String(node) });
		else if (!this.upper.shows(node))
			this.go({ z: String(node) });
		return this.upper.focusOn(node);
	}

	showView() {
		const { v, z, f } = this.state, isTable = v === "table" || v === "tree" || (v === "sandwich" && !f);
		const inTime = v === "time" && this.lanes !== null;
		byId("lanes").hidden = byId("stacks").hidden = !inTime;
		byId("upper").hidden = isTable || inTime;
		byId("lower").hidden = v !== "sandwich" || isTable;
		byId("table").hidden = !isTable;
		if (inTime) {
			this.showLanes();
		} else if (isTable) {
			this.showTable();
		} else if (v === "sandwich") {
			const callees = this.tree.callees(Number(f));
			this.upper.show(this.tree.callers(Number(f), this.folds ? this.stacks : null), 0, true);
			this.lower.show(this.folds ? FoldedTree.of(callees) : callees, 0, false);
			this.describe(this.lower, this.lower.tree.nr > 1 ? 1 : 0);
		} else {
			const at = this.stacks.to ? this.stacks.to[Number(z)] : Number(z);
			const node = this.stacks.total[at] ? at : 0;
			this.upper.show(this.stacks, node, v !== "icicle");
			this.describe(this.upper, node);
		}
	}

	// The least part of all that is shown, of 1.
	get limit() {
		return (Number(this.state.l) || 0) / 100;
	}

	showLanes() {
		const { t } = this.state, id = (kind) => t[0] === kind ? Number(t.slice(1)) : -1;
		this.lanes.show({ tid: id("t"), pid: id("p"), matched: this.matched,
				  range: this.range?.map((bin) => bin * this.p.width) ?? null });
	}

	lanesOn() {
		return {
			select: (from, to) => this.selectTime(Math.floor(from / this.p.width),
							      Math.ceil(Math.min(to / this.p.width, this.p.bins))),
			thread: (tid) => this.go({ t: tid < 0 ? "" : "t" + tid }),
			hover: (lines, e) => this.showTip(lines, e),
			choose: (func) => this.go({ v: "sandwich", f: String(func) }),
			moved: ({ lanes, from, to }) => {
				byId("what").textContent = lanes.length ? `${lanes.length} threads, ${amount(to - from, true)} from ` +
					`${(from / 1e9).toFixed(6)} s on` : "No thread has samples";
			},
		};
	}

	showTip(lines, e) {
		const tip = byId("tip");
		tip.hidden = !lines;
		this.hoverNode = 0;
		tip.textContent = lines?.filter(Boolean).join("\n") ?? "";
		if (lines)
			this.placeTip(e);
	}

	zoom(graph, node) {
		if (graph.tree === this.stacks)
			this.go({ z: String(node === graph.zoom ? 0 : node) });
		else
			graph.show(graph.tree, node === graph.zoom ? 0 : node, graph.upwards);
	}

	// Lines that say what a box is: numbers, what takes part in them, and then names.
	linesOf(tree, node) {
		const p = this.p, f = tree.func[node], [module] = p.module(f), all = this.main.total[0];
		const lines = tree.before ? this.changeLines(tree, node) :
			[`${percent(tree.total[node], all)}, ${amount(tree.total[node], this.isTime)}, ` +
			 `${tree.samples[node].toLocaleString("en")} samples` +
			 (tree.self[node] ? `; self ${percent(tree.self[node], all)}` : "")];
		if (tree.off[node])
			lines.push(`of it blocked ${percent(tree.off[node] - tree.runnable[node], tree.total[node])}, ` +
				   `runnable ${percent(tree.runnable[node], tree.total[node])}`);
		lines.push(p.names[f] + tree.timesText(node));
		if (module)
			lines.push(module);
		if (tree === this.stacks && p.mark[node])
			lines.push(`stacks ${p.names[p.func[p.mark[node]]]}: ` +
				   "frames outside of this one are missing");
		return lines;
	}

	// Of a comparison: what a box was, and is.
	changeLines(tree, node) {
		const all = this.main.total[0], f = tree.func[node];
		const lines = [`${changeText(tree.before[node], 2 * tree.total[node] - tree.before[node], all)}; ` +
			       `${tree.samples[node].toLocaleString("en")} samples`];
		for (const [total, what] of [[false, "by itself"], [true, "with what it calls"]]) {
			const change = this.p.changeOf(Number(this.state.e), total, f);
			if (change)
				lines.push(`${what}, in all runs: ${change.words}`);
		}
		return lines;
	}

	describe(graph, node) {
		const what = byId("what");
		this.focused = { graph, node };
		if (!node && this.p.compared)
			what.textContent = this.p.empty[0] || this.p.empty[1] ?
				`There are no samples ${this.p.empty[0] ? "before" : "after"} in this selection` :
				"A box is as wide as the mean of before and after; red: more than before, blue: less";
		else if (!node)
			what.textContent = this.allText();
		else
			what.textContent = this.linesOf(graph.tree, node).join(" \u2014 ");
	}

	allText() {
		return `All: ${amount(this.main.total[0], this.isTime)}, ${this.main.samples[0].toLocaleString("en")} samples`;
	}

	hover(graph, node, e) {
		const tip = byId("tip");
		tip.hidden = !node;
		if (!node)
			return;
		if (this.hoverNode !== node || tip.graph !== graph)
			tip.textContent = this.linesOf(graph.tree, node).join("\n");
		this.hoverNode = node;
		tip.graph = graph;
		this.placeTip(e);
	}

	placeTip(e) {
		const tip = byId("tip"), x = Math.min(e.clientX + 14, innerWidth - tip.offsetWidth - 8);
		const y = e.clientY + 18 + tip.offsetHeight > innerHeight ?
			e.clientY - tip.offsetHeight - 10 : e.clientY + 18;
		tip.style.left = Math.max(0, x) + "px";
		tip.style.top = Math.max(0, y) + "px";
	}

	// Functions and the call tree as lines.

	showTable() {
		const { v } = this.state, all = this.tree.total[0], functions = v !== "tree";
		const items = functions ? new FunctionItems(this.stacks, this.tree.functions()) : new CallItems(this.stacks);
		this.table.show(items, { sort: this.sort[functions ? "table" : "tree"], matched: this.matched, limit: this.limit * all });
		if (v === "sandwich")
			byId("what").textContent = "Choose a function to see its callers and callees.";
		else
			byId("what").textContent = functions ? `${this.table.nr} functions; what is in them: who called ` +
				"them, by what they have themselves" : this.allText();
	}

	tableOn() {
		return {
			sum: (sum) => this.sumCell(sum),
			change: (item, key) => this.changeCell(item, key),
			name: (func) => this.p[this.p.full ? "names" : "shown"][func],
			choose: (func) => this.go({ v: "sandwich", f: String(func) }),
			focus: ({ func, node }) => {
				this.focused = { graph: this.table.items, node, func };
				if (node)
					byId("what").textContent = this.linesOf(this.stacks, node).join(" \u2014 ");
			},
			sort: (key) => {
				this.sort[this.state.v === "tree" ? "tree" : "table"] = key;
				this.showTable();
			},
		};
	}

	// In a narrow window the share alone.
	sumCell(sum) {
		const cell = element("td", "");
		cell.append(element("span", `${amount(sum, this.isTime)} \u2013 `, { class: "amount" }),
			    percent(sum, this.tree.total[0]));
		return cell;
	}

	changeCell(item, key) {
		const before = item[key === "self" ? "selfBefore" : "before"], after = 2 * item[key] - before;
		const all = this.tree.total[0], points = all ? 100 * (after - before) / all : 0;
		const change = item.level === 1 && this.table.items.sums ?
			this.p.changeOf(Number(this.state.e), key === "total", item.func) : null;
		const text = `${pointsText(points)}${change ? change.beyond ? ", changed" : ", may be chance" : ""}`;
		return element("td", text, { title: changeText(before, after, all) });
	}

	// Header and controls.

	fillHeader() {
		const p = this.p, lines = p.words.split("\n"), more = byId("account-more");
		if (p.compared)
			return this.fillComparison(lines, more);
		const title = [p.command || "perf report", p.host, p.system].filter(Boolean).join(" \u2014 ");
		byId("title").textContent = document.title = title;
		byId("account-line").textContent = lines[0];
		for (const line of [...lines.slice(1), p.cpu, p.too_many ? "There are too many samples for lanes of " +
				    "threads: perf report --time makes a page of a part" : "", `Times are exact to ${amount(p.width, true)}.`])
			if (line)
				more.append(element("div", line));
		return this.fillMarks(more);
	}

	fillComparison(lines, more) {
		const names = (after) => this.p.runs.filter((run) => run.after === after).map((run) => run.file).join(", ");
		byId("title").textContent = document.title = `${names(false)} \u2192 ${names(true)}`;
		byId("account-line").textContent = "Two sides, each taken as a whole of the same size";
		for (const line of lines)
			if (line)
				more.append(element("div", line));
		this.fillMarks(more);
	}

	// What is not whole, and why: a line and a button for each reason.
	fillMarks(more) {
		const p = this.p, nodes = [];
		for (let i = 1; i < p.nr; i++)
			if (p.mark[i] === i)
				nodes.push(i);
		for (const node of nodes) {
			const line = element("div", p.names[p.func[node]] + " ");
			const button = element("button", "show", { type: "button" });
			button.addEventListener("click", () =>
				this.go({ v: this.state.v === "icicle" ? "icicle" : "flame", z: String(node), w: "" }));
			line.append(button);
			more.append(line);
		}
	}

	fillEvents() {
		const with_ = this.p.events.map((e, i) => [e, String(i)]).filter(([e]) => e.samples);
		this.eventsShown = with_.map(([, i]) => i);
		const times = with_.filter(([e]) => e.time);
		if (times.some(([e]) => e.off) && times.some(([e]) => !e.off))
			this.eventsShown.push("all");
		for (const [e, i] of with_)
			byId("event").append(element("option", e.name, { value: i }));
		if (this.eventsShown.includes("all"))
			byId("event").append(element("option", "on and off CPU", { value: "all" }));
	}

	fillThreads() {
		const select = byId("thread"), processes = new Map();
		const weights = this.p.weightOfLabels();
		this.p.labels.forEach(([pid, tid, , comm], i) => {
			const process = processes.get(pid) ?? { pid, comm, weight: 0, threads: new Map() };
			const thread = process.threads.get(tid) ?? { tid, names: new Set() };
			processes.set(pid, process);
			process.threads.set(tid, thread);
			process.weight += weights[i];
			if (tid === pid)
				process.comm = comm;
			thread.names.add(comm);
		});
		const order = [...processes.values()].sort((a, b) => b.weight - a.weight);
		select.append(element("option", "all threads", { value: "" }));
		let left = MAX_THREADS, more = 0;
		for (const { pid, comm, threads } of order) {
			more += left <= 0;
			if (left <= 0)
				continue;
			left -= threads.size;
			select.append(element("option", this.p.compared ? comm : `${comm} (process ${pid})`,
					      { value: "p" + pid }));
			for (const { tid, names } of threads.size > 1 ? [...threads.values()].slice(0, MAX_THREADS) : [])
				select.append(element("option", `\u00a0\u00a0${[...names].join(", ")} (${tid})`,
						      { value: "t" + tid }));
		}
		if (more)
			select.append(element("option", `${more} more processes`, { disabled: "" }));
	}

	fillCpus() {
		const select = byId("cpu"), cpus = [...new Set(this.p.labels.map((l) => l[4]))];
		select.append(element("option", "all", { value: "" }));
		for (const cpu of cpus.filter((c) => c >= 0).sort((a, b) => a - b))
			select.append(element("option", String(cpu), { value: String(cpu) }));
		select.disabled = select.options.length < 3;
		if (select.options.length === 1)
			select.options[0].textContent = "not recorded (perf record --sample-cpu)";
		else if (select.options.length === 2)
			select.options[0].textContent = `${select.options[1].value}, no other`;
	}

	showControls() {
		const s = this.state, seconds = (bin) => bin === "" ? "" :
			String(Number((Number(bin) * this.p.width / 1e9).toFixed(6)));
		byId("event").value = s.e;
		byId("thread").value = s.t;
		byId("cpu").value = s.c;
		byId("view").value = s.v;
		if (byId("search").value !== s.q)
			byId("search").value = s.q;
		byId("whole").checked = s.w === "1";
		byId("limit").value = s.l;
		byId("depths").checked = s.r === "1";
		byId("from").value = seconds(s.a);
		byId("to").value = seconds(s.b);
		byId("all-time").hidden = s.a === "";
		byId("range-text").textContent = s.a === "" ? `${amount(this.p.bins * this.p.width, true)} in all` :
			`${amount((s.b - s.a) * this.p.width, true)} from ${seconds(s.a)} s on`;
	}

	// Time.

	get range() {
		const { a, b } = this.state;
		return a === "" ? null : [Number(a), Number(b)];
	}

	selectAllTimes() {
		if (this.range)
			this.go({ a: "", b: "" });
		else
			this.strip.select(null);
	}

	selectTime(a, b) {
		const bins = this.p.bins;
		a = Math.min(Math.max(a, 0), bins - 1);
		b = Math.min(Math.max(b, a + 1), bins);
		if (a === 0 && b === bins)
			this.go({ a: "", b: "" });
		else
			this.go({ a: String(a), b: String(b) });
	}

	// "cc1, 1.20 s to 1.25 s: 34.00 ms"
	hoverStrip(under, e) {
		if (!under)
			return this.showTip(null);
		const off = under.off && under.off < under.all ?
			`, of it off the CPU ${amount(under.off, this.isTime)}` : "";
		return this.showTip([`${under.line ?? "All"}, ${amount(under.from, true)} to ${amount(under.to, true)}: ` +
			`${amount(under.all, this.isTime)}${off}`], e);
	}

	takeTimes() {
		const bin = (id, round) => byId(id).value === "" ? NaN :
			round(Number((Number(byId(id).value) * 1e9 / this.p.width).toFixed(3)));
		const a = bin("from", Math.floor), b = bin("to", Math.ceil);
		this.selectTime(Number.isNaN(a) ? 0 : a, Number.isNaN(b) ? this.p.bins : b);
	}

	listenTimes() {
		byId("from").addEventListener("change", () => this.takeTimes());
		byId("to").addEventListener("change", () => this.takeTimes());
		byId("all-time").addEventListener("click", () => this.selectAllTimes());
	}

	// The rest.

	say(text) {
		byId("said").textContent = text;
	}

	copyText() {
		const { graph, node } = this.focused ?? {};
		if (!node)
			return null;
		const names = graph.tree.stack(node).map((f) => {
			const module = this.p.module(f)[0];
			return module ? `${this.p.names[f]} (${module})` : this.p.names[f];
		});
		return names.join("\n") + "\n";
	}

	async copy() {
		const text = this.copyText();
		if (!text)
			return this.say("Choose a box first.");
		try {
			await navigator.clipboard.writeText(text);
		} catch {
			const area = element("textarea", text);
			document.body.append(area);
			area.select();
			document.execCommand("copy");
			area.remove();
		}
		return this.say(`Copied a stack of ${text.split("\n").length - 1} functions.`);
	}

	isDark() {
		return (document.documentElement.dataset.theme ??
			(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
	}

	// The other theme is what the button says.
	showTheme() {
		byId("theme").textContent = this.isDark() ? "Light" : "Dark";
		this.strip.draw();
		this.upper.draw();
		this.lower.draw();
		this.lanes?.draw();
	}

	toggleTheme() {
		document.documentElement.dataset.theme = this.isDark() ? "light" : "dark";
		this.showTheme();
	}

	escape() {
		if (this.state.q)
			this.go({ q: "" });
		else
			this.go({ a: "", b: "" });
	}

	focusedFunction() {
		const { graph, node, func } = this.focused ?? {};
		return node ? graph.tree.func[node] : func ?? -1;
	}

	// Of functions: short, or full.
	toggleNames() {
		this.p.full = !this.p.full;
		this.showView();
	}

	key(e) {
		const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName);
		if (e.ctrlKey || e.metaKey || e.altKey || byId("keys").open)
			return;
		byId("tip").hidden = true; // it would hide what one types
		if (e.key === "Escape")
			this.escape();
		else if (e.key === "Enter" && e.target.id === "search")
			this.nextHit(e.shiftKey ? -1 : 1);
		if (typing)
			return;
		const func = this.focusedFunction(), actions = {
			"/": () => byId("search").focus(),
			"?": () => byId("keys").showModal(),
			u: () => this.undo(), Backspace: () => this.undo(), c: () => this.copy(),
			g: () => this.go({ v: "flame" }), i: () => this.go({ v: "icicle" }),
			t: () => this.go({ v: "table" }), l: () => this.go({ v: "tree" }),
			m: () => this.go({ v: "time" }), Home: () => this.go({ z: "0", f: "" }),
			V: () => this.toggleNames(), r: () => this.go({ r: this.state.r ? "" : "1" }),
			n: () => this.nextHit(1), N: () => this.nextHit(-1),
			s: () => func >= 0 && this.go({ v: "sandwich", f: String(func) }),
		};
		if (Object.hasOwn(actions, e.key)) {
			e.preventDefault();
			actions[e.key]();
		}
	}

	listen() {
		const choose = (id, key) => byId(id).addEventListener("change", (e) => this.go({ [key]: e.target.value }));
		choose("event", "e");
		choose("thread", "t");
		choose("cpu", "c");
		choose("view", "v");
		choose("limit", "l");
		byId("search").addEventListener("input", (e) => this.go({ q: e.target.value }));
		byId("whole").addEventListener("change", (e) => this.go({ w: e.target.checked ? "1" : "" }));
		byId("controls").addEventListener("submit", (e) => e.preventDefault());
		byId("depths").addEventListener("change", (e) => this.go({ r: e.target.checked ? "1" : "" }));
		byId("more").addEventListener("click", (e) => {
			const open = document.body.classList.toggle("filters");
			e.target.setAttribute("aria-expanded", String(open));
		});
		byId("undo").addEventListener("click", () => this.undo());
		byId("reset").addEventListener("click", () => this.go({ z: "0", f: "", q: "", a: "", b: "" }));
		byId("copy").addEventListener("click", () => this.copy());
		byId("earlier").addEventListener("click", () => this.nextHit(-1));
		byId("later").addEventListener("click", () => this.nextHit(1));
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.showTheme());
		byId("theme").addEventListener("click", () => this.toggleTheme());
		byId("help").addEventListener("click", () => byId("keys").showModal());
		byId("close-keys").addEventListener("click", () => byId("keys").close());
		document.addEventListener("keydown", (e) => this.key(e));
		window.addEventListener("hashchange", () => {
			if (location.hash !== this.expected && location.hash !== Page.address(this.state))
				this.apply(Page.parse(location.hash));
		});
		this.listenTimes();
	}
}

const samples = JSON.parse(byId("data").textContent);

window.perfPage = new Page(samples.runs ? new Comparison(samples) : new Profile(samples));
