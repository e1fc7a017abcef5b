#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf bench: a wrong question, or a file that is not there, is refused
. "$PERF_TEST_DIR/shell/lib.sh"

fails 129 perf bench 2>err
has err 'name one benchmark: unwind or stitch'
fails 129 perf bench nothing 2>err
has err 'name one benchmark'
fails 129 perf bench stitch a b 2>err
fails 129 perf bench -r 0 stitch 2>err
has err '--repeat must be a number from 1 to 1000'
fails 1 perf bench stitch no-such.data 2>err
has err 'no-such.data: No such file'
fails 1 perf bench unwind no-such.data 2>err
has err 'no-such.data: No such file'
fails 1 env TMPDIR=/no/such "$PERF" bench --samples 10 stitch 2>err
has err 'cannot make a file in /no/such'
fails 1 perf bench --write /no/such/file stitch 2>err
has err 'cannot open /no/such/file for writing: No such file'
