#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: a perf with capabilities of its file gives them to nothing that a variable names
# limit: 240
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_python
need_cmd setpriv setcap gcc
! is_sanitized || skip "the sanitizers look up variables of their own"
need_event cpu-clock

as=(setpriv --reuid=54321 --regid=54321 --clear-groups --inh-caps=-all)
chmod 1777 . # what is root's here, others cannot exchange
mkdir bin traps
cp "$PERF" bin/perf
cp "$(dirname "$PERF")/script-python.so" bin 2>/dev/null || skip "script-python.so is not beside perf"
setcap cap_perfmon,cap_sys_ptrace,cap_dac_read_search=ep bin/perf || skip "files have no capabilities here"
"${as[@]}" bin/perf version >out || skip "a file with capabilities cannot be run here"
"${as[@]}" "$PERF" record -q -e cpu-clock:u -g -o x.data -- "$PERF" test -w deep 20 0.2

# Each trap writes down which capabilities it has.
: >log
: >sprung
chmod 666 log sprung
cat >trap.c <<END
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
__attribute__((constructor)) static void spring(void)
{
	char line[256];
	FILE *in = fopen("/proc/self/status", "r"), *out = fopen("$PWD/log", "a");

	while (in && out && fgets(line, sizeof(line), in))
		if (!strncmp(line, "CapPrm", 6) || !strncmp(line, "CapEff", 6))
			fprintf(out, "%s", line);
	if (out)
		fclose(out);
}
END
gcc -shared -fPIC -o traps/trap.so trap.c
for name in script-python.so libcurl.so.4 libdebuginfod.so.1 libswiftDemangle.so perf.so; do
	cp traps/trap.so "traps/$name"
done
cat >traps/trap <<END
#!/bin/bash
echo "\$0" >>$PWD/sprung
grep -E 'Cap(Prm|Eff)' /proc/self/status >>$PWD/log
END
chmod 755 traps/trap
for name in sh man less objdump python3 perf perf-gone addr2line; do ln -s trap "traps/$name"; done
printf 'import os\nos.system("%s/traps/trap")\n' "$PWD" | tee traps/sitecustomize.py traps/usercustomize.py >traps/json.py
printf '[core]\n\tpager = %s/traps/trap\n[pager]\n\treport = %s/traps/trap\n' "$PWD" "$PWD" >traps/.perfconfig
cp traps/.perfconfig traps/perfconfig
echo 'print("ran")' >x.py

# Whatever perf and the libraries that it loads might ask for. The linker merges PAGER into PERF_PAGER.
libraries=$(ldd bin/perf | grep -o '/[^ ]*'; ls /usr/lib/*/libcurl.so.4 /usr/lib/*/libdebuginfod.so.1 2>/dev/null || true)
# shellcheck disable=SC2086
words=$(cat bin/perf $libraries | grep -aoE '\b[A-Z][A-Z0-9_]{3,40}\b' | grep -vE '^(LD_|PERF_(RECORD|COUNT|SAMPLE|FORMAT|TYPE|TEST)_)')
names=$({ echo "$words"; sed 's/^[A-Z0-9]*_//' <<<"$words"; } | grep -E '^[A-Z][A-Z0-9_]{3,}$' | sort -u)
for name in PERF_EXEC_PATH PERF_PAGER PERF_CONFIG DEBUGINFOD_URLS HOME PAGER; do
	grep -qx $name <<<"$names" || fail "$name is not among the names that perf looks up"
done
python=$(command -v python3) # where PATH leads to a trap
surround() { # VALUE COMMAND...: with each variable of that value
	local value=$1 set
	shift
	mapfile -t set <<<"$names"
	"${as[@]}" env -i "${set[@]/%/=$value}" "PATH=$PWD/traps:/usr/bin:/bin" "$@" </dev/null >>output 2>&1 || true
}
turn=0
spring() { # COMMAND...: in one of three ways, by turns
	for _ in 1 2 3; do
		case $((turn++ % 3)) in
		0) surround "$PWD/traps" "$PWD/bin/perf" "$@" ;;
		1) surround "$PWD/traps/trap" "$PWD/bin/perf" "$@" ;;
		2) surround "$PWD/traps" "$python" -IS -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$PWD/bin/perf" "$@" ;;
		esac
		[ "${PERF_TEST_THOROUGH:-}" ] || break # --thorough: in each
	done
}
: >output
chmod 666 output
for c in "report --stdio" script "script -s x.py" "annotate --stdio" "diff x.data" evlist "data convert --to folded -o -" \
	buildid-list "stitch -n" "unwind" "report --html page.html" "inject -o y.data"; do
	# shellcheck disable=SC2086
	spring $c -i x.data
done
for c in "help record" "config -l" "check" "list" "gone" "version" "record -o z.data -- true" "data push" "bench"; do
	# shellcheck disable=SC2086
	spring $c
done
# What PATH leads to is run, but has nothing.
has sprung traps/objdump traps/perf-gone
if grep -vE '^Cap(Prm|Eff):.0+$' log; then fail "a trap had capabilities"; fi

# A script is code of who starts perf, and runs in its process.
cat >own.py <<'END'
text = open("/proc/self/status").read()
open("log", "a").write("".join(l + "\n" for l in text.split("\n") if l[:6] in ("CapPrm", "CapEff")))
def process_event(e):
    pass
END
: >log
"${as[@]}" bin/perf script -i x.data -s own.py >out 2>err || fail "$(cat err)"
has log '^CapPrm:' '^CapEff:'
if grep -vE '^Cap(Prm|Eff):.0+$' log; then fail "a script had the capabilities of perf's file"; fi

# Perf's own plugin, in a folder of root's, and in one that others can write to.
"${as[@]}" bin/perf script -i x.data -s x.py >out 2>err || fail "$(cat err)"
has out '^ran'
chmod 777 bin
fails 1 "${as[@]}" bin/perf script -i x.data -s x.py >out 2>err
has err 'script-python.so is not loaded: this perf has capabilities'
