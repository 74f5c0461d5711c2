import { findMetricById, metrics } from '@isotherm/contract/metrics'
import { DAY_MS } from '@isotherm/kernel/durations'
import type { DirectoryEntry } from '../../devices/index.ts'
import type { ReadingMessage, SampleValue } from './sample.ts'

/** Bytes of one row of `readings` in ClickHouse's RowBinary. Every column has a fixed length. */
const ROW_BYTES = 4 + 2 + 8 + 8 + 1 + 8 + 4 + 4 + 4 + 1 + 1

/** Columns in the order in which a row is written. */
export const ROW_COLUMNS = 'device, metric, ts, value, quality, received, node, boot, seq, months, live'

const HIGH_WORD = 0x1_0000_0000

/** Writes a DateTime64(3): Unix ms as a signed 64-bit number, little endian. Instants are never negative here. */
function writeInstant(view: DataView, at: number, instantMs: number): void {
  view.setUint32(at, instantMs % HIGH_WORD, true)
  view.setUint32(at + 4, Math.floor(instantMs / HIGH_WORD), true)
}

/** Value of `months` in the rows of a part of a message. Such rows never count as the whole message. */
export const PART_OF_MESSAGE = 255

/** UTC month of an instant (Unix ms), such as 2026-11. The store is partitioned by it. */
export const toMonthOf = (ts: number): string => new Date(ts).toISOString().slice(0, 7)

/** Number of UTC months in which a message has readings; nearly always 1. */
export function countMonths({ samples }: Pick<ReadingMessage, 'samples'>): number {
  const days = new Set(samples.map(({ ts }) => Math.floor(ts / DAY_MS)))
  const months = new Set([...days].map((day) => toMonthOf(day * DAY_MS)))
  return months.size
}

/** Number of the parts in which the store writes the rows of a message. */
export type CountParts = (message: Pick<ReadingMessage, 'samples'>) => number

function writeMessage(
  view: DataView,
  start: number,
  message: ReadingMessage,
  countParts: CountParts,
): number {
  let at = start
  const live = message.live ? 1 : 0
  const months = message.isPart ? PART_OF_MESSAGE : Math.min(countParts(message), PART_OF_MESSAGE)
  for (const sample of message.samples) {
    for (const { metric, value, quality } of sample.values) {
      view.setUint32(at, sample.device.id, true)
      view.setUint16(at + 4, metrics[metric].id, true)
      writeInstant(view, at + 6, sample.ts)
      view.setFloat64(at + 14, value, true)
      view.setUint8(at + 22, quality)
      writeInstant(view, at + 23, message.received)
      view.setUint32(at + 31, message.gatewayId, true)
      view.setUint32(at + 35, message.boot, true)
      view.setUint32(at + 39, message.seq, true)
      view.setUint8(at + 43, months)
      view.setUint8(at + 44, live)
      at += ROW_BYTES
    }
  }
  return at
}

/** The rows of all messages as one RowBinary body. `countParts`: for a store on several shards. */
export function encodeRows(
  messages: readonly ReadingMessage[],
  countParts: CountParts = countMonths,
): Buffer {
  const rows = messages.reduce((sum, message) => sum + message.rows, 0)
  const buffer = Buffer.allocUnsafe(rows * ROW_BYTES)
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength)
  let at = 0
  for (const message of messages) at = writeMessage(view, at, message, countParts)
  return buffer
}

const readInstant = (view: DataView, at: number): number =>
  view.getUint32(at + 4, true) * HIGH_WORD + view.getUint32(at, true)

interface DecodedSample {
  readonly device: DirectoryEntry
  readonly ts: number
  quality: number
  readonly values: SampleValue[]
}

interface DecodedMessage extends Omit<ReadingMessage, 'samples' | 'rows'> {
  readonly samples: DecodedSample[]
  rows: number
}

function toMessage(view: DataView, at: number): DecodedMessage {
  const [received, gatewayId] = [readInstant(view, at + 23), view.getUint32(at + 31, true)]
  const [boot, seq] = [view.getUint32(at + 35, true), view.getUint32(at + 39, true)]
  return { gatewayId, boot, seq, received, live: view.getUint8(at + 44) === 1, samples: [], rows: 0 }
}

/** Adds the value of a row to the samples of its message. */
function addValue(samples: DecodedSample[], view: DataView, at: number, device: DirectoryEntry): void {
  const metric = findMetricById(view.getUint16(at + 4, true))
  if (!metric) return
  const ts = readInstant(view, at + 6)
  const [value, quality] = [view.getFloat64(at + 14, true), view.getUint8(at + 22)]
  let sample = samples.at(-1)
  if (sample?.device !== device || sample.ts !== ts) {
    sample = { device, ts, quality, values: [] }
    samples.push(sample)
  }
  // Bits that the device set are in the quality of all values of the sample.
  sample.quality &= quality
  sample.values.push({ metric, value, quality })
}

/**
 * Decodes a body of `encodeRows`. Leaves out values of devices and metrics that are unknown here. Undefined if the body
 * is malformed.
 */
export function decodeRows(
  body: Uint8Array,
  findDevice: (id: number) => DirectoryEntry | undefined,
): readonly ReadingMessage[] | undefined {
  if (body.byteLength % ROW_BYTES !== 0) return undefined
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  const messages: DecodedMessage[] = []
  for (let at = 0; at < body.byteLength; at += ROW_BYTES) {
    const read = toMessage(view, at)
    let message = messages.at(-1)
    if (message?.gatewayId !== read.gatewayId || message.boot !== read.boot || message.seq !== read.seq) {
      message = read
      messages.push(message)
    }
    message.rows += 1
    const device = findDevice(view.getUint32(at, true))
    if (device) addValue(message.samples, view, at, device)
  }
  return messages
}
