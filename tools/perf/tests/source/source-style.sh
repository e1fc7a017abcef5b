#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: source: sizes, licence tags, banned functions, blanks
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_source
style=$PERF_TEST_DIR/source/source-style.py

python "$style" "$SOURCE"
for licence in GPL-2.0-only LGPL-2.1-only BSD-2-Clause; do
	has "$SOURCE/LICENSES/$licence.txt" 'NO WARRANTY|AS IS'
done

# It must see what it is there for.
mkdir -p t/util
tag='// SPDX-License-Identifier: GPL-2.0-only'
{
	echo "$tag"
	echo '/* strcpy( in a comment is fine */ const char *s = "sprintf(";'
	printf 'int f(void)\n{\n'
	for _ in {1..100}; do echo; done
	printf '}\n'
} >t/util/good.c
python "$style" t
{
	echo "$tag"
	printf 'int f(void)\n{\n'
	for _ in {1..101}; do echo; done
	printf '}\n        strcpy(a, b);\nint x; \n'
	printf '%0101d\n' 0
} >t/util/bad.c
echo 'int y;' >t/util/tagless.h
fails 1 python "$style" t >out
has out 'bad.c:3: a function of 101 lines' 'bad.c:106: strcpy\(\)' 'bad.c:106: indented with blanks' \
	'bad.c:107: blanks at the end' 'bad.c:108: more than 100 columns' 'tagless.h:1: the licence'
