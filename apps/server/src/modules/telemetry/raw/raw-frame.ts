import { type AckMessage, MAX_CHILDREN, rawFrame, rawMessage } from '@isotherm/contract/mqtt'
import { z } from 'zod'
import type { DirectoryEntry } from '../../devices/index.ts'
import { type RejectedPart, type RejectReason, readJson, toPartText } from '../messages/parse-message.ts'

/** A stored frame of a field bus. The first six fields are its key: equal frames count once. */
export interface RawFrame {
  /** Device id of the gateway that sent it. */
  readonly gatewayId: number
  /** Instant on the bus by the gateway's clock, Unix ms. For bytes without an envelope, their arrival. */
  readonly ts: number
  readonly boot: number
  readonly seq: number
  /** Position in the message. */
  readonly part: number
  readonly bytes: Uint8Array
  /** Id of its device: the gateway itself, a device behind it, or 0 if it names no known device. */
  readonly device: number
  /** The gateway's name for the device; empty if it has none. */
  readonly named: string
  /** Whether the gateway sent it to the bus; otherwise it received it. */
  readonly isSent: boolean
  /** Arrival, Unix ms. */
  readonly received: number
}

export type ParsedFrames =
  | { readonly kind: 'rejected'; readonly reason: RejectReason }
  | {
      readonly kind: 'parsed'
      /** Boot and number of the message; undefined for bytes without an envelope. */
      readonly number: AckMessage | undefined
      readonly frames: readonly RawFrame[]
      readonly rejects: readonly RejectedPart[]
    }

export interface RawContext {
  readonly gatewayId: number
  /** Arrival, Unix ms. */
  readonly received: number
  /** The device with this name, if it reports through the sending gateway. */
  findDevice(name: string): DirectoryEntry | undefined
  /** Distinguishes frames without an envelope that arrive in the same millisecond; up to 65,535. */
  nextPart(): number
}

const envelope = rawMessage.extend({ f: z.array(z.unknown()).min(1).max(MAX_CHILDREN) })
const jsonObject = z.record(z.string(), z.unknown())

/**
 * Parses a message on up/raw. It is either an envelope with frames, where bad frames are rejected one by one, or plain
 * bytes of a bus, as a transparent gateway forwards them.
 */
export function parseFrames(bytes: Uint8Array, context: RawContext): ParsedFrames {
  const { gatewayId, received } = context
  if (bytes.byteLength === 0) return { kind: 'rejected', reason: 'no-values' }
  const read = readJson(bytes)
  if (read.kind === 'rejected' && read.reason === 'oversize') return read
  if (read.kind === 'rejected' || !jsonObject.safeParse(read.value).success) {
    const part = context.nextPart()
    const plain = {
      gatewayId,
      ts: received,
      boot: 0,
      seq: 0,
      part,
      bytes,
      device: gatewayId,
      named: '',
      isSent: false,
      received,
    }
    return { kind: 'parsed', number: undefined, frames: [plain], rejects: [] }
  }
  const message = envelope.safeParse(read.value)
  if (!message.success) return { kind: 'rejected', reason: 'wrong-schema' }
  const { boot, seq, ts, f } = message.data
  const frames: RawFrame[] = []
  const rejects: RejectedPart[] = []
  for (const [part, raw] of f.entries()) {
    const frame = rawFrame.safeParse(raw)
    if (!frame.success) {
      rejects.push({ reason: 'wrong-schema', part: toPartText(raw) })
      continue
    }
    const { id = '', dir, hex } = frame.data
    frames.push({
      gatewayId,
      ts: frame.data.ts ?? ts,
      boot,
      seq,
      part,
      bytes: Buffer.from(hex, 'hex'),
      device: id === '' ? gatewayId : (context.findDevice(id)?.id ?? 0),
      named: id,
      isSent: dir === 'tx',
      received,
    })
  }
  return { kind: 'parsed', number: { boot, seq }, frames, rejects }
}
