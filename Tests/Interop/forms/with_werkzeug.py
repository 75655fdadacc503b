"""Answers with what werkzeug understood of a request's query and form: with_werkzeug.py PORT"""
import base64, json, logging, sys
from werkzeug import Request, Response, serving


class Generous(Request):
    max_form_parts = 10_000
    max_form_memory_size = None


def encoded(data):
    return base64.b64encode(data.encode() if isinstance(data, str) else data).decode()


def pairs(values):
    return [{"name": name, "value": encoded(value)} for name, value in values.items(multi=True)]


@Generous.application
def answer(request):
    files = [
        {"name": name, "filename": file.filename, "type": file.content_type, "content": encoded(file.read())}
        for name, file in request.files.items(multi=True)]
    understood = {"query": pairs(request.args), "fields": pairs(request.form), "files": files}
    return Response(json.dumps(understood), content_type="application/json")


logging.getLogger("werkzeug").setLevel(logging.ERROR)
serving.run_simple("127.0.0.1", int(sys.argv[1]), answer)
