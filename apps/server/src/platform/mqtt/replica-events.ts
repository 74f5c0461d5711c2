import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../clock.ts'

const SIGNATURE_BYTES = 32
const SENDER_BYTES = 8
const HEAD_BYTES = SIGNATURE_BYTES + SENDER_BYTES + 4
const HIGHEST = 0xffff_ffff

/** What one replica told. */
export interface News {
  readonly body: Uint8Array
  /** When its sender was last heard before, Unix ms, if something it told since did not arrive. */
  readonly missedSince: number | undefined
}

/** Packets between replicas: signed, for whoever can reach the broker could write one; and numbered. */
export interface ReplicaNews {
  write(body: Uint8Array): Buffer
  /** Undefined for what none of us wrote, and for what was heard already. */
  read(packet: Uint8Array): News | undefined
}

/** A packet is signature (32 bytes), sender (8), number (4, little endian, from 1) and body. */
export function createReplicaNews(secret: string, clock: Pick<Clock, 'now'>): ReplicaNews {
  const key = createHmac('sha256', secret).update('news between replicas').digest()
  const sender = randomBytes(SENDER_BYTES)
  const heard = new Map<string, { readonly number: number; readonly at: number }>()
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
      const before = heard.get(from)
      // Kept by somebody and sent again.
      if (before && number <= before.number) return undefined
      heard.set(from, { number, at: clock.now() })
      const isNext = before === undefined || number === before.number + 1
      return { body: whole.subarray(HEAD_BYTES), missedSince: isNext ? undefined : before.at }
    },
  }
}
