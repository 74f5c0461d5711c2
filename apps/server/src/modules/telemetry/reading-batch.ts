/** One reading as it is stored. Times are Unix ms; `live` is false for back-fill. */
export interface Reading {
  readonly device: number
  readonly metric: number
  readonly ts: number
  readonly value: number
  readonly quality: number
  readonly received: number
  readonly node: number
  readonly boot: number
  readonly seq: number
  readonly live: boolean
}

const ROW_BYTES = 44
const TWO_TO_32 = 4_294_967_296

/** Columns in the order the bytes have. */
export const READING_COLUMNS = 'device, metric, ts, value, quality, received, node, boot, seq, live'

/** Readings in ClickHouse's RowBinary, written as they come; 44 bytes each. */
export class ReadingBatch {
  #buffer = Buffer.allocUnsafe(ROW_BYTES * 4_096)
  #rows = 0

  get rows(): number {
    return this.#rows
  }

  add(reading: Reading): void {
    const start = this.#rows * ROW_BYTES
    if (start + ROW_BYTES > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(this.#buffer.length * 2)
      this.#buffer.copy(larger, 0, 0, start)
      this.#buffer = larger
    }
    const bytes = this.#buffer
    bytes.writeUInt32LE(reading.device, start)
    bytes.writeUInt16LE(reading.metric, start + 4)
    writeInstant(bytes, reading.ts, start + 6)
    bytes.writeDoubleLE(reading.value, start + 14)
    bytes.writeUInt8(reading.quality, start + 22)
    writeInstant(bytes, reading.received, start + 23)
    bytes.writeUInt32LE(reading.node, start + 31)
    bytes.writeUInt32LE(reading.boot, start + 35)
    bytes.writeUInt32LE(reading.seq, start + 39)
    bytes.writeUInt8(reading.live ? 1 : 0, start + 43)
    this.#rows += 1
  }

  /** The rows so far; valid until the next add. */
  toBytes(): Buffer {
    return this.#buffer.subarray(0, this.#rows * ROW_BYTES)
  }
}

/** DateTime64(3): a signed 64-bit count of milliseconds, low half first. Instants are positive here. */
function writeInstant(bytes: Buffer, instant: number, at: number): void {
  bytes.writeUInt32LE(instant % TWO_TO_32, at)
  bytes.writeUInt32LE(Math.floor(instant / TWO_TO_32), at + 4)
}
