# SPDX-License-Identifier: GPL-2.0-only
# For the tests of perf script: of x.data `all` is the text, of $samples samples.
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

make_script_data() { perf record -q -e cpu-clock -F 999 -g -o script.data -- "$PERF" test -w noploop 0.3; }
shared script.data make_script_data
mv script.data x.data
perf script -i x.data >all
samples=$(grep -c "cpu-clock$U: \$" all)
