#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: make install, uninstall: what is there, what works, and that nothing is left behind
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
need_libraries

# Only what copies files: nothing is built here.
install_() { # GOAL...
	make -s -C "$SOURCE" O="$BUILD" DESTDIR="$PWD/root" prefix=/usr libdir=/usr/lib64 "$@" >made 2>&1 ||
		fail "make $*: $(tail -n 3 made)"
}
tree() { find root | sort; }

mkdir -p root/usr/bin root/usr/share/man/man1
echo another >root/usr/share/man/man1/other.1
tree >before

install_ install-files
root/usr/bin/perf --version | cmp - <(perf --version)
root/usr/bin/perf help stitch | cmp - <(perf help stitch)
root/usr/bin/perf test list >list
has list 'perf stitch: stack copies'
for f in share/man/man1/perf-stitch.1 share/man/man3/libperf.3 lib64/pkgconfig/libperf.pc \
	share/man/man3/libperf-unwind.3 share/man/man3/perf-agent.3 include/perf/agent.h lib64/pkgconfig/libperf-unwind.pc; do
	[ -s root/usr/$f ] || fail "there is no $f"
done
has root/usr/libexec/perf-core/service/perf-host.service '^ExecStart=/usr/bin/perf '
[ "$(readlink root/usr/lib64/libperf.so)" = libperf.so.0 ] || fail "libperf.so is not a link"

# A program is built with what pkg-config says, and needs the library by its version.
export PKG_CONFIG_PATH=$PWD/root/usr/lib64/pkgconfig PKG_CONFIG_SYSROOT_DIR=$PWD/root
cat >prog.c <<'END'
#include <perf/cpumap.h>
int main(void) { return perf_cpu_map__nr(perf_cpu_map__new("0-2")) != 3; }
END
gcc prog.c -o prog $(pkg-config --cflags --libs libperf)
LD_LIBRARY_PATH=root/usr/lib64 ./prog
if command -v readelf >/dev/null; then
	readelf -dV prog >elf
	has elf 'NEEDED.*\[libperf\.so\.0\]' 'LIBPERF_0\.0\.1'
fi

# The same for the library of the unwinder, with a program that walks its own stack; and linked for good.
for static in "" --static; do
	gcc "$SOURCE"/tools/lib/unwind/examples/self.c -o self -rdynamic \
		$(pkg-config $static --cflags libperf-unwind) \
		${static:+-Wl,-Bstatic} $(pkg-config --libs libperf-unwind) ${static:+-Wl,-Bdynamic -lelf}
	LD_LIBRARY_PATH=root/usr/lib64 ./self >out
	has out ' inner .* by start' ' middle .* by eh_frame' ' outer .* by ' ' main .* by ' '^outermost$'
	[ -n "$static" ] || ! command -v readelf >/dev/null || readelf -dV self >elf
done
! command -v readelf >/dev/null || has elf 'NEEDED.*\[libperf-unwind\.so\.0\]' 'LIBPERF_UNWIND_0\.1'

install_ uninstall
tree >after
diff before after >said || fail "left: $(head -n 5 said)"

# Either one alone, with the other one, and once more over itself.
install_ install-extension-files
root/usr/bin/perf-stitch -h >out
has out 'Usage: perf stitch'
root/usr/bin/perf-whole help record | cmp - <(perf help record)
[ "$(find root/usr -type f -size +4000k | wc -l)" = 1 ] || fail "the program is there more than once"
[ ! -e root/usr/libexec/perf-core ] || fail "the extension has files where another perf has them"
mv root/usr moved
moved/bin/perf-whole help record | cmp - <(perf help record)
mv moved root/usr
[ -s root/usr/share/man/man1/perf-stitch.1 ] || fail "there is no manual of perf stitch"
[ ! -e root/usr/bin/perf ] || fail "the extension replaces perf"
install_ uninstall-extension
tree | diff before -
install_ install-files
install_ install-extension-files
install_ install-files
install_ uninstall-extension
[ -s root/usr/share/man/man1/perf-stitch.1 ] || fail "the manual went with the extension"
install_ install-extension-files
install_ uninstall
[ -s root/usr/share/man/man1/perf-stitch.1 ] || fail "the manual of the extension went with perf"
[ ! -e root/usr/share/man/man1/perf-record.1 ] || fail "a manual is left"
install_ uninstall-extension
tree | diff before -

# Of another perf in the same place nothing is taken.
mkdir -p root/usr/libexec/perf-core/scripts
echo theirs >root/usr/libexec/perf-core/scripts/one
tree >before
install_ install-files
install_ uninstall
tree | diff before -

# Uninstalling finds where it was installed; a place may have blanks in its name.
for what in "" -extension; do
	make -s -C "$SOURCE" O="$BUILD" prefix="$PWD/mine" install$what-files >made 2>&1 || fail "$(cat made)"
	[ -x mine/bin/perf${what:+-whole} ] || fail "nothing is installed"
	make -s -C "$SOURCE" O="$BUILD" uninstall$what >made 2>&1
	[ ! -e mine ] || fail "uninstall$what left $(find mine)"
	make -s -C "$SOURCE" O="$BUILD" DESTDIR="$PWD/a b" prefix=/usr install$what-files >made 2>&1 ||
		fail "$(cat made)"
	"a b/usr/bin/perf${what:+-whole}" --version | cmp - <(perf --version)
	make -s -C "$SOURCE" O="$BUILD" DESTDIR="$PWD/a b" prefix=/usr uninstall$what >made 2>&1
	[ -z "$(ls -A "a b")" ] || fail "uninstall$what left $(find "a b")"
	rm "$BUILD"/installed*.mk
done

# Where its module goes is asked of the Python that the environment names.
printf '#!/bin/sh\necho /its/place/perf\n' >python && chmod +x python
printf 'include Makefile\n$(info to: $(PYMODULE_DIR))\n' >ask.mk
PYTHON=$PWD/python make -s -C "$SOURCE" -f "$PWD/ask.mk" help >out
has out '^to: /its/place/perf$'
