#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: bpf-programs.py: the ids of all BPF programs that the kernel has, by bpf(2)"""
import ctypes
import struct

SYS_BPF = 321  # of x86-64
GET_NEXT_ID = 11

libc, last = ctypes.CDLL(None), 0
while True:
    attr = ctypes.create_string_buffer(struct.pack("<II", last, 0).ljust(128, b"\0"))
    if libc.syscall(SYS_BPF, GET_NEXT_ID, attr, 128):
        break
    last, = struct.unpack_from("<I", attr.raw, 4)
    print(last)
