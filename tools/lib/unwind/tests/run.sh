#!/bin/sh
# SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
# run.sh OBJ-DIR LIBPERF-UNWIND.SO SOURCE-DIR PROGRAM...: the tests of libperf-unwind; see build.mk.
# Exit: 0 all passed or skipped, 1 something failed.
obj=$1 so=$2 src=$3
shift 3
failed=0

ok() { echo "ok - $1"; }
not_ok() {
	echo "not ok - $1"
	failed=1
}

# The shared library has what the header promises, and nothing else.
grep -v '^#' "$src"/include/perf/unwind.h | tr '\n' ' ' | grep -o 'UNWIND_API [^(]*[ *][a-z_]*(' |
	sed 's/.*[ *]\([a-z_]*\)(/\1/' | sort >"$obj/promised"
nm -D --defined-only "$so" | sed -n 's/.* T \([^@]*\).*/\1/p' | grep -v '^_' | sort >"$obj/exported"
if diff "$obj/promised" "$obj/exported"; then
	ok "exported functions"
else
	not_ok "exported functions"
fi

# Names and versions that linked programs depend on.
soname=$(readelf -d "$so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
versions=$(nm -D --defined-only "$so" | grep -c ' T .*@@LIBPERF_UNWIND_0\.1$')
if [ "$soname" = libperf-unwind.so.0 ] && [ "$versions" = "$(wc -l <"$obj/exported")" ]; then
	ok "soname and symbol versions"
else
	not_ok "soname and symbol versions: $soname, $versions"
fi

# No global state: of the library nothing is writable, once it is loaded. (8 bytes are the compiler's.)
state=$(objdump -h "$so" | awk '$2 == ".bss" || $2 == ".data" { if ($3 !~ /^0*8$/) print $2 }')
if nm "$so" | grep -q 'asan\|ubsan\|tsan\|gcov'; then
	echo "ok - no global state # SKIP it is instrumented, which has some"
elif [ -z "$state" ]; then ok "no global state"; else not_ok "no global state: $state"; fi

# The manual page names every function.
missing=$(while read -r name; do
	grep -q "\`$name\`" "$src/Documentation/libperf-unwind.txt" || echo "$name"
done <"$obj/exported")
if [ -z "$missing" ]; then ok "documented functions"; else not_ok "documented functions:" $missing; fi

# The example of the manual page unwinds itself: the functions are known.
if "$obj/examples/self" >"$obj/self.out" 2>&1; then
	known=$(sed -n 's/^ *[0-9a-f]* \([a-z_]*\) .*/\1/p' "$obj/self.out" | head -n 4 | tr '\n' ' ')
	if [ "$known" = "inner middle outer main " ] && tail -n 1 "$obj/self.out" | grep -qx outermost
	then
		ok "example: frames of inner, middle, outer, main"
	else
		cat "$obj/self.out"
		not_ok "example: frames of inner, middle, outer, main"
	fi
else
	cat "$obj/self.out"
	not_ok "example: it runs"
fi

for test; do
	name=${test##*/}
	timeout 120 "$test" >"$test.out" 2>&1
	case $? in
	0) echo "ok - $name" ; sed -n 's/^# /    /p' "$test.out" ;;
	77) echo "ok - $name # SKIP $(sed -n 's/.*# SKIP //p' "$test.out" | head -1)" ;;
	*) cat "$test.out" ; not_ok "$name" ;;
	esac
done
exit $failed
