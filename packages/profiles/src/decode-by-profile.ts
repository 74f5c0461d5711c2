import { absent, type FieldValue } from '@isotherm/codecs/bytes/field-value'
import { decodeCjt } from '@isotherm/codecs/cjt188/decode-data'
import { findCjt } from '@isotherm/codecs/cjt188/frame'
import { decodeMbus, type MbusData } from '@isotherm/codecs/mbus/decode'
import type { FixedData } from '@isotherm/codecs/mbus/fixed-data'
import { findMbus } from '@isotherm/codecs/mbus/frame'
import type { MbusRecord } from '@isotherm/codecs/mbus/records'
import { decodeRtu, decodeTcp } from '@isotherm/codecs/modbus/frame'
import { readRegisters } from '@isotherm/codecs/modbus/registers'
import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type { MetricName } from '@isotherm/contract/metrics'
import { type CheckedReading, checkQuality } from './check-quality.ts'
import { scaleNumber, toMetricUnit } from './convert-units.ts'
import { readPayload } from './lorawan-payload.ts'

type Bus = DeviceProfile['bus']
type Driver<Name extends Bus['driver']> = Extract<Bus, { driver: Name }>

/** Why a reading of the profile is not in the result. */
export interface MissingReading {
  readonly metric: MetricName
  readonly reason: 'not-in-frame' | 'absent' | 'bad-digits' | 'wrong-unit'
}

export type ProfileOutcome =
  | {
      readonly kind: 'readings'
      /** Address of the device as its frame has it. */
      readonly address: string
      readonly readings: readonly CheckedReading[]
      readonly missing: readonly MissingReading[]
      /** The device's own clock as it shows it, in its own zone: `2026-01-08T14:30:00`. For diagnosis only. */
      readonly deviceTime?: string
    }
  /** A frame of the profile's protocol that has no readings: a request, an acknowledgement, a refusal. */
  | { readonly kind: 'no-readings'; readonly reason: 'request' | 'refused' | 'other-data' }
  /** Not a whole frame of the profile's protocol. */
  | { readonly kind: 'other-protocol' }
  | { readonly kind: 'damaged' }

/** What a frame does not say. */
export interface FrameContext {
  /** Port of a LoRaWAN uplink. */
  readonly port?: number
  /** First register of the request, and its function. Default: the profile's block with as many registers, if there is one only. */
  readonly start?: number
}

interface Found {
  readonly metric: MetricName
  readonly value: FieldValue | undefined
  readonly unit: string
}

const hasValue = (found: Found | undefined): boolean =>
  found?.value !== undefined && found.value.kind !== 'absent'

/** One of each metric: a profile may list several fields of one metric, and the first one with a value counts. */
function listDistinct(found: readonly Found[]): readonly Found[] {
  const byMetric = new Map<MetricName, Found>()
  for (const each of found) {
    const known = byMetric.get(each.metric)
    if (known === undefined || (!hasValue(known) && hasValue(each))) byMetric.set(each.metric, each)
  }
  return [...byMetric.values()]
}

function settle(
  found: readonly Found[],
  profile: DeviceProfile,
  address: string,
  deviceTime: string | undefined,
): ProfileOutcome {
  const readings: { metric: MetricName; value: number }[] = []
  const missing: MissingReading[] = []
  for (const { metric, value, unit } of listDistinct(found)) {
    if (value === undefined || value.kind === 'absent') {
      missing.push({ metric, reason: value === undefined ? 'not-in-frame' : 'absent' })
      continue
    }
    const number = value.kind === 'number' ? value.number : toOpening(metric, value)
    const converted = number === undefined ? undefined : toMetricUnit(metric, number, unit)
    if (converted !== undefined && Number.isFinite(converted)) readings.push({ metric, value: converted })
    else missing.push({ metric, reason: number === undefined ? 'bad-digits' : 'wrong-unit' })
  }
  return {
    kind: 'readings',
    address,
    readings: checkQuality(readings, profile.checks),
    missing,
    ...(deviceTime === undefined ? {} : { deviceTime }),
  }
}

/** An on/off valve shows only its two ends. */
const ends: Readonly<Record<string, number>> = { open: 100, closed: 0 }
const toOpening = (metric: MetricName, value: FieldValue): number | undefined =>
  metric === 'valve.opening' && value.kind === 'code' ? ends[value.code] : undefined

const unitOf = (metric: MetricName, unit: string | undefined): string =>
  unit ?? (metric === 'valve.opening' ? '%' : '')

