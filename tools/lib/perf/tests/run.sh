#!/bin/sh
# SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
# run.sh OBJ-DIR LIBPERF.SO SOURCE-DIR PROGRAM...: the tests of libperf; see build.mk.
# Exit: 0 all passed or skipped, 1 something failed.
obj=$1 so=$2 src=$3
shift 3
failed=0

# The shared library has what the headers promise, and nothing else.
sed -n 's/^.*LIBPERF_API .*[ *]\([a-z_]*\)(.*/\1/p' "$src"/include/perf/*.h | sort >"$obj/promised"
nm -D --defined-only "$so" | sed -n 's/.* T \([^@]*\).*/\1/p' | grep -v '^_' | sort >"$obj/exported"
if diff "$obj/promised" "$obj/exported"; then
	echo "ok - exported functions"
else
	echo "not ok - exported functions"
	failed=1
fi

# Names and versions that linked programs depend on: those of the kernel's library, and ours.
soname=$(readelf -d "$so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
nm -D --defined-only "$so" | sed -n 's/.* T \([a-z].*@@.*\)/\1/p' | sort >"$obj/versions"
upstream=$(grep -c '@@LIBPERF_0\.0\.1$' "$obj/versions")
extra=$(grep -c '@@LIBPERF_EXTRA_0\.1$' "$obj/versions")
if [ "$soname" = libperf.so.0 ] && [ "$upstream" = 57 ] && [ "$extra" = 13 ] &&
	[ "$(wc -l <"$obj/versions")" = "$(wc -l <"$obj/exported")" ] &&
	grep -q '^perf_evlist__next_mmap@@LIBPERF_0\.0\.1$' "$obj/versions"; then
	echo "ok - soname and symbol versions"
else
	echo "not ok - soname and symbol versions: $soname, $upstream + $extra"
	failed=1
fi

# The manual page names every function, with its object or, in a list, without: `__name`.
missing=$(while read -r name; do
	grep -q -e "\`$name\`" -e "\`__${name#*__}\`" "$src/Documentation/libperf.txt" || echo "$name"
done <"$obj/exported")
if [ -z "$missing" ]; then
	echo "ok - documented functions"
else
	echo "not ok - documented functions:" $missing
	failed=1
fi

for test; do
	name=${test##*/}
	timeout 300 "$test" >"$test.out" 2>&1
	case $? in
	0) echo "ok - $name" ;;
	77) echo "ok - $name # SKIP $(sed -n 's/.*# SKIP //p' "$test.out" | head -1)" ;;
	*) echo "not ok - $name" ; cat "$test.out" ; failed=1 ;;
	esac
	grep -q '# SKIP' "$test.out" && sed -n 's/^ok [0-9]* - /    skipped: /; /# SKIP/p' "$test.out"
done
exit $failed
