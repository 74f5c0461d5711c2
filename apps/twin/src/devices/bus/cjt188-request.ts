import { END, START, toSum } from './cjt188-frame.ts'

/** A request to one device of a CJ/T 188 bus. */
export interface BusRequest {
  /** Type of meter; heat meters have 20 to 29 hexadecimal. */
  readonly type: number
  /** 14 hexadecimal digits, highest first; all `A` addresses every device. */
  readonly address: string
  /** Function: 1 reads data, 3 reads the address, others write. */
  readonly control: number
  readonly identifier: readonly [number, number]
  readonly sequence: number
}

/** Offsets of control and length from the start byte, and size of a frame without its data, bytes. */
const CONTROL = 9
const LENGTH = 10
const FRAME_BYTES = 13
/** Size of data identifier and sequence, the first data of every request, bytes. */
const REQUEST_DATA = 3
/** The highest bit is set in frames of a meter. */
const FROM_METER = 0x80

/** The bytes of the frame at `start`; undefined if there is no valid frame. */
function frameAt(bytes: Uint8Array, start: number): Uint8Array | undefined {
  const length = bytes[start + LENGTH]
  if (bytes[start] !== START || length === undefined) return undefined
  const frame = bytes.subarray(start, start + FRAME_BYTES + length)
  if (frame.length < FRAME_BYTES + length || frame.at(-1) !== END) return undefined
  return frame.at(-2) === toSum(frame.subarray(0, -2)) ? frame : undefined
}

/**
 * Finds the first request among the bytes of a bus. Skips wake-up bytes, noise and incomplete frames before it
 * (protocols.md 1.5). Undefined if there is no request.
 */
export function findRequest(bytes: Uint8Array): BusRequest | undefined {
  for (let start = 0; start < bytes.length; start++) {
    const frame = frameAt(bytes, start)
    if (frame === undefined) continue
    const [type = 0, control = 0] = [frame[1], frame[CONTROL]]
    const [first, second, sequence] = frame.subarray(LENGTH + 1, LENGTH + 1 + REQUEST_DATA)
    if ((control & FROM_METER) !== 0 || (frame[LENGTH] ?? 0) < REQUEST_DATA) continue
    return {
      type,
      address: Buffer.from(frame.slice(2, CONTROL).reverse()).toString('hex').toUpperCase(),
      control,
      identifier: [first ?? 0, second ?? 0],
      sequence: sequence ?? 0,
    }
  }
  return undefined
}