function decodeCjtFrame(profile: DeviceProfile, bus: Driver<'cjt188'>, bytes: Uint8Array): ProfileOutcome {
  const frame = findCjt(bytes)
  if (frame.kind !== 'frame') return { kind: frame.kind === 'none' ? 'other-protocol' : 'damaged' }
  if (!frame.isReply) return { kind: 'no-readings', reason: 'request' }
  const data = decodeCjt(frame, {
    firstEnergy: bus.firstEnergy,
    ...(bus.flowDecimals === undefined ? {} : { flowDecimals: bus.flowDecimals }),
    ...(bus.powerDecimals === undefined ? {} : { powerDecimals: bus.powerDecimals }),
  })
  if (data.kind === 'refusal') return { kind: 'no-readings', reason: 'refused' }
  if (data.kind === 'bad') return { kind: 'damaged' }
  if (data.kind !== 'values') return { kind: 'no-readings', reason: 'other-data' }
  const found = bus.readings.map(({ metric, field }): Found => {
    const match = data.fields.find(({ name }) => name === field)
    return { metric, value: match?.value, unit: unitOf(metric, match?.unit) }
  })
  if (found.every(({ value }) => value === undefined)) return { kind: 'no-readings', reason: 'other-data' }
  const clock = data.fields.find(({ name }) => name === 'clock')?.value
  const time = clock?.kind === 'time' && clock.isValid ? clock.text : undefined
  return settle(found, profile, frame.address, time)
}

function decodeMbusFrame(profile: DeviceProfile, bus: Driver<'mbus'>, bytes: Uint8Array): ProfileOutcome {
  const frame = findMbus(bytes)
  if (frame.kind === 'none') return { kind: 'other-protocol' }
  if (!('length' in frame)) return { kind: 'damaged' }
  if (!('ci' in frame) || frame.isRequest) return { kind: 'no-readings', reason: 'request' }
  const data = decodeMbus(frame)
  if (data.kind === 'damaged') return { kind: 'damaged' }
  if (data.kind === 'device-error') return { kind: 'no-readings', reason: 'refused' }
  if (data.kind === 'fixed') return readFixed(profile, bus, data)
  if (data.kind !== 'telegram') return { kind: 'no-readings', reason: 'other-data' }
  const found = bus.readings.map((reading): Found => {
    const { metric } = reading
    const record = findRecord(data, reading)
    return { metric, value: record?.value, unit: unitOf(metric, record?.unit) }
  })
  if (found.every(({ value }) => value === undefined)) return { kind: 'no-readings', reason: 'other-data' }
  const clock = data.records.find(({ quantity, storage }) => quantity === 'date-time' && storage === 0)?.value
  const time = clock?.kind === 'time' && clock.isValid ? clock.text : undefined
  return settle(found, profile, data.identity?.id ?? String(frame.address), time)
}

type MbusReading = Driver<'mbus'>['readings'][number]

/**
 * The record of a reading. A qualified value, such as an average or a date of a maximum, is not the reading itself; but meters that
 * count both directions apart mark even the forward one, which is the heat. A value of an error state is none.
 */
function findRecord(
  { records }: Extract<MbusData, { kind: 'telegram' }>,
  { quantity, storage, tariff, subunit }: MbusReading,
): Pick<MbusRecord, 'value' | 'unit'> | undefined {
  const fitting = records.filter(
    (each) =>
      each.quantity === quantity &&
      each.storage === storage &&
      each.tariff === tariff &&
      each.subunit === subunit,
  )
  const current = fitting.filter((each) => each.function === 'instantaneous')
  const record =
    current.find(({ modifiers }) => modifiers.length === 0) ??
    current.find(({ modifiers }) => modifiers.length === 1 && modifiers[0] === 'forward-only')
  if (record !== undefined) return record
  return fitting.some((each) => each.function === 'error' && each.modifiers.length === 0)
    ? { value: absent }
    : undefined
}

/** The two counters of an old meter. They have no tariffs and no subunits. */
function readFixed(profile: DeviceProfile, bus: Driver<'mbus'>, data: FixedData): ProfileOutcome {
  const found = bus.readings.map(({ metric, quantity, storage, tariff, subunit }): Found => {
    const counter = data.counters.find(
      (each) =>
        each.quantity === quantity && Number(each.isStored) === storage && tariff === 0 && subunit === 0,
    )
    return { metric, value: counter?.value, unit: unitOf(metric, counter?.unit) }
  })
  if (found.every(({ value }) => value === undefined)) return { kind: 'no-readings', reason: 'other-data' }
  return settle(found, profile, data.id, undefined)
}

