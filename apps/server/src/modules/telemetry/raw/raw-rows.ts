import type { RawFrame } from './raw-frame.ts'

/** Columns in the order in which a row is written. */
export const RAW_COLUMNS = 'node, ts, boot, seq, part, device, sent, received, named, bytes'

/** Bytes of the columns with a fixed length: 4 + 8 + 4 + 4 + 2 + 4 + 1 + 8. */
const FIXED_BYTES = 35

/** Length of a string in ClickHouse's RowBinary: seven bits per byte, the lowest first. */
function toVarint(length: number): Buffer {
  const bytes: number[] = []
  let rest = length
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80)
  bytes.push(rest)
  return Buffer.from(bytes)
}

function toRow(frame: RawFrame): readonly Uint8Array[] {
  const fixed = Buffer.alloc(FIXED_BYTES)
  let at = fixed.writeUInt32LE(frame.gatewayId)
  at = fixed.writeBigInt64LE(BigInt(frame.ts), at)
  at = fixed.writeUInt32LE(frame.boot, at)
  at = fixed.writeUInt32LE(frame.seq, at)
  at = fixed.writeUInt16LE(frame.part, at)
  at = fixed.writeUInt32LE(frame.device, at)
  at = fixed.writeUInt8(frame.isSent ? 1 : 0, at)
  fixed.writeBigInt64LE(BigInt(frame.received), at)
  const named = Buffer.from(frame.named)
  return [fixed, toVarint(named.length), named, toVarint(frame.bytes.length), frame.bytes]
}

/** The frames as one RowBinary body. */
export const encodeFrames = (frames: readonly RawFrame[]): Buffer => Buffer.concat(frames.flatMap(toRow))
