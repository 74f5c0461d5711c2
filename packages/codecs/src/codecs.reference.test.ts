import { readFileSync } from 'node:fs'
import { findReference, WITHOUT_REFERENCE } from '@isotherm/kernel/verification.testkit'
import { describe, expect, it } from 'vitest'
import type { Field } from './bytes/field-value.ts'
import { unwrapCtrl } from './cjt188/concentrator.ts'
import { decodeCjt, decodeCjtPayload } from './cjt188/decode-data.ts'
import { findCjt } from './cjt188/frame.ts'
import { bytesOf } from './frames.testkit.ts'
import { decodeMbus } from './mbus/decode.ts'
import { findMbus } from './mbus/frame.ts'
import type { MbusRecord } from './mbus/records.ts'
import { encodeRtu } from './modbus/encode.ts'
import { decodeRtu } from './modbus/frame.ts'
import { createLineParser } from './stream/line-parser.ts'

/** Published frames with their expected values (ISOTHERM_REFERENCE/protocols). */
const read = (name: string): unknown => {
  const path = findReference('protocols', name)
  return path === undefined ? undefined : JSON.parse(readFileSync(path, 'utf8'))
}
type Json = Readonly<Record<string, unknown>>
const recordOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? { ...value } : {})
const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(recordOf) : [])
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const cjt = read('cjt188-frames.json')
const mbus = read('mbus-frames.json')
const broken = read('mbus-error-frames.json')
const modbus = read('modbus-rtu-frames.json')

const DECIMAL = /^-?\d+(?:\.\d+)?$/
/** Names of our fields by those of the published vectors. */
const names: Readonly<Record<string, string>> = {
  settlement_or_cold_energy: 'settlement-energy',
  current_energy: 'energy',
  current_volume: 'volume',
  settlement_volume: 'settlement-volume',
  power: 'power',
  flow: 'flow',
  volume: 'volume',
  supply_temp: 'supply-temperature',
  return_temp: 'return-temperature',
  supply: 'supply-temperature',
  return: 'return-temperature',
  hours: 'hours',
  st: 'status',
  status: 'status',
}
/** What is compared elsewhere: the identifier, the sequence, the clock and the units. */
const isApart = (name: string): boolean => ['di', 'ser', 'time'].includes(name) || name.endsWith('_unit')

