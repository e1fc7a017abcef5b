#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=copy: programs that are deleted or replaced while they run
# limit: 300
. "$PERF_TEST_DIR/shell/record/lib-lives.sh"

cat >reuse.sh <<'END'
for i in 1 2 3 4; do
	cp "$PERF" p; ./p test -w deep 20 0.1; rm p
	cp /bin/sh p; ./p -c 'i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done'; rm p
done
END
record reuse '^p$' 90 -- sh reuse.sh
cat >gone.sh <<'END'
up() { c=; until [ "$c" = "$2" ]; do sleep 0.01; read -r c <"/proc/$1/comm"; done; }
for i in 1 2 3; do
	cp "$PERF" gone; ./gone test -w deep 20 0.2 & up $! gone; rm gone; wait
	cp "$PERF" gone; ./gone test -w deep 20 0.2 & up $! gone; cp /bin/sh new; mv new gone; wait
done
END
record gone gone 90 -- sh gone.sh
