"""The servers that all peers talk to, on free ports of the loopback interface."""

import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from users import users

ROOT = Path(__file__).resolve().parents[2]
MIB = 1 << 20
BULK = {
    "huge": 4096 * MIB, "bulk": 1024 * MIB, "bulk-quick": 100 * MIB, "bulk-warm-up": 50 * MIB,
    "narrow": 30_000_000,
}


@dataclass(frozen=True)
class Servers:
    urls: dict  # by name: plain and TLS of nginx, and two for uploads, bench-server's and narrow.py's
    authority: Path
    data: Path


def free_ports(count):
    """Free ports, outside of the ephemeral range if there are enough: a server that is restarted must get its port again."""
    low, high = map(int, Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split())
    safe = [port for port in range(1024, 1 << 16) if not low <= port <= high]
    found = []
    with ExitStack() as stack:
        for port in random.sample(safe, len(safe)) + [0] * count:
            with suppress(OSError):
                server = stack.enter_context(socket.create_server(("127.0.0.1", port)))
                found.append(server.getsockname()[1])
            if len(found) == count:
                if not port:
                    print("Too few ports are outside of net.ipv4.ip_local_port_range: a server that is restarted may not get its port again.",
                          file=sys.stderr)
                return found
    sys.exit("There are not enough free ports.")


def configure_nginx(directory, plain, tls, workers=1):
    """Writes nginx.conf, and the certificate that it names."""
    subprocess.run([ROOT / "scripts/certificate", directory], check=True)
    text = (ROOT / "Benchmarks/nginx.conf").read_text()
    for name, value in {"WORKERS": workers, "PLAIN": plain, "SECURE": tls}.items():
        text = text.replace(name, str(value))
    (directory / "nginx.conf").write_text(text)


def prepare(directory, plain, tls, workers):
    directory.chmod(0o755)  # nginx gives up the rights of root
    data = directory / "data"
    data.mkdir()
    for name, size in BULK.items():
        with open(data / name, "wb") as file:
            file.truncate(size)
    (data / "users.json").write_bytes(users())
    configure_nginx(directory, plain, tls, workers)
    for file in data.iterdir():  # so that no peer is the first to read them
        with open(file, "rb") as opened:
            shutil.copyfileobj(opened, open(os.devnull, "wb"), 1 << 20)
    return data


def await_port(port):
    for _ in range(100):
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            time.sleep(0.1)
    raise SystemExit(f"no server at port {port} after ten seconds")


@contextmanager
def running(command):
    process = subprocess.Popen(command)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


@contextmanager
def servers(binaries, workers=1):
    """Starts the servers, nginx with so many processes, and stops them at the end."""
    plain, tls, drain, narrow = free_ports(4)
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        data = prepare(directory, plain, tls, workers)
        stack.enter_context(running(
            ["nginx", "-p", directory, "-c", "nginx.conf", "-e", "error.log"]))
        stack.enter_context(running([binaries / "bench-server", str(drain)]))
        stack.enter_context(running([
            sys.executable, "-B", ROOT / "Benchmarks/compare/narrow.py", str(narrow), directory]))
        for port in (plain, tls, drain, narrow):
            await_port(port)
        urls = {
            "plain": f"http://127.0.0.1:{plain}",
            "tls": f"https://localhost:{tls}",
            "drain": f"http://127.0.0.1:{drain}",
            "narrow": f"https://localhost:{narrow}",
        }
        yield Servers(urls, directory / "authority.pem", data)
