#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Makes the recordings again, as root in a root of Debian 11 with linux-perf-5.10, where deep is
# /usr/bin/deep: bash make.sh DIR. deep.c says how it was built.
set -eu
cd "$1"
perf=perf_5.10
for how in fp dwarf,1024; do
	$perf record -q -B -e cpu-clock:u -F 50 --call-graph $how -o ${how%,*}.data -- deep
done
$perf record -q -B -e cpu-clock:u -e page-faults:u -F 50 --call-graph dwarf,1024 -o - -- deep \
	>dwarf.pipe
for f in fp.data dwarf.data dwarf.pipe; do
	$perf script --no-inline -F comm,pid,tid,time,event,ip,sym,dso -i $f >$f.txt
done
