#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: lines and inlined functions of C++ (g++, clang++; LTO, split DWARF) are those that other tools see
# limit: 400
. "$PERF_TEST_DIR/shell/script/lib-lines.sh"
need_cmd g++
same_lines "C\\+\\+"

# The check sees wrong ones.
cat >wrong <<END
#!/bin/bash
"$PERF" "\$@" | sed "s/prog\.cc:/prog.cc:1/g"
exit \${PIPESTATUS[0]}
END
chmod +x wrong
fails python "$SOURCE/scripts/check-lines.py" --perf "$PWD/wrong" --programs --only 'C\+\+, g\+\+$' >out 2>err
has err '^    llvm-symbolizer '
