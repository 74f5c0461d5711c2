import { expect, it } from 'vitest'
import { bytesOf, withSum } from '../frames.testkit.ts'
import { unwrapCtrl } from './concentrator.ts'
import { type CjtData, decodeCjt, decodeCjtPayload } from './decode-data.ts'
import { findCjt } from './frame.ts'
import { identifiers } from './identifiers.ts'
import type { CjtOptions } from './layouts.ts'

const HEAD = '68 20 78 56 34 12 11 00 00'

function decode(frame: Uint8Array, options?: CjtOptions): CjtData {
  const found = findCjt(frame)
  if (found.kind !== 'frame') throw new Error(found.kind)
  return decodeCjt(found, options)
}

/** Texts of the fields by name. */
function textsOf(data: CjtData | ReturnType<typeof decodeCjtPayload>): Record<string, string> {
  if (data?.kind !== 'values') throw new Error(data?.kind ?? 'undefined')
  return Object.fromEntries(
    data.fields.map(({ name, value, unit = '' }) => {
      const text =
        'text' in value ? value.text : 'code' in value ? value.code : 'hex' in value ? value.hex : value.kind
      return [name, `${text}${unit && ` ${unit}`}`]
    }),
  )
}

const CLOCK = '00 30 14 08 01 26 20'
const heat2004 = (energy: string, power: string, flow: string) =>
  withSum(
    `${HEAD} 81 2E 1F 90 07 00000100 05 ${energy} ${power} ${flow} 50990000 2C 254800 103800 214300 ${CLOCK} 0400`,
  )

it('reads the heat meter of 2004 with its units', () => {
  const data = decode(heat2004('56341200 11', '50120000 17', '23810000 35'))
  expect(data).toMatchObject({
    identifier: '901F',
    order: 'little',
    sequence: 7,
    layout: 'heat-2004-901F',
    unitPosition: 'last',
  })
  expect(textsOf(data)).toEqual({
    'settlement-energy': '100.00 kWh',
    energy: '1234.56 GJ',
    power: '12.50 kW',
    flow: '0.8123 m³/h',
    volume: '99.50 m³',
    'supply-temperature': '48.25 °C',
    'return-temperature': '38.10 °C',
    hours: '4321 h',
    clock: '2026-01-08T14:30:00',
    status: '0400',
    valve: 'open',
    battery: 'low',
  })
})

it('takes decimals and the meaning of the first energy from the profile', () => {
  const options = { flowDecimals: 3, powerDecimals: 1, firstEnergy: 'cooling' } as const
  const texts = textsOf(decode(heat2004('56341200 05', '50120000 17', '23810000 35'), options))
  expect(texts).toMatchObject({ 'cooling-energy': '100.00 kWh', power: '125.0 kW', flow: '8.123 m³/h' })
})

it('reads FF in all digits as absent, other wrong digits as bad, and the hundreds of a unit exactly', () => {
  const texts = textsOf(decode(heat2004('56341200 0A', 'FFFFFFFF 17', '2381000A 35')))
  expect(texts).toMatchObject({ energy: '123456 MWh', power: 'absent kW', flow: '2381000A m³/h' })
  expect(textsOf(decode(heat2004('56341200 05', 'FFFFFFFF FF', '23810000 35')))).toMatchObject({
    power: 'absent',
  })
})

it('finds units before the values, also if a value looks like a unit at the other place', () => {
  const first = withSum(
    `${HEAD} 81 2E 90 1F 00 05 00000105 05 00000205 17 00000017 35 00000035 2C 5099002C 254800 103800 214300 ${CLOCK} 0000`,
  )
  const data = decode(first)
  expect(data).toMatchObject({ order: 'big' })
  // Both places have units of the right kind here; the standard's place wins.
  expect(data).toMatchObject({ unitPosition: 'last' })
  const clear = withSum(
    `${HEAD} 81 2E 90 1F 00 05 00000100 05 19285300 17 00000000 35 00000000 2C 42331800 031900 101900 612700 ${CLOCK} 0301`,
  )
  expect(decode(clear)).toMatchObject({ unitPosition: 'first' })
  expect(textsOf(decode(clear))).toMatchObject({
    energy: '5328.19 kWh',
    volume: '1833.42 m³',
    valve: 'fault',
  })
})

