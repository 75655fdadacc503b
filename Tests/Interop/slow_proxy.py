"""A slow network: passes the bytes of TCP connections on, late, slowly, or not at all.

slow_proxy.py RECORD SCENE

It listens on a free port, connects to the port of SCENE on the loopback interface, and ends with its parent.
SCENE is JSON: {"address": to listen on, "port": to connect to, "reorders": true, "up": DIRECTION, "down": DIRECTION}.
With `reorders`, the first of two connections is held until the second has been answered. A DIRECTION may have

delay, jitter          seconds from arrival to departure, and up to how many more; the order of bytes stays
rate, rateAfter        bytes per second of all connections together, after so many bytes of one connection
stallAfter, stallFor   reads no more after so many bytes of a connection, for seconds or without an end
resetAfter             resets a connection after so many bytes

Each line of RECORD is JSON: first {"port": …}, then {"time": …, "connection": …, "up" or "down": …}, which counts the
bytes of a connection that have arrived from one side. The time is that of the monotonic clock, in nanoseconds.

Little is read ahead: the buffers of the sockets are small, and what comes too fast stays in them.
"""

import asyncio
import json
import os
import random
import socket
import struct
import sys
import threading
import time

BUFFER = 32 << 10
PIECE = 4 << 10
# The most that waits for its departure in one direction of a connection, in pieces.
WAITING = 256


class Reset(Exception):
    """Ends a connection at once."""


class Direction:
    """One direction of the network, for all connections."""

    def __init__(self, scene):
        self.scene = scene
        self.free = 0.0  # when the bytes that were read so far have passed

    def room(self, arrived):
        """How many bytes may be read before something happens."""
        marks = [self.scene.get(name) for name in ("rateAfter", "stallAfter", "resetAfter")]
        return min([PIECE] + [mark - arrived for mark in marks if mark is not None and mark > arrived])

    async def passed(self, count, arrived):
        """Returns when the network has room again after `count` bytes, the last of `arrived`."""
        if arrived == self.scene.get("resetAfter"):
            raise Reset
        if arrived == self.scene.get("stallAfter"):
            await asyncio.sleep(self.scene.get("stallFor", 1e6))
        if "rate" in self.scene and arrived > self.scene.get("rateAfter", 0):
            now = time.monotonic()
            self.free = max(self.free, now) + count / self.scene["rate"]
            await asyncio.sleep(self.free - now)

    def departure(self):
        return time.monotonic() + self.scene.get("delay", 0) + random.random() * self.scene.get("jitter", 0)


class Proxy:
    def __init__(self, record, scene):
        self.record, self.scene = record, scene
        self.up, self.down = Direction(scene["up"]), Direction(scene["down"])
        self.count = 0
        self.answered = {}

    def write(self, **line):
        self.record.write(json.dumps(line) + "\n")

    async def serve(self):
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)  # the window of accepted connections
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
        listener.bind((self.scene["address"], 0))
        listener.listen(256)
        listener.setblocking(False)
        self.write(port=listener.getsockname()[1])
        connections = set()
        while True:
            client, _ = await asyncio.get_running_loop().sock_accept(listener)
            self.count += 1
            connection = asyncio.create_task(self.connect(client, self.count))
            connections.add(connection)
            connection.add_done_callback(connections.discard)

    async def connect(self, client, number):
        self.answered[number] = asyncio.Event()
        if self.scene.get("reorders") and number % 2:
            while number + 1 not in self.answered:
                await asyncio.sleep(0.001)
            await self.answered[number + 1].wait()
        with client, socket.socket() as server:
            for end in client, server:
                end.setblocking(False)
                end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                await asyncio.get_running_loop().sock_connect(server, ("127.0.0.1", self.scene["port"]))
                async with asyncio.TaskGroup() as group:
                    group.create_task(self.carry(client, server, self.up, number, "up"))
                    group.create_task(self.carry(server, client, self.down, number, "down"))
            except* Reset:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            except* OSError:
                pass  # One of the two ends has closed.

    async def carry(self, source, target, direction, number, name):
        queue = asyncio.Queue(WAITING)
        async with asyncio.TaskGroup() as group:
            group.create_task(self.deliver(queue, target, number if name == "down" else None))
            loop, arrived, departure = asyncio.get_running_loop(), 0, 0.0
            while piece := await loop.sock_recv(source, direction.room(arrived)):
                arrived += len(piece)
                self.write(time=time.monotonic_ns(), connection=number, **{name: arrived})
                await direction.passed(len(piece), arrived)
                departure = max(departure, direction.departure())
                await queue.put((departure, piece))
            await queue.put((departure, b""))

    async def deliver(self, queue, target, number):
        while True:
            departure, piece = await queue.get()
            if (wait := departure - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            if not piece:
                return target.shutdown(socket.SHUT_WR)
            await asyncio.get_running_loop().sock_sendall(target, piece)
            if number is not None:
                self.answered[number].set()


def end_with(parent):
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


threading.Thread(target=end_with, args=[os.getppid()], daemon=True).start()
asyncio.run(Proxy(open(sys.argv[1], "w", buffering=1), json.loads(sys.argv[2])).serve())
