import type { CjtMeterKind } from './frame.ts'
import { identifiers } from './identifiers.ts'
import type { UnitKind } from './units.ts'

/** One field in the data of a frame, after data identifier and sequence. */
export type LayoutField =
  /** A decimal number with a unit byte after it, or before it at some makers. */
  | {
      readonly as: 'quantity'
      readonly name: string
      readonly kind: UnitKind
      readonly bytes: number
      readonly decimals: number
    }
  /** A decimal number without a unit byte. */
  | {
      readonly as: 'number'
      readonly name: string
      readonly bytes: number
      readonly decimals: number
      readonly unit?: string
    }
  | { readonly as: 'clock' | 'status' | 'address'; readonly name: string }
  | { readonly as: 'bytes'; readonly name: string; readonly bytes: number }
  | { readonly as: 'valve-order'; readonly name: string }
  | {
      readonly as: 'i32' | 'u32' | 'u8'
      readonly name: string
      readonly decimals: number
      readonly unit?: string
    }

export interface Layout {
  readonly name: string
  readonly fields: readonly LayoutField[]
}

const energy = (name: string): LayoutField => ({
  as: 'quantity',
  name,
  kind: 'energy',
  bytes: 4,
  decimals: 2,
})
const volume = (name: string): LayoutField => ({
  as: 'quantity',
  name,
  kind: 'volume',
  bytes: 4,
  decimals: 2,
})
const power = (bytes: number, decimals: number): LayoutField => ({
  as: 'quantity',
  name: 'power',
  kind: 'power',
  bytes,
  decimals,
})
const flow = (bytes: number, decimals: number): LayoutField => ({
  as: 'quantity',
  name: 'flow',
  kind: 'flow',
  bytes,
  decimals,
})
const temperature = (name: string, bytes: number): LayoutField => ({
  as: 'number',
  name,
  bytes,
  decimals: 2,
  unit: '°C',
})
const number = (name: string, bytes: number, decimals = 0, unit?: string): LayoutField =>
  unit === undefined ? { as: 'number', name, bytes, decimals } : { as: 'number', name, bytes, decimals, unit }
const clock: LayoutField = { as: 'clock', name: 'clock' }
const status: LayoutField = { as: 'status', name: 'status' }

/** Number of bytes of a field, with its unit byte. */
export function sizeOf(field: LayoutField): number {
  switch (field.as) {
    case 'quantity':
      return field.bytes + 1
    case 'number':
    case 'bytes':
      return field.bytes
    case 'clock':
    case 'address':
      return 7
    case 'status':
      return 2
    case 'valve-order':
    case 'u8':
      return 1
    default:
      return 4
  }
}

const size = (fields: readonly LayoutField[]): number => fields.reduce((sum, field) => sum + sizeOf(field), 0)

/** Choices of the device profile that the frame does not contain. */
export interface CjtOptions {
  /** Decimals of the flow. Default: 4 in four bytes and in 911F, 3 in the three bytes of 901F. */
  readonly flowDecimals?: number
  /** Decimals of the power; default 2. */
  readonly powerDecimals?: number
  /**
   * Meaning of the first energy in 901F of a heat meter; default the settlement day. Combined meters send their
   * cooling energy.
   */
  readonly firstEnergy?: 'settlement' | 'cooling'
}

/** Layouts of 901F and 911F; the length of the data chooses, not the year of the standard. */
function listCurrentLayouts({ flowDecimals, powerDecimals = 2, firstEnergy }: CjtOptions): readonly Layout[] {
  const first = energy(firstEnergy === 'cooling' ? 'cooling-energy' : 'settlement-energy')
  return [
    { name: 'water-901F', fields: [volume('volume'), volume('settlement-volume'), clock, status] },
    {
      name: 'heat-2004-901F',
      fields: [
        first,
        energy('energy'),
        power(4, powerDecimals),
        flow(4, flowDecimals ?? 4),
        volume('volume'),
        temperature('supply-temperature', 3),
        temperature('return-temperature', 3),
        number('hours', 3, 0, 'h'),
        clock,
        status,
      ],
    },
    {
      name: 'heat-2018-901F',
      fields: [
        first,
        energy('energy'),
        power(3, powerDecimals),
        flow(3, flowDecimals ?? 3),
        volume('volume'),
        temperature('supply-temperature', 2),
        temperature('return-temperature', 2),
        number('hours', 4, 0, 'h'),
        clock,
        status,
      ],
    },
    ...[
      // L=3E: the fields of 2004 with cooling and pressures. L=39: the narrow fields of 2018, as one open gateway
      // reads it.
      { name: 'heat-2018-911F', wide: 4, narrow: 3, hours: 3 },
      { name: 'heat-2018-911F-narrow', wide: 3, narrow: 2, hours: 4 },
    ].map(({ name, wide, narrow, hours }) => ({
      name,
      fields: [
        energy('settlement-energy'),
        energy('settlement-cooling-energy'),
        energy('energy'),
        energy('cooling-energy'),
        power(wide, powerDecimals),
        flow(wide, flowDecimals ?? 4),
        volume('volume'),
        temperature('supply-temperature', narrow),
        temperature('return-temperature', narrow),
        number('supply-pressure', narrow, 2, 'MPa'),
        number('return-pressure', narrow, 2, 'MPa'),
        number('hours', hours, 0, 'h'),
        clock,
        status,
      ],
    })),
  ]
}

