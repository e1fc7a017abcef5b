# SPDX-License-Identifier: GPL-2.0-only
# For the tests of programs that start perf, or read what it writes: Documentation/design/callers.md.
. "$PERF_TEST_DIR/shell/lib.sh"

# An installed program that starts "perf" finds this one.
mkdir bin
ln -s "$PERF" bin/perf
export PATH="$PWD/bin:$PATH"

# need_program: two.c and its program `two`, whose work lies in two files of one name: net/util.c 2,
# disk/util.c 2, called in main() of two.c 2 and 3.
need_program() {
	local d
	need_cmd gcc
	for d in net disk; do
		mkdir $d
		cat >$d/util.c <<-END
			volatile unsigned long n_$d;
			__attribute__((noinline)) void work_$d(void) { for (long i = 0; i < 30000000; i++) n_$d++; }
		END
	done
	cat >two.c <<-'END'
		void work_net(void), work_disk(void);
		int main(void) { work_net();
			work_disk(); return 0; }
	END
	gcc -O1 -g "$PWD/two.c" "$PWD/net/util.c" "$PWD/disk/util.c" -o two
}

# need_recording: two.data, of that program, with whole stacks.
need_recording() {
	need_event cpu-clock
	need_program
	perf record -q --defer=copy -e cpu-clock$U -F 999 -o two.data -- ./two 2>err
}

# installed FILE...: the first of these that is there; nothing.
installed() {
	local f
	for f; do
		[ ! -x "$f" ] || { echo "$f"; break; }
	done
}

# reads CALLER FUNCTION FILE: its text has samples, each as the caller reads it, and the function.
reads() {
	python "$PERF_TEST_DIR/lib/script-text.py" "$1" "$2" <"$3" >counts || fail "$(cat counts)"
	local samples frames found
	read -r samples frames found <counts
	[ "$samples" -gt 10 ] && [ "$frames" -ge "$samples" ] && [ "$found" -gt 5 ] || fail "$1 reads $(cat counts)"
}
