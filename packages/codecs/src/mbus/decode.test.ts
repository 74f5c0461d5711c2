import { expect, it } from 'vitest'
import { bytesOf, toLongFrame } from '../frames.testkit.ts'
import { decodeMbus, type MbusData } from './decode.ts'
import { findMbus } from './frame.ts'
import type { MbusRecord } from './records.ts'
import { addTelegram, emptyReadout } from './telegrams.ts'

const HEADER = '78 56 34 12 2D 2C 01 04 55 00 00 00'

function decode(frame: Uint8Array): MbusData {
  const found = findMbus(frame)
  if (!('function' in found)) throw new Error(found.kind)
  return decodeMbus(found)
}

/** The records of a reply with the long header. */
function recordsOf(hex: string, ci = '72'): readonly MbusRecord[] {
  const data = decode(toLongFrame(`08 05 ${ci} ${HEADER} ${hex}`))
  if (data.kind !== 'telegram') throw new Error(JSON.stringify(data))
  return data.records
}

/** Quantity, value and unit of records, as a person reads them. */
const linesOf = (hex: string, ci?: string): readonly string[] =>
  recordsOf(hex, ci).map(({ quantity, value, unit = '', modifiers }) => {
    const text = 'text' in value ? value.text : 'hex' in value ? `${value.kind} ${value.hex}` : value.kind
    return [quantity, text, unit, ...modifiers].filter((part) => part !== '').join(' ')
  })

it('reads identity and state of the long header', () => {
  expect(decode(toLongFrame(`08 05 72 78 56 34 12 2D 2C 01 0C 55 17 00 00`))).toMatchObject({
    kind: 'telegram',
    identity: { id: '12345678', manufacturer: 'KAM', version: 1, mediumName: 'heat-inlet' },
    state: { accessNumber: 0x55, status: 0x17, statusNames: ['alarm', 'power-low', 'temporary-error'] },
    records: [],
  })
})

it('reads integers of all lengths with their sign and exponent', () => {
  expect(
    linesOf(
      '01 13 FF  02 2B 39 30  03 3B 00 00 80  04 06 39 30 00 00  06 07 00 00 00 00 00 10  07 00 FF FF FF FF FF FF FF 7F',
    ),
  ).toEqual([
    'volume -0.001 m³',
    'power 12345 W',
    'flow -8388.608 m³/h',
    'energy 12345000 Wh',
    'energy 175921860444160000 Wh',
    'energy 9223372036854775.807 Wh',
  ])
})

it('reads decimals with a minus sign in the highest digit, absent and wrong ones', () => {
  expect(
    linesOf('0A 5E 40 F0  0C 06 78 56 34 12  09 61 F3  0A 5A FF FF  0A 5A 0A 12  0E 03 12 90 78 56 34 12'),
  ).toEqual([
    'return-temperature -4.0 °C',
    'energy 12345678000 Wh',
    'temperature-difference -0.03 K',
    'supply-temperature absent °C',
    'supply-temperature bad 0A12 °C',
    'energy 123456789012 Wh',
  ])
})

it('reads floats at their own precision and without a value', () => {
  expect(linesOf('05 5B 2B 4B AC 41  05 2E 00 00 C0 3F  05 5B 00 00 C0 7F')).toEqual([
    'supply-temperature 21.536703 °C',
    'power 1500 W',
    'supply-temperature absent °C',
  ])
})

it('reads dates of types F, G, I and J, with summer time and invalid ones', () => {
  expect(
    linesOf(
      '02 6C FF 0C  02 6C 00 00  04 6D 0B 8B CD 13  04 6D 8B 0B CD 13  06 6D 05 0B 0B CD 13 00  03 6D 1E 2D 17',
    ),
  ).toEqual([
    'date 2007-12-31',
    'date 2000-00-00',
    'date-time 2014-03-13T11:11',
    'date-time 2014-03-13T11:11',
    'date-time 2014-03-13T11:11:05',
    'date-time 23:45:30',
  ])
  const times = recordsOf(
    '02 6C FF 0C  02 6C 00 00  04 6D 0B 8B CD 13  04 6D 8B 0B CD 13  02 6C FF FF  04 6D 0B 2B 61 C1',
  )
  expect(times.map(({ value }) => value)).toMatchObject([
    { isValid: true },
    { isValid: false },
    { isValid: true, isSummer: true },
    { isValid: false, isSummer: false },
    { isValid: false },
    // Hundred years 1 in the bits: 2000 + 99.
    { text: '2099-01-01T11:11', isValid: true },
  ])
})

