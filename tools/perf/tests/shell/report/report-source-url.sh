#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: report --html --source-url: functions of the page link to their sources; nothing else becomes a link
# limit: 90
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd gcc
need_event cpu-clock

mkdir 'a net' disk
for d in 'a net' disk; do
	n=${d#a }
	printf 'volatile unsigned long n_%s;\n__attribute__((noinline)) void work_%s(void) { for (long i = 0; i < 30000000; i++) n_%s++; }\n' \
		$n $n $n >"$d/util.c"
done
printf 'void work_net(void), work_disk(void);\nint main(void) { work_net(); work_disk(); return 0; }\n' >two.c
gcc -O1 -g "$PWD/two.c" "$PWD/a net/util.c" "$PWD/disk/util.c" -o two
perf record -q --defer=copy -e cpu-clock$U -F 999 -o two.data -- ./two 2>err
perf report --html two.html --source-url 'https://host/%f?100%%#L%l' -i two.data 2>err
has two.html '"source_url":"https://host/%f\?100%%#L%l"' "\[\"$PWD/a net/util\.c\",2\]" "\[\"$PWD/disk/util\.c\",2\]"
perf report --html plain.html -i two.data 2>err
has_not plain.html '"source_url"|"sources"'
for url in 'javascript://%f' /src/%f https://host/%l; do
	fails 129 perf report --html out.html --source-url "$url" -i two.data 2>err
	has err 'source-url needs an address with %f'
done
fails 129 perf report --stdio --source-url 'x://%f' -i two.data 2>err
has err 'no effect'

# As a browser shows it: a blank in a folder's name does not end the link.
need_cmd chromium
! is_sanitized || skip "the browser is tested without sanitizers"
chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/profile" --dump-dom "file://$PWD/two.html#v=table" >dom 2>err ||
	skip "the browser does not start here"
grep -o '<a class="source"[^>]*>' dom >links || true
has links "href=\"https://host/$PWD/a%20net/util\.c\?100%#L2\"" "title=\"$PWD/disk/util\.c:2\""
