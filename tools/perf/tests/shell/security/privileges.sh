#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record keeps only the capabilities that it needs, and the command all of its own
# limit: 240
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_cmd setpriv unshare
need_event cpu-clock

# DAC_READ_SEARCH 2, SYS_PTRACE 19, SYSLOG 34, CHECKPOINT_RESTORE 40 (or SYS_ADMIN 21 for it), KILL 5
# where there is a command, CHOWN 0, FOWNER 3, SETGID 6, SETUID 7 to write for others.
looking=$(caps 2 19 34 40)
[ "$(caps 40)" != 0 ] || looking=$(caps 2 19 34 21)

unshare -m --propagation private true 2>/dev/null || skip "no mount namespaces here"

# Programs of another user, one in a mount namespace where its file has a name of its own.
cp "$PERF" perf-copy
chmod 755 . perf-copy
as=(setpriv --reuid=54321 --regid=54321 --clear-groups --inh-caps=-all)
"${as[@]}" ./perf-copy test -w deep 20 200 & plain=$!
mkdir -m 700 private
cp "$PERF" private/hidden
cat >inside.sh <<'END'
mount --bind private mnt || exit 77
exec setpriv --reuid=54322 --regid=54322 --clear-groups ./mnt/hidden test -w deep 20 200
END
mkdir mnt
chown 54322 private
unshare -m --propagation private bash inside.sh & hidden=$!
trap 'kill $plain $hidden 2>/dev/null || true' EXIT
wait_until runs $hidden hidden
wait_until runs $plain perf-copy

# Without a command, with one, into another user's folder: all of these record as ever.
mkdir -m 700 theirs
chown 54323 theirs
try() { # LIST OPTIONS... : recorded while the list holds
	local list=$1 recorder
	shift
	rm -rf x.data theirs/*
	"$PERF" record -q -F 500 --defer=copy -e cpu-clock "$@" 2>err & recorder=$!
	wait_until has_drain $recorder
	check_caps $recorder "$list"
	"${then[@]:-true}"
	kill -INT $recorder
	wait $recorder || [ $? = 130 ] || fail "record $*: $(cat err)"
}
# The drain, which has nothing, is the last that is started.
has_drain() { # PID
	local t
	kill -0 $1 2>/dev/null || fail "the recorder ended: $(cat err)"
	for t in "/proc/$1/task/"*; do
		[ "$(status_field "${t#/proc/}" CapEff)" != 0000000000000000 ] || return 0
	done
	return 1
}
whole() { # FILE COMM: its stacks are; in the private folder they have no names
	perf script -i "$1" --comm "$2" -F ip >lines
	[ "$(awk 'BEGIN { RS = "" } NF > 20' lines | grep -c .)" -gt 100 ] ||
		fail "$1: no whole stacks of $2: $(head -n 30 lines)"
}
then=(wait_until enough)
enough() { # samples of both are there
	local f
	for f in x.data theirs/x.data; do
		[ ! -e $f ] || [ "$("$PERF" script -f -i $f -F comm 2>/dev/null | sort | uniq -c |
			awk '$1 > 20' | grep -c 'perf-copy\|hidden')" -lt 2 ] || return 0
	done
	return 1
}
every=$((looking | $(caps 14 38))) # for events on CPUs that come online, and their rings
for who in "-p $plain,$hidden" -a; do
	[ "$who" = -a ] && holds=$every || holds=$looking
	try "$holds" $who -o x.data
	whole x.data perf-copy
	whole x.data hidden
done
# Nobody else may read it.
[ "$(umask 0; perf record -q -e cpu-clock -o mode.data -- true; stat -c %a mode.data)" = 600 ] || fail "$(ls -l mode.data)"
try $((looking | $(caps 0 3 6 7))) -p $plain,$hidden -o theirs/x.data
whole theirs/x.data hidden

# Files that are begun later: in a folder of another user, too, and with the kernel's addresses.
then=(wait_until has_files)
has_files() { [ "$(ls theirs | grep -vc '\.jit$')" -ge 3 ]; } # of code that others compile meanwhile
try $((every | $(caps 0 3 6 7))) -a --switch-output=1s -o theirs/x.data
for f in theirs/x.data.2*; do
	perf script -i "$f" --show-mmap-events >lines 2>err || fail "$f: $(cat err)"
	has lines 'PERF_RECORD_MMAP.*kernel.kallsyms'
done
whole "$(ls theirs/x.data.2* | head -n 1)" hidden

# The command is forked before, and is what it would be without us; so is what it runs.
sets='^(Cap|NoNewPrivs|Seccomp:|Uid|Gid)'
grep -E "$sets" /proc/self/status >expected
perf record -q -e cpu-clock -o x.data -- sh -c "grep -E '$sets' /proc/self/status >got"
cmp expected got || fail "the command's: $(cat got)"
setpriv --bounding-set=-sys_time,-chown --inh-caps=-all,+kill --ambient-caps=-all,+kill bash -c "
	grep -E '$sets' /proc/self/status >expected
	\"\$PERF\" record -q -e cpu-clock -o x.data -- sh -c \"grep -E '$sets' /proc/self/status >got\""
cmp expected got || fail "the command's: $(cat got)"
# The recorder can end it, whoever it became.
cat >other.sh <<'END'
echo $$ >pid
exec setpriv --reuid=54321 --regid=54321 --clear-groups sleep 600
END
then=(wait_until runs_sleep)
runs_sleep() { [ -s pid ] && runs "$(cat pid)" sleep; }
try $((looking | $(caps 5))) -o x.data -- bash other.sh
[ ! -e "/proc/$(cat pid)" ] || fail "the command was left behind"
