#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: tools/build/fuzz --minimize: keep what sees the most, and what showed a defect
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_cmd zstd
need_source

# It fills the archives of the tree that it is in.
mkdir -p tools/build programs corpus/made
cp "$SOURCE/tools/build/fuzz" tools/build/

# A target that merges as libFuzzer does: an input of letters sees each of them.
cat >programs/made <<'END'
#!/usr/bin/python3
import os, shutil, sys
control = next(a.split("=")[1] for a in sys.argv if a.startswith("-merge_control_file="))
fewest, folder = sys.argv[-2:]
paths = sorted(os.path.join(folder, n) for n in os.listdir(folder))
with open(control, "w", encoding="utf-8") as out:
    print("%d\n0\n%s" % (len(paths), "\n".join(paths)), file=out)
    for i, path in enumerate(paths):
        with open(path, encoding="utf-8") as f:
            letters = sorted(set(f.read().replace(" ", "")))
        print("STARTED %d %d\nFT %d %s\nCOV %d" % (i, os.path.getsize(path), i, " ".join(
            str(ord(c)) for c in letters), i), file=out)
        shutil.copy(path, fewest)
END
chmod +x programs/made
archive=tools/perf/tests/data/fuzz/made.tar.zst
minimize() {
	python tools/build/fuzz --corpus corpus --minimize programs 0 made >out
	zstd -dqc "$archive" | tar -tf - | tr '\n' ' ' >names
	cat out names
}

# Small ones fill the archive where a larger one sees more; what showed a defect stays.
python -c '
for i in range(310):
    with open("corpus/made/small%d" % i, "w", encoding="utf-8") as f:
        f.write(chr(0x1000 + i))
'
printf 'abcdef%5000s' '' >corpus/made/large
printf 'a' >corpus/made/case-1
printf 'a' >corpus/made/case-2
minimize
has out '^made: 300 of 313 inputs see 303 of 316, 313 see all;'
has names '^case-1 case-2 large small'

# There is room for 2 MB: a large one fills it where smaller ones see more, and more of them fit.
rm corpus/made/*
for i in AB CD EF; do printf "$i%600000s" '' >corpus/made/$i; done
printf 'ACE%1999999s' '' >corpus/made/most
minimize
has out '^made: 3 of 4 inputs see 6 of 6,'
has names '^AB CD EF $'
