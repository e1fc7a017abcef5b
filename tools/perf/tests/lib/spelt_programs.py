#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Programs whose functions spell their place: program NUMBER of a SEED is always the same.

A program is a tree of functions. The name of each is its path from the root: n0_2_1 is called by
n0_2 and by nothing else, so that the name of the innermost function tells all its callers, and
spelt_chains.py tells whether a chain is them. What varies is how a function reaches the next one
(through the PLT, a signal handler, a new thread, ...), what its frame holds, and the compiler, its
options and the linker. main() goes through the tree until so much CPU time is used.
"""
import os
import random
import shutil
import subprocess

# How the caller of a function reaches it -> what may be between both in a chain:
# direct  nothing                              libs    functions of libraries, by_NAME
# tail    nothing, or the caller is left out   signal  the frame of a signal, by_NAME
# maybe   functions of libraries, or none       root    nothing: a thread or coroutine begins
LINKS = {
    "call": "direct", "pointer": "direct", "tail": "tail", "loop": "direct", "cold": "direct",
    "noreturn": "direct", "longjmp": "direct", "qsort": "libs", "bsearch": "maybe", "raise": "signal",
    "altstack": "signal", "thread": "root", "context": "root", "clone": "root", "fork": "direct",
    "vfork": "direct", "throw": "direct", "unwound": "maybe", "virtual": "maybe",
    "coroutine": "maybe", "nested": "maybe", "linked": "maybe", "dlopen": "direct",
    "reload": "direct", "asm-rbx": "maybe", "asm-r12": "maybe", "asm-bare": "maybe",
    "asm-frameless": "maybe", "asm-drap": "maybe", "asm-switch": "maybe",
}
PLAIN_LINKS = ("call", "call", "pointer", "loop", "tail")
FRAMES = ("alloca", "vla", "aligned", "drap", "big", "recursion")
CXX_ONLY = ("throw", "unwound", "virtual", "coroutine")
NOT_STATIC = ("linked", "dlopen", "reload")
COSTLY = ("thread", "clone", "fork", "vfork", "reload")  # for the kernel
ASM_LINKS = tuple(link for link in LINKS if link.startswith("asm"))
# Each program has one of them for certain, in turns.
FEATURES = [link for link in LINKS if link not in ("call", "pointer")] + [
    "alloca", "vla", "aligned", "drap", "big", "recursion", "tick", "tick-altstack", "bare", "deep"]

COMMON = {
    "opt": ("-O0", "-O1", "-O2", "-O2", "-O3", "-Os"),
    "pie": ("", "", "-no-pie -fno-pie", "-static", "-static-pie"),
    "more": ("", "-fno-omit-frame-pointer", "-fno-plt", "-fstack-protector-all", "-mno-red-zone",
             "-fcf-protection=full", "-fno-optimize-sibling-calls", "-ffunction-sections -Wl,--gc-sections",
             "-g -Wl,--compress-debug-sections=zlib", "-mstackrealign", "-fno-exceptions"),
    "link": ("", "", "-Wl,-z,now", "-Wl,-z,lazy", "-fuse-ld=gold", "-fuse-ld=lld", "-Wl,--no-eh-frame-hdr",
             "-Wl,-z,noseparate-code", "-Wl,--build-id=none", "-fuse-ld=lld -Wl,--icf=all",
             "-fuse-ld=gold -Wl,--icf=all"),
}
OF_GCC = ("-fno-shrink-wrap", "-fno-ipa-ra", "-maccumulate-outgoing-args", "-mindirect-branch=thunk",
          "-fno-reorder-functions", "-freorder-blocks-algorithm=simple", "-fno-dwarf2-cfi-asm",
          "-fprofile-arcs", "-mcmodel=large")
OF_CLANG = ("-mretpoline", "-fsanitize=safe-stack", "-mspeculative-load-hardening", "-mcmodel=medium")
NO_TABLES = " -fno-asynchronous-unwind-tables -fno-unwind-tables"

HEAD = r"""
#define _GNU_SOURCE 1
#include <alloca.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef CONTEXT
#include <ucontext.h>
#endif
#ifdef COROUTINE
#include <coroutine>
struct task {
	struct promise_type {
		task get_return_object() { return { std::coroutine_handle<promise_type>::from_promise(*this) }; }
		std::suspend_always initial_suspend() { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		void return_void() {}
		void unhandled_exception() {}
	};
	std::coroutine_handle<promise_type> h;
};
#endif
#define NOINLINE __attribute__((noinline))
#define DEPTH_SHIFT 40
static volatile unsigned long sink;
static inline __attribute__((always_inline)) void work(long n)
{
	for (long i = 0; i < n; i++)
		sink += i;
}
"""

# Time in user space; that in the kernel and real time have limits, for machines that give none.
MAIN = r"""
static double seconds(struct timeval t) { return t.tv_sec + t.tv_usec / 1e6; }
static int is_before(double end)
{
	struct rusage u, c;
	getrusage(RUSAGE_SELF, &u);
	getrusage(RUSAGE_CHILDREN, &c);
	double user = seconds(u.ru_utime) + seconds(c.ru_utime);
	return user < end && user + seconds(u.ru_stime) + seconds(c.ru_stime) < 4 * end;
}
int main(int argc, char **argv)
{
	double end = atof(argv[argc - 1]);
	alarm(100);
	%s
	while (is_before(end))
		sink += n0(1);
	return 0;
}
"""

VIRTUAL = r"""
struct base_NAME { virtual long go(long) { return 1; } };
struct by_NAME : base_NAME { NOINLINE long go(long v) override { v = CALL; sink++; return v; } };
static by_NAME object_NAME;
static base_NAME *volatile to_NAME = &object_NAME;
"""

# Each helper stands in its own function, by_NAME, which calls NAME.
ASM_BODY = {
    "asm-rbx": "push %rbx\n.cfi_adjust_cfa_offset 8\n.cfi_offset rbx,-16\nmov %rsp,%rbx\n"
               ".cfi_def_cfa_register rbx\nsub $200,%rsp\nand $-64,%rsp\ncall NAME@\nmov %rbx,%rsp\n"
               ".cfi_def_cfa_register rsp\npop %rbx\n.cfi_adjust_cfa_offset -8\nret",
    "asm-r12": "push %r12\n.cfi_adjust_cfa_offset 8\n.cfi_offset r12,-16\nmov %rsp,%r12\n"
               ".cfi_def_cfa_register r12\nsub $72,%rsp\nand $-32,%rsp\ncall NAME@\nmov %r12,%rsp\n"
               ".cfi_def_cfa_register rsp\npop %r12\n.cfi_adjust_cfa_offset -8\nret",
    "asm-bare": "push %rbp\nmov %rsp,%rbp\nsub $64,%rsp\ncall NAME@\nleave\nret",
    "asm-frameless": "sub $40,%rsp\ncall NAME@\nadd $40,%rsp\nret",
    "asm-drap": "lea 8(%rsp),%r10\n.cfi_def_cfa r10,0\nand $-64,%rsp\npush -8(%r10)\npush %rbp\n"
                ".cfi_escape 0x10,6,2,0x76,0\nmov %rsp,%rbp\npush %r10\n"
                ".cfi_escape 0x0f,3,0x76,0x78,6\nsub $88,%rsp\ncall NAME@\nadd $88,%rsp\npop %r10\n"
                ".cfi_def_cfa r10,0\npop %rbp\nlea -8(%r10),%rsp\n.cfi_def_cfa rsp,8\nret",
    "asm-switch": "push %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset rbp,-16\nmov %rsp,%rbp\n"
                  ".cfi_def_cfa_register rbp\nlea stack_NAME+65536(%rip),%rsp\ncall NAME@\n"
                  "mov %rbp,%rsp\npop %rbp\n.cfi_def_cfa rsp,8\nret",
}
ASM = ".text\n.type by_NAME,@function\nby_NAME:\nCODE\n.size by_NAME,.-by_NAME\n" \
      ".local stack_NAME\n.comm stack_NAME,65536,64\n"
ASM_HEAD = "long by_NAME(long); __asm__(\"CODE\");"
WITHOUT_CFI = ("asm-bare", "asm-frameless")


class Node:
    """A function. @link: how it is reached; @unit: 0 is the program, others are libraries."""

    def __init__(self, name, link, unit):
        self.name, self.link, self.unit = name, link, unit
        self.children, self.frame, self.depth, self.work, self.args = [], "", 0, 0, 1


class Program:
    """What is to be made, and how a chain of it must look (rules())."""

    def __init__(self, seed, number):
        r = self.random = random.Random("%s %s" % (seed, number))
        self.number = number
        self.feature = FEATURES[number % len(FEATURES)]
        self.nodes, self.units = {}, [""]
        self._choose_build(r)
        self._grow(r)
        self.features = sorted({n.link for n in self.nodes.values()} - set(PLAIN_LINKS) - {"main"} |
                               {n.frame for n in self.nodes.values()} - {""} | self.extra)

    def _choose_build(self, r):
        f = self.feature
        self.cxx = f in CXX_ONLY or f != "nested" and r.random() < 0.3
        self.compiler = r.choice(("gcc", "gcc", "clang"))
        if f in ("nested", "coroutine"):
            self.compiler = "gcc"
        self.musl = not self.cxx and self.compiler == "gcc" and r.random() < 0.1 and f != "context"
        self.pick = {key: r.choice(values) for key, values in COMMON.items()}
        if f in NOT_STATIC and "static" in self.pick["pie"]:
            self.pick["pie"] = ""
        if r.random() < 0.4:
            self.pick["more"] = r.choice(OF_GCC if self.compiler == "gcc" else OF_CLANG)
        self.static = "static" in self.pick["pie"]
        self._avoid_refused(f)
        self.lto = f not in ASM_LINKS and f != "nested" and not self.musl and r.random() < 0.15
        self.strip = r.random() < 0.2
        self.extra = {f} & {"tick", "tick-altstack", "bare", "deep"}
        if not self.extra and r.random() < 0.1:
            self.extra = {"tick"}

    def _avoid_refused(self, feature):
        """What compilers and linkers do not take together."""
        more, link = self.pick["more"], self.pick["link"]
        if self.cxx and "no-exceptions" in more or self.static and "safe-stack" in more or \
                "mcmodel" in more and (self.static or self.cxx or "gold" in link) or \
                self.musl and "fprofile" in more:
            self.pick["more"] = ""
        if "fprofile" in more and feature in ("vfork", "clone"):
            self.pick["more"] = ""  # counts threads of the process
        if self.musl and "static-pie" in self.pick["pie"]:
            self.pick["pie"] = "-static"
        if self.musl or feature in ASM_LINKS or self.static and "gold" in link or \
                "lld" in link and "static-pie" in self.pick["pie"] or \
                "hdr" in link and (self.static or self.cxx):
            self.pick["link"] = ""

    def allowed(self, link):
        return not (link in CXX_ONLY and not self.cxx or link in NOT_STATIC and self.static or
                    link == "nested" and (self.cxx or self.compiler != "gcc") or
                    link == "coroutine" and self.compiler != "gcc" or link in ASM_LINKS and self.lto or
                    link == "context" and self.musl or self.musl and link in ("linked", "dlopen") or
                    "safe-stack" in self.pick["more"] and link in ("context", "clone", "asm-switch") or
                    "fprofile" in self.pick["more"] and link in ("vfork", "clone"))

    def _grow(self, r):
        links = [link for link in LINKS if self.allowed(link)]
        some = r.sample(links, min(len(links), 3)) + [self.feature] * (self.feature in LINKS)
        root, self.frames = Node("n0", "main", 0), ["", ""] + r.sample(FRAMES, 2)
        self._add(r, root, 0)
        todo = [root]
        while todo and len(self.nodes) < 22:
            node = todo.pop(0)
            deep = node.name.count("_")
            for i in range(r.choice((1, 2, 2, 3)) if deep < 5 else 0):
                link = r.choice(PLAIN_LINKS) if r.random() < 0.5 else r.choice(some)
                todo.append(self._child(r, node, i, link))
        if self.feature in LINKS and all(n.link != self.feature for n in self.nodes.values()):
            self._child(r, root, len(root.children), self.feature)
        for node in self.nodes.values():
            if node.link == "tail" and not self._may_be_tail(node):
                node.link = "call"
        if any(n.link in COSTLY for n in self.nodes.values()):
            for node in self.nodes.values():
                node.work *= 30
        self.ticks = list(self._ticks(r))

    def _add(self, r, node, deep):
        node.work = r.choice((300, 1000, 3000, 9000))
        node.frame = r.choice(self.frames)
        if self.feature in FRAMES and (not deep or r.random() < 0.4):
            node.frame = self.feature
        if self.feature == "deep" and deep == 1 and node.name.endswith("0"):
            node.frame = "recursion"
        node.depth = r.choice((1, 3, 9, 30)) if node.frame == "recursion" else 0
        if node.depth and self.feature == "deep" and deep == 1:
            node.depth = 1500
        if node.frame == "drap" and (node.link not in ("call", "loop", "cold") or self.lto):
            node.frame = "aligned"
        node.args = 9 if node.frame == "drap" else 1
        if node.link == "coroutine":
            node.frame, node.depth = "", 0
        self.nodes[node.name] = node

    def _child(self, r, node, i, link):
        unit = node.unit
        if unit and link in NOT_STATIC + ("nested",) or node.link == "coroutine" and link not in PLAIN_LINKS:
            link = "call"
        if link in NOT_STATIC:
            unit = len(self.units)
            self.units.append(link)
        if unit and link in CXX_ONLY:
            link = "pointer"
        child = Node("%s_%d" % (node.name, i), link, unit)
        node.children.append(child)
        self._add(r, child, node.name.count("_") + 1)
        return child

    def _may_be_tail(self, node):
        parent = self.nodes[node.name.rsplit("_", 1)[0]]
        return parent.children[-1] is node and not parent.frame and parent.link in PLAIN_LINKS and \
            all(c is node or c.link in PLAIN_LINKS for c in parent.children)

    def _ticks(self, r):
        """The tree below the handler of a timer, t0."""
        if not self.extra & {"tick", "tick-altstack"}:
            return
        tick = Node("t0", "tick", 0)
        self._add(r, tick, 1)
        child = self._child(r, tick, 0, "call")
        child.frame = tick.frame = ""
        child.args = tick.args = 1
        child.depth = tick.depth = 0
        tick.work = child.work = 2000
        yield tick

    def rules(self):
        """{function: (rule of the way to it, its caller or None, frames of itself in a row)}"""
        found = {}
        for n in self.nodes.values():
            parent = n.name.rsplit("_", 1)[0] if "_" in n.name else None
            rule = "main" if n.link == "main" else "tick" if n.link == "tick" else LINKS[n.link]
            found[n.name] = (rule, parent, n.depth + 1, n.link)
        return found

    def needs(self):
        found = ["musl-gcc" if self.musl else self.command()]
        return found + ["ld." + w[9:] for w in self.pick["link"].split() if w.startswith("-fuse-ld=")]

    def command(self):
        return {"gcc": ("gcc", "g++"), "clang": ("clang", "clang++")}[self.compiler][self.cxx]

    def describe(self):
        words = ["musl-gcc" if self.musl else self.command(), *self.pick.values()]
        words += ["-flto"] * self.lto + ["stripped"] * self.strip
        return " ".join(w for w in words if w), " ".join(self.features)


def prototype(program, node, unit, attributes=""):
    """@unit: where it stands; only the program itself is in C++."""
    args = "long v" + "".join(", long v%d" % i for i in range(1, node.args))
    result = "task" if node.link == "coroutine" else "long"
    extern = 'extern "C" ' * (program.cxx and not unit and result == "long")
    return "%s%s%s %s(%s)" % (extern, attributes, result, node.name, args)


def call(node, value="v"):
    return "%s(%s)" % (node.name, ", ".join([value] + ["v"] * (node.args - 1)))


class Unit:
    """The source of the program (0) or of one of its libraries."""

    def __init__(self, program, number):
        self.program, self.number = program, number
        self.helpers, self.early = [], []
        self.nodes = [n for n in program.nodes.values() if n.unit == number]
        self.inside = {c.name for n in self.nodes for c in n.children if c.link == "nested"}

    def text(self):
        bodies = [self.body(n) for n in self.nodes if n.name not in self.inside]
        foreign = [n for n in self.program.nodes.values() if n.unit != self.number and
                   n.link == "linked" and any(n in m.children for m in self.nodes)]
        known = [prototype(self.program, n, self.number) + ";" for n in self.nodes + foreign
                 if n.name not in self.inside]
        text = [HEAD, *known, *self.early, *self.helpers, *bodies]
        if not self.number:
            text.append(MAIN % self.start_ticks())
        return "\n".join(text)

    def start_ticks(self):
        if not self.program.ticks:
            return ""
        on_stack = "tick-altstack" in self.program.extra
        more = "static char on[65536]; stack_t s = { on, 0, sizeof(on) }; sigaltstack(&s, NULL);"
        return ("static struct sigaction a; a.sa_handler = by_t0; a.sa_flags = SA_RESTART%s; %s"
                " sigaction(SIGPROF, &a, NULL);"
                " struct itimerval t = { { 0, 1500 }, { 0, 1500 } }; setitimer(ITIMER_PROF, &t, NULL);" %
                (" | SA_ONSTACK" * on_stack, more * on_stack))

    def body(self, node, inner=False):
        """@inner: it is defined in its caller, as the GNU dialect of C can."""
        unique = hash_of(node.name)
        cold = "__attribute__((cold)) " if node.link == "cold" else ""
        no_return = "__attribute__((noreturn)) " if node.link == "noreturn" else ""
        if node.link == "tick":
            self.helper_of(node, "static void", "int s", "{ sink += s + %s; }" % call(node, "1"))
        attributes = "NOINLINE %s%s" % (cold, no_return)
        lines = ["%slong %s(long v)\n{" % (attributes, node.name) if inner else
                 prototype(self.program, node, self.number, attributes) + "\n{"]
        add = lines.append
        self.enter(node, add)
        add("work(%d + (v & 7)); v += %d;" % (node.work, unique & 15))
        for child in node.children:
            self.reach(node, child, add)
        add("}" * bool(node.depth))
        if not (node.children and node.children[-1].link == "tail"):
            add("sink += %d;" % unique)
            self.leave(node, add)
        lines.append("}")
        return "\n".join(lines)

    def enter(self, node, add):
        if node.frame == "alloca":
            add("long size = 64 + (v & 15) * 48; char *b = (char *)alloca(size); memset(b, v, size);"
                " sink += b[size / 2];")
        elif node.frame == "vla" and not self.program.cxx:
            add("char b[32 + (v & 31) * 16]; memset(b, v, sizeof(b)); sink += b[9];")
        elif node.frame in ("aligned", "drap"):
            add("volatile long b[24] __attribute__((aligned(64)));"
                " for (int i = 0; i < 24; i++) b[i] = v; sink += b[v & 15];")
        elif node.frame == "big":
            add("volatile char b[%d]; memset((void *)b, v, sizeof(b)); sink += b[v & 511];" %
                (600 + 37 * node.work % 5000))
        if node.depth:
            add("long depth = v >> DEPTH_SHIFT; v &= (1L << DEPTH_SHIFT) - 1;")
            add("if (depth < %d) { work(20); v += %s; v &= 0xffff; } else {" %
                (node.depth, call(node, "v + ((depth + 1) << DEPTH_SHIFT)")))

    def leave(self, node, add):
        if node.link in ("longjmp", "noreturn"):
            add("longjmp(jump_%s, 1);" % node.name)
        elif node.link == "throw":
            add("if (sink != 1) throw 7;")
        if node.frame in ("alloca", "vla", "aligned", "drap", "big") and \
                not (node.frame == "vla" and self.program.cxx):
            add("sink += b[1];")
        if node.link == "coroutine":
            add("co_return;")
        elif node.link != "noreturn":
            add("return v & 0xffff;")

    def helper_of(self, child, result, args, body):
        """A function by_NAME between a function and what calls it."""
        self.helpers.append("NOINLINE %s by_%s(%s) %s" % (result, child.name, args, body))

    def reach(self, node, child, add):
        way = getattr(self, "by_" + child.link.split("-")[0], None)
        if child.unit != node.unit and child.link != "linked":
            way = self.by_library
        way(node, child, add)

    def by_call(self, _, child, add):
        add("v += %s;" % call(child))

    by_linked = by_call

    def by_pointer(self, _, child, add):
        self.early.append("static long (*volatile to_%s)(long) = %s;" % (child.name, child.name))
        add("v += to_%s(v);" % child.name)

    def by_tail(self, node, child, add):
        add("sink++; return %s;" % call(child))

    def by_loop(self, _, child, add):
        add("for (int i = 0; i < 3; i++) v += %s;" % call(child))

    def by_cold(self, _, child, add):
        self.early.append("static volatile int cold_%s = 1;" % child.name)
        add("if (__builtin_expect(cold_%s, 0)) { v += %s; sink += v; }" % (child.name, call(child)))

    def by_longjmp(self, _, child, add):
        self.early.append("static jmp_buf jump_%s;" % child.name)
        add("if (!setjmp(jump_%s)) sink += %s;" % (child.name, call(child, "1")))

    def by_noreturn(self, _, child, add):
        self.early.append("static jmp_buf jump_%s;" % child.name)
        add("if (!setjmp(jump_%s)) %s;" % (child.name, call(child, "1")))

    def by_qsort(self, _, child, add):
        self.helper_of(child, "static int", "const void *a, const void *b",
                       "{ long r = %s; sink++; return *(long *)a < *(long *)b ? -1 : (int)(r & 1); }" %
                       call(child, "1"))
        add("{ long k[3] = { 3, 1, v }; qsort(k, 3, sizeof(k[0]), by_%s); v += k[1]; }" % child.name)

    def by_bsearch(self, _, child, add):
        self.helper_of(child, "static int", "const void *a, const void *b",
                       "{ sink += %s; return *(long *)a < *(long *)b ? -1 : 1; }" % call(child, "1"))
        add("{ long k[3] = { 3, 4, 5 }; sink += !!bsearch(k, k, 3, sizeof(k[0]), by_%s); }" %
            child.name)

    def by_raise(self, _, child, add):
        self.helper_of(child, "static void", "int s", "{ sink += s + %s; }" % call(child, "1"))
        add("{ struct sigaction a; memset(&a, 0, sizeof(a)); a.sa_handler = by_%s;"
            " a.sa_flags = SA_NODEFER; sigaction(SIGUSR1, &a, NULL); raise(SIGUSR1); }" % child.name)

    def by_altstack(self, _, child, add):
        self.helper_of(child, "static void", "int s", "{ sink += s + %s; }" % call(child, "1"))
        add("{ static char on[131072]; stack_t old, s = { on, 0, sizeof(on) }; struct sigaction a;"
            " memset(&a, 0, sizeof(a)); a.sa_handler = by_%s; a.sa_flags = SA_NODEFER | SA_ONSTACK;"
            " sigaltstack(&s, &old); sigaction(SIGUSR2, &a, NULL); raise(SIGUSR2); }" % child.name)

    def by_thread(self, _, child, add):
        self.helper_of(child, "static void *", "void *p", "{ sink += %s; return p; }" % call(child, "1"))
        add("{ pthread_t t; if (!pthread_create(&t, NULL, by_%s, NULL)) pthread_join(t, NULL); }" %
            child.name)

    def by_context(self, _, child, add):
        self.early.append("static ucontext_t back_%s, to_%s; static char stack_%s[262144];" %
                          ((child.name,) * 3))
        self.helper_of(child, "static void", "void", "{ sink += %s; }" % call(child, "1"))
        add(("getcontext(&to_NAME); to_NAME.uc_stack.ss_sp = stack_NAME; to_NAME.uc_stack.ss_size = sizeof(stack_NAME);"
             " to_NAME.uc_link = &back_NAME; makecontext(&to_NAME, by_NAME, 0); swapcontext(&back_NAME, &to_NAME);").
            replace("NAME", child.name))

    def by_clone(self, _, child, add):
        self.early.append("static char stack_%s[262144] __attribute__((aligned(64)));" % child.name)
        self.helper_of(child, "static int", "void *p", "{ sink += %s + !p; return 0; }" %
                       call(child, "1"))
        add(("{ int p = clone(by_NAME, stack_NAME + sizeof(stack_NAME), CLONE_VM | SIGCHLD, NULL);"
             " if (p > 0) waitpid(p, NULL, 0); }").replace("NAME", child.name))

    def by_fork(self, _, child, add):
        add("{ int p = %s(); if (!p) { sink += %s; _exit(0); } if (p > 0) waitpid(p, NULL, 0); }" %
            (child.link, call(child, "1")))

    by_vfork = by_fork

    def by_throw(self, _, child, add):
        add("try { v += %s; } catch (int e) { v += e; }" % call(child))

    def by_unwound(self, _, child, add):
        self.early.append("struct guard_%s { long v; ~guard_%s() { sink += %s; } };" %
                          (child.name, child.name, call(child, "1")))
        add("try { guard_%s g = { v }; if (sink != 1) throw 3; } catch (int e) { v += e; }" % child.name)

    def by_virtual(self, _, child, add):
        self.early.append(VIRTUAL.replace("NAME", child.name).replace("CALL", call(child)))
        add("v += to_%s->go(v);" % child.name)

    def by_coroutine(self, _, child, add):
        add("{ task t = %s; while (!t.h.done()) t.h.resume(); t.h.destroy(); }" % call(child))

    def by_nested(self, _, child, add):
        add(self.body(child, True))
        add("{ long (*volatile f)(long) = %s; v += f(v); }" % child.name)

    def by_library(self, _, child, add):
        self.early.append("static void *lib_%s;" % child.name)
        close = "dlclose(lib_%s);" % child.name if child.link == "reload" else ""
        load = "lib_%s = dlopen(\"./lib%d.so\", RTLD_NOW);" % (child.name, child.unit)
        if not close:
            load = "if (!lib_%s) %s" % (child.name, load)
        add("%s { long (*f)(long) = (long (*)(long))dlsym(lib_%s, \"%s\"); v += f(v); } %s" %
            (load, child.name, child.name, close))

    def by_asm(self, _, child, add):
        extern = 'extern "C" ' * (self.program.cxx and not self.number)
        code = ASM_BODY[child.link]
        if child.link not in WITHOUT_CFI:
            code = ".cfi_startproc\n%s\n.cfi_endproc" % code
        code = ASM.replace("CODE", code).replace("NAME@", child.name + "@PLT" * bool(self.number))
        self.early.append((extern + ASM_HEAD).replace("CODE", code.replace("\n", "\\n")).replace(
            "NAME", child.name))
        self.early.append(prototype(self.program, child, self.number) + " __attribute__((used));")
        add("v += by_%s(v);" % child.name)


def hash_of(name):
    value = 7
    for c in name:
        value = (value * 33 + ord(c)) & 0xffff
    return value


def commands(program):
    """What makes it in a folder where its sources are: main, and the libraries lib<n>.so."""
    p, pick = program, program.pick
    cc = "musl-gcc" if p.musl else p.command()
    flags = " ".join((pick["opt"], pick["more"], "-w", "-std=gnu++20 -fcoroutines" if p.command() == "g++"
                      else "-std=gnu++20" if p.cxx else "-std=gnu11"))
    if "bare" in p.extra:
        flags += NO_TABLES
    link = pick["link"]
    if p.lto:
        flags += " -flto"
        link = "-fuse-ld=lld" if p.compiler == "clang" else "" if "lld" in link else link
    libs = [i for i, kind in enumerate(p.units) if kind]
    plain = flags.replace("-std=gnu++20", "-std=gnu11").replace(" -fcoroutines", "").replace(" -flto", "")
    made = ["%s %s -fPIC -shared -o lib%d.so lib%d.c" % (
        "musl-gcc" if p.musl else p.compiler, plain.replace("-mcmodel=large", ""), i, i) for i in libs]
    linked = " ".join("-L. -l%d -Wl,-rpath,'$ORIGIN'" % i for i in libs if p.units[i] == "linked")
    made.append("%s %s %s %s -o program main.%s %s %s -lpthread -ldl" % (
        cc, flags, pick["pie"], link, "cc" if p.cxx else "c",
        "-DCOROUTINE" * any(n.link == "coroutine" for n in p.nodes.values()) +
        " -DCONTEXT" * any(n.link == "context" for n in p.nodes.values()), linked))
    return made


def build(program, folder):
    """
    Makes it in @folder, as "program"; "program.named" is that with its symbols, if it is stripped.
    Returns: why that cannot be, or None
    """
    lacks = [c for c in program.needs() if not shutil.which(c)]
    if lacks:
        return "needs " + " ".join(lacks)
    for i, kind in enumerate(program.units):
        name = "lib%d.c" % i if kind else "main.cc" if program.cxx else "main.c"
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(Unit(program, i).text())
    for command in commands(program):
        done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            return "%s: %s" % (command, done.stderr)
    if program.strip:
        path = os.path.join(folder, "program")
        os.rename(path, path + ".named")
        subprocess.run(["strip", "-o", path, path + ".named"], check=True)
    return None