describe.skipIf(cjt === undefined)(`CJ/T 188 frames of the field ${WITHOUT_REFERENCE}`, () => {
  const decode = (hex: string) => {
    const frame = findCjt(bytesOf(hex))
    return frame.kind === 'frame' ? decodeCjt(frame) : frame
  }
  /** Exact texts of fields with their units, as in the vectors. */
  const textsOf = (
    fields: readonly Field[],
  ): Readonly<Record<string, readonly [string, string | undefined]>> =>
    Object.fromEntries(
      fields.map(({ name, value, unit }) => [
        name,
        [
          'text' in value
            ? value.text
            : 'hex' in value
              ? value.hex
              : 'code' in value
                ? value.code
                : value.kind,
          unit?.replace('³', '3'),
        ],
      ]),
    )
  /** `current` and `settlement` are the energy of a heat meter and the volume of another. */
  const findText = (texts: ReturnType<typeof textsOf>, theirs: string) => {
    const kind = texts.energy === undefined ? 'volume' : 'energy'
    if (theirs === 'current') return texts[kind]
    return theirs === 'settlement' ? texts[`settlement-${kind}`] : texts[names[theirs] ?? '']
  }
  const isInCalendar = (time: unknown) => /^[12]\d{13}$/.test(text(time).replaceAll(/\D/g, ''))
  /** Compares what the vector has of a frame's fields. Returns how many it compared. */
  const compare = (fields: readonly Field[], values: Json, id: string): number => {
    const texts = textsOf(fields)
    let compared = 0
    for (const [theirs, value] of Object.entries(values)) {
      if (isApart(theirs)) continue
      const ours = findText(texts, theirs)
      if (ours === undefined) throw new Error(`${id}: ${theirs} was not read`)
      const [number, unit = values[`${theirs}_unit`] ?? ''] = ours
      compared++
      // All bytes FF are no value, and so no number.
      if (number === 'absent') expect(text(value), `${id} ${theirs}`).not.toMatch(DECIMAL)
      else if (typeof value === 'number') expect(Number(number), `${id} ${theirs}`).toBe(value)
      else expect(`${number} ${text(unit)} `, `${id} ${theirs}`).toContain(`${text(value).split(' (')[0]} `)
      const theirUnit = values[`${theirs}_unit`]
      if (theirUnit !== undefined) expect(ours[1], `${id} ${theirs}`).toBe(theirUnit)
    }
    if (isInCalendar(values.time)) {
      const digits = (time: unknown) => text(time).replaceAll(/\D/g, '')
      expect(digits(texts.clock?.[0] ?? texts['frozen-at']?.[0]), id).toBe(digits(values.time))
      compared++
    }
    return compared
  }

  it('have the address, control and values that are published', () => {
    const positive = listOf(recordOf(cjt).positive)
    let compared = 0
    for (const { id, hex, frame: about, decoded } of positive) {
      const expected = recordOf(about)
      const control = Number.parseInt(text(expected.control), 16)
      expect(findCjt(bytesOf(text(hex))), text(id)).toMatchObject({
        kind: 'frame',
        address: text(expected.addressDigits).toUpperCase(),
        type: Number.parseInt(text(expected.meterType), 16),
        control,
        preamble: expected.preambleBytes,
        isReply: control >= 0x80,
      })
      if (decoded === undefined) continue
      const values = recordOf(decoded)
      const data = decode(text(hex))
      if (data.kind !== 'values') throw new Error(text(id))
      if (values.ser !== undefined) expect(data.sequence, text(id)).toBe(values.ser)
      // Published in the order of the frame, which has either byte first.
      const [high, low] = [text(values.di).slice(0, 2), text(values.di).slice(2)]
      expect([`${high}${low}`, `${low}${high}`], text(id)).toContain(data.identifier)
      compared += compare(data.fields, values, text(id))
    }
    expect(compared).toBeGreaterThan(positive.length)
  })

  it('have the order to the valve that is published', () => {
    const orders = listOf(recordOf(cjt).positive).filter(({ kind }) => text(kind).startsWith('valve-'))
    for (const { id, kind, hex } of orders) {
      // An order of the standard is the kind of the frame; one of a maker is in its name.
      const [, order] = /^valve-(?:force-)?(open|close|free-open|query)/.exec(text(id)) ?? []
      if (kind !== 'valve-vendor') expect(kind, text(id)).toBe(`valve-${order}`)
      const data = decode(text(hex))
      if (data.kind !== 'values') throw new Error(text(id))
      expect(data.identifier).toBe('A017')
      expect(textsOf(data.fields)['valve-order']?.[0], text(id)).toBe(order)
    }
    expect(orders.length).toBeGreaterThan(0)
  })

  it('are refused with their reason', () => {
    for (const { id, hex, checksumCalc, checksumWire } of listOf(recordOf(cjt).negative)) {
      const found = decode(text(hex))
      expect(['none', 'incomplete', 'bad-end', 'bad-sum', 'bad', 'unknown'], text(id)).toContain(found.kind)
      if (checksumCalc === undefined || checksumCalc === checksumWire) continue
      const number = (digits: unknown) => Number.parseInt(text(digits), 16)
      expect(found, text(id)).toMatchObject({
        kind: 'bad-sum',
        expected: number(checksumCalc),
        found: number(checksumWire),
      })
    }
  })

  it('are found in streams, and in uploads of a concentrator', () => {
    /** The bytes of a frame that is published by itself, without what precedes it. */
    const findBytes = (id: unknown): Uint8Array | undefined => {
      const published = listOf(recordOf(cjt).positive).find((each) => each.id === id)
      return published && bytesOf(text(published.hex).replace(/^(?:FE)+/, ''))
    }
    for (const { id, hex, expectFrames } of listOf(recordOf(cjt).streams)) {
      const parser = createLineParser({ formats: ['cjt188'] })
      const bytes = bytesOf(text(hex))
      const whole = parser.push(bytes, 0)
      const expected: readonly unknown[] = Array.isArray(expectFrames) ? expectFrames : []
      expect(whole, text(id)).toHaveLength(expected.length)
      for (const [at, name] of expected.entries())
        expect(whole[at]?.bytes, text(id)).toEqual(findBytes(name) ?? whole[at]?.bytes)
      const slow = createLineParser({ formats: ['cjt188'] })
      expect([...bytes].flatMap((byte) => slow.push(Uint8Array.of(byte), 0))).toEqual(whole)
    }
    for (const { id, hex, decoded } of listOf(recordOf(cjt).concentrator)) {
      const about = recordOf(decoded)
      const unwrapped = unwrapCtrl(bytesOf(text(hex)))
      expect(unwrapped, text(id)).toMatchObject({ id: about.concentratorId, length: about.totalLength })
      if (unwrapped.kind !== 'concentrator') throw new Error(text(id))
      const inner = findCjt(unwrapped.inner)
      if (inner.kind !== 'frame') throw new Error(text(id))
      expect(unwrapped.inner.slice(inner.start), text(id)).toEqual(findBytes(about.inner))
    }
  })

  it('are read as payloads, in the form of 2018, and as commands to a vendor’s valve', () => {
    for (const { id, payloadHex, expected } of listOf(recordOf(cjt).payloadOnly)) {
      const identifier = Number.parseInt(/\b[89A-D][0-9A-F]{3}\b/.exec(text(id))?.[0] ?? '901F', 16)
      const kind = (['heat', 'gas'] as const).find((each) => text(id).includes(each)) ?? 'water'
      const data = decodeCjtPayload(identifier, bytesOf(text(payloadHex)), kind)
      if (typeof expected === 'string') expect(data?.kind ?? 'bad', text(id)).toBe('bad')
      else if (data?.kind !== 'values') throw new Error(text(id))
      else expect(compare(data.fields, recordOf(expected), text(id))).toBeGreaterThan(0)
    }
    for (const { id, hex, decoded } of listOf(recordOf(cjt).synthetic)) {
      const data = decode(text(hex))
      if (data.kind !== 'values') throw new Error(text(id))
      expect(compare(data.fields, recordOf(decoded), text(id))).toBeGreaterThan(0)
    }
    for (const { id, hex } of listOf(recordOf(cjt).vendorValve)) {
      const data = decode(text(hex))
      expect(['bare', 'values'], text(id)).toContain(data.kind)
      expect(data).toMatchObject({ identifier: expect.stringMatching(/^(BB|A0)/) })
    }
  })
})