it('reads storage, tariff, subunit and function from DIF and DIFEs', () => {
  const [stored, maximum, faulty, high] = recordsOf(
    'C4 11 13 01 00 00 00  94 10 2B 02 00 00 00  32 5B 10 00  84 8F 8F 8F 0F 13 03 00 00 00',
  )
  expect(stored).toMatchObject({ storage: 3, tariff: 1, subunit: 0, function: 'instantaneous' })
  expect(maximum).toMatchObject({ storage: 0, tariff: 1, function: 'maximum' })
  expect(faulty).toMatchObject({ function: 'error', value: { number: 16 } })
  expect(high).toMatchObject({ storage: 2 * (16 ** 4 - 1) })
})

it('reads the large units and the other tables', () => {
  expect(
    linesOf(
      '04 FB 01 0A 00 00 00  04 FB 08 05 00 00 00  02 FB 1A 1D 02  02 FD 48 2D 09  02 FD 5A 0A 00  02 FB 74 39 30  01 FD 17 81  02 FD 2E 05 00  02 FD 6F 03 00  0C FD 11 78 56 34 12',
    ),
  ).toEqual([
    'energy 10 MWh',
    'energy 0.5 GJ',
    'relative-humidity 54.1 %',
    'voltage 234.9 V',
    'current 0.10 A',
    'temperature-limit 12.345 °C',
    'error-flags 129',
    'duration-since-readout 5 h',
    'battery-operating-time 3 year',
    'customer 12345678',
  ])
})

it('reads the second level of the main table, and its extensions behind it', () => {
  expect(
    linesOf(
      '02 FD FD 02 78 00  01 FD FD 03 0A  01 FD FD 3E 37  01 FD FD 00 02  01 FD FD 82 3A 05  01 FD FD 01 05  01 FD 7D 05',
    ),
  ).toEqual([
    'battery-left 120 month',
    'battery-left 10 year',
    'moisture 55 %',
    'selected-application 2',
    'battery-left 5 month uncorrected',
    'reserved 5',
    'reserved 5',
  ])
  const cut = decode(toLongFrame(`08 05 72 ${HEADER} 01 13 05 02 FD FD`))
  expect(cut).toMatchObject({ kind: 'damaged', problem: { reason: 'truncated', at: 15 } })
})

it('applies extensions of the value: factors, constants, dates, phases, errors, the maker’s own', () => {
  expect(
    linesOf(
      '04 93 3A 01 00 00 00  04 83 7D 05 00 00 00  02 DA 79 0A 00  02 93 74 39 30  04 AB 6E 0B 0B CD 13  04 FD C8 FC 01 0A 00 00 00  00 83 15  02 93 FF 12 05 00  02 FF 81 02 07 00',
    ),
  ).toEqual([
    'volume 0.001 m³ uncorrected',
    'energy 5000 Wh',
    'supply-temperature 1.01 °C',
    'volume 0.12345 m³',
    'power 2014-03-13T11:11 W last-begin',
    'voltage 1.0 V phase-l1',
    'energy absent Wh record-error-no-data',
    'volume 0.005 m³ manufacturer-extension manufacturer-12',
    'manufacturer-specific 7',
  ])
})

it('reads units in text before and after the extensions', () => {
  expect(linesOf('02 7C 03 00 6C 61 05 00')).toEqual(['text-unit 5 al'])
  expect(linesOf('02 FC 03 48 52 25 74 22 15  02 FC 74 03 48 52 25 22 15  02 7C 03 48 52 25 05 00')).toEqual([
    'text-unit 54.10 %RH',
    'text-unit 54.10 %RH',
    'text-unit 5 %RH',
  ])
})

it('reads values of variable length', () => {
  expect(
    linesOf(
      '0D FD 11 03 43 42 41  0D 13 C2 34 12  0D 13 D2 34 12  0D 13 E3 FF FF FF  0D 03 F0 FF FF FF FF FF FF FF FF 00 00 00 00 00 00 00 00  0D 03 E0',
    ),
  ).toEqual([
    'customer ABC',
    'volume 1.234 m³',
    'volume -1.234 m³',
    'volume -0.001 m³',
    'energy 18446744073709551615 Wh',
    'energy absent Wh',
  ])
})