it('refuses quantities without a unit at either place', () => {
  expect(decode(heat2004('56341200 77', '50120000 17', '23810000 35'))).toEqual({
    kind: 'bad',
    reason: 'units',
    identifier: '901F',
    order: 'little',
    sequence: 7,
    at: 12,
    hex: `00000100055634120077501200001723810000355099 00002C254800103800214300${CLOCK}0400`.replaceAll(
      ' ',
      '',
    ),
  })
})

it('reads the layouts of 2018 by their length', () => {
  const heat = withSum(
    `${HEAD} 81 2B 1F 90 01 67452301 05 67453301 05 501200 17 320400 35 35547698 2C 2545 1230 45230100 ${CLOCK} 0000`,
  )
  expect(textsOf(decode(heat))).toMatchObject({ energy: '13345.67 kWh', flow: '0.432 m³/h' })
  const both = withSum(
    `${HEAD} 81 3E 1F 91 01 00010000 05 00020000 05 00030000 05 00040000 05 50120000 17 32040000 35 35540000 2C 254500 123000 500000 300000 452301 ${CLOCK} 0000`,
  )
  const narrow = withSum(
    `${HEAD} 81 39 1F 91 01 00010000 05 00020000 05 00030000 05 00040000 05 501200 17 320400 35 35540000 2C 2545 1230 5000 3000 45230100 ${CLOCK} 0000`,
  )
  expect(textsOf(decode(narrow))).toEqual(textsOf(decode(both)))
  expect(textsOf(decode(both))).toMatchObject({
    'cooling-energy': '4.00 kWh',
    energy: '3.00 kWh',
    flow: '0.0432 m³/h',
    'supply-pressure': '0.50 MPa',
    'return-pressure': '0.30 MPa',
  })
})

it('reads water, months, clock, prices, purchase, days and the acknowledgement of a write', () => {
  const water = withSum(`68 10 44332211003378 81 16 1F 90 00 00776655 2C 00776655 2C ${CLOCK} 2184`)
  expect(textsOf(decode(water))).toMatchObject({
    volume: '556677.00 m³',
    'settlement-volume': '556677.00 m³',
    valve: 'closed',
  })
  expect(textsOf(decode(withSum(`${HEAD} 81 08 20 D1 00 56341200 05`)))).toEqual({
    'settlement-energy': '1234.56 kWh',
  })
  expect(textsOf(decode(withSum('68 10 44332211003378 81 08 D1 2B 00 2C 56341200')))).toEqual({
    'settlement-volume': '1234.56 m³',
  })
  expect(
    textsOf(decode(withSum(`${HEAD} 81 12 00 D2 00 56341200 05 00000000 05 00010000 2C`))),
  ).toMatchObject({
    'settlement-cooling-energy': '0.00 kWh',
    'settlement-volume': '1.00 m³',
  })
  expect(
    textsOf(
      decode(withSum(`68 10 44332211003378 81 1A 00 D3 00 ${CLOCK} 56341200 2C 00810000 35 251800 350000`)),
    ),
  ).toMatchObject({ 'frozen-at': '2026-01-08T14:30:00', flow: '0.8100 m³/h', pressure: '0.35 MPa' })
  expect(textsOf(decode(withSum(`${HEAD} 81 0A 7F 90 00 ${CLOCK}`)))).toEqual({
    clock: '2026-01-08T14:30:00',
  })
  expect(textsOf(decode(withSum(`${HEAD} 81 12 02 81 00 500200 100000 750300 200000 000500`)))).toMatchObject(
    {
      'price-1': '2.50',
      'price-volume-1': '10',
      'price-3': '5.00',
    },
  )
  expect(textsOf(decode(withSum(`${HEAD} 81 12 05 81 00 03 00100000 00500000 25030000 0000`)))).toMatchObject(
    {
      'purchase-number': '3',
      'purchase-left': '3.25',
    },
  )
  expect(textsOf(decode(withSum(`${HEAD} 81 04 03 81 00 15`)))).toEqual({ 'settlement-day': '15' })
  expect(textsOf(decode(withSum(`${HEAD} 84 05 A0 17 01 0100`)))).toMatchObject({
    valve: 'closed',
    status: '0100',
  })
})

