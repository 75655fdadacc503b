"""The servers of the soak."""

import hashlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Benchmarks/compare"))
from servers import await_port, configure_nginx, free_ports  # noqa: E402 (found by the line above)

HAPROXY = """global
  stats socket {folder}/haproxy.sock mode 600 level admin
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend in
  bind 127.0.0.1:{port}
  default_backend nginx
backend nginx
  retries 5
  server one 127.0.0.1:{nginx}
"""

APACHE_MODULES = ["mpm_event", "alias", "headers", "authn_core", "authn_file", "authz_core", "authz_host", "authz_user",
                  "auth_digest", "proxy", "proxy_http", "proxy_connect"]
APACHE = """ServerName localhost
DefaultRuntimeDir {folder}
PidFile {folder}/apache.pid
ErrorLog {folder}/apache.log
DocumentRoot {folder}/data
Listen 127.0.0.1:{port}
KeepAlive On
MaxKeepAliveRequests 1000
User www-data
Group www-data
Redirect /moved /hello
<Location /cached.json>
  Header set Cache-Control max-age=1
</Location>
<Location /private>
  AuthType Digest
  AuthName birds
  AuthUserFile {folder}/passwords
  Require valid-user
</Location>
ProxyRequests On
AllowCONNECT {tls}
<Proxy *>
  Require ip 127.0.0.1
</Proxy>
"""


class Server:
    """A program that can be reloaded by a signal, and restarted."""

    def __init__(self, command, port, affects=(), reload=None):
        self.command, self.port, self.reload_signal = command, port, reload
        self.affects = affects  # the client's names for the servers that fail while this one restarts
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.command, start_new_session=True)
        await_port(self.port)

    def reload(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"{self.command[0]} has ended by itself")
        self.process.send_signal(self.reload_signal)

    def restart(self):
        self.stop()
        self.start()

    def stop(self):
        if self.process is None or self.process.poll() is not None:
            return
        # Not asked to end: Apache would wait ten seconds for its tunnels, and answer none of the requests that it accepts meanwhile.
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def data(folder):
    """The files that the servers have."""
    files = folder / "data"
    files.mkdir()
    (files / "private").mkdir()
    for name in ("hello", "cached.json", "private/hello"):
        (files / name).write_text('{"hello":"world"}')
    (files / "mib").write_bytes(os.urandom(1 << 20))
    users = [{"name": f"user {number}", "mail": f"{number}@example.com"} for number in range(100)]
    (files / "users.json").write_text(json.dumps(users))


def start(stack, folder, binaries):
    """Starts all servers, which stop with the stack.

    Returns those that are reloaded and restarted, and the arguments for the client.
    """
    folder.chmod(0o755)
    data(folder)
    plain, tls, apache, haproxy, upload, faulty = free_ports(6)
    configure_nginx(folder, plain, tls)
    modules = [f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n" for name in APACHE_MODULES]
    (folder / "apache.conf").write_text("".join(modules) + APACHE.format(folder=folder, port=apache, tls=tls))
    digest = hashlib.md5(b"ada:birds:tern").hexdigest()
    (folder / "passwords").write_text(f"ada:birds:{digest}\n")
    (folder / "haproxy.cfg").write_text(HAPROXY.format(folder=folder, port=haproxy, nginx=plain))
    changing = [
        Server(["nginx", "-p", folder, "-c", "nginx.conf", "-e", "error.log"], plain,
               ["nginx", "tls", "haproxy", "proxied", "tunnelled"], signal.SIGHUP),
        Server(["apache2", "-DFOREGROUND", "-f", folder / "apache.conf"], apache,
               ["apache", "cached", "proxied", "tunnelled"], signal.SIGUSR1),
        Server(["haproxy", "-W", "-f", folder / "haproxy.cfg"], haproxy, ["haproxy"], signal.SIGUSR2),
    ]
    steady = [
        Server([binaries / "bench-server", str(upload)], upload),
        Server([sys.executable, "-B", ROOT / "Benchmarks/soak/faulty.py", str(faulty)], faulty),
    ]
    for server in changing + steady:
        stack.callback(server.stop)
        server.start()
    arguments = [
        f"nginx=http://127.0.0.1:{plain}/", f"tls=https://localhost:{tls}/",
        f"apache=http://127.0.0.1:{apache}/", f"haproxy=http://127.0.0.1:{haproxy}/",
        f"upload=http://127.0.0.1:{upload}/", f"faulty=http://127.0.0.1:{faulty}/",
        f"cached=http://127.0.0.1:{apache}/", f"proxied=http://127.0.0.1:{plain}/",
        f"tunnelled=https://localhost:{tls}/", f"proxy=http://127.0.0.1:{apache}",
        f"authority={folder}/authority.pem",
    ]
    return changing, arguments
