"""Answers with what python-multipart understood of a request's form: with_python_multipart.py PORT

The query is taken apart by Python's own library.
"""
import base64, json, sys, urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import python_multipart


def encoded(data):
    return base64.b64encode(data or b"").decode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        query = urllib.parse.urlsplit(self.path).query
        understood = {"query": [], "fields": [], "files": []}
        for name, value in urllib.parse.parse_qsl(query, keep_blank_values=True):
            understood["query"].append({"name": name, "value": encoded(value.encode())})
        if length := int(self.headers.get("Content-Length", 0)):
            self.parse(length, understood)
        self.answer(json.dumps(understood).encode())

    do_POST = do_GET

    def parse(self, length, understood):
        # It leaves the escapes of plain forms to its users, as Starlette is one.
        is_plain = self.headers["Content-Type"] == "application/x-www-form-urlencoded"
        unescaped = (lambda data: urllib.parse.unquote_plus(data.decode()).encode()) if is_plain else bytes

        def field(part):
            name, value = unescaped(part.field_name).decode(), unescaped(part.value or b"")
            understood["fields"].append({"name": name, "value": encoded(value)})

        def file(part):
            part.file_object.seek(0)
            understood["files"].append({
                "name": part.field_name.decode(), "filename": part.file_name.decode(),
                "type": part.content_type, "content": encoded(part.file_object.read())})

        headers = {name: self.headers[name].encode() for name in ("Content-Type", "Content-Length")}
        python_multipart.parse_form(headers, Exactly(self.rfile, length), field, file)

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Exactly:
    """A stream that ends with the body."""

    def __init__(self, stream, length):
        self.stream, self.left = stream, length

    def read(self, count):
        data = self.stream.read(min(count, self.left))
        self.left -= len(data)
        return data


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
