# SPDX-License-Identifier: GPL-2.0-only
"""What the code says of the steps of a callchain.

A frame is (binary, address), binary None for code without a file. An address is that of the
instruction that was running, or a return address: the words below say which.
"""
from . import x86

# Verdicts on a step. Those in VERIFIED say that the code can do this step; those in OPEN that it cannot be
# told; those in WRONG that it cannot. On
# the end of a chain: "start", "open end" (a function whose address is taken), "no end".
VERIFIED = ("direct", "plt", "tail", "signal", "start")
OPEN = ("indirect", "jumps on", "pushed", "no file")
WRONG = ("no call", "other target", "no end")

# mov $15,%rax or %eax; syscall: what a signal handler returns to
RESTORERS = (b"\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05", b"\xb8\x0f\x00\x00\x00\x0f\x05")
# Of Go: a goroutine's first function returns behind the first instruction of goexit, a nop.
GOEXIT = ("runtime.goexit", "runtime.goexit.abi0")
GO_ROOTS = GOEXIT + ("runtime.mstart", "runtime.mstart.abi0", "runtime.rt0_go",
                     "runtime.rt0_go.abi0", "_rt0_amd64", "runtime.morestack",
                     "runtime.morestack.abi0", "runtime.mcall", "runtime.mcall.abi0")
# Go's handlers of signals make it look as if the interrupted function had called these.
GO_INJECTED = ("runtime.asyncPreempt", "runtime.asyncPreempt.abi0", "runtime.sigpanic",
               "runtime.sigpanic0", "runtime.sigpanic0.abi0")
# mov %rbx,%rsp: of __start_context, to which makecontext() lets a function return
START_CONTEXT = b"\x48\x89\xdc"
# (in front, behind): of Boost.Context, push %rbp; jmp *%rbx and xor %rdi,%rdi or %edi,%edi; call. Of musl's
# clone(), xor %ebp,%ebp; pop %rdi; call *%r9 and mov %eax,%edi.
FIRST_RETURNS = ((b"\x55\xff\xe3", b"\x48\x31\xff\xe8"), (b"\x55\xff\xe3", b"\x31\xff\xe8"),
                 (b"\x31\xed\x5f\x41\xff\xd1", b"\x89\xc7"))


class Edges:
    def __init__(self, code):
        self.code = code

    @staticmethod
    def is_restorer(binary, address):
        return binary is not None and \
            any(binary.read(address, len(r)) == r for r in RESTORERS)

    def is_interrupting(self, binary, address, exact):
        """Was what lies behind this frame interrupted, and called nobody? @address as in step()."""
        return self.is_restorer(binary, address) or exact and self.is_in_restorer(binary, address) or \
            binary is not None and self._name(binary, address - (not exact))[0] in GO_INJECTED

    def is_in_restorer(self, binary, address):
        """The same of a running instruction: at one of them, or behind them in the kernel."""
        return any(self.is_restorer(binary, address - back) for back in (0, 5, 7, 9))

    def _name(self, binary, address):
        return binary.name(address).rsplit("+", 1)

    def is_thread_start(self, binary, address):
        """Something that returns to no call: where a coroutine or goroutine begins."""
        if binary is None:
            return False
        name, offset = (self._name(binary, address) + ["0"])[:2]
        return name in GOEXIT and int(offset, 0) <= 1 or \
            binary.read(address, 3) == START_CONTEXT or \
            any(binary.read(address - len(front), len(front + behind)) == front + behind
                for front, behind in FIRST_RETURNS)

    def step(self, callee, exact, caller):
        """The verdict on one step: @callee's address is a return address unless @exact, @caller's
        is one."""
        binary, address = caller
        if self.is_restorer(binary, address):
            return "signal"
        if binary is None:
            return "no file"
        if self.is_thread_start(binary, address):
            return "start"
        calls = self.code.calls_before(binary, address)
        if not calls:  # code may have put the address there itself
            return "pushed" if self.code.is_taken(binary, address) else "no call"
        verdicts = [self._call(callee[0], callee[1] - (not exact), binary, *call)
                    for call in calls]
        for verdict in VERIFIED + OPEN:
            if verdict in verdicts:
                return verdict
        return verdicts[0]

    def _call(self, binary, address, caller, what, target):
        """A call in @caller; does it lead to @address, in one of the callee's instructions?"""
        if what == x86.CALL_ANY:
            return "indirect"
        reach = self.code.reach_slot(caller, target) if what == x86.CALL_SLOT else \
            self.code.reach(caller, target)
        if reach is None:
            return "indirect"
        how = binary and reach.how(binary, address)
        if how:
            return how
        if reach.lazy and binary and self.code.binds_lazily(binary, address):
            return "plt"
        if binary is None and reach.chosen:
            return "no file"
        return "jumps on" if reach.leaves else "other target"

    def end(self, frame, exact):
        """The verdict on the last frame of a chain that is said to be whole."""
        binary, address = frame
        if binary is None:
            return "no end"
        if self.is_thread_start(binary, address):
            return "start"
        frame_address, address = address, address - (not exact)
        entry = self.code.reach(binary, binary.entry)
        frame = binary.by_frame(address)
        if (binary.entry and entry.how(binary, address)) or frame and frame[2] or \
                self._name(binary, address)[0] in GO_ROOTS:
            return "start"
        # A thread's first function is called through a register, behind the system call.
        piece = self.code.piece(binary, address)
        called = piece.calls.get(frame_address, (x86.CALL_ANY, 0))[0] == x86.CALL_ANY
        if piece.clones and called:
            return "start"
        return "open end" if self.code.is_pointed_to(binary, address) else "no end"
