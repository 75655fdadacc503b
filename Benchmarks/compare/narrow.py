"""An HTTP/2 server over TLS that takes uploads, and enlarges its windows by each frame's length.

    python3 narrow.py PORT DIRECTORY

DIRECTORY has the server's certificate and key. The answer is the number of bytes that came. Windows never grow, so a
client that uses any window at once ends up with tiny frames.
"""

import socketserver
import ssl
import struct
import sys

from frames import (
    ACK, DATA, END_HEADERS, END_STREAM, HEAD, HEADERS, PING, PREFACE, SETTINGS, STATUS_200,
    WINDOW_UPDATE, frame, opened)


class Connection(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def handle(self):
        try:
            with self.server.context.wrap_socket(self.request, server_side=True) as secure:
                self.serve(secure, secure.makefile("rb"))
        except (ConnectionError, EOFError, ssl.SSLError):
            pass  # the client has closed

    def serve(self, socket, incoming):
        taken(incoming, len(PREFACE))
        socket.sendall(frame(SETTINGS, 0, 0))
        received = 0
        while True:
            length, kind, flags, stream = opened(taken(incoming, HEAD))
            payload = taken(incoming, length)
            if kind in (SETTINGS, PING) and not flags & ACK:
                socket.sendall(frame(kind, ACK, 0, payload if kind == PING else b""))
            if kind == DATA and payload:
                received += len(payload)
                for number in (stream, 0):  # apart, as many servers do it
                    socket.sendall(frame(WINDOW_UPDATE, 0, number, struct.pack(">I", len(payload))))
            if kind in (DATA, HEADERS) and flags & END_STREAM:
                answer = frame(HEADERS, END_HEADERS, stream, STATUS_200)
                socket.sendall(answer + frame(DATA, END_STREAM, stream, b"%d" % received))
                received = 0


def taken(incoming, count):
    data = incoming.read(count)
    if len(data) < count:
        raise EOFError
    return data


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, port, directory):
        super().__init__(("127.0.0.1", port), Connection)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(f"{directory}/server.pem", f"{directory}/server-key.pem")
        self.context.set_alpn_protocols(["h2"])


if __name__ == "__main__":
    Server(int(sys.argv[1]), sys.argv[2]).serve_forever()
