#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf data bundle: what cannot be packed is named, with the reason; what is no command, too
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_cmd gcc

export HOME=$PWD/home
mkdir home
cat >spin.c <<'END'
int main(void) { for (volatile unsigned long i = 0; i < 20000000; i++); return 0; }
END
compile() { gcc -O1 -Wl,--build-id="$2" -o "$1" spin.c; } # PROGRAM BUILD-ID
record() { perf record -q -N -e cpu-clock:u -F 2000 -o "$@"; }

compile no-id none
compile gone 0x1111111111111111111111111111111111111111
compile new 0x2222222222222222222222222222222222222222
record few.data -- sh -c './no-id; ./gone; ./new'
perf data bundle -i few.data 2>err
has err '/no-id is not in the bundle: it has no build-id'
has_not err '/gone' '/new'
has err 'The debug files of [2-9] binaries are missing here, so their source lines and inlined functions are not in the bundle'
perf data bundle -v -i few.data 2>err
has err '/gone: no debug file is here' '/new: no debug file is here'
rm gone
compile new 0x3333333333333333333333333333333333333333
perf data bundle -i few.data 2>err
has err '/no-id is not in the bundle: it has no build-id' '/gone is not in the bundle: No such file' \
	'/new is not in the bundle: it was replaced since it was recorded'

# Of many the first ten are named.
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do cp no-id p$i; done
record many.data -- sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do ./p$i; done'
perf data bundle -i many.data 2>err
has err '^Warning: 2 more binaries are not in the bundle'
[ "$(grep -c 'is not in the bundle: it has no build-id' err)" = 10 ] || fail "$(cat err)"

# Where it cannot be written, and a level that there is not.
fails 1 perf data bundle -q -i few.data -o none/b 2>err
has err 'none/b'
for level in 0 20; do
	fails 129 perf data bundle -i few.data -z $level 2>err
	has err "-z $level is not a level of zstd"
done

# A command that Linux perf alone has is run by it, if it is there.
mkdir other empty
printf '#!/bin/sh\necho "other perf: $*"\n' >other/perf
chmod +x other/perf
[ "$(PATH=$PWD/other "$PERF" data ls few.data)" = "other perf: data ls few.data" ] || fail "it was not run"
PATH=$PWD/empty fails 1 "$PERF" data ls few.data 2>err
has err "'perf data ls' is a command of Linux perf that this perf does not have, and there is no other perf"
