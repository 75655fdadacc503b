"""The array that typed requests decode."""

import json

SIZE = 16 << 10
TAGS = ["tern", "gull", "skua", "auk", "petrel"]


def user(number):
    return {
        "id": number,
        "name": f"Ada Lovelace № {number}",
        "email": f"ada.{number}@example.com",
        "isActive": number % 3 == 0,
        "score": number * 1.25,
        "tags": TAGS[number % 3:],
    }


def users():
    """As many users as fit, and blanks up to 16 KiB."""
    array = []
    while len(text := json.dumps(array, ensure_ascii=False).encode()) <= SIZE:
        whole = text
        array.append(user(len(array)))
    return whole.ljust(SIZE)
