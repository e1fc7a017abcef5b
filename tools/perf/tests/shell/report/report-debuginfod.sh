#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: report, script, stitch: debug files and binaries from debuginfod, each asked for once
. "$PERF_TEST_DIR/shell/report/lib-debuginfod.sh"
make_stripped

report
has_not report workload_
serve good
report
has report workload_spin
has_not err .
[ "$(asked debuginfo)" = 1 ] || fail "asked $(asked debuginfo) times: $(cat log)"
perf script -F ip,sym >script 2>err
has script workload_spin
[ "$(asked debuginfo)" = 1 ] || fail "its cache is not used: $(cat log)"
# Without the variable nothing is asked for, not even of the cache.
env -u DEBUGINFOD_URLS "$PERF" report --stdio -s sym -g none >report
has_not report workload_

# A terminal sees what is loaded; a file does not.
serve late
cat >terminal.py <<'END'
import os, pty, sys
def read(fd):
    data = os.read(fd, 4096)
    log.write(data)
    return data
log = open(sys.argv[1], "wb")
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[2:], read)))
END
if [ -e /dev/pts/ptmx ]; then
	/usr/bin/python3 terminal.py terminal sh -c '"$0" report --stdio -s sym -g none >report' "$PERF" </dev/null >/dev/null
	has terminal 'Loading prog: [0-9.]+'
	has report workload_spin
fi
serve late
report
has_not err Loading

# What is not there is asked for once in a run, and is no trouble.
serve none
report
has_not report workload_
has_not err 'DEBUGINFOD'
[ "$(asked debuginfo)" = 1 ] || fail "asked $(asked debuginfo) times: $(cat log)"

# A binary that was deleted: it comes itself.
rm prog
serve good away/prog
report
has report workload_spin
has_not err 'prog was deleted'
[ "$(asked executable)" = 1 ] || fail "the binary was asked for $(asked executable) times: $(cat log)"
perf record -q -N --no-stitch --call-graph dwarf,2048 -e cpu-clock$U -F 2000 -o copies.data -- away/prog test -w deep 20 0.1
mv away/prog away/moved
serve good away/moved
perf stitch -i copies.data -o whole.data 2>err
has_not err 'unreadable binary'
perf script -i whole.data -F ip,sym >script
has script workload_

# By a setting, and into the build-id cache.
cp away/moved prog
objcopy -S prog
unset DEBUGINFOD_URLS
url="http://127.0.0.1:$(cat port)/"
printf '[buildid-cache]\n\tdebuginfod = %s\n' "$url" >config
PERF_CONFIG=$PWD/config report
has report workload_spin
perf buildid-cache -a prog
there=home/.debug/.build-id/${id:0:2}/${id:2}
[ -e "$there/elf" ] && [ ! -e "$there/debug" ] || fail "without --debuginfod: $(ls "$there")"
serve good
url=$DEBUGINFOD_URLS
unset DEBUGINFOD_URLS
perf buildid-cache -u prog --debuginfod="$url"
cmp "$there/debug" away/prog.debug
report
has report workload_spin
