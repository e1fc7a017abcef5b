#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=bpf: after an exec, a fork, in threads and handlers chains are right
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/bpf-walk/lib-bpf-walk.sh"
export PERF
# The same process, again and again another program.
cat >turns <<'END'
#!/bin/bash
"$PERF" test -w deep 20 0.1
[ $1 = 0 ] || exec "$0" $(($1 - 1))
exec "$PERF" test -w deep 30 0.3
END
chmod +x turns
record_checked 100 -- ./turns 5
record_checked 50 -- "$PERF" test -w forker 20 0.05
# Processes that have ended leave nothing behind.
perf record -v -F 2000 -e cpu-clock --defer=bpf -o perf.data -- "$PERF" test -w forker 60 0.02 2>err
read -r made taken held blocks < <(tables err)
[ $((made + taken)) -ge 20 ] && [ "$held" -le 1 ] && [ "$blocks" -le 4 ] || fail "$(cat err)"
record_checked 50 -- "$PERF" test -w thloop 0.5 4
command -v gcc >/dev/null || exit 0
# The first code of a program, without rows: it ends where the kernel has put argc.
cat >first.c <<'END'
volatile unsigned long n;
void begin(void) { for (unsigned long i = 0; i < 1000000000; i++) n += i; }
__asm__(".globl _start; _start: mov %rsp, %rdi; call begin; mov $60, %eax; xor %edi, %edi; syscall");
END
gcc -O1 -static -nostdlib -o first first.c || exit 0
record_checked 100 -- ./first
# Signals on top of signals; a library that goes, and another one in its place.
cat >signals.c <<'END'
#include <signal.h>
#include <sys/time.h>
static volatile unsigned long n;
static void spin(unsigned long much) { for (unsigned long i = 0; i < much; i++) n += i; }
static void handler(int sig) { spin(sig == SIGUSR1 ? 20000 : 50000); if (sig == SIGALRM) raise(SIGUSR1); }
int main(void)
{
	struct itimerval t = { { 0, 500 }, { 0, 500 } };
	signal(SIGALRM, handler);
	signal(SIGUSR1, handler);
	setitimer(ITIMER_REAL, &t, 0);
	for (int i = 0; i < 2000; i++)
		spin(200000);
}
END
gcc -O2 -o signals signals.c || exit 0
record_checked 100 -- ./signals
cat >plugin.c <<'END'
volatile unsigned long n;
void LEAF(void) { char a[PAD]; a[0] = 0; for (int i = 0; i < 3000000; i++) n += a[0] + i; }
void entry(void) { char a[PAD * 2]; a[1] = 0; LEAF(); n += a[1]; }
END
cat >loader.c <<'END'
#include <dlfcn.h>
int main(void)
{
	for (int i = 0; i < 100; i++) {
		void *h = dlopen(i % 2 ? "./one.so" : "./two.so", RTLD_NOW);
		((void (*)(void))dlsym(h, "entry"))();
		dlclose(h);
	}
}
END
gcc -O1 -shared -fPIC -DLEAF=leaf_one -DPAD=64 -o one.so plugin.c
gcc -O1 -shared -fPIC -DLEAF=leaf_two -DPAD=1024 -o two.so plugin.c
gcc -O1 -o loader loader.c -ldl
# Its table is out of date most of the time: then stacks are copied.
record_checked 0 -- ./loader
perf script -i perf.data -F ip,sym | awk -v RS= '
	/leaf_/ { n++; if (/entry/ && /main/) whole++ }
	END { printf "%d of %d\n", whole, n; exit whole < n / 2 }' >counts || fail "$(cat counts err)"
# Stacks of 32-bit programs are not copied: nobody could unwind them.
cat >narrow.c <<'END'
void _start(void)
{
	for (volatile int i = 0; i < 100000000; i++)
		;
	__asm__ volatile("int $0x80" : : "a"(1), "b"(0));
}
END
gcc -m32 -O1 -static -nostdlib -fno-pie -o narrow narrow.c 2>/dev/null || exit 0
perf record -v -F 2000 -e cpu-clock:u --defer=bpf -o perf.data -- ./narrow 2>err || exit 0 # no such programs here
grep -Eq ' [0-9]+ 32-bit task' err || fail "$(cat err)"
awk '/^bytes read/ { bytes = $3 } /^records read/ { n = $3 } END { exit !(n && bytes / n < 2000) }' err || fail "$(cat err)"
