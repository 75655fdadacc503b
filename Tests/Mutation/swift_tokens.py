"""The tokens of a Swift source: words, numbers, operators, marks and whole texts. Comments are skipped."""
import collections
import re

Token = collections.namedtuple("Token", "kind text start end")

PATTERN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<text>\#*")
      | (?P<number>0[xb][\dA-Fa-f_]+(?:p\d+)?|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d+)?)
      | (?P<word>[$`\\@#]?\w+`?)
      | (?P<operator>[-+*/=<>!&|^~%?.]+)
      | (?P<mark>\S)""",
    re.VERBOSE | re.DOTALL)


def tokens(source):
    """Returns the tokens of a source."""
    found, position = [], 0
    while match := PATTERN.search(source, position):
        position = match.end()
        if match.lastgroup == "text":
            position = end_of_text(source, match.start(), match[0])
        if match.lastgroup != "comment":
            found.append(Token(match.lastgroup, source[match.start():position], match.start(), position))
    return found


def end_of_text(source, start, opening):
    """Returns the position behind a text that begins at `start`. A text may contain expressions, which may contain texts."""
    if source.startswith('"""', start + len(opening) - 1):
        opening += '""'
    hashes = opening.rstrip('"')
    closing, escape = opening.lstrip("#") + hashes, "\\" + hashes
    position = start + len(opening)
    while not source.startswith(closing, position):
        if source.startswith(escape + "(", position):
            position = end_of_expression(source, position + len(escape))
        elif source.startswith(escape, position):
            position += len(escape) + 1
        else:
            position += 1
    return position + len(closing)


def end_of_expression(source, start):
    """Returns the position behind the parenthesis that closes the one at `start`."""
    depth, position = 0, start
    while match := PATTERN.search(source, position):
        position = match.end()
        if match.lastgroup == "text":
            position = end_of_text(source, match.start(), match[0])
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0:
            break
    return position
