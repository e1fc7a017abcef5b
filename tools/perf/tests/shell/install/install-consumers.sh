#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: libperf-unwind: projects that are built by CMake or Meson use it, and its ABI is compared
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
need_libraries

mkdir -p root/usr/{lib/pkgconfig,include/perf,share/man/man3} project
make -s -C "$SOURCE" O="$BUILD" DESTDIR="$PWD/root" prefix=/usr unwind-install-files >made 2>&1 || fail "$(cat made)"
cp "$SOURCE"/tools/lib/unwind/examples/* project
export PKG_CONFIG_PATH=$PWD/root/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$PWD/root LD_LIBRARY_PATH=$PWD/root/usr/lib
runs() { # PROGRAM
	"$1" >out
	has out ' inner .* by start' ' main .* by ' '^outermost$'
}
done=''
if command -v cmake >/dev/null; then
	cmake -S project -B cmake >log 2>&1 && cmake --build cmake >log 2>&1 || fail "$(tail -n 15 log)"
	runs cmake/self
	done+=' cmake'
fi
if command -v meson >/dev/null && command -v ninja >/dev/null; then
	meson setup meson project >log 2>&1 && ninja -C meson >log 2>&1 || fail "$(tail -n 15 log)"
	runs meson/self
	done+=' meson'
fi

# The comparison of two versions: the same, and one whose structure has grown and whose function is gone.
if command -v abidiff >/dev/null; then
	so=$(realpath "$BUILD/libperf-unwind.so")
	"$SOURCE/packaging/abi" "$so" "$so" root/usr/include >log || fail "$(cat log)"
	gcc -shared -fPIC -g -x c -o changed.so - <<-END
		int unwind__walk(int a) { return a; }
	END
	fails 1 "$SOURCE/packaging/abi" "$so" "$PWD/changed.so" root/usr/include >log
	has log 'unwinder__new'
	done+=' abidiff'
fi
[ "$done" ] || skip "needs cmake, meson or abidiff"
