#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""hungfs.py DIR FILE SIGN SECONDS [USER]: serves FILE as DIR/program by FUSE, until the file SIGN
exists. DIR may be a file: then FILE is in its place. The kernel may remember names and attributes
for so many SECONDS. USER: by whom the file system is said to be mounted, instead of root; all in it
is root's, as the server says: also DIR/link, which leads to /proc/self/cwd/led-to.

From then on requests are read, and never answered. The protocol is that of <linux/fuse.h>, of
which this has what it takes to run a program.
"""

import ctypes
import errno
import os
import struct
import sys

LOOKUP, FORGET, GETATTR, READLINK, OPEN, READ, RELEASE, FLUSH, INIT, OPENDIR, RELEASEDIR = (
    1, 2, 3, 5, 14, 15, 18, 25, 26, 27, 29)
ROOT, PROGRAM, LINK = 1, 2, 3
NODES = {b'program': PROGRAM, b'link': LINK}
MODES = {ROOT: 0o40755, PROGRAM: 0o100755, LINK: 0o120777}
VALID_SEC = int(sys.argv[4])
USER = sys.argv[5] if len(sys.argv) > 5 else '0'


def mount(directory):
    fd = os.open('/dev/fuse', os.O_RDWR)
    libc = ctypes.CDLL(None, use_errno=True)
    if not os.path.isdir(directory):
        MODES[ROOT] = MODES[PROGRAM]
    options = f'fd={fd},rootmode={MODES[ROOT]:o},user_id={USER},group_id=0,allow_other'
    if libc.mount(b'hungfs', os.fsencode(directory), b'fuse', 0, options.encode()):
        sys.exit(f'mount: {os.strerror(ctypes.get_errno())}')
    return fd


def attributes(node, size):
    return struct.pack('<6Q10I', node, 0 if node == ROOT else size, 8, 0, 0, 0, 0, 0, 0,
                       MODES[node], 1, 0, 0, 0, 4096, 0)


def answer(op, node, body, data):
    """The answer's error and bytes."""
    if op == INIT:
        return 0, struct.pack('<4I2H2I2HI', 7, 31, 65536, 0, 16, 16, 65536, 1, 0, 0, 0) + bytes(28)
    if op == LOOKUP:
        found = NODES.get(body.split(b'\0')[0])
        if not found:
            return errno.ENOENT, b''
        return 0, struct.pack('<4Q2I', found, 0, VALID_SEC, VALID_SEC, 0, 0) + \
            attributes(found, len(data))
    if op == GETATTR:
        return 0, struct.pack('<Q2I', VALID_SEC, 0, 0) + attributes(node, len(data))
    if op == READLINK:
        return 0, b'/proc/self/cwd/led-to'
    if op in (OPEN, OPENDIR):
        return 0, struct.pack('<Q2I', 1, 0, 0)
    if op == READ:
        offset, size = struct.unpack_from('<8xQI', body)
        return 0, data[offset:offset + size]
    if op in (RELEASE, RELEASEDIR, FLUSH):
        return 0, b''
    return errno.ENOSYS, b''


def main():
    directory, program, sign = sys.argv[1:4]
    with open(program, 'rb') as f:
        data = f.read()
    fd = mount(directory)
    print('mounted', flush=True)
    while True:
        request = os.read(fd, 1 << 18)
        _, op, unique, node = struct.unpack_from('<2I2Q', request)
        if os.path.exists(sign):
            print('unanswered', op, flush=True)
        elif op != FORGET:
            error, out = answer(op, node, request[40:], data)
            os.write(fd, struct.pack('<IiQ', 16 + len(out), -error, unique) + out)


main()
