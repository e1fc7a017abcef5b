#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: ~/.perfconfig: mistakes are said with their place, and a file that is none is not read
. "$PERF_TEST_DIR/shell/cli/lib-perfconfig.sh"

printf '[report]\n\tchildren = perhaps\n' >"$conf"
report
has err "^Warning: .*/.perfconfig:2: 'perhaps' is not a valid value for report.children"
printf '[report]\n\tchildren = false\n\nwhat is this\n' >"$conf"
report
has err '^Warning: .*/.perfconfig:4: .*the file is ignored'
has out '^# Children'
rm "$conf"
mkfifo "$conf"
report
has out '^# Children'
rm "$conf"
