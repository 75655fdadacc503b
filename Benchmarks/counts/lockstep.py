"""A server that answers in lockstep.

    python3 lockstep.py PORT TOGETHER BODY [DIRECTORY]

It waits for TOGETHER requests, whatever they ask for, and answers them all at the same time, a GET with the file BODY
and a PUT with the length of what it was sent. So a client that is slowed down has the same work to do each time.
With a DIRECTORY, which has the server's certificate and key, it speaks TLS, and HTTP/2 to clients that offer it. A connection of
HTTP/1.1 is closed after an answer to a path that ends in "-once". Nothing is compressed, and no window is looked at.
"""

import asyncio
import itertools
import mimetypes
import ssl
import sys
from pathlib import Path

from frames import (
    ACK, DATA, END_HEADERS, END_STREAM, HEAD, HEADERS, PING, PREFACE, SETTINGS, STATUS_200, frame,
    opened)

# Where HPACK's static table has the names of fields.
SERVER, DATE, CONTENT_TYPE, CONTENT_LENGTH = 54, 33, 31, 28


def fields(body, kind):
    return {
        SERVER: ("Server", "lockstep"),
        DATE: ("Date", "Sun, 01 Nov 2026 08:49:37 GMT"),
        CONTENT_TYPE: ("Content-Type", kind),
        CONTENT_LENGTH: ("Content-Length", str(len(body))),
    }


def message(body, kind, is_last):
    """A response of HTTP/1.1."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields(body, kind).values())
    lines += "Connection: close\r\n" if is_last else ""
    return f"HTTP/1.1 200 OK\r\n{lines}\r\n".encode() + body


def frames(stream, body, kind):
    """A response of HTTP/2, its fields as literals that no table takes (RFC 7541 §6.2.2)."""
    block = STATUS_200
    for index, (_, value) in fields(body, kind).items():
        block += bytes([0x0F, index - 15, len(value)]) + value.encode()
    return frame(HEADERS, END_HEADERS, stream, block) + frame(DATA, END_STREAM, stream, body)


class Lockstep:
    """Holds answers back until there are enough."""

    def __init__(self, together, body):
        self.together = together
        self.body, self.kind = body.read_bytes(), mimetypes.guess_type(body)[0]
        self.waiting = []

    def add(self, transport, answer, is_last=False):
        self.waiting.append((transport, answer, is_last))
        if len(self.waiting) < self.together:
            return
        for transport, group in itertools.groupby(self.waiting, lambda waiting: waiting[0]):
            answers = list(group)
            transport.write(b"".join(answer for _, answer, _ in answers))
            if answers[-1][-1]:
                transport.close()
        self.waiting = []


class Connection(asyncio.Protocol):
    def __init__(self, lockstep):
        self.lockstep = lockstep
        self.bytes = bytearray()
        self.body_left = self.body_length = 0
        self.read = self.head

    def connection_made(self, transport):
        self.transport = transport
        connection = transport.get_extra_info("ssl_object")
        if connection and connection.selected_alpn_protocol() == "h2":
            transport.write(frame(SETTINGS, 0, 0))
            self.read = self.preface

    def data_received(self, data):
        self.bytes += data
        while self.read():
            pass

    # Each of these takes something off the beginning of `bytes`, and says whether it did.

    def preface(self):
        if len(self.bytes) < len(PREFACE):
            return False
        del self.bytes[:len(PREFACE)]
        self.read = self.frame
        return True

    def head(self):
        end = self.bytes.find(b"\r\n\r\n") + 4
        if end < 4:
            return False
        method, *lines = bytes(self.bytes[:end]).lower().split(b"\r\n")
        lengths = [line.split(b":")[1] for line in lines if line.startswith(b"content-length:")]
        del self.bytes[:end]
        self.body_length = self.body_left = int(lengths[0]) if lengths else 0
        self.is_upload = method.startswith(b"put")
        self.is_last = method.split()[1].endswith(b"-once")
        self.read = self.rest
        return True

    def rest(self):
        taken = min(self.body_left, len(self.bytes))
        del self.bytes[:taken]
        self.body_left -= taken
        if self.body_left > 0:
            return False
        body = str(self.body_length).encode() if self.is_upload else self.lockstep.body
        answer = message(body, self.lockstep.kind, self.is_last)
        self.lockstep.add(self.transport, answer, self.is_last)
        self.read = self.head
        return True

    def frame(self):
        if len(self.bytes) < HEAD:
            return False
        length, kind, flags, stream = opened(self.bytes)
        if len(self.bytes) < HEAD + length:
            return False
        payload = bytes(self.bytes[HEAD:HEAD + length])
        del self.bytes[:HEAD + length]
        if kind == HEADERS:
            answer = frames(stream, self.lockstep.body, self.lockstep.kind)
            self.lockstep.add(self.transport, answer)
        elif kind in (SETTINGS, PING) and not flags & ACK:
            self.transport.write(frame(kind, ACK, 0, payload if kind == PING else b""))
        return True


def security(directory):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{directory}/server.pem", f"{directory}/server-key.pem")
    context.set_alpn_protocols(["h2", "http/1.1"])
    return context


async def main(port, together, body, directory=None):
    lockstep = Lockstep(int(together), Path(body))
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(lockstep), "127.0.0.1", int(port), backlog=128,
        ssl=security(directory) if directory else None)
    await server.serve_forever()


asyncio.run(main(*sys.argv[1:]))
