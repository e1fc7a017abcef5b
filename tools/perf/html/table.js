// SPDX-License-Identifier: GPL-2.0-only
// Functions with numbers, as lines of text: the call tree, and all functions with their callers.

const MAX_LINES = 500, HOT = 0.5, MAX_OPENED = 100;

/*
 * The stacks from the outermost function inwards. Items are lines to be: .func, .self, .total; .level
 * from 1 on; .node here. Of a comparison also what of both is before: .selfBefore, .before.
 */
class CallItems {
	constructor(tree) {
		this.tree = tree;
	}

	item(node, level) {
		const t = this.tree, item = { node, level, func: t.func[node], self: t.self[node], total: t.total[node] };
		return t.before ? { ...item, selfBefore: t.ownBefore[node], before: t.before[node] } : item;
	}

	roots() {
		return this.kids({ node: 0, level: 0 });
	}

	kids({ node, level }) {
		const t = this.tree, out = [];
		for (let k = t.first[node]; k < t.first[node + 1]; k++)
			if (t.total[t.kids[k]])
				out.push(this.item(t.kids[k], level + 1));
		return out;
	}

	leads({ node }) {
		const t = this.tree;
		for (let k = t.first[node]; k < t.first[node + 1]; k++)
			if (t.total[t.kids[k]])
				return true;
		return false;
	}
}

/*
 * Functions, and in each of them who called it: how much of what it has itself came by which way.
 * .at are the nodes that a line stands for, .own and .ownBefore what each of them has of that.
 */
class FunctionItems {
	// @sums: of Tree.functions(), whatever the depth of recursion
	constructor(tree, sums) {
		this.tree = tree;
		this.sums = sums;
	}

	roots() {
		const { total, cut, self, selfBefore, before } = this.sums, out = [];
		for (let func = 0; func < total.length; func++)
			if (total[func])
				out.push({ func, level: 1, self: self[func], total: total[func], cut: cut[func],
					   selfBefore: selfBefore[func], before: before[func] });
		return out;
	}

	ends(func) {
		const { nr, func: of, self, ownBefore } = this.tree, out = { at: [], own: [], ownBefore: [] };
		for (let i = 1; i < nr; i++)
			if (of[i] === func && self[i]) {
				out.at.push(i);
				out.own.push(self[i]);
				out.ownBefore.push(ownBefore?.[i] ?? 0);
			}
		return out;
	}

	kids(item) {
		const { at, own, ownBefore } = item.at ? item : this.ends(item.func), known = new Map();
		at.forEach((node, i) => {
			const up = this.tree.parent[node], func = this.tree.func[up];
			if (!up)
				return;
			const kid = known.get(func) ?? { func, level: item.level + 1, self: 0, selfBefore: 0,
							 at: [], own: [], ownBefore: [] };
			known.set(func, kid);
			kid.self += own[i];
			kid.selfBefore += ownBefore[i];
			kid.at.push(up);
			kid.own.push(own[i]);
			kid.ownBefore.push(ownBefore[i]);
		});
		return [...known.values()];
	}

	leads(item) {
		return item.at ? item.at.some((node) => this.tree.parent[node]) : item.self > 0;
	}
}

class Table {
	/*
	 * @on: sum(value), change(item, key) and name(func), which make what cells show; choose(func),
	 * focus(item), sort(key)
	 */
	constructor(box, profile, on) {
		this.box = box;
		this.p = profile;
		this.on = on;
		box.addEventListener("keydown", (e) => this.key(e));
		box.addEventListener("focusin", (e) => {
			const line = e.target.closest("tr");
			if (line?.item)
				this.take(line);
		});
	}

	/*
	 * @items: CallItems or FunctionItems; @sort: which number orders, or "name"
	 * @matched: by function, or null: what is not is dim, or, of functions, left out
	 * @limit: what has less is left out
	 */
	show(items, { sort, matched, limit }) {
		Object.assign(this, { items, sort, matched, limit });
		this.line = null;
		this.body = document.createElement("tbody");
		const table = element("table", "", { role: "treegrid" });
		table.append(this.head(), this.body);
		this.box.replaceChildren(table);
		let roots = items.roots();
		if (items.sums && matched)
			roots = roots.filter(({ func }) => matched[func]);
		this.nr = roots.length;
		this.put(roots, null);
		if (!items.sums)
			this.openHot(this.body.firstElementChild);
		if (this.body.firstElementChild?.item)
			this.body.firstElementChild.tabIndex = 0;
	}

	// Those that come first: the largest, of a comparison what has changed most.
	ordered(list) {
		const { rank } = this.p, byName = (a, b) => rank[a.func] - rank[b.func], key = this.sort;
		const value = (item) => this.p.compared ? Math.abs(2 * ((item[key] ?? 0) - (item[key === "self" ?
			"selfBefore" : "before"] ?? 0))) : item[key] ?? item.self;
		return list.filter((item) => Math.max(item.total ?? 0, item.self) >= this.limit)
			.sort(key === "name" ? byName : (a, b) => value(b) - value(a) || byName(a, b));
	}

	// Puts lines behind one, or at the end.
	put(list, behind) {
		const order = this.ordered(list), lines = order.slice(0, MAX_LINES).map((item) => this.lineOf(item));
		if (order.length > MAX_LINES) {
			const line = document.createElement("tr"), more = order.length - MAX_LINES;
			line.append(element("td", `${more} more: search to see them.`, { colspan: 5, class: "name" }));
			line.level = order[0].level;
			lines.push(line);
		}
		if (behind)
			behind.after(...lines);
		else
			this.body.append(...lines);
	}

