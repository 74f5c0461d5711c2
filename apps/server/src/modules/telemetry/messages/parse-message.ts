import type { QuarantineReason } from '@isotherm/contract/endpoints/monitoring/quarantine'
import { isMetricName, quality } from '@isotherm/contract/metrics'
import {
  type ChildReading,
  childReading,
  MAX_CHILDREN,
  MAX_MESSAGE_BYTES,
  telemetryMessage,
} from '@isotherm/contract/mqtt'
import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import type { DirectoryEntry } from '../../devices/index.ts'
import { type Sample, type SampleValue, toSampleValue } from './sample.ts'

/** Reason why a message or a part of it is rejected; stored in the quarantine and used as a label of the metrics. */
export type RejectReason = QuarantineReason

export interface RejectedPart {
  readonly reason: RejectReason
  /** Index of the part in the message; absent if the whole message is rejected. */
  readonly entry?: number
  /** The part as JSON; undefined if the whole message is rejected. */
  readonly part: string | undefined
}

export type ParsedReadings =
  | { readonly kind: 'rejected'; readonly reason: RejectReason }
  | {
      readonly kind: 'parsed'
      readonly boot: number
      readonly seq: number
      readonly samples: readonly Sample[]
      readonly rows: number
      readonly rejects: readonly RejectedPart[]
    }

export interface ParseContext {
  /** Arrival, Unix ms. */
  readonly received: number
  /** Readings that were measured before this instant are no longer retained, Unix ms. */
  readonly retainedSince: number
  /** When a message arrived, by the clock that dates children without an instant, Unix ms; default: `received`. */
  readonly arrivalOf?: (message: { readonly ts: number }) => number
  /** By how much this machine's clock was set back shortly before, ms: the gateways may be right. */
  readonly setBackMs: number
  /** The device with this id, if it reports through the sending gateway. */
  findDevice(id: string): DirectoryEntry | undefined
  /** Offset to add to the instants of a message, ms. Not 0 if the clock of its gateway is wrong. */
  offsetOf(message: { readonly boot: number; readonly seq: number; readonly ts: number }): number
}

/** Greatest lead of a reading's instant over the server's clock (docs/reference/mqtt.md, section 8). */
export const MAX_FUTURE_MS = 10 * MINUTE_MS

/**
 * Greatest age of a reading at its arrival, whatever the retention: ten years. No device buffers more than a few
 * heating seasons. An older reading comes from a clock that is at 1970 or 2000, and each of its months would be a
 * separate part in the store.
 */
export const MAX_AGE_MS = 3_650 * DAY_MS

/** The envelope with unparsed children, so that one bad child does not reject the others. */
export const envelope = telemetryMessage.extend({ d: z.array(z.unknown()).min(1).max(MAX_CHILDREN) })

const json = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  } catch {
    return undefined
  }
}

/** A part of a message as JSON. Undefined if it is nested too deeply to be serialised; only garbage is. */
export function toPartText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** Parses JSON of limited size; returns the reason if that fails. */
export function readJson(
  bytes: Uint8Array,
):
  | { readonly kind: 'rejected'; readonly reason: RejectReason }
  | { readonly kind: 'json'; readonly value: unknown } {
  if (bytes.byteLength > MAX_MESSAGE_BYTES) return { kind: 'rejected', reason: 'oversize' }
  const value = json(bytes)
  return value === undefined ? { kind: 'rejected', reason: 'malformed-json' } : { kind: 'json', value }
}

function findBadInstant(
  ts: number,
  { received, retainedSince, setBackMs }: ParseContext,
): RejectReason | undefined {
  if (ts > received + setBackMs + MAX_FUTURE_MS) return 'future-instant'
  return ts < Math.max(retainedSince, received - MAX_AGE_MS) ? 'ancient-instant' : undefined
}

interface ChildOutcome {
  readonly sample?: Sample
  readonly reason?: RejectReason
}

function toValues(child: ChildReading, bits: number): { values: SampleValue[]; hasUnknown: boolean } {
  const values: SampleValue[] = []
  let hasUnknown = false
  for (const [name, value] of Object.entries(child.m)) {
    if (isMetricName(name)) values.push(toSampleValue(name, value, bits))
    else hasUnknown = true
  }
  return { values, hasUnknown }
}

function parseChild(
  raw: unknown,
  context: ParseContext,
  { arrivedAt, offsetMs }: { readonly arrivedAt: number; readonly offsetMs: number },
): ChildOutcome {
  const parsed = childReading.safeParse(raw)
  if (!parsed.success) return { reason: 'wrong-schema' }
  const child = parsed.data
  const device = context.findDevice(child.id)
  if (!device) return { reason: 'unknown-device' }
  const ts = child.ts === undefined ? arrivedAt : child.ts + offsetMs
  const badInstant = findBadInstant(ts, context)
  if (badInstant) return { reason: badInstant }
  const isCorrected = offsetMs !== 0 && child.ts !== undefined
  const bits = (child.q ?? 0) | (isCorrected ? quality.clockCorrected : 0)
  const { values, hasUnknown } = toValues(child, bits)
  if (values.length === 0) return { reason: hasUnknown ? 'unknown-metric' : 'no-values' }
  const sample = { device, ts, quality: bits, values, ...(child.dt ? { meterTime: child.dt } : {}) }
  return hasUnknown ? { sample, reason: 'unknown-metric' } : { sample }
}

/**
 * Removes values that a later sample repeats for the same device and instant: they would be the same row, and the store
 * retains the later value.
 */
function withoutRepeated(samples: readonly Sample[]): readonly Sample[] {
  // A usual message has each device once. This check is all it costs.
  if (new Set(samples.map(({ device }) => device.id)).size === samples.length) return samples
  const given = new Set<string>()
  const isNew = ({ device, ts }: Sample, metric: string): boolean => {
    const before = given.size
    return given.add(`${device.id}:${ts}:${metric}`).size > before
  }
  const result: Sample[] = []
  for (const sample of samples.toReversed()) {
    const values = sample.values.filter(({ metric }) => isNew(sample, metric))
    if (values.length > 0) result.push({ ...sample, values })
  }
  return result.reverse()
}

/**
 * Parses a telemetry, history or event message. A bad child is rejected with its reason and the others are used. The
 * whole message is rejected only if its envelope is wrong.
 */
export function parseReadings(bytes: Uint8Array, context: ParseContext): ParsedReadings {
  const read = readJson(bytes)
  if (read.kind === 'rejected') return read
  const message = envelope.safeParse(read.value)
  if (!message.success) return { kind: 'rejected', reason: 'wrong-schema' }
  const given: Sample[] = []
  const rejects: RejectedPart[] = []
  const dating = {
    arrivedAt: context.arrivalOf?.(message.data) ?? context.received,
    offsetMs: context.offsetOf(message.data),
  }
  for (const [entry, raw] of message.data.d.entries()) {
    const { sample, reason } = parseChild(raw, context, dating)
    if (sample) given.push(sample)
    if (reason) rejects.push({ reason, entry, part: toPartText(raw) })
  }
  const samples = withoutRepeated(given)
  const rows = samples.reduce((sum, { values }) => sum + values.length, 0)
  return { kind: 'parsed', boot: message.data.boot, seq: message.data.seq, samples, rows, rejects }
}
