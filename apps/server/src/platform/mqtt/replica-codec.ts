import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../clock.ts'

const SIGNATURE_BYTES = 32
const SENDER_BYTES = 8
const HEAD_BYTES = SIGNATURE_BYTES + SENDER_BYTES + 4
const HIGHEST = 0xffff_ffff

/** A message of another replica. */
export interface ReplicaMessage {
  readonly body: Uint8Array
  /** Last message of this sender before a gap in its numbers, Unix ms; undefined without a gap. */
  readonly missedSince: number | undefined
}

/** Codec of the packets between replicas. Packets are signed, because any client of the broker could send one, and numbered. */
export interface ReplicaCodec {
  write(body: Uint8Array): Buffer
  /** Undefined for a packet without a valid signature and for a repeated one. */
  read(packet: Uint8Array): ReplicaMessage | undefined
  /** Name of this sender, as others know it. */
  readonly name: string
  /** Names of the others that sent a packet within the last `withinMs`. */
  listSenders(withinMs: number): readonly string[]
}

/** A packet is signature (32 bytes), sender (8), number (4, little endian, from 1) and body. */
export function createReplicaCodec(secret: string, clock: Pick<Clock, 'now' | 'elapsed'>): ReplicaCodec {
  // This text is part of the protocol: replicas of different versions must derive the same key.
  const key = createHmac('sha256', secret).update('news between replicas').digest()
  const sender = randomBytes(SENDER_BYTES)
  const lastReceived = new Map<
    string,
    { readonly number: number; readonly at: number; readonly arrivedAt: number }
  >()
  let written = 0

  const sign = (rest: Uint8Array): Buffer => createHmac('sha256', key).update(rest).digest()

  return {
    write(body) {
      written = written === HIGHEST ? 1 : written + 1
      const number = Buffer.alloc(4)
      number.writeUInt32LE(written)
      const rest = Buffer.concat([sender, number, body])
      return Buffer.concat([sign(rest), rest])
    },
    read(packet) {
      if (packet.byteLength < HEAD_BYTES) return undefined
      const whole = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength)
      const rest = whole.subarray(SIGNATURE_BYTES)
      if (!timingSafeEqual(sign(rest), whole.subarray(0, SIGNATURE_BYTES))) return undefined
      const from = rest.toString('hex', 0, SENDER_BYTES)
      const number = rest.readUInt32LE(SENDER_BYTES)
      const before = lastReceived.get(from)
      // A repeated packet.
      if (before && number <= before.number) return undefined
      lastReceived.set(from, { number, at: clock.now(), arrivedAt: clock.elapsed() })
      const isNext = before === undefined || number === before.number + 1
      return { body: whole.subarray(HEAD_BYTES), missedSince: isNext ? undefined : before.at }
    },
    name: sender.toString('hex'),
    listSenders(withinMs) {
      const since = clock.elapsed() - withinMs
      return [...lastReceived].flatMap(([name, { arrivedAt }]) => (arrivedAt > since ? [name] : []))
    },
  }
}
