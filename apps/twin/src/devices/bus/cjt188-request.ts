import { END, START, toSum } from './cjt188-frame.ts'

/** A request to one device of a CJ/T 188 bus. */
export interface BusRequest {
  /** Type of meter: 20 to 29 hexadecimal are those of heat. */
  readonly type: number
  /** 14 hexadecimal digits, highest first; all `A` addresses every device. */
  readonly address: string
  /** Function: 1 reads data, 3 the address, others write. */
  readonly control: number
  readonly identifier: readonly [number, number]
  readonly sequence: number
}

/** Where control and length stand after the start, and how many bytes a frame has beside its data. */
const CONTROL = 9
const LENGTH = 10
const FRAME_BYTES = 13
/** Data identifier and sequence, which every request begins its data with. */
const REQUEST_DATA = 3
/** The highest bit says that a meter speaks. */
const FROM_METER = 0x80

/** The bytes of the frame that begins at `start`, if one does. */
function frameAt(bytes: Uint8Array, start: number): Uint8Array | undefined {
  const length = bytes[start + LENGTH]
  if (bytes[start] !== START || length === undefined) return undefined
  const frame = bytes.subarray(start, start + FRAME_BYTES + length)
  if (frame.length < FRAME_BYTES + length || frame.at(-1) !== END) return undefined
  return frame.at(-2) === toSum(frame.subarray(0, -2)) ? frame : undefined
}

/**
 * The first request among bytes of a bus, whatever stands before it (protocols.md 1.5): wake-up bytes, noise, or a
 * start that none followed. Undefined when there is none.
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
