"""Receives uploads, and records when each byte has come.

receiving_server.py ADDRESS PORT FOLDER

The body of a POST to /upload/NAME is FOLDER/NAME. Each line of FOLDER/NAME.record is JSON: {"time": …, "received": …},
how many bytes have arrived by a time of the monotonic clock, in nanoseconds. The answer is the number of bytes. A NAME that
begins with slow is received slowly: 64 KiB in a millisecond at most.
"""

import http.server
import json
import os
import sys
import time

address, port, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        path = os.path.join(folder, os.path.basename(self.path))
        length, received = int(self.headers["Content-Length"]), 0
        with open(path, "wb") as body, open(path + ".record", "w", buffering=1) as record:
            while received < length:
                piece = self.rfile.read1(min(length - received, 64 << 10))
                if not piece:
                    self.close_connection = True
                    return
                received += len(piece)
                if os.path.basename(path).startswith("slow"):
                    time.sleep(0.001)
                record.write(json.dumps({"time": time.monotonic_ns(), "received": received}) + "\n")
                body.write(piece)
        answer = str(received).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 256

    def handle_error(self, request, client_address):
        """Clients that give up are what this is about."""


Server((address, port), Handler).serve_forever()
