// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

namespace {
struct item {
	std::string name;
	unsigned long n;
};

unsigned long work(unsigned long n)
{
	std::vector<item> items;
	std::map<std::string, std::vector<unsigned long>> by;
	std::unordered_map<unsigned long, std::string> names;

	for (unsigned long i = 0; i < n; i++)
		items.push_back({ "item" + std::to_string(i % 97), i * 7 % 1001 });
	std::sort(items.begin(), items.end(), [](const item &a, const item &b) {
		return a.n < b.n || (a.n == b.n && b.name < a.name);
	});
	for (auto &i : items) {
		by[i.name].push_back(i.n);
		names[i.n] += i.name;
	}
	unsigned long best = 0;
	for (auto &[name, v] : by)
		best = std::max(best, std::accumulate(v.begin(), v.end(), name.size()));
	for (auto &[k, name] : names)
		best += std::count_if(name.begin(), name.end(), [](char c) { return c == '7'; });
	return best;
}
}

int main()
{
	unsigned long s = 0;

	for (int k = 0; k < 40; k++)
		s ^= work(20000 + k);
	printf("%lu\n", s);
	return 0;
}