it('takes a container of the maker for no text, and zeros behind a text for no letters', () => {
  expect(
    linesOf('0D 93 13 04 01 34 FE 02  0D FD 11 05 43 42 41 00 00  0D FD 11 02 0A 41  0D FD 11 02 00 00'),
  ).toEqual(['volume bytes 0134FE02 m³ inverse-compact-profile', 'customer ABC', 'customer A\n', 'customer'])
})

it('reads how long and how often a value was beyond its limit', () => {
  expect(linesOf('02 BB 59 0A 00  02 BB 66 03 00  01 BB 49 07')).toEqual([
    'flow 10 min upper-limit-first-duration-min',
    'flow 3 h last-duration-h',
    'flow 7 upper-limit-count',
  ])
})

it('reads the extensions of a command as actions on the value, not as errors of a record', () => {
  const command = (hex: string, ci = '51') => {
    const data = decode(toLongFrame(`53 01 ${ci} ${hex}`))
    if (data.kind !== 'telegram') throw new Error(data.kind)
    return data.records.map(({ quantity, modifiers }) => [quantity, ...modifiers])
  }
  expect(command('0C 86 01 10 00 00 00  01 FD 97 07 00  40 DB 0B  0C 86 88 3A 10 00 00 00')).toEqual([
    ['energy', 'action-add-value'],
    ['error-flags', 'action-clear'],
    ['supply-temperature', 'action-freeze'],
    ['energy', 'action-add-entry', 'uncorrected'],
  ])
  expect(command('0C 86 00 00 00 00 10  02 83 12 00 01', '55')).toEqual([['energy'], ['energy', 'averaged']])
  expect(linesOf('00 83 01')).toEqual(['energy absent Wh record-error-too-many-difes'])
})

it('takes the extension for no error as none', () => {
  expect(linesOf('0C 86 00 78 56 34 12  04 83 80 3B 05 00 00 00')).toEqual([
    'energy 12345678000 Wh',
    'energy 5 Wh forward-only',
  ])
})

it('never reads encrypted bytes as records, and plain ones only where no block is encrypted', () => {
  // The bytes behind the configuration would be a volume and bytes of a maker.
  const kindOf = (configuration: string, data = '01 13 05 0F AA') =>
    decode(toLongFrame(`08 05 7A 55 00 ${configuration} ${data}`)).kind
  expect(['10 05', '10 07', '10 0D', '00 05', '00 00', '27 B6'].map((each) => kindOf(each))).toEqual([
    'encrypted',
    'encrypted',
    'encrypted',
    'telegram',
    'telegram',
    'telegram',
  ])
  expect(kindOf('10 05', '2F 2F 01 13 05')).toBe('telegram')
})

it('reads the high byte first in mode 2', () => {
  expect(linesOf('02 2B 30 39  0C 13 12 34 56 78  05 5B 41 AC 4B 2B', '76')).toEqual([
    'power 12345 W',
    'volume 12345.678 m³',
    'supply-temperature 21.536703 °C',
  ])
  expect(
    linesOf('02 6C 3C 1F  04 6D 3C 1F 0E 1E  06 6D 00 3C 1F 0E 1E 05  0D FD 11 03 41 42 43', '76'),
  ).toEqual([
    'date 2024-12-31',
    'date-time 2024-12-31T14:30',
    'date-time 2024-12-31T14:30:05',
    'customer ABC',
  ])
  expect(decode(toLongFrame('08 05 76 12 34 56 78 2C 2D 01 04 55 00 00 00'))).toMatchObject({
    identity: { id: '12345678', manufacturer: 'KAM' },
  })
})

it('skips fillers and ends at the bytes of the maker', () => {
  const data = decode(toLongFrame(`08 05 72 ${HEADER} 2F 2F 01 13 05 2F 0F AA BB`))
  expect(data).toMatchObject({ kind: 'telegram', records: [{ quantity: 'volume' }], moreFollows: false })
  expect(data.kind === 'telegram' && data.manufacturerData).toEqual(bytesOf('AABB'))
  expect(decode(toLongFrame(`08 05 78 01 13 05`))).toMatchObject({
    kind: 'telegram',
    records: [{ quantity: 'volume' }],
  })
  expect(decode(toLongFrame(`08 05 7A 55 00 00 00 01 13 05`))).toMatchObject({
    kind: 'telegram',
    state: { accessNumber: 0x55 },
  })
})