/** Seconds of a unit of time, and watts or watt-hours of a large unit: the published values have base units only. */
const factors: Readonly<Record<string, number>> = {
  min: 60,
  h: 3600,
  d: 86_400,
  month: 2_629_743.83,
  year: 31_556_926,
  kWh: 1000,
  MWh: 1e6,
  MW: 1e6,
  GJ: 1e9,
  'GJ/h': 1e9,
}
const functions: Readonly<Record<string, string>> = {
  'Instantaneous value': 'instantaneous',
  'Maximum value': 'maximum',
  'Minimum value': 'minimum',
  'Value during error state': 'error',
}

const isNear = (ours: number, theirs: number): boolean =>
  Math.abs(ours - theirs) <= 1e-6 * Math.max(1, Math.abs(theirs))

/** Whether a record has the published value, which comes from a decoder with floats and base units. */
function isPublished({ value, unit = '' }: MbusRecord, theirUnit: unknown, theirs: string): boolean {
  if (value.kind === 'time') return theirs.startsWith(value.text)
  if (value.kind === 'text') return theirs === value.text || isNear(Number(value.text), Number(theirs))
  if (value.kind !== 'number') return false
  // Long binary numbers are published as their bytes, highest first.
  if (/^[0-9A-F]{2}( [0-9A-F]{2})+$/.test(theirs))
    return BigInt(`0x${theirs.replaceAll(' ', '')}`) === BigInt(value.text)
  const ours = value.number * (theirUnit === unit ? 1 : (factors[unit] ?? 1))
  return isNear(ours, Number(theirs))
}

/**
 * Where EN 13757-3 says otherwise than the published values. Extensions such as 6E make a value a date, which that decoder reads as a
 * number. It has no sign for an invalid date, nor for "each year" (127), and takes durations in the unit of their VIF. It adds up digits
 * above 9, which are signs of a display.
 */
const isOtherwise = ({ value, modifiers, function: kind }: MbusRecord): boolean =>
  modifiers.some((modifier) => modifier.includes('duration')) ||
  (value.kind === 'time' && (modifiers.length > 0 || !value.isValid)) ||
  (value.kind === 'bad' && kind === 'error')

