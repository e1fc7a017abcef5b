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
	timeout 60 "$test" >"$test.out" 2>&1
	case $? in
	0) echo "ok - $name" ;;
	77) echo "ok - $name # SKIP $(sed -n 's/.*# SKIP //p' "$test.out" | head -1)" ;;
	*) echo "not ok - $name" ; cat "$test.out" ; failed=1 ;;
	esac
	grep -q '# SKIP' "$test.out" && sed -n 's/^ok [0-9]* - /    skipped: /; /# SKIP/p' "$test.out"
done
exit $failed
