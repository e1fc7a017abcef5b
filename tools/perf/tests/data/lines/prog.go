// SPDX-License-Identifier: GPL-2.0-only
package main
import ("fmt"; "sort"; "strings")
type item struct { name string; n uint64 }
func work(n uint64) uint64 {
	items := make([]item, 0, n)
	for i := uint64(0); i < n; i++ { items = append(items, item{fmt.Sprintf("item%d", i%97), i * 7 % 1001}) }
	sort.Slice(items, func(a, b int) bool { return items[a].n < items[b].n || items[a].n == items[b].n && items[a].name > items[b].name })
	by := map[string][]uint64{}
	var b strings.Builder
	for _, i := range items { by[i.name] = append(by[i.name], i.n); b.WriteString(i.name) }
	var best uint64
	for _, v := range by { var s uint64; for _, x := range v { if x%3 == 0 { s += x } }; if s > best { best = s } }
	return best + uint64(len(b.String()))
}
func main() { var s uint64; for k := uint64(0); k < 40; k++ { s ^= work(20000 + k) }; fmt.Println(s) }
