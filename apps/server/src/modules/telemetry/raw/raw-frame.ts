import { type AckMessage, MAX_CHILDREN, rawFrame, rawMessage } from '@isotherm/contract/mqtt'
import { z } from 'zod'
import type { DirectoryEntry } from '../../devices/index.ts'
import { type RejectedPart, type RejectReason, readJson, toPartText } from '../messages/parse-message.ts'

/** A frame of a field bus as it is kept. The first six of it say which one it is: the same is kept once. */
export interface RawFrame {
  /** Device id of the node that sent it. */
  readonly gatewayId: number
  /** When it was on the bus by the node's clock, Unix ms; of bytes without an envelope, when they arrived. */
  readonly ts: number
  readonly boot: number
  readonly seq: number
  /** Its place in the message. */
  readonly part: number
  readonly bytes: Uint8Array
  /** Device it is of: the node itself, one behind it, or 0 where none of ours is named. */
  readonly device: number
  /** What the node calls the device; empty where it names none. */
  readonly named: string
  /** Whether the node sent it to the bus; otherwise it came from there. */
  readonly isSent: boolean
  /** When it arrived, Unix ms. */
  readonly received: number
}

export type ParsedFrames =
  | { readonly kind: 'rejected'; readonly reason: RejectReason }
  | {
      readonly kind: 'parsed'
      /** What the message is numbered; bytes without an envelope are not. */
      readonly number: AckMessage | undefined
      readonly frames: readonly RawFrame[]
      readonly rejects: readonly RejectedPart[]
    }

export interface RawContext {
  readonly gatewayId: number
  /** Arrival, Unix ms. */
  readonly received: number
  /** The device a name stands for, if it speaks through the sending node. */
  findDevice(name: string): DirectoryEntry | undefined
  /** Tells frames apart that arrive without an envelope in one millisecond; up to 65,535. */
  nextPart(): number
}

const envelope = rawMessage.extend({ f: z.array(z.unknown()).min(1).max(MAX_CHILDREN) })
const jsonObject = z.record(z.string(), z.unknown())

/**
 * Reads what came on up/raw: an envelope with frames, of which a wrong one is set apart; or the bytes of a bus as
 * they are, which a transparent unit passes on without saying anything of its own.
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
