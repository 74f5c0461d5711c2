/** Verdict on the bytes of a client. */
export type FrameVerdict = 'ok' | 'too-large' | 'malformed'

export interface FrameGuardOptions {
  /** Largest packet, header included, in bytes. */
  readonly maxPacketBytes: number
  /** Called for each PUBACK with its packet id. */
  readonly onPuback: (packetId: number) => void
}

const pubackType = 4

/**
 * Tracks the packet boundaries of an MQTT byte stream without storing packets. Refuses a packet by its announced length before it
 * is received, and reads the ids of acknowledgements. After any verdict except `ok` the connection must be closed.
 */
export function createFrameGuard(options: FrameGuardOptions): (chunk: Uint8Array) => FrameVerdict {
  let type = 0
  let headerBytes = 0
  let factor = 1
  let length = 0
  // Bytes of the packet's body still to come; -1 while the header is read.
  let left = -1
  let packetId = 0

  const endPacket = () => {
    if (type === pubackType && length === 2) options.onPuback(packetId)
    headerBytes = 0
    left = -1
  }

  const readHeader = (byte: number): FrameVerdict => {
    headerBytes += 1
    if (headerBytes === 1) {
      type = byte >> 4
      factor = 1
      length = 0
      packetId = 0
      return 'ok'
    }
    length += (byte & 0x7f) * factor
    factor *= 128
    if ((byte & 0x80) !== 0) return headerBytes === 5 ? 'malformed' : 'ok'
    if (length + headerBytes > options.maxPacketBytes) return 'too-large'
    left = length
    if (left === 0) endPacket()
    return 'ok'
  }

  return (chunk) => {
    let at = 0
    while (at < chunk.length) {
      if (left < 0) {
        const verdict = readHeader(chunk[at] ?? 0)
        if (verdict !== 'ok') return verdict
        at += 1
        continue
      }
      const taken = Math.min(left, chunk.length - at)
      if (type === pubackType) {
        for (const byte of chunk.subarray(at, at + taken)) packetId = (packetId * 256 + byte) % 65536
      }
      at += taken
      left -= taken
      if (left === 0) endPacket()
    }
    return 'ok'
  }
}
