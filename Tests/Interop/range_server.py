"""Serves one large body, in whole or in part, over as many connections as come.

range_server.py PORT FILE LOG [honest|changing|deaf|cutting] [BYTES-PER-SECOND]

honest    has ranges and keeps to If-Range
changing  is another entity at each request that asks for a range, until it has been asked so twice
deaf      knows no ranges
cutting   has ranges, and closes each connection after 50 MiB of a body

Each request adds a line to LOG: the Range asked for or -, the status, and the first byte sent.
"""

import http.server
import os
import re
import sys
import threading
import time

port, path, log = int(sys.argv[1]), sys.argv[2], open(sys.argv[3], "a", buffering=1)
mode = sys.argv[4] if len(sys.argv) > 4 else "honest"
rate = int(sys.argv[5]) if len(sys.argv) > 5 else 0
size = os.path.getsize(path)
longest = 50 << 20 if mode == "cutting" else size
lock = threading.Lock()
state = {"version": 0}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        wanted = self.headers.get("Range")
        with lock:
            if mode == "changing" and wanted and state["version"] < 2:
                state["version"] += 1
            tag = f'"v{state["version"]}"'
        first = 0
        match = re.fullmatch(r"bytes=(\d+)-", wanted or "")
        if mode != "deaf" and match and self.headers.get("If-Range", tag) == tag:
            first = int(match[1])
        if first >= size:
            status = 416
            self.send_response(status)
            self.send_header("Content-Range", f"bytes */{size}")
            self.send_header("Content-Length", "0")
        else:
            status = 206 if first or (match and first == int(match[1]) and mode != "deaf") else 200
            self.send_response(status)
            if status == 206:
                self.send_header("Content-Range", f"bytes {first}-{size - 1}/{size}")
            self.send_header("Content-Length", str(size - first))
        self.send_header("ETag", tag)
        self.end_headers()
        log.write(f"{wanted or '-'} {status} {first}\n")
        if status != 416:
            self.send_body(first)

    def send_body(self, first):
        start, sent = time.monotonic(), 0
        with open(path, "rb") as file:
            file.seek(first)
            while piece := file.read(1 << 18):
                try:
                    self.wfile.write(piece)
                except OSError:
                    self.close_connection = True
                    return
                sent += len(piece)
                if sent >= longest:
                    self.close_connection = True
                    return
                if rate:
                    time.sleep(max(0, sent / rate - (time.monotonic() - start)))

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        """Clients that die are what this is about."""


Server(("127.0.0.1", port), Handler).serve_forever()
