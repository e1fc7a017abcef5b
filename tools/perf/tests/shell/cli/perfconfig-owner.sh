#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: ~/.perfconfig: a file of another user is not trusted, root's is
. "$PERF_TEST_DIR/shell/cli/lib-perfconfig.sh"

need_root
need_cmd script
printf '[core]\n\tpager = "touch here"\n' >"$conf"
chown 54321 "$conf"
terminal --paginate version
has out '/.perfconfig belongs to neither you nor root'
[ ! -e here ] || fail "a program named by another user was run"
need_cmd setpriv
cp "$PERF" perf-copy
chmod 755 . home
mine=$(env -u HOME setpriv --reuid=54321 --clear-groups ./perf-copy version 2>&1)
[ "$(HOME=$HOME setpriv --reuid=54321 --clear-groups ./perf-copy version 2>&1)" = "$mine" ] || fail "its own is not read"
chown 0 "$conf"
[ "$(setpriv --reuid=54321 --clear-groups ./perf-copy version 2>&1)" = "$mine" ] || fail "root's is not trusted"
