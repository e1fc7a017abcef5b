#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: documentation: each command has a page that agrees with its -h
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
docs=$(dirname "$PERF_TEST_DIR")/Documentation

python "$PERF_TEST_DIR/source/docs.py" check "$PERF" "$docs"

# It must see what it is there for.
mkdir d
cp "$docs"/perf*.txt d
sed -i -e 's/^--build-options::/--build-option::/' -e "s/^'perf version'.*/'perf version'/" \
	d/perf-version.txt
rm d/perf-help.txt
touch d/perf-nosuch.txt
fails 1 python "$PERF_TEST_DIR/source/docs.py" check "$PERF" d >out
has out 'perf-version.txt: --build-options is in -h, not on the page' \
	'perf-version.txt: --build-option is on the page' 'perf-version.txt: SYNOPSIS says' \
	'perf-help.txt: No such file' 'perf-nosuch.txt: there is no such command'

if [ -d "$docs/design" ]; then
	mkdir d/design
	sed -e 's/`mapfile_shrinks`/`mapfile_shrank`/' -e 's/| `hash_flood` |/| |/' "$docs/design/security.md" >d/design/security.md
	fails 1 python "$PERF_TEST_DIR/source/docs.py" check "$PERF" d >out
	has out "security.md: .*: there is no test 'mapfile_shrank'" "security.md: .* names no test"
	[ "$(grep -c security.md out)" = 2 ] || fail "$(grep security.md out)"
fi

perf help version >out
has out '^perf-version\(1\)$'
fails 1 perf help nosuch 2>err
has err "there is no manual page for 'nosuch'"
