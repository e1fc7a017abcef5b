#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: source: files are made, opened for writing, renamed and removed by one module only
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_source
calls=$PERF_TEST_DIR/source/file-calls.py

python "$calls" "$SOURCE"

# It must see what it is there for. Files that it knows are there as they are.
mkdir -p t/tools
cp -r "$SOURCE/tools/lib" "$SOURCE/tools/perf" t/tools
rm -rf t/tools/*/tests
cat >t/tools/perf/util/io/good.c <<'END'
/* unlink(path) in a comment is fine */
int good(struct ops *o, const char *path)
{
	o->open(path);
	printf("unlink(%s) in a string, which is long enough to be one\n", path);
	return open(path, O_RDONLY | O_CLOEXEC) + openat(1, path, O_PATH) + open("/dev/null", O_RDWR) +
	       !fopen(path, "re");
}
END
python "$calls" t >out || fail "$(cat out)"
nr=0
while read -r call; do
	((++nr))
	printf 'int bad(const char *path, int flags)\n{\n\treturn %s;\n}\n' "$call" >t/tools/perf/util/io/bad$nr.c
done <<'END'
open(path, O_WRONLY | O_CLOEXEC)
open(path, O_RDONLY | O_CREAT, 0600)
openat(1, path, flags)
syscall(SYS_openat2, 1, path, &how, sizeof(how))
fopen(path, "we")
fopen(path, mode)
creat(path, 0600)
mkostemp(path, O_CLOEXEC)
rename(path, path)
syscall(SYS_renameat2, 1, path, 1, path, 2)
unlinkat(1, path, 0)
remove(path)
mkdir(path, 0700)
symlinkat(path, 1, path)
linkat(1, path, 1, path, 0)
mkfifo(path, 0600)
truncate(path, 0)
fchmodat(1, path, 0600, 0)
chown(path, 0, 0)
END
fails 1 python "$calls" t >out
for ((i = 1; i <= nr; i++)); do has out "^tools/perf/util/io/bad$i.c:3: "; done
has out "^[0-9]+ files, $nr problems"
rm t/tools/perf/util/io/bad*.c
# What is allowed, and is no longer there.
sed -i 's/rmdir(/no_more(/' t/tools/perf/util/record/agent-server.c
fails 1 python "$calls" t >out
has out 'agent-server.c: rmdir\(\) is allowed 1 times, and there are 0'
