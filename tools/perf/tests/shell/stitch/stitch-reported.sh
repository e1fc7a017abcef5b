#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report: says of user stacks what was to be completed, and nothing of finished ones
. "$PERF_TEST_DIR/shell/stitch/lib-stitch.sh"

stitched
perf report --stdio -i raw.data >text
has text '^# User stacks: [0-9]+ samples, [0-9]+ whole user stacks'
perf report --stdio -i out.data >text
has_not text '^# User stacks' # nothing was to be completed
