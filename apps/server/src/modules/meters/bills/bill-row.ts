import type { CountedHeat } from '@isotherm/contract/endpoints/monitoring/meters'
import type { Language } from '@isotherm/contract/locales/error-text'
import type { Cell } from '../../../platform/spreadsheet/workbook-writer.ts'
import { billsEn } from '../locales/en.ts'
import { billsZh } from '../locales/zh.ts'

export const billTexts: Readonly<Record<Language, typeof billsZh>> = { zh: billsZh, en: billsEn }

/** kWh of a unit; 1 GJ = 1/0.0036 kWh exactly. */
export const kwhPerUnit = { kWh: 1, MWh: 1_000, GJ: 1 / 0.0036 } as const
export type HeatUnit = keyof typeof kwhPerUnit

export interface Tariff {
  readonly yuanPerM2: number
  readonly yuanPerKwh: number
  readonly unit: HeatUnit
}

/** A household with the heat of its meter. */
export interface BilledHousehold {
  readonly name: string
  readonly nestaddr: string
  readonly areaM2: number | undefined
  /** Absent without a meter. */
  readonly serial: string | undefined
  /** Absent without a reading. */
  readonly heat: CountedHeat | undefined
  /** Whether the register changed in the period. */
  readonly hasChanged: boolean
}

/** To the fen; half a fen is rounded up. */
const toYuan = (value: number): number => Math.round(value * 100 + 1e-7) / 100
const toThousandth = (value: number): number => Math.round(value * 1_000) / 1_000

const fill = (text: string, unit: string): string => text.replace('{unit}', unit)

export function toHeadings(language: Language, { unit }: Tariff): readonly string[] {
  const text = billTexts[language]
  const { place, household, serial, from, to, area, fixed, missingDays, variable, total, remark } = text
  const [heat, estimated, low, high, price] = [
    text.heat,
    text.estimated,
    text.low,
    text.high,
    text.price,
  ].map((each) => fill(each, unit))
  return [
    place,
    household,
    serial,
    from,
    to,
    area,
    fixed,
    heat,
    estimated,
    low,
    high,
    missingDays,
    price,
    variable,
    total,
    remark,
  ].map((each) => each ?? '')
}

/** The bill of a household. Sums are of the rounded parts, so that a reader can add them up. */
export function toBillRow(
  language: Language,
  household: BilledHousehold,
  tariff: Tariff,
  dates: { readonly from: string; readonly to: string },
): readonly Cell[] {
  const { remarks } = billTexts[language]
  const { name, nestaddr, areaM2, serial, heat, hasChanged } = household
  const kwh = kwhPerUnit[tariff.unit]
  const toUnit = (value: number | undefined): number | undefined =>
    value === undefined ? undefined : toThousandth(value / kwh)
  const fixed = areaM2 === undefined ? undefined : toYuan(areaM2 * tariff.yuanPerM2)
  const variable = heat === undefined ? undefined : toYuan(heat.heatKwh * tariff.yuanPerKwh)
  const isEstimated = heat !== undefined && heat.highKwh - heat.lowKwh + heat.estimatedKwh > 0
  const marks = [
    serial === undefined && remarks.noMeter,
    serial !== undefined && heat === undefined && remarks.noReading,
    areaM2 === undefined && remarks.noArea,
    isEstimated && remarks.estimated,
    heat !== undefined &&
      heat.uncountedDays > 0 &&
      remarks.uncounted.replace('{days}', String(heat.uncountedDays)),
    hasChanged && remarks.changed,
  ].filter((mark) => mark !== false)
  return [
    nestaddr,
    name,
    serial,
    dates.from,
    dates.to,
    areaM2,
    fixed,
    toUnit(heat?.heatKwh),
    toUnit(heat?.estimatedKwh),
    toUnit(heat?.lowKwh),
    toUnit(heat?.highKwh),
    heat?.missingDays,
    Math.round(tariff.yuanPerKwh * kwh * 1e6) / 1e6,
    variable,
    fixed === undefined || variable === undefined ? undefined : toYuan(fixed + variable),
    marks.join(language === 'zh' ? '；' : '; '),
  ]
}
