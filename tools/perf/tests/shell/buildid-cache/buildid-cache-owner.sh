#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf buildid-cache: root writes nothing into another user's cache, and follows no link in its own
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_event cpu-clock

export HOME=$PWD/home
mkdir home home/.debug elsewhere
chown 65534 home home/.debug
fails 1 perf buildid-cache -a /bin/ls 2>err
has err 'it belongs to another user' 'sudo -H'
[ -z "$(ls home/.debug)" ] || fail "it wrote $(find home)"
perf record --buildid-cache -e cpu-clock$U -- true 2>err
has err 'it belongs to another user'
perf --buildid-dir "$PWD/mine" buildid-cache -a /bin/ls
rm -r mine/.build-id mine/usr 2>/dev/null || rm -r mine/*
ln -s ../elsewhere mine/usr
ln -s ../elsewhere mine/bin
fails 1 perf --buildid-dir "$PWD/mine" buildid-cache -a "$(realpath /bin/ls)" 2>err
[ -z "$(ls elsewhere)" ] || fail "it followed the link: $(find elsewhere)"
