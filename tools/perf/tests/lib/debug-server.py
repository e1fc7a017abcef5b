#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: debug-server.py HOW FILE BUILD-ID PORT-FILE LOG

A server like debuginfod on the loopback that answers each request in the way HOW:

good      with FILE; 404 of another id     late      the same, after a while
close     by hanging up                    other     with another ELF file: the one of this python
silent    never                            trickle   with one byte each 0.2 s, without end
endless   with bytes as fast as they go    rubbish   with bytes that are no ELF file
short     with less of FILE than it says   none      404
huge      with a length of 1 TB

The port goes into PORT-FILE, and each path that was asked for into LOG.
"""
import os
import socket
import sys
import threading
import time

how, name, build_id, port_file, log = sys.argv[1:]


def head(status, size=None):
    lines = ["HTTP/1.1 " + status, "Content-Type: application/octet-stream", "Connection: close"]
    if size is not None:
        lines.append("Content-Length: %d" % size)
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def forever(conn, piece, wait):
    while True:
        conn.sendall(piece)
        time.sleep(wait)


def answer(conn, path):
    with open(name, "rb") as f:
        data = f.read()
    if how == "late":
        time.sleep(1.5)
    if how in ("good", "late") and "/%s/" % build_id not in path:
        conn.sendall(head("404 Not Found", 0))
    elif how in ("good", "late"):
        conn.sendall(head("200 OK", len(data)) + data)
    elif how == "other":
        with open(os.path.realpath("/proc/self/exe"), "rb") as f:
            data = f.read()
        conn.sendall(head("200 OK", len(data)) + data)
    elif how == "rubbish":
        conn.sendall(head("200 OK", 5000) + b"\xff\x00ELF?" * 1000)
    elif how == "short":
        conn.sendall(head("200 OK", len(data)) + data[:len(data) // 2])
    elif how == "none":
        conn.sendall(head("404 Not Found", 0))
    elif how == "huge":
        conn.sendall(head("200 OK", 1 << 40))
        forever(conn, b"x", 0.2)
    elif how == "silent":
        time.sleep(1000)
    elif how == "trickle":
        conn.sendall(head("200 OK"))
        forever(conn, b"x", 0.2)
    elif how == "endless":
        conn.sendall(head("200 OK"))
        forever(conn, b"x" * 65536, 0)


def serve(conn):
    try:
        path = conn.recv(65536).split(b" ")[1].decode()
        with open(log, "a", encoding="utf-8") as f:
            f.write(path + "\n")
        answer(conn, path)
    except (OSError, IndexError):
        pass
    conn.close()


s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen(50)
with open(port_file + ".new", "w", encoding="utf-8") as f:
    f.write(str(s.getsockname()[1]))
os.rename(port_file + ".new", port_file)
while True:
    threading.Thread(target=serve, args=(s.accept()[0],), daemon=True).start()
