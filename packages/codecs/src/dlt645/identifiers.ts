/** A value that can be read by an identifier. */
export interface DltField {
  readonly name: string
  /** Empty for a ratio. */
  readonly unit: string
  /** Length of one value in the frame. */
  readonly bytes: number
  /** Digits after the decimal point. */
  readonly decimals: number
  readonly isSigned: boolean
  /** The identifier reads several values one after the other, such as the three phases. */
  readonly isBlock: boolean
}

type Row = readonly [
  identifier: string,
  name: string,
  unit: string,
  bytes: number,
  decimals: number,
  isSigned?: boolean,
]

/**
 * Values that the electricity meter of a pump room is read for. Eight digits: DL/T 645-2007, annex A. Four digits: DL/T
 * 645-1997, annex A.
 */
const rows: readonly Row[] = [
  ['00000000', 'electric-energy-combined', 'kWh', 4, 2, true],
  ['00010000', 'electric-energy', 'kWh', 4, 2],
  ['00010100', 'electric-energy-tariff-1', 'kWh', 4, 2],
  ['00010200', 'electric-energy-tariff-2', 'kWh', 4, 2],
  ['00010300', 'electric-energy-tariff-3', 'kWh', 4, 2],
  ['00010400', 'electric-energy-tariff-4', 'kWh', 4, 2],
  ['00020000', 'electric-energy-reverse', 'kWh', 4, 2],
  ['00030000', 'reactive-energy-1', 'kvarh', 4, 2, true],
  ['00040000', 'reactive-energy-2', 'kvarh', 4, 2, true],
  ['02010100', 'voltage-a', 'V', 2, 1],
  ['02010200', 'voltage-b', 'V', 2, 1],
  ['02010300', 'voltage-c', 'V', 2, 1],
  ['0201FF00', 'voltage', 'V', 2, 1],
  ['02020100', 'current-a', 'A', 3, 3, true],
  ['02020200', 'current-b', 'A', 3, 3, true],
  ['02020300', 'current-c', 'A', 3, 3, true],
  ['0202FF00', 'current', 'A', 3, 3, true],
  ['02030000', 'active-power', 'kW', 3, 4, true],
  ['02030100', 'active-power-a', 'kW', 3, 4, true],
  ['02030200', 'active-power-b', 'kW', 3, 4, true],
  ['02030300', 'active-power-c', 'kW', 3, 4, true],
  ['02040000', 'reactive-power', 'kvar', 3, 4, true],
  ['02050000', 'apparent-power', 'kVA', 3, 4],
  ['02060000', 'power-factor', '', 2, 3, true],
  ['02800002', 'frequency', 'Hz', 2, 2],
  ['02800007', 'meter-temperature', '°C', 2, 1, true],
  ['02800008', 'clock-battery', 'V', 2, 2],
  ['9010', 'electric-energy', 'kWh', 4, 2],
  ['9020', 'electric-energy-reverse', 'kWh', 4, 2],
  ['B611', 'voltage-a', 'V', 2, 0],
  ['B612', 'voltage-b', 'V', 2, 0],
  ['B613', 'voltage-c', 'V', 2, 0],
  ['B621', 'current-a', 'A', 2, 2],
  ['B622', 'current-b', 'A', 2, 2],
  ['B623', 'current-c', 'A', 2, 2],
  ['B630', 'active-power', 'kW', 3, 4],
  ['B650', 'power-factor', '', 2, 3],
]

const fields = new Map(
  rows.map(([identifier, name, unit, bytes, decimals, isSigned = false]) => [
    identifier,
    { name, unit, bytes, decimals, isSigned, isBlock: identifier.endsWith('FF00') } satisfies DltField,
  ]),
)

/** The value of an identifier in upper-case hexadecimal digits; undefined if the identifier is not in the list. */
export const findDltField = (identifier: string): DltField | undefined => fields.get(identifier)
