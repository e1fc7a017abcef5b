#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf annotate: with each form of output, each option changes it, is refused, or is documented to do nothing
# limit: 200
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd g++ objdump
need_python
need_event cpu-clock
need_event page-faults

mkdir -p src/other src/empty
cat >src/a.cc <<'END'
volatile unsigned long n;
namespace deep { __attribute__((noinline)) void spin(long k) { for (long i = 0; i < k; i++) n++; } }
int main() { deep::spin(300000000); n++; return 0; }
END
sed 's/volatile/static volatile/' src/a.cc >src/other/a.cc
g++ -O1 -g -o a "$PWD/src/a.cc"
perf record -q -e "{cpu-clock$U,page-faults$U}" -F 2000 -o w.data -- ./a
cat >objdump.sh <<'END'
#!/bin/sh
objdump "$@" | sed 's/add/ADD/'
END
chmod +x objdump.sh
cat >forms.py <<'END'
import os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ["PERF_TEST_DIR"], "lib"))
import option_forms
here = os.getcwd()
names = {"symbol": "main", "dsos": "none", "cpu": "4000", "time": "0%-1%", "percent-limit": "99.99",
         "group": False, "disassembler-style": "intel", "objdump": "./objdump.sh", "source": False,
         "prefix": "/nowhere", "prefix-strip": ("%d" % (here.count("/") + 1), "--prefix=%s/src/other" % here),
         "percent-type": "global-hits"}
fit = {"symfs": "src/empty", "vmlinux": "/dev/null", "demangle": False, "demangle-kernel": None, "force": None,
       "verbose": None, "quiet": None, "stdio-color": "never", "addr2line": "x"}
option_forms.check(["annotate"], ["-i", "w.data"], [["--stdio"], ["-D"]],
    {"input", "tui", "stdio", "dump-raw-trace"}, {**names, **fit}, set(fit), {"skip-missing"})
END
python forms.py

# What is walked through on a terminal, and what excludes each other.
for pair in "--tui --stdio" "--tui -D" "--tui -l" "--tui -P" "--tui --skip-missing" "-D main" "-D -s main" \
	"--prefix-strip 1 --stdio" "-n --show-total-period"; do
	fails 129 perf annotate -i w.data $pair >out 2>err
	has err 'leave out|choose one|needs'
done
# Functions whose code is not here, without a word.
perf annotate --stdio -i w.data --symfs src/empty >out 2>err || true
has err 'not here|not shown'
perf annotate --stdio -i w.data --symfs src/empty --skip-missing >out 2>err || true
has_not err 'not here|not shown'
