#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record by an ordinary user: a program with other rights runs unseen, and that is said
# limit: 240
. "$PERF_TEST_DIR/shell/record/lib-user.sh"

cp perf-copy setuid
chmod 4755 setuid
case $(findmnt -n -o OPTIONS -T .) in
*nosuid*) ;; # there is no such program here
*)
	user record -e cpu-clock -o setuid.data -- ./setuid test -w noploop 0.1 2>err
	has err '^Warning: a program changed its privileges .*setuid'
	user record -e cpu-clock -o setuid.data -- sh -c './setuid test -w noploop 0.1; :' 2>err
	has err '^Warning: a program changed its privileges .*setuid'
	perf record -a -e cpu-clock -o setuid.data -- setpriv --reuid=$uid ./setuid test -w noploop 0.3 2>err
	has_not err 'other rights'
	perf script -i setuid.data -F comm,ip,sym >lines
	has lines "setuid +[0-9a-f]{6,12} "
	;;
esac
rm setuid
user record -e cpu-clock -o plain.data -- sh -c './perf-copy test -w noploop 0.1; ./no-such; :' 2>err
has_not err 'other rights'
