#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: unwind: kept rows that others could have written are not read
. "$PERF_TEST_DIR/shell/unwind/lib-unwind-cache.sh"

perf stitch -q -o first.data
chmod 777 "$kept"
perf stitch -v -o sixth.data 2>err
has err "unwind tables are not kept on disk: '.*/.unwind' can be written to by others"
same sixth.data
chmod 700 "$kept"
if [ "$(id -u)" = 0 ]; then
	mkdir user
	chown 65534 user
	HOME=$PWD/user perf stitch -v -o seventh.data 2>err
	has err "unwind tables are not kept on disk: '.*/user' belongs to another user"
	same seventh.data
	[ ! -e user/.debug ] || fail "root has made something in a user's home"
fi
HOME=/dev/null perf stitch -v -o eighth.data 2>err
has err "unwind tables are not kept on disk: "
same eighth.data
