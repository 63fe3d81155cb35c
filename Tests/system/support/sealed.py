"""A network namespace for this process and all that it starts: its own loopback, and one way out, on which every packet is recorded.

The way out ends in another namespace, where stand-ins of the internet listen; nothing in either reaches a real network.
"""
import collections
import contextlib
import ctypes
import os
import re
import shutil
import socket
import struct
import subprocess

# From the ranges for documentation: addresses of nobody, and no private ones.
STAND_IN = "203.0.113.10"
_GATEWAY, _OWN = "203.0.113.1", "203.0.113.2"
_GATEWAY6, _OWN6 = "2001:db8::1", "2001:db8::2"

Packet = collections.namedtuple("Packet", "protocol target port size")
Packet.__doc__ = "What left: tcp, udp, or the number of another protocol; to where, and how long it was with its headers, in bytes."

_NEW_NETWORK = 0x40000000
_IPV4, _IPV6, _ALL = 0x0800, 0x86DD, 0x0003
_NAMES = {socket.IPPROTO_TCP: "tcp", socket.IPPROTO_UDP: "udp"}
# The kernel's own in IPv6, without anybody asking: who is a neighbour, who listens to what.
_HOP_BY_HOP, _ICMP6 = 0, 58
_NEIGHBOURS = {*range(130, 138), 143}
# Of linux/if_packet.h and asm-generic/socket.h; Python has no names for them.
_SOL_PACKET, _PACKET_STATISTICS, _SO_RCVBUFFORCE = 263, 6, 33

_libc = ctypes.CDLL(None, use_errno=True)


def _call(function, *arguments):
    if function(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{function.__name__}: {os.strerror(number)}")


def _ip(*words, check=True):
    subprocess.run(["ip", *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=check)


def missing():
    """What keeps this machine from it, or None."""
    if not shutil.which("ip") or not shutil.which("unshare"):
        return "ip (iproute2) or unshare (util-linux) is not installed"
    tried = subprocess.run(["unshare", "-n", "ip", "link", "add", "out", "type", "veth", "peer", "name", "far"],
                           stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return None if tried.returncode == 0 else f"no network namespace with a pair of interfaces can be made: {tried.stderr.strip()}"


def read(frame):
    """What a frame of the way out carries; None where it is the network's own and nobody sent anything: ARP, neighbours of IPv6."""
    kind, = struct.unpack_from("!H", frame, 12)
    if kind == _IPV4:
        start, protocol = 14 + (frame[14] & 15) * 4, frame[23]
        size, = struct.unpack_from("!H", frame, 16)
        target = socket.inet_ntop(socket.AF_INET, frame[30:34])
    elif kind == _IPV6:
        start, protocol = 54, frame[20]
        size = struct.unpack_from("!H", frame, 18)[0] + 40
        target = socket.inet_ntop(socket.AF_INET6, frame[38:54])
        if protocol == _HOP_BY_HOP and frame[start] == _ICMP6:
            start, protocol = start + 8 + frame[start + 1] * 8, _ICMP6
        if protocol == _ICMP6 and frame[start] in _NEIGHBOURS:
            return None
    else:
        return None
    port = struct.unpack_from("!H", frame, start + 2)[0] if protocol in _NAMES else None
    return Packet(_NAMES.get(protocol, protocol), target, port, size)


class Sealed:
    """From `with` on, this thread and all that it starts are in it."""

    def __enter__(self):
        with contextlib.ExitStack() as entered:
            self._before = self._namespace(entered)
            entered.callback(self._enter, self._before)
            _call(_libc.unshare, _NEW_NETWORK)
            self._far = self._namespace(entered)
            _ip("link", "set", "lo", "up")
            _call(_libc.unshare, _NEW_NETWORK)
            self._near = self._namespace(entered)
            _ip("link", "set", "lo", "up")
            _ip("link", "add", "out", "type", "veth", "peer", "name", "far")
            _ip("link", "set", "far", "netns", f"/proc/{os.getpid()}/fd/{self._far}")
            with self.outside():
                self._recorder = entered.enter_context(
                    socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ALL)))
                # All that one visit sends, until somebody looks.
                self._recorder.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, 1 << 26)
                self._recorder.setblocking(False)
                for address in (_GATEWAY, STAND_IN):
                    _ip("address", "add", f"{address}/24", "dev", "far")
                _ip("-6", "address", "add", f"{_GATEWAY6}/64", "dev", "far", "nodad", check=False)
                _ip("link", "set", "far", "up")
                self._recorder.bind(("far", _ALL))
            _ip("address", "add", f"{_OWN}/24", "dev", "out")
            _ip("-6", "address", "add", f"{_OWN6}/64", "dev", "out", "nodad", check=False)
            _ip("link", "set", "out", "up")
            _ip("route", "add", "default", "via", _GATEWAY)
            _ip("-6", "route", "add", "default", "via", _GATEWAY6, check=False)
            self._name_servers = [self._listener(entered, address) for address in _resolvers_here()]
            self._leave = entered.pop_all()
        return self

    def __exit__(self, *_):
        self._leave.close()

    @staticmethod
    def _namespace(entered):
        descriptor = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        entered.callback(os.close, descriptor)
        return descriptor

    @staticmethod
    def _enter(namespace):
        _call(_libc.setns, namespace, _NEW_NETWORK)

    @staticmethod
    def _listener(entered, address):
        """In the place of a name server of this machine, which would ask others."""
        listener = entered.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        listener.bind((address, 53))
        listener.setblocking(False)
        return address, listener

    @contextlib.contextmanager
    def outside(self):
        """Where the way out ends: a socket that is made here stays there. STAND_IN is an address of it."""
        self._enter(self._far)
        try:
            yield
        finally:
            self._enter(self._near)

    def packets(self):
        """What has left since this was asked last, in order; and what was asked of a name server of this machine."""
        found = []
        with contextlib.suppress(BlockingIOError):
            while True:
                # The heads are enough.
                frame, (_, _, kind, *_) = self._recorder.recvfrom(256)
                if kind != socket.PACKET_OUTGOING and (packet := read(frame)):
                    found.append(packet)
        _, dropped = struct.unpack("II", self._recorder.getsockopt(_SOL_PACKET, _PACKET_STATISTICS, 8))
        assert dropped == 0, f"{dropped} packets came too fast to be recorded"
        for address, listener in self._name_servers:
            with contextlib.suppress(BlockingIOError):
                while True:
                    found.append(Packet("udp", address, 53, len(listener.recv(4096)) + 28))
        return found


def _resolvers_here():
    """The name servers of /etc/resolv.conf that are on this machine."""
    try:
        with open("/etc/resolv.conf", encoding="utf-8") as file:
            return sorted(set(re.findall(r"^nameserver\s+(127\.[0-9.]+)\s*$", file.read(), re.MULTILINE)))
    except OSError:
        return []
