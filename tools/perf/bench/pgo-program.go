// SPDX-License-Identifier: GPL-2.0-only

// What tools/perf/bench/pgo builds with profiles: shortest ways over a map of squares. Its heap calls
// what it orders through an interface, as container/heap does, which knows no type of this package: so
// Go could not make direct calls there. The costs are sorted by the standard library likewise.
package main

import (
	"fmt"
	"sort"
)

const side = 700

type place struct {
	cost, at int
}

type ordered interface {
	Less(i, j int) bool
	Swap(i, j int)
}

func up(o ordered, at int) {
	for at > 0 && o.Less(at, (at-1)/2) {
		o.Swap(at, (at-1)/2)
		at = (at - 1) / 2
	}
}

func down(o ordered, size int) {
	for at, child := 0, 1; child < size; child = 2*at + 1 {
		if child+1 < size && o.Less(child+1, child) {
			child++
		}
		if !o.Less(child, at) {
			return
		}
		o.Swap(at, child)
		at = child
	}
}

type queue []place

func (q queue) Less(i, j int) bool { return q[i].cost < q[j].cost }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }

// The price of a square: any numbers, the same ones each time.
func price(at int) int {
	x := uint32(at)*2654435761 + 12345
	return int(x>>16)%97 + 1
}

func costs(from int) []int {
	cost := make([]int, side*side)
	for i := range cost {
		cost[i] = -1
	}
	q := queue{{0, from}}
	for len(q) > 0 {
		p, last := q[0], len(q)-1
		q.Swap(0, last)
		q = q[:last]
		down(q, last)
		if cost[p.at] >= 0 {
			continue
		}
		cost[p.at] = p.cost
		x, y := p.at%side, p.at/side
		for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			nx, ny := x+d[0], y+d[1]
			if nx < 0 || ny < 0 || nx >= side || ny >= side {
				continue
			}
			if to := ny*side + nx; cost[to] < 0 {
				q = append(q, place{p.cost + price(to), to})
				up(q, len(q)-1)
			}
		}
	}
	return cost
}

func main() {
	total := 0
	for round := 0; round < 6; round++ {
		far := sort.IntSlice(costs(round * 1000))
		sort.Sort(far)
		total += far[len(far)/2]
	}
	fmt.Println(total)
}
