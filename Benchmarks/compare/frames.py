"""What the servers written here know of HTTP/2 (RFC 9113 §4.1, §6)."""

import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, SETTINGS, PING, WINDOW_UPDATE = 0, 1, 4, 6, 8
END_STREAM, ACK, END_HEADERS = 1, 1, 4
HEAD = 9  # bytes before the payload
STATUS_200 = b"\x88"  # an entry of HPACK's static table


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def opened(head):
    """Length of the payload, kind, flags and stream, from the first bytes of a frame."""
    return (int.from_bytes(head[:3], "big"), *struct.unpack(">BBI", head[3:HEAD]))
