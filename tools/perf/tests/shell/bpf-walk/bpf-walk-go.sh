#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=bpf: Go's runtime on another stack, and who has called it
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/bpf-walk/lib-bpf-walk.sh"
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

for program in heap stripped; do
	perf record -F 2000 -e cpu-clock:u --defer=bpf -o $program.data -- ./$program 2>err
	perf script -i $program.data -F comm,ip,sym,whole >text
	# The collector and the allocator work on the system stack, on behalf of main.work.
	awk '/^[^ \t]/ { away = 0 } / runtime.systemstack(.abi0)?$/ { away = 1 }
		away && / main.work$/ { n++ } END { exit !n }' text ||
		fail "$program: no stack leads from runtime.systemstack to main.work: $(cat err)"
	python "$SOURCE/scripts/check-chains.py" --perf "$PERF" -v $program.data >checked ||
		fail "$program: $(cat checked)"
done
