/** What a unit measures. */
export type UnitKind = 'energy' | 'power' | 'volume' | 'flow'

export interface CjtUnit {
  readonly symbol: string
  readonly kind: UnitKind
  /** Power of ten by which the value is multiplied: the standard has units such as "MWh × 100". */
  readonly exponent: number
}

const bases: readonly (readonly [code: number, symbol: string, kind: UnitKind])[] = [
  [0x02, 'Wh', 'energy'],
  [0x05, 'kWh', 'energy'],
  [0x08, 'MWh', 'energy'],
  [0x0b, 'kJ', 'energy'],
  [0x0e, 'MJ', 'energy'],
  [0x11, 'GJ', 'energy'],
  [0x14, 'W', 'power'],
  [0x17, 'kW', 'power'],
  [0x1a, 'MW', 'power'],
  [0x29, 'L', 'volume'],
  [0x2c, 'm³', 'volume'],
  [0x32, 'L/h', 'flow'],
  [0x35, 'm³/h', 'flow'],
  [0x40, 'J/h', 'power'],
  [0x43, 'kJ/h', 'power'],
  [0x46, 'MJ/h', 'power'],
  [0x49, 'GJ/h', 'power'],
]

/** Unit codes of CJ/T 188-2004, table of units: each base unit is followed by its ×10 and ×100. 01 (J) has none. */
const units: readonly (CjtUnit | undefined)[] = (() => {
  const table = new Array<CjtUnit | undefined>(256).fill(undefined)
  table[0x01] = { symbol: 'J', kind: 'energy', exponent: 0 }
  for (const [code, symbol, kind] of bases) {
    for (const exponent of [0, 1, 2]) table[code + exponent] = { symbol, kind, exponent }
  }
  return table
})()

/** The unit of a code; undefined if the standard does not define the code. */
export const findCjtUnit = (code: number): CjtUnit | undefined => units[code]