describe.skipIf(mbus === undefined)(`M-Bus frames ${WITHOUT_REFERENCE}`, () => {
  it('have the identity and every record that are published', () => {
    let records = 0
    const wrong: string[] = []
    const otherwise: string[] = []
    for (const { name, hex, slave, records: published } of listOf(mbus)) {
      const frame = findMbus(bytesOf(text(hex)))
      if (!('ci' in frame)) throw new Error(`${text(name)}: ${frame.kind}`)
      const data = decodeMbus(frame)
      const about = recordOf(slave)
      if (data.kind === 'fixed') {
        for (const [index, { Value, Unit }] of listOf(published).entries()) {
          const counter = data.counters[index]
          expect(counter?.value, text(name)).toMatchObject({ text: Value })
          if (text(Unit).includes('historic')) expect(counter?.isStored).toBe(true)
          else expect(counter?.unit?.toLowerCase()).toBe(text(Unit).toLowerCase())
        }
        continue
      }
      if (data.kind !== 'telegram') throw new Error(`${text(name)}: ${data.kind}`)
      expect(data.identity?.id.replace(/^0+(?=.)/, ''), text(name)).toBe(
        text(about.Id).replace(/^0+(?=.)/, ''),
      )
      expect(data.identity?.manufacturer, text(name)).toBe(about.Manufacturer)
      expect(String(data.identity?.version)).toBe(about.Version)
      expect(String(data.state?.accessNumber)).toBe(about.AccessNumber)
      expect(data.state?.status.toString(16).toUpperCase().padStart(2, '0')).toBe(about.Status)
      // A record that the published decoder could not read has no properties there.
      const theirs = listOf(published).filter(
        ({ Function: kind }) => kind === undefined || functions[text(kind)] !== undefined,
      )
      expect(data.records.length, text(name)).toBe(theirs.length)
      for (const [index, record] of data.records.entries()) {
        const expected = theirs[index]
        if (expected?.Function === undefined) continue
        records++
        expect(record.function, `${text(name)} ${index}`).toBe(functions[text(expected.Function)])
        expect(String(record.storage)).toBe(expected.StorageNumber)
        expect(String(record.tariff)).toBe(expected.Tariff ?? '0')
        expect(String(record.subunit)).toBe(expected.Device ?? '0')
        if (isPublished(record, expected.Unit, text(expected.Value))) continue
        const into = isOtherwise(record) ? otherwise : wrong
        into.push(`${text(name)} ${index}`)
      }
    }
    expect(wrong).toEqual([])
    expect(otherwise.length).toBeLessThan(records / 50)
  })

  it('are refused, or read as an error report, if they are damaged', () => {
    for (const { name, hex } of listOf(broken)) {
      const frame = findMbus(bytesOf(text(hex)))
      const data = 'ci' in frame ? decodeMbus(frame) : frame
      expect(['damaged', 'device-error', 'bad-length', 'incomplete', 'none'], text(name)).toContain(data.kind)
    }
  })
})

describe.skipIf(modbus === undefined)(`Modbus frames ${WITHOUT_REFERENCE}`, () => {
  it('are read in their direction, and written byte for byte', () => {
    const frames = listOf(recordOf(modbus).frames)
    expect(frames.length).toBeGreaterThan(0)
    for (const { dir, hex, fc, unit, start, count, regs, coils, addr, value, exception } of frames) {
      for (const direction of ['request', 'reply'] as const) {
        if (!text(dir).includes(direction === 'request' ? 'req' : 'res')) continue
        const frame = decodeRtu(bytesOf(text(hex)), direction)
        if (frame.kind !== 'rtu') throw new Error(frame.kind)
        const { pdu } = frame
        expect(frame.unit).toBe(unit)
        if (pdu.kind === 'bad-pdu') throw new Error(pdu.reason)
        expect(pdu.fc).toBe(fc)
        expect(encodeRtu(frame.unit, pdu)).toEqual(bytesOf(text(hex)))
        if (start !== undefined) expect(pdu).toMatchObject({ start })
        if (count !== undefined && 'count' in pdu) expect(pdu.count).toBe(count)
        if (regs !== undefined) expect(pdu).toMatchObject({ registers: regs })
        if (Array.isArray(coils) && 'coils' in pdu)
          expect(pdu.coils.slice(0, coils.length).map(Number)).toEqual(coils.map(Number))
        if (addr !== undefined)
          expect('address' in pdu ? pdu.address : 'start' in pdu && pdu.start).toBe(addr)
        if (value !== undefined && 'value' in pdu)
          expect(Number(pdu.value)).toBe(fc === 5 ? Number(Boolean(value)) : value)
        if (exception !== undefined) expect(pdu).toMatchObject({ kind: 'exception', code: exception })
      }
    }
  })
})
