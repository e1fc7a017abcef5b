#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: install-deps: installs what is missing on Debian, names it elsewhere
. "$PERF_TEST_DIR/shell/lib.sh"
need_source

# Its list with files that are here or not as it suits, whatever the machine has.
mkdir bin tools files
cp "$SOURCE/tools/build/install-deps" tools
sed "/^test/s| file:/| file:$PWD/files/|" "$SOURCE/tools/build/packages" >tools/packages
for c in dirname id mktemp rm tail; do ln -s "$(command -v $c)" bin; done
# An apt-get that has no package lists until they are updated.
cat >bin/apt-get <<'SH'
#!/bin/bash
echo "$*" >>apt.log
[ ! -e broken ] || exit 100
case $1 in
update) : >updated ;;
install) [ -e updated ] || exit 100 ;;
esac
SH
printf '#!/bin/bash\necho 1000\n' >id-user
printf '#!/bin/bash\necho 0\n' >id-root
chmod +x bin/apt-get id-user id-root

deps() { # ID USER USES...
	printf 'ID=%s\n' "$1" >os-release
	ln -sf "../id-$2" bin/id
	shift 2
	PATH=$PWD/bin OS_RELEASE=$PWD/os-release /bin/bash tools/install-deps "$@"
}

fails 1 deps fedora root build 2>err
has err 'dnf install .*gcc make pkgconf-pkg-config elfutils-libelf-devel elfutils-devel'
has_not err clang
fails 1 deps arch user build ci 2>err
has err 'pacman -S .*pkgconf libelf elfutils .*clang'
deps fedora user test 2>err
has err 'dnf install .*xz bzip2 zstd'
fails 1 deps debian user build 2>err
has err 'sudo apt-get install .*pkg-config libelf-dev libdw-dev'
fails 1 deps nosuch root build 2>err
has err 'under the names that Debian gives them: .*libdw-dev'
deps fedora user optional 2>err
has err 'dnf install xz-devel'
[ ! -e apt.log ] || fail "apt-get was called without need"
deps debian root build >out
has apt.log '^update' '^install .*--no-install-recommends .*libelf-dev libdw-dev'
[ "$(grep -c ^install apt.log)" = 2 ] || fail "not one attempt before and one after the update"
touch broken
deps debian root test 2>err
has err 'cannot be installed: .*xz-utils bzip2 zstd'
fails 1 deps debian root build test 2>err
rm broken
for c in $(sed -n 's/^test *cmd:\([^ ]*\).*/\1/p' "$SOURCE/tools/build/packages"); do
	touch "bin/$c" && chmod +x "bin/$c"
done
for f in $(sed -n 's/^test *file:\([^ ]*\).*/\1/p' tools/packages); do
	mkdir -p "$(dirname "$f")" && touch "$f"
done
rm apt.log
deps debian root test
[ ! -e apt.log ] || fail "apt-get was called although nothing is missing"

# One that cannot be had does not keep the others away, and matters only if the build needs it.
rm bin/xz bin/lua5.4
cat >bin/apt-get <<'SH'
#!/bin/bash
echo "$*" >>apt.log
[[ $* != *lua5.4* ]] || exit 100
[[ $* != *xz-utils* ]] || { : >bin/xz; /bin/chmod +x bin/xz; }
SH
deps debian root test 2>err
[ -e bin/xz ] || fail "xz was not installed for lua5.4's sake"
has err 'cannot be installed: lua5\.4$'
has_not err xz-utils
sed -i s/lua5.4/libdw-dev/ bin/apt-get
fails 1 deps debian root build 2>err

# Another compiler, with options.
fails 1 deps debian user build 2>err
has err ' gcc '
CC='clang -m32' fails 1 deps debian user build 2>err
has err ' clang '
has_not err ' gcc '
touch bin/clang && chmod +x bin/clang
CC='clang -m32' fails 1 deps debian user build 2>err
has_not err ' clang ' ' gcc '