it('joins the telegrams of one answer and does not add a repeated one', () => {
  const telegram = (access: string, rest: string) => {
    const data = decode(toLongFrame(`08 05 72 78 56 34 12 2D 2C 01 04 ${access} 00 00 00 ${rest}`))
    if (data.kind !== 'telegram') throw new Error(data.kind)
    return data
  }
  const first = addTelegram(emptyReadout, telegram('01', '01 13 05 1F'))
  expect(first).toMatchObject({ isComplete: false, count: 1 })
  const again = addTelegram(first, telegram('01', '01 13 05 1F'))
  expect(again).toBe(first)
  const whole = addTelegram(again, telegram('02', '01 2B 06'))
  expect(whole).toMatchObject({ isComplete: true, records: [{ quantity: 'volume' }, { quantity: 'power' }] })
  expect(addTelegram(whole, telegram('03', '01 2B 06'))).toBe(whole)
})

it('refuses cut and forbidden records, and shows those before them', () => {
  const damaged = (hex: string) => {
    const data = decode(toLongFrame(`08 05 72 ${HEADER} 01 13 05 ${hex}`))
    return data.kind === 'damaged' ? [data.records.length, data.problem?.reason, data.problem?.at] : data.kind
  }
  expect(damaged('04 13 05')).toEqual([1, 'truncated', 15])
  expect(damaged('84')).toEqual([1, 'truncated', 15])
  expect(damaged('04 93')).toEqual([1, 'truncated', 15])
  expect(damaged('04 FD')).toEqual([1, 'truncated', 15])
  expect(damaged('0D 13')).toEqual([1, 'truncated', 15])
  expect(damaged('02 7C F3 41')).toEqual([1, 'truncated', 15])
  expect(damaged('3F')).toEqual([1, 'reserved-dif', 15])
  expect(damaged('0D 13 FF')).toEqual([1, 'reserved-length', 15])
  expect(damaged(`84 ${'80 '.repeat(10)}00 13 00`)).toEqual([1, 'too-many-extensions', 15])
  expect(damaged(`04 93 ${'BA '.repeat(10)}3A 00`)).toEqual([1, 'too-many-extensions', 15])
  expect(decode(toLongFrame('08 05 72 78 56'))).toMatchObject({ kind: 'damaged', records: [] })
})

it('reads the fixed structure with stored and binary counters', () => {
  expect(decode(toLongFrame('08 05 73 78 56 34 12 0A 00 E9 7E 01 00 00 00 35 01 00 00'))).toEqual({
    kind: 'fixed',
    id: '12345678',
    accessNumber: 10,
    status: 0,
    mediumName: 'water',
    counters: [
      { isStored: false, quantity: 'volume', unit: 'L', value: { kind: 'number', text: '1', number: 1 } },
      { isStored: true, quantity: 'volume', unit: 'L', value: { kind: 'number', text: '135', number: 135 } },
    ],
  })
  expect(decode(toLongFrame('08 05 73 78 56 34 12 0A 80 06 6A FF FF FF FF 0A 00 00 00'))).toMatchObject({
    counters: [
      { quantity: 'energy', unit: 'kWh', value: { text: '-10' } },
      { quantity: 'volume', unit: 'L', value: { text: '100' } },
    ],
  })
  expect(decode(toLongFrame('08 05 73 78 56 34 12 0A 00'))).toMatchObject({ kind: 'damaged' })
})

it('reads errors, alarms, resets, selections and baud rates', () => {
  expect(decode(bytesOf('68040468080170088116'))).toEqual({
    kind: 'device-error',
    code: 8,
    name: 'application-busy',
  })
  expect(decode(bytesOf('680303680801707916'))).toEqual({
    kind: 'device-error',
    code: undefined,
    name: 'unspecified',
  })
  expect(decode(toLongFrame('08 05 71 42'))).toEqual({ kind: 'alarm', code: 0x42 })
  expect(decode(toLongFrame('53 05 50 10'))).toEqual({ kind: 'reset', subcode: 0x10 })
  expect(decode(toLongFrame('53 05 54'))).toEqual({ kind: 'synchronise' })
  expect(decode(toLongFrame('53 05 BB'))).toEqual({ kind: 'baud-rate', baud: 2400 })
  expect(decode(toLongFrame('53 FD 52 78 F6 FF FF FF FF FF 04'))).toEqual({
    kind: 'select',
    address: { id: 'FFFFF678', medium: 4 },
  })
  expect(decode(toLongFrame('08 05 69 11 22'))).toEqual({ kind: 'unsupported', ci: 0x69, hex: '1122' })
  expect(decode(toLongFrame('08 05 7A 55 00 20 05 FF FF FF FF'))).toMatchObject({
    kind: 'encrypted',
    mode: 5,
  })
})
