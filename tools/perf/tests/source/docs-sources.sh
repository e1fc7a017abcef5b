#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: documentation: the files and functions that *.md pages name are there
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_source
python "$PERF_TEST_DIR/source/docs.py" sources "$SOURCE"

# It must see what it is there for.
mkdir -p t/tools/perf/util/room t/Documentation/design
echo 'int room__open(void); int shut(void);' >t/tools/perf/util/room/room.h
cat >t/Documentation/design/a-samples-way.md <<'END'
`room__open()` in `room/room.h`, `shut()` in `room.h`; [more](more.md).
END
echo 'More: `open(2)`, `read()`.' >t/Documentation/design/more.md
python "$PERF_TEST_DIR/source/docs.py" sources t
echo 'int read_all(void);' >t/tools/perf/util/room/other.h
cat >>t/Documentation/design/a-samples-way.md <<'END'
`room__close()`, `room/gone.c`, [gone](gone.md), `read_all()` in `room.h`.
END
printf '%0101d\n    %0101d\n|%0101d\n' 0 0 0 >>t/Documentation/design/more.md
fails 1 python "$PERF_TEST_DIR/source/docs.py" sources t >out
has out 'a-samples-way.md: there is no function room__close' 'there is no file room/gone.c' \
	'there is no file gone.md' 'read_all\(\) is not in room.h' 'more.md: more than 100 columns: 000'
[ "$(grep -c ': ' out)" = 5 ] || fail "$(cat out)"

cat >t/Documentation/design/glossary.md <<'END'
Anew.

## Words

| the field's term | here | replaced |
|---|---|---|
| again | the same | anew; once more |
END
echo 'It begins once' >t/Documentation/design/more.md
echo 'more.' >>t/Documentation/design/more.md
echo 'const char *text = "Not a" "new, " "anew"; /* anew */' >t/tools/perf/util/room/room.c
fails 1 python "$PERF_TEST_DIR/source/docs.py" sources t >out
has out 'more.md: "once more" is' 'glossary.md: "Anew" is' 'room.c: "anew" is'
[ "$(grep -c 'glossary replaces' out)" = 4 ] || fail "$(cat out)"
