# SPDX-License-Identifier: GPL-2.0-only
# For the tests of ~/.perfconfig: $conf is that file; report() prints of c.data to out and err.
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
unset PERF_CONFIG PERF_BUILDID_DIR PERF_PAGER PAGER
export PERF_CONFIG_NOSYSTEM=1
mkdir home
export HOME=$PWD/home
conf=$HOME/.perfconfig
make_data() { perf record -q -e cpu-clock -F 2000 -g --defer=copy -o perfconfig.data -- "$PERF" test -w deep 6 0.2; }
shared perfconfig.data make_data
mv perfconfig.data c.data
report() { perf report --stdio -i c.data "$@" 2>err >out; }

# On a terminal, with the output in `out`.
terminal() { script -qec "exec '$PERF' $*" /dev/null </dev/null >out; }
