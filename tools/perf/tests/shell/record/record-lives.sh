#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=copy: programs that live for a moment have whole stacks
# limit: 300
. "$PERF_TEST_DIR/shell/record/lib-lives.sh"

record true true 90 -- sh -c 'for i in $(seq 150); do /bin/true; done'
# All of them have a file, but those in execve(), some 50 of 500, which have a reason of their own.
grep -q ' records lost' err || has_not err 'no file behind the address'
if command -v git >/dev/null; then
	record git git 80 -- sh -c 'for i in $(seq 8); do rm -rf r; git init -q r; echo $i >r/a
		git -C r add a; git -C r -c user.name=x -c user.email=x@y commit -qm m
		git -C r log --oneline; git -C r status; done'
fi
