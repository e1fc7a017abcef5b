#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: source: each room has a purpose, and what is extra does not outgrow its limit
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_source
check=$PERF_TEST_DIR/source/room-purposes.py

python "$check" "$SOURCE"

# It must see what it is there for.
mkdir -p t/Documentation/design t/tools/perf/{util/one,util/two,html,mcp,python,scripts} t/tools/lib/a
printf '1\n2\n3\n' >t/tools/perf/util/two/a.c
{
	for room in perf/util/one perf/html perf/mcp perf/python perf/scripts lib/a; do
		echo "| \`tools/$room\` | purpose | |"
	done
	echo '| `tools/perf/util/two` | extra | 3 |'
} >t/Documentation/design/dependencies.md
printf '| `%s` | a | b |\n' one two >t/Documentation/design/pipeline.md
python "$check" t
echo 4 >>t/tools/perf/util/two/a.c
mkdir t/tools/perf/util/three
rmdir t/tools/lib/a
sed -i 's/html` | purpose/html` | pleasure/' t/Documentation/design/dependencies.md
fails 1 python "$check" t >out
has out 'util/two: 4 lines, at most 3' 'util/three: what is it for' \
	'util/three: pipeline.md does not say' 'lib/a: listed, and not there' \
	"'pleasure' is not a kind of room"