function decodeModbusFrame(
  profile: DeviceProfile,
  bus: Driver<'modbus'>,
  bytes: Uint8Array,
  { start }: FrameContext,
): ProfileOutcome {
  const frame = bus.transport === 'tcp' ? decodeTcp(bytes, 'reply') : decodeRtu(bytes, 'reply')
  if (!('pdu' in frame)) return { kind: frame.kind === 'bad-crc' ? 'damaged' : 'other-protocol' }
  const { pdu } = frame
  if (pdu.kind === 'bad-pdu') return { kind: 'no-readings', reason: 'request' }
  if (pdu.kind === 'exception') return { kind: 'no-readings', reason: 'refused' }
  if (pdu.kind !== 'registers') return { kind: 'no-readings', reason: 'other-data' }
  const { fc, registers } = pdu
  const fitting = bus.blocks.filter((block) => block.fc === fc && block.count === registers.length)
  const first = start ?? (fitting.length === 1 ? fitting[0]?.start : undefined)
  if (first === undefined) return { kind: 'no-readings', reason: 'other-data' }
  const found = bus.readings.flatMap((reading): Found[] => {
    const raw = readRegisters(registers, reading.address - first, reading.type, reading.order)
    const isIn = reading.fc === fc && reading.address >= first && reading.address < first + registers.length
    if (!isIn) return []
    const number = raw === undefined ? undefined : scaleNumber(raw, reading.scale) + reading.offset
    const value: FieldValue =
      number === undefined ? { kind: 'absent' } : { kind: 'number', text: String(number), number }
    return [{ metric: reading.metric, value, unit: reading.unit }]
  })
  if (found.length === 0) return { kind: 'no-readings', reason: 'other-data' }
  return settle(found, profile, String(frame.unit), undefined)
}

function decodeUplink(
  profile: DeviceProfile,
  bus: Driver<'lorawan'>,
  bytes: Uint8Array,
  { port }: FrameContext,
): ProfileOutcome {
  if (port !== undefined && bus.ports !== undefined && !bus.ports.includes(port))
    return { kind: 'no-readings', reason: 'other-data' }
  const found = readPayload(bus, bytes).map(({ metric, number, unit }): Found => {
    const value: FieldValue | undefined =
      number === undefined ? undefined : { kind: 'number', text: String(number), number }
    return { metric, value, unit }
  })
  if (found.every(({ value }) => value === undefined)) return { kind: 'no-readings', reason: 'other-data' }
  return settle(found, profile, '', undefined)
}

/**
 * The readings that a frame has by a profile, in the units of the metrics, with their quality. This is the only place where units of
 * frames are converted.
 */
export function decodeByProfile(
  profile: DeviceProfile,
  bytes: Uint8Array,
  context: FrameContext = {},
): ProfileOutcome {
  const { bus } = profile
  switch (bus.driver) {
    case 'cjt188':
      return decodeCjtFrame(profile, bus, bytes)
    case 'mbus':
      return decodeMbusFrame(profile, bus, bytes)
    case 'modbus':
      return decodeModbusFrame(profile, bus, bytes, context)
    case 'lorawan':
      return decodeUplink(profile, bus, bytes, context)
    // It has no bytes.
    case 'properties':
      return { kind: 'other-protocol' }
  }
}

/** A number that a platform gives as a number, as its digits or as a truth value; undefined for anything else. */
function toNumber(value: unknown): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined
}

/** The readings that properties have by a profile of the driver `properties`. */
export function decodeProperties(
  profile: DeviceProfile,
  values: ReadonlyMap<string, unknown>,
): ProfileOutcome {
  const { bus } = profile
  if (bus.driver !== 'properties') return { kind: 'other-protocol' }
  const found = bus.readings.map(({ metric, property, scale, offset, unit }): Found => {
    if (!values.has(property)) return { metric, value: undefined, unit }
    const raw = toNumber(values.get(property))
    const number = raw === undefined ? undefined : scaleNumber(raw, scale) + offset
    const value: FieldValue =
      number === undefined ? { kind: 'absent' } : { kind: 'number', text: String(number), number }
    return { metric, value, unit }
  })
  if (found.every(({ value }) => value === undefined)) return { kind: 'no-readings', reason: 'other-data' }
  return settle(found, profile, '', undefined)
}
