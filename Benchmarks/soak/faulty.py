"""A server that misbehaves as the path says: faulty.py PORT"""

import asyncio
import struct
import socket
import sys

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 40\r\n\r\n"


async def answer(path, writer):
    """Answers a request, and returns whether the connection is kept."""
    if path == "/slow":
        writer.write(HEAD)
        for _ in range(40):
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.05)
        return True
    if path == "/reset":
        linger = struct.pack("ii", 1, 0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    elif path == "/garbage":
        writer.write(b"220 mail.example ESMTP\r\n")
    elif path == "/half":
        writer.write(HEAD + b"only a part")
    elif path == "/stall":
        await asyncio.sleep(3)
    return False


async def serve(reader, writer):
    try:
        kept = True
        while kept:
            head = await reader.readuntil(b"\r\n\r\n")
            kept = await answer(head.split(b" ")[1].decode(), writer)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1]))
    async with server:
        await server.serve_forever()


asyncio.run(main())