	head() {
		const head = document.createElement("thead"), line = document.createElement("tr");
		const more = this.p.compared ? ", change" : "";
		for (const [key, text] of [["self", "Self" + more], ["total", "Total" + more],
					   ["cut", "Not whole"], ["name", "Function"]]) {
			if (key === "cut" && !this.items.sums)
				continue;
			const cell = element("th", "", { scope: "col" }), button = element("button", text, { type: "button" });
			if (key === "name" || key === "cut")
				cell.className = key;
			cell.setAttribute("aria-sort", this.sort !== key ? "none" :
					  key === "name" ? "ascending" : "descending");
			button.addEventListener("click", () => this.on.sort(key));
			cell.append(button);
			line.append(cell);
		}
		line.append(element("th", "Binary", { scope: "col", class: "binary" }));
		head.append(line);
		return head;
	}

	lineOf(item) {
		const line = element("tr", "", { "aria-level": item.level, tabindex: -1 }), leads = this.items.leads(item);
		line.item = item;
		line.level = item.level;
		if (leads)
			line.setAttribute("aria-expanded", "false");
		if (this.matched && !this.matched[item.func])
			line.className = "dim";
		for (const key of ["self", "total"])
			line.append(item[key] === undefined ? element("td", "") :
				    this.p.compared ? this.on.change(item, key) : this.on.sum(item[key]));
		if (this.items.sums)
			line.append(element("td", item.cut ? percent(item.cut, item.total) : "", { class: "cut" }));
		const [path, id] = this.p.module(item.func);
		line.append(this.nameCell(line, leads), element("td", fileName(path), {
			class: "binary", title: id ? `${path} (${id})` : path }));
		return line;
	}

	nameCell(line, leads) {
		const { item } = line, cell = element("td", "", { class: "name" });
		const fold = element("span", leads ? "\u25b8" : "", { class: "fold", "aria-hidden": "true" });
		const button = element("button", this.on.name(item.func), { type: "button", tabindex: -1,
									    title: this.p.names[item.func] });
		cell.style.paddingLeft = `${8 + Math.min(item.level - 1, 80) * 10}px`;
		fold.addEventListener("click", () => this.toggle(line));
		button.addEventListener("click", () => this.on.choose(item.func));
		cell.append(fold, button);
		const source = this.p.source?.(item.func);
		if (source)
			cell.append(" ", element("a", "source", { class: "source", href: source.link,
								  title: source.text, rel: "noreferrer" }));
		return cell;
	}

	isOpen(line) {
		return line.getAttribute("aria-expanded") === "true";
	}

	toggle(line, open = !this.isOpen(line)) {
		if (open === this.isOpen(line) || !line.hasAttribute("aria-expanded"))
			return;
		line.setAttribute("aria-expanded", String(open));
		line.querySelector(".fold").textContent = open ? "\u25be" : "\u25b8";
		if (open)
			this.put(this.items.kids(line.item), line);
		while (!open && line.nextElementSibling?.level > line.level)
			line.nextElementSibling.remove();
	}

	// The way on which most goes, as long as one is more than others.
	openHot(line) {
		for (let i = 0; i < MAX_OPENED && line?.item; i++) {
			this.toggle(line, true);
			const next = line.nextElementSibling, most = (l) => l.item.total ?? l.item.self;
			if (!next?.item || next.level <= line.level || most(next) < HOT * most(line))
				break;
			line = next;
		}
		return line;
	}

	take(line) {
		if (this.line)
			this.line.tabIndex = -1;
		this.line = line;
		line.tabIndex = 0;
		this.on.focus(line.item);
	}

	// Opens all around a node, and goes there.
	reveal(node) {
		const path = [];
		for (let n = node; n; n = this.items.tree.parent[n])
			path.unshift(n);
		let line = this.body.firstElementChild;
		for (const n of path) {
			while (line && line.item?.node !== n)
				line = line.nextElementSibling;
			if (n !== node && line)
				this.toggle(line, true);
		}
		line?.focus();
		line?.scrollIntoView({ block: "nearest" });
	}

	static outer(line) {
		let up = line;
		while (up && up.level >= line.level)
			up = up.previousElementSibling;
		return up;
	}

	step(by) {
		let to = this.line ?? this.body.firstElementChild;
		to = (by > 0 ? to?.nextElementSibling : to?.previousElementSibling) ?? to;
		to?.focus();
	}

	key(e) {
		const line = e.target.closest("tr");
		if (e.ctrlKey || e.metaKey || e.altKey || !line?.item)
			return;
		const keys = {
			ArrowDown: () => this.step(1), ArrowUp: () => this.step(-1),
			ArrowRight: () => this.isOpen(line) ? this.step(1) : this.toggle(line, true),
			ArrowLeft: () => this.isOpen(line) ? this.toggle(line, false) : Table.outer(line)?.focus(),
			"*": () => this.openHot(line).focus(),
			Enter: () => e.target.tagName === "TR" ? this.toggle(line) : e.target.click(),
		};
		if (!Object.hasOwn(keys, e.key))
			return;
		e.preventDefault();
		keys[e.key]();
	}
}
