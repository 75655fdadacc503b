"""Redirects, fails and recovers, for records of what a client did.

failing_server.py PORT

/start       redirects to /unstable
/unstable    is unavailable at the first request, and then has a compressed text and a cookie
/broken      closes the connection in the middle of its body
"""

import gzip
import http.server
import sys

text = gzip.compress("a swan, a gull\n".encode() * 20)
state = {"failures": 0}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=b"", **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path = self.path.split("?")[0]
        if path == "/start":
            self.answer(302, Location="/unstable?api_key=robin")
        elif path == "/unstable" and state["failures"] < 1:
            state["failures"] += 1
            self.answer(503, b"later", Content_Type="text/plain")
        elif path == "/unstable":
            self.answer(200, text, Content_Type="text/plain; charset=utf-8",
                        Content_Encoding="gzip", Set_Cookie="id=wren; Path=/")
        elif path == "/broken":
            self.answer(200, b"whole", Content_Type="application/octet-stream",
                        X_Note="more is announced")
        else:
            self.answer(404)

    def send_header(self, name, value):
        if name == "Content-Length" and self.path.startswith("/broken"):
            value = "99"
            self.close_connection = True
        super().send_header(name, value)

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
