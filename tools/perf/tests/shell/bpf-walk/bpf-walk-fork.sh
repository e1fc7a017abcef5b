#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=bpf: a child begins with its parent's table, if it fits; storms of forks
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/bpf-walk/lib-bpf-walk.sh"
need_cmd gcc

# A parent that works, and then children one after the other, each for some samples.
cat >family.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
volatile unsigned long n;
static void spin(double s)
{
	struct timespec t;
	do {
		for (int i = 0; i < 10000; i++)
			n += i;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while (t.tv_sec + t.tv_nsec * 1e-9 < s);
}
/* NUMBER of children, of them AT ONCE, each for so many SECONDS. */
int main(int argc, char **argv)
{
	int left = atoi(argv[1]), at_once = atoi(argv[2]), alive = 0;
	spin(0.5);
	for (; left > 0; left--) {
		if (alive == at_once && wait(NULL) > 0)
			alive--;
		if (fork() == 0) {
			spin(atof(argv[3]));
			_exit(0);
		}
		alive++;
	}
	while (wait(NULL) > 0)
		;
}
END
gcc -O1 -o family family.c
perf record -v -F 2000 -e cpu-clock:u --defer=bpf,check -o perf.data -- ./family 100 1 0.01 2>err ||
	fail "$(cat err)"
has err ' compared with copies, 0 different'
read -r made taken held blocks < <(tables err)
[ "$taken" -ge 20 ] && [ "$held" -le 1 ] || fail "$(cat err)"

# A storm: what ended leaves nothing, and the tables have room for all.
perf record -v -F 2000 -e cpu-clock:u --defer=bpf,check -o perf.data -- ./family 1000 30 0.001 2>err ||
	fail "$(cat err)"
has err ' compared with copies, 0 different'
has_not err 'tables were full'
read -r made taken held blocks < <(tables err)
[ "$held" -le 1 ] && [ "$blocks" -le 4 ] || fail "$(cat err)"

# Children that put another library where their parent has one: its table is not theirs. Frames of the
# libraries differ, and the larger one is full of a return address, so that who walks it by the rows
# of the smaller one comes to a caller, too, but skips one.
cat >plugin.c <<'END'
volatile unsigned long n;
void LEAF(void *back)
{
	void *volatile a[PAD];
	for (int i = 0; i < PAD; i++)
		a[i] = back;
	for (int i = 0; i < 3000000; i++)
		n += i;
}
void entry(void) { LEAF(__builtin_return_address(0)); n++; }
END
cat >heirs.c <<'END'
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>
static void run(void *h) { ((void (*)(void))dlsym(h, "entry"))(); }
int main(void)
{
	void *h = dlopen("./one.so", RTLD_NOW);
	for (int i = 0; i < 20; i++)
		run(h);
	for (int i = 0; i < 60; i++) {
		if (fork() == 0) {
			dlclose(h);
			run(dlopen("./two.so", RTLD_NOW));
			_exit(0);
		}
		run(h);
		wait(NULL);
	}
}
END
gcc -O1 -fomit-frame-pointer -shared -fPIC -DLEAF=leaf_one -DPAD=8 -o one.so plugin.c
gcc -O1 -fomit-frame-pointer -shared -fPIC -DLEAF=leaf_two -DPAD=128 -o two.so plugin.c
gcc -O1 -fno-omit-frame-pointer -o heirs heirs.c -ldl
record_checked 0 -- ./heirs
perf script -i perf.data -F ip,sym | awk -v RS= '
	/leaf_/ { n++; if (/entry/ && /main/) whole++ }
	END { printf "%d of %d\n", whole, n; exit whole < 0.9 * n }' >counts || fail "$(cat counts err)"
