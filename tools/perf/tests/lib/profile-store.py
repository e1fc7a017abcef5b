#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: profile-store.py HOW PORT-FILE LOG

A store of profiles on the loopback. It reads what is sent by the schemas of Pyroscope (/ingest and
push.v1), Parca (writeraw) and OpenTelemetry, and adds a line to LOG for each request: what it made of
it, then the path with its query. What it takes is "took ID SAMPLES NAME LABELS AUTHORIZATION PATH",
ID being the Idempotency-Key, and AUTHORIZATION that with the header X-Secret behind it, if there is one.
HOW it answers:

good       200, or 400 for what it does not understand
busy:N     the first N requests by 503 and by 429 with "Retry-After: 0", in turns
N          all requests by status N
N:WORD     requests that have WORD in a label or the name, by status N, and others as good
max:N      as good, and 413 for what is larger than N bytes
die:N      by killing itself in the middle of reading the Nth body
forget:N   it takes the Nth profile, and kills itself before it has said so
circle     by a redirect to itself         away     by a redirect to a file
to:URL     by a redirect to URL, to which the path is added
silent     never                           endless  200, and text without an end
partly     of OTLP, that some of it was rejected
"""
import base64
import gzip
import json
import os
import signal
import socket
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from importlib import import_module  # noqa: E402

read_export = import_module("read-export")
fields = read_export.fields

how, port_file, log_name = sys.argv[1:]
kind, _, number = how.partition(":")
word = number if kind.isdigit() and number else None
number = int(number or 0) if kind != "to" and not word else number
count = 0


def read_pprof(data):
    with open("store.pb", "wb") as f:
        f.write(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    p = read_export.Pprof("store.pb")
    return sum(v[p.types[0]] for _, v, _ in p.samples)


def one(data, field):
    return [v for n, v in fields(data) if n == field]


def take_ingest(query, body):
    q = urllib.parse.parse_qs(query, strict_parsing=True)
    if q["format"] != ["pprof"] or int(q["from"][0]) > int(q["until"][0]):
        raise ValueError("query")
    if abs(time.time() - int(q["until"][0])) > 3600:
        raise ValueError("times")
    name, brace, labels = q["name"][0].partition("{")
    if brace and not labels.endswith("}"):
        raise ValueError("labels")
    pairs = labels[:-1].split(",") if brace else []
    return read_pprof(body), name, dict(pair.split("=", 1) for pair in pairs)


def take_push(_, body):
    (series,) = one(body, 1)
    pairs = [dict(fields(v)) for v in one(series, 1)]
    labels = {p[1].decode(): p[2].decode() for p in pairs}
    (raw,) = one(series, 2)
    sample = dict(fields(raw))
    ident = sample[2].decode()
    if [len(part) for part in ident.split("-")] != [8, 4, 4, 4, 12]:
        raise ValueError("no UUID: " + ident)
    return read_pprof(sample[1]), labels.pop("service_name"), labels


def take_parca(_, body):
    (series,) = json.loads(body)["series"]
    labels = {pair["name"]: pair["value"] for pair in series["labels"]["labels"]}
    data = base64.b64decode(series["samples"][0]["rawProfile"], validate=True)
    return read_pprof(data), labels.pop("service_name"), labels


def take_otlp(_, body):
    with open("store.otlp", "wb") as f:
        f.write(body)
    o = read_export.Otlp("store.otlp")
    samples = 0
    for profile in o.profiles:
        top = dict(fields(profile))
        if len(top[7]) != 16 or abs(time.time() - top[3] / 1e9) > 3600:
            raise ValueError("id or time")
        if o.strings[dict(fields(top[1]))[1]] == "samples":
            samples += sum(read_export.packed(dict(fields(s))[4])[0] for s in one(profile, 2))
    resource = one(one(body, 1)[0], 1)[0]
    names = {dict(fields(a))[1].decode(): one(one(a, 2)[0], 1) for a in one(resource, 1)}
    return samples, names.pop("service.name")[0].decode(), {k: v[0].decode() for k, v in names.items()}


TAKERS = {"/ingest": (take_ingest, "application/octet-stream"),
          "/push.v1.PusherService/Push": (take_push, "application/proto"),
          "/profiles/writeraw": (take_parca, "application/json"),
          "/v1development/profiles": (take_otlp, "application/x-protobuf")}


def say(line):
    with open(log_name, "a", encoding="utf-8") as f:
        f.write(line + "\n")
        f.flush()
        os.fsync(f.fileno())


def respond(conn, status, body=b"", *more):
    head = ["HTTP/1.1 %s" % status, "Content-Length: %d" % len(body), "Connection: close", *more]
    conn.sendall("\r\n".join(head).encode() + b"\r\n\r\n" + body)


def read_request(conn, nth):
    data = b""
    while b"\r\n\r\n" not in data:
        data += conn.recv(65536)
    head, body = data.split(b"\r\n\r\n", 1)
    lines = head.decode().split("\r\n")
    headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines[1:])}
    size = int(headers["content-length"])
    while len(body) < size:
        if kind == "die" and nth == number:
            say("died")
            os.kill(os.getpid(), signal.SIGKILL)
        body += conn.recv(65536)
    if kind == "die" and nth == number: # all of it came at once
        say("died")
        os.kill(os.getpid(), signal.SIGKILL)
    return lines[0].split(" ")[1], headers, body


def secrets(headers):
    words = [headers[name] for name in ("authorization", "x-secret") if name in headers]
    return "+".join(words).replace(" ", "_") or "-"


def take(conn, path, headers, body, nth):
    place, _, query = path.partition("?")
    taker, content = TAKERS[place]
    if headers["content-type"] != content:
        raise ValueError("type " + headers["content-type"])
    if place.startswith("/v1dev") and headers.get("otlp-profiles-development-version") != "1":
        raise ValueError("version")
    samples, name, labels = taker(query, body)
    if word and word in [name, *labels.values()]:
        say("status " + path)
        respond(conn, kind + " No")
        return
    say("took %s %d %s %s %s %s" % (headers["idempotency-key"], samples, name,
                                    json.dumps(labels, sort_keys=True, separators=(",", ":")),
                                    secrets(headers), path))
    if kind == "forget" and nth == number:
        os.kill(os.getpid(), signal.SIGKILL)
    if kind == "endless":
        conn.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
        while True:
            conn.sendall(b"x" * 4096)
    partial = b"\x0a\x0f\x08\x02\x12\x0bno function" if kind == "partly" else b""
    respond(conn, "200 OK", partial)


def answer(conn, nth):
    path, headers, body = read_request(conn, nth)
    if kind == "busy" and nth <= number:
        say("busy " + path)
        respond(conn, "503 Busy" if nth % 2 else "429 Too Many", b"", "Retry-After: 0")
    elif kind == "max" and len(body) > number:
        say("large " + path)
        respond(conn, "413 Large")
    elif kind.isdigit() and not word:
        say("status " + path)
        respond(conn, kind + " No", b"<b>no\x1b[1m</b>\n \n")
    elif kind in ("circle", "away", "to"):
        say("redirect %s %s" % (headers.get("x-secret", "-"), path))
        respond(conn, "307 Elsewhere", b"",
                "Location: " + {"circle": path, "away": "file:///etc/hostname"}.get(
                    kind, str(number) + path))
    elif kind == "silent":
        say("silent " + path)
        conn.recv(1)
    else:
        try:
            take(conn, path, headers, body, nth)
        except (ValueError, KeyError, IndexError, OSError) as e:
            say("refused %s %r" % (path, e))
            respond(conn, "400 Bad", str(e).encode())


def serve(conn, nth):
    try:
        answer(conn, nth)
    except OSError:
        pass
    conn.close()


def main():
    global count
    server = socket.create_server(("127.0.0.1", 0))
    with open(port_file + ".new", "w", encoding="utf-8") as f:
        f.write(str(server.getsockname()[1]))
    os.rename(port_file + ".new", port_file)
    while True:
        conn, _ = server.accept()
        count += 1
        threading.Thread(target=serve, args=(conn, count), daemon=True).start()


main()
