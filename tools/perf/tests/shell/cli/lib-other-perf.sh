# SPDX-License-Identifier: GPL-2.0-only
# For the tests of other perfs in PATH: run PATH ARGUMENTS... is perf with that PATH alone; $o has one.
. "$PERF_TEST_DIR/shell/lib.sh"

# The system's own tools without its perf.
mkdir sys other own copy loop
for c in sh bash env cat echo; do ln -s "$(command -v $c)" sys/$c; done
run() { local path=$1; shift; env PATH="$path" "$PERF" "$@"; }
cat >other/perf <<'END'
#!/bin/sh
[ "$*" != --list-cmds ] || { echo "stat top newer record "; exit; }
echo "other: $*"
exit 3
END
chmod +x other/perf
o=$PWD/other:$PWD/sys
