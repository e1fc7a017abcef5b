#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf diff: with each form of output, each option changes it, is refused, or is documented to do nothing
# limit: 300
. "$PERF_TEST_DIR/shell/diff/lib-diff.sh"

i=0
for n in 402 395 400 405 398; do
	i=$((i + 1))
	counted "old$i.data" "main;early;handle=100" "main;late;handle=100" "main;steady=$n" "main;idle=$((800 - n))" 'main;gone=100'
	counted "new$i.data" "main;early;handle=100" "main;late;handle=167" "main;steady=$n" "main;idle=$((800 - n))" 'main;came=100'
done
cat >forms.py <<'END'
import os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ["PERF_TEST_DIR"], "lib"))
import option_forms
names = {"compute": "ratio", "comms": "none", "cpu": "4000", "dsos": "none", "symbols": "handle", "pid": "1",
         "tid": "1", "time": "0%-1%", "order": "0", "percentage": ("relative", "-S", "handle"), "sort": "pid,sym",
         "field-separator": ";", "normalize": "run", "fail-if": "self(handle) > +3%", "format": "json",
         "confidence": "60", "limit": "1", "html": "out", "kallsyms": "/dev/null"}
fit = {"symfs": "empty", "vmlinux": "/dev/null", "demangle": None, "force": None, "quiet": None, "verbose": None}
before, after = (["%s%d.data" % (w, i) for i in range(1, 6)] for w in ("old", "new"))
groups = ["--", *before, "--", *after]
option_forms.check(["diff"], ["--kallsyms=kallsyms"],
    [["--", "old1.data", "new1.data"], ["--runs"] + groups, ["--format=markdown"] + groups,
     ["--format=json"] + groups], {"runs", "format"}, {**names, **fit}, set(fit), set())
END
mkdir empty
python forms.py