it('reads valve orders, the valves with their own commands, and clocks with an impossible date', () => {
  expect(textsOf(decode(withSum(`${HEAD} 04 04 A0 17 01 55`)))).toEqual({ 'valve-order': 'open' })
  expect(textsOf(decode(withSum(`${HEAD} 04 04 17 A0 01 42`)))).toEqual({ 'valve-order': '42' })
  const info = withSum(`${HEAD} 81 17 BB 1E 01 ${'D20F0000'} ${'9EFFFFFF'} 2D 01 02 00 10270000 FFFFFFFF`)
  expect(textsOf(decode(info))).toEqual({
    'return-temperature': '40.50 °C',
    'supply-temperature': '-0.98 °C',
    opening: '45 %',
    'hardware-version': '1',
    'software-version': '2',
    alarm: '0',
    'flow-raw': '10000',
    'energy-raw': '4294967295',
  })
  const noDay = decode(withSum(`${HEAD} 81 0A 7F 90 00 00 30 14 30 02 26 20`))
  expect(noDay).toMatchObject({
    fields: [{ value: { kind: 'time', text: '2026-02-30T14:30:00', isValid: false } }],
  })
})

it('reads refusals in both forms', () => {
  expect(decode(withSum(`${HEAD} C1 03 05 01 02`))).toEqual({ kind: 'refusal', sequence: 5, status: '0102' })
  expect(decode(withSum(`${HEAD} C4 01 03`))).toEqual({ kind: 'refusal', status: '03' })
})

it('shows the bytes of unknown identifiers and lengths', () => {
  expect(decode(withSum(`${HEAD} 81 05 1F 90 00 12 34`))).toMatchObject({
    kind: 'unknown',
    identifier: '901F',
    hex: '1234',
  })
  expect(decode(withSum(`${HEAD} 81 04 55 44 00 12`))).toMatchObject({ kind: 'unknown', hex: '12' })
  expect(decode(withSum(`${HEAD} 81 01 1F`))).toEqual({ kind: 'bad', reason: 'too-short' })
})

it('reads a payload without its frame, and reports the required length', () => {
  const payload = bytesOf(`00341200 2C 00001000 2C ${CLOCK} 0000`)
  expect(textsOf(decodeCjtPayload(identifiers.current, payload, 'water'))).toMatchObject({
    volume: '1234.00 m³',
  })
  expect(decodeCjtPayload(identifiers.current, payload.subarray(3), 'water')).toEqual({
    kind: 'bad',
    reason: 'wrong-length',
    expectedBytes: [19, 43, 40, 59, 54],
  })
  expect(decodeCjtPayload(0x1234, payload, 'water')).toBeUndefined()
})

it('unwraps an upload of a concentrator', () => {
  const inner = heat2004('56341200 05', '50120000 17', '23810000 35')
  const head = [...'CTRL:'].map((letter) => letter.charCodeAt(0))
  const id = [...'201810000001696'].map((letter) => letter.charCodeAt(0))
  const upload = Uint8Array.of(...head, 21 + inner.length, ...id, ...inner)
  expect(unwrapCtrl(upload)).toEqual({
    kind: 'concentrator',
    id: '201810000001696',
    length: upload.length,
    inner,
  })
  expect(unwrapCtrl(upload.subarray(0, -1))).toMatchObject({ kind: 'bad-length' })
  expect(unwrapCtrl(inner)).toEqual({ kind: 'none' })
})

it('unwraps an upload whose length counts only what follows the concentrator’s digits', () => {
  const inner = Uint8Array.of(0xfe, 0xfe, ...heat2004('56341200 05', '50120000 17', '23810000 35'))
  const letters = (text: string) => [...text].map((letter) => letter.charCodeAt(0))
  const upload = Uint8Array.of(...letters('CTRL:'), inner.length, ...letters('202600000000417'), ...inner)
  const unwrapped = { kind: 'concentrator', id: '202600000000417', length: upload.length, inner }
  expect(unwrapCtrl(upload)).toEqual(unwrapped)
  expect(unwrapCtrl(Uint8Array.of(...upload, 0x43))).toEqual(unwrapped)
  expect(unwrapCtrl(upload.subarray(0, -1))).toEqual({
    kind: 'bad-length',
    declared: inner.length,
    found: upload.length - 1,
  })
})

it('takes the whole upload where a frame also seems to end before', () => {
  const letters = (text: string) => [...text].map((letter) => letter.charCodeAt(0))
  const inner = heat2004('56341200 05', '50120000 17', '23810000 35')
  // A byte of the meter is 16, where the frames would end if the length counted the whole upload.
  inner[inner.length - 22] = 0x16
  const upload = Uint8Array.of(...letters('CTRL:'), inner.length, ...letters('202600000000417'), ...inner)
  expect(unwrapCtrl(upload)).toMatchObject({ length: upload.length, inner })
})
