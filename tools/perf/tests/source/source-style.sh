#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: source: sizes, licence tags, banned functions, blanks, header guards, docstrings
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
printf '# SPDX-License-Identifier: GPL-2.0-only\n\t! grep -q x y\n\t! grep -q x y || fail\n' >t/util/bad.sh
fails 1 python "$style" t >out
has out 'bad.c:3: a function of 101 lines' 'bad.c:106: strcpy\(\)' 'bad.c:106: indented with blanks' \
	'bad.c:2: no comment says what' 'bad.c:107: blanks at the end' 'bad.c:108: more than 100 columns' 'tagless.h:1: the licence' \
	'bad.sh:2: its failure is not seen'
has_not out 'bad.sh:3'

# What lies at the top by mistake, once it is committed.
if command -v git >/dev/null; then
	git init -q t && touch t/x.err t/README.md && git -C t add x.err README.md
	fails 1 python "$style" t >out
	has out '^x.err: nothing of this name'
	has_not out '^README'
	rm -rf t/.git t/x.err t/README.md
fi

# Header guards, and docstrings.
room=t/tools/perf/util/room
mkdir -p $room
cat >$room/good.h <<'END'
/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_ROOM_GOOD_H
#define PERF_ROOM_GOOD_H

struct good { int (*fn)(void *ctx); };

/* Opens @path. Returns a descriptor or -errno. */
int good__open(struct good *g, const char *path);

/* Writes the name. */
void good__name(const struct good *g, char *buf, size_t size);

/*
 * Compare numbers.
 * @a, @b: the numbers
 * Returns: whether they are so.
 */
static inline bool good__less(int a, int b)
{
	return a < b;
}
bool good__equal(int a, int b);

#endif
END
rm -r t/util
python "$style" t
sed 's/GOOD_H/FINE_H/; /Opens @path/d; s/the numbers/the numbers; @c: none/; /Returns:/d' \
	$room/good.h >$room/bad.h
fails 1 python "$style" t >out
has out 'bad.h: the header guard should be PERF_ROOM_BAD_H, not PERF_ROOM_FINE_H' \
	'bad.h:7: good__open\(\) has no docstring' \
	'bad.h:16: good__less\(\) does not say what it returns' \
	'bad.h:20: good__equal\(\) does not say what it returns' \
	'bad.h:16: good__less\(\) has no parameter @c'
sed -i 's/@a, @b/a, b/; s/GOOD_H/BAD_H/' $room/good.h
mv $room/good.h $room/bad.h
fails 1 python "$style" t >out
has out 'good__less\(\) does not say what @b is' 'good__equal\(\) does not say what @a is'