const historyWater: Layout = {
  name: 'freeze-2018-water',
  fields: [
    { as: 'clock', name: 'frozen-at' },
    volume('volume'),
    flow(4, 4),
    temperature('temperature', 3),
    number('pressure', 3, 2, 'MPa'),
  ],
}
const monthOf = (meterKind: CjtMeterKind, bytes: number): Layout =>
  bytes === 15
    ? {
        name: 'month-2018-heat',
        fields: [
          energy('settlement-energy'),
          energy('settlement-cooling-energy'),
          volume('settlement-volume'),
        ],
      }
    : {
        name: 'month',
        fields: [meterKind === 'heat' ? energy('settlement-energy') : volume('settlement-volume')],
      }

const prices = [1, 2, 3].flatMap((step) => [
  number(`price-${step}`, 3, 2),
  ...(step < 3 ? [number(`price-volume-${step}`, 3)] : []),
])

/** Layouts of the other identifiers, by identifier; the first with the length of the data applies. */
const others: Readonly<Record<number, readonly Layout[]>> = {
  [identifiers.clock]: [{ name: 'clock', fields: [clock] }],
  [identifiers.address]: [{ name: 'address', fields: [{ as: 'address', name: 'address' }] }],
  [identifiers.price]: [{ name: 'price', fields: prices }],
  [identifiers.settlementDay]: [{ name: 'settlement-day', fields: [number('settlement-day', 1)] }],
  [identifiers.readingDay]: [{ name: 'reading-day', fields: [number('reading-day', 1)] }],
  [identifiers.purchase]: [
    {
      name: 'purchase',
      fields: [
        number('purchase-number', 1),
        number('purchase-amount', 4, 2),
        number('purchase-total', 4, 2),
        number('purchase-left', 4, 2),
        status,
      ],
    },
  ],
  [identifiers.keyVersion]: [{ name: 'key-version', fields: [number('key-version', 1)] }],
  [identifiers.writePrice]: [
    { name: 'write-price', fields: [...prices, number('effective-day', 1)] },
    { name: 'written', fields: [status] },
  ],
  [identifiers.writeSettlementDay]: [{ name: 'write-settlement-day', fields: [number('settlement-day', 1)] }],
  [identifiers.writeReadingDay]: [{ name: 'write-reading-day', fields: [number('reading-day', 1)] }],
  [identifiers.writePurchase]: [
    { name: 'write-purchase', fields: [number('purchase-number', 1), number('purchase-amount', 4, 2)] },
  ],
  [identifiers.writeKey]: [
    { name: 'write-key', fields: [number('key-version', 1), { as: 'bytes', name: 'key', bytes: 8 }] },
    { name: 'key-version', fields: [number('key-version', 1)] },
  ],
  [identifiers.writeClock]: [{ name: 'write-clock', fields: [clock] }],
  [identifiers.synchronise]: [
    { name: 'synchronise', fields: [volume('volume')] },
    { name: 'written', fields: [status] },
  ],
  [identifiers.valve]: [
    { name: 'valve-order', fields: [{ as: 'valve-order', name: 'valve-order' }] },
    { name: 'written', fields: [status] },
  ],
  [identifiers.writeAddress]: [{ name: 'write-address', fields: [{ as: 'address', name: 'address' }] }],
  [identifiers.enableFactory]: [{ name: 'written', fields: [status] }],
  // A modulating household valve with its own commands.
  [identifiers.vendorMotor]: [{ name: 'vendor-motor', fields: [{ as: 'u8', name: 'motor', decimals: 0 }] }],
  [identifiers.vendorInfo]: [
    {
      name: 'vendor-info',
      fields: [
        { as: 'i32', name: 'return-temperature', decimals: 2, unit: '°C' },
        { as: 'i32', name: 'supply-temperature', decimals: 2, unit: '°C' },
        { as: 'u8', name: 'opening', decimals: 0, unit: '%' },
        { as: 'u8', name: 'hardware-version', decimals: 0 },
        { as: 'u8', name: 'software-version', decimals: 0 },
        { as: 'u8', name: 'alarm', decimals: 0 },
        { as: 'u32', name: 'flow-raw', decimals: 0 },
        { as: 'u32', name: 'energy-raw', decimals: 0 },
      ],
    },
  ],
  [identifiers.vendorOpening]: [
    {
      name: 'vendor-opening',
      fields: [
        { as: 'u8', name: 'opening', decimals: 0, unit: '%' },
        { as: 'u8', name: 'calibration-day', decimals: 0 },
      ],
    },
  ],
}

const isCurrent = (identifier: number): boolean =>
  identifier === identifiers.current || identifier === identifiers.currentWithCooling

/** Month history D120 to D12B, and that of 2018 from D200. */
const isMonth = (identifier: number): boolean =>
  (identifier >= identifiers.month && identifier <= 0xd12b) || identifier >> 8 === 0xd2
const isFreeze = (identifier: number): boolean => identifier >> 8 === 0xd3 || identifier >> 8 === 0xd4

const standard = listCurrentLayouts({})

/** Layouts of an identifier, undefined for an unknown one. */
export function listLayouts(
  identifier: number,
  meterKind: CjtMeterKind,
  bytes: number,
  options: CjtOptions,
): readonly Layout[] | undefined {
  if (isCurrent(identifier)) {
    const isPlain =
      options.flowDecimals === undefined &&
      options.powerDecimals === undefined &&
      options.firstEnergy === undefined
    return isPlain ? standard : listCurrentLayouts(options)
  }
  if (isMonth(identifier)) return [monthOf(meterKind, bytes)]
  if (isFreeze(identifier))
    return bytes === size(historyWater.fields) ? [historyWater] : [monthOf(meterKind, bytes)]
  return others[identifier]
}

const sizes = new WeakMap<Layout, number>()
/** Number of data bytes of a layout. */
export function sizeOfLayout(layout: Layout): number {
  const known = sizes.get(layout)
  if (known !== undefined) return known
  const bytes = size(layout.fields)
  sizes.set(layout, bytes)
  return bytes
}
