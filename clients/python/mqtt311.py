"""MQTT 3.1.1 at QoS 1 over a socket: as much of it as a device needs."""
import select
import socket
import struct
import time

KEEP_ALIVE_S = 60


def text(value):
    data = value if isinstance(value, bytes) else value.encode()
    return struct.pack('>H', len(data)) + data


class Link:
    """One connection. Every method raises OSError when it ends; then a new Link is needed."""

    def __init__(self, host, port, user, password, will_topic, will):
        self.received, self.packet_id, self.waiting, self.early = b'', 0, {}, []
        self.socket = socket.create_connection((host, port), 10)
        # User, password, will retained at QoS 1; the session is not clean.
        head = text('MQTT') + bytes([4, 0xEC]) + struct.pack('>H', KEEP_ALIVE_S)
        self.write(0x10, head + text(user) + text(will_topic) + text(will) + text(user) + text(password))
        code = self.wait_for(0x20)[1]
        if code != 0:
            raise OSError(f'the broker refuses the connection with code {code}')

    def write(self, kind, body):
        size, rest = b'', len(body)
        while not size or rest:
            size, rest = size + bytes([rest % 128 + (128 if rest > 127 else 0)]), rest // 128
        self.written = time.monotonic()
        self.socket.sendall(bytes([kind]) + size + body)

    def subscribe(self, topic):
        self.write(0x82, struct.pack('>H', 1) + text(topic) + b'\x01')
        if self.wait_for(0x90)[2] > 2:
            raise OSError(f'the broker refuses the subscription to {topic}')

    def publish(self, topic, payload, stored, retain=False):
        """Calls `stored` after PUBACK."""
        self.packet_id = self.packet_id % 65535 + 1
        self.waiting[self.packet_id] = stored
        self.write(0x33 if retain else 0x32, text(topic) + struct.pack('>H', self.packet_id) + payload)

    def wait_for(self, kind):
        end = time.monotonic() + 10
        while time.monotonic() < end:
            for packet in self.packets(1):
                if packet[0] == kind:
                    return packet[1]
                self.early.append(packet)
        raise OSError('the broker does not answer')

    def packets(self, timeout_s):
        """The packets that arrive within the time, as first byte and body."""
        if time.monotonic() > self.written + KEEP_ALIVE_S / 2:
            self.write(0xC0, b'')
        if select.select([self.socket], [], [], timeout_s)[0]:
            chunk = self.socket.recv(65536)
            if not chunk:
                raise OSError('the broker closed the connection')
            self.received += chunk
        while len(self.received) > 1:
            length, at = 0, 1
            while at < len(self.received) and (at == 1 or self.received[at - 1] > 127):
                length += (self.received[at] & 127) << (7 * (at - 1))
                at += 1
            if self.received[at - 1] > 127 or len(self.received) < at + length:
                return
            packet = (self.received[0], self.received[at:at + length])
            self.received = self.received[at + length:]
            yield packet

    def messages(self, timeout_s):
        """The messages that arrive within the time, as topic and payload. Acknowledges them when the next is read."""
        early, self.early = self.early, []
        for kind, body in early + list(self.packets(timeout_s)):
            if kind == 0x40:
                self.waiting.pop(struct.unpack('>H', body[:2])[0], lambda: None)()
            if kind >> 4 != 3:
                continue
            end = 2 + struct.unpack('>H', body[:2])[0]
            start = end if kind & 6 == 0 else end + 2
            yield body[2:end].decode(), body[start:]
            if start > end:
                self.write(0x40, body[end:start])
