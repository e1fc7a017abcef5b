// SPDX-License-Identifier: GPL-2.0-only
import std.algorithm, std.array, std.conv, std.range, std.stdio, std.string;
struct Item { string name; ulong n; }
ulong work(ulong n) {
    auto items = iota(n).map!(i => Item("item" ~ to!string(i % 97), i * 7 % 1001)).array;
    items.sort!((a, b) => a.n < b.n || (a.n == b.n && a.name > b.name));
    ulong[][string] by;
    foreach (ref i; items) by[i.name] ~= i.n;
    ulong best = 0;
    foreach (v; by.byValue) best = max(best, v.filter!(x => x % 3 == 0).sum);
    return best + items.map!(i => i.name.representation.map!(c => cast(ulong) c).sum).sum;
}
void main() { ulong s; foreach (k; 0 .. 30) s ^= work(20000 + k); writeln(s); }
