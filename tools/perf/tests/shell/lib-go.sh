# SPDX-License-Identifier: GPL-2.0-only
# For tests of stacks of Go: beside lib.sh. A program that allocates, and the same one stripped.
need_cmd go
need_python
need_source

cat >heap.go <<'END'
package main

import "os"

type node struct {
	next *node
	fill [64]int
}

var roots [64]*node

//go:noinline
func work(n int) *node {
	var list *node
	for i := 0; i < n; i++ {
		list = &node{next: list}
	}
	return list
}

func main() {
	for i := 0; i < 3000; i++ {
		roots[i%len(roots)] = work(100 + i%50)
	}
	if roots[0] == nil {
		os.Exit(1)
	}
}
END
export GOCACHE=$PWD/cache HOME=$PWD GO111MODULE=off CGO_ENABLED=0
go build -o heap heap.go 2>err || skip "go cannot build here: $(tail -n 1 err)"
go build -ldflags='-s -w' -o stripped heap.go

# work_on_behalf FILE: a stack leads from Go's system stack to main.work, on whose behalf the collector
# and the allocator work there. Leaves its stacks in text.
work_on_behalf() {
	perf script -i "$1" -F comm,ip,sym,whole >text
	awk '/^[^ \t]/ { away = 0 } / runtime.systemstack(.abi0)?$/ { away = 1 }
		away && / main.work$/ { n++ } END { exit !n }' text
}
