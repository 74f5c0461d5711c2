import type { FilterItem } from '@isotherm/contract/filter'
import { isMetricName } from '@isotherm/contract/metrics'
import { AppError } from '../../../platform/app-error.ts'
import type { LatestValues } from '../latest/latest-values.ts'

/** Whether a field belongs to the newest values of a device: a metric, their instant or their quality. */
export const isStateField = (name: string): boolean =>
  name === 'ts' || name === 'quality' || isMetricName(name)

/** Reads a newest value of a device by field name; undefined if it has none. */
export type FindValue = (deviceId: number, field: string) => number | undefined

/** Reads single numbers: a loop over all devices needs no copy of their values. */
export const createFindValue =
  (latest: Pick<LatestValues, 'instantOf' | 'qualityOf' | 'findReading'>): FindValue =>
  (deviceId, field) => {
    const ts = latest.instantOf(deviceId)
    if (ts === 0) return undefined
    if (field === 'ts') return ts
    return field === 'quality' ? latest.qualityOf(deviceId) : latest.findReading(deviceId, field)?.value
  }

type Test = (value: number) => boolean

const comparisons: Readonly<
  Partial<Record<FilterItem['cond'], (value: number, wanted: readonly number[]) => boolean>>
> = {
  eq: (value, [wanted]) => value === wanted,
  ne: (value, [wanted]) => value !== wanted,
  gt: (value, [wanted = Number.NaN]) => value > wanted,
  ge: (value, [wanted = Number.NaN]) => value >= wanted,
  lt: (value, [wanted = Number.NaN]) => value < wanted,
  le: (value, [wanted = Number.NaN]) => value <= wanted,
  in: (value, wanted) => wanted.includes(value),
}

function toTest({ field, cond, vstd }: FilterItem): Test {
  const malformed = (what: string) =>
    new AppError('request.malformed', { detail: `filter ${field}: ${what}` })
  const compare = comparisons[cond]
  if (!compare) throw malformed(`${cond} is for texts`)
  if (vstd === undefined) throw malformed('no vstd')
  const texts = cond === 'in' ? String(vstd).split(',') : [String(vstd)]
  const wanted = texts.map((text) => (text.trim() === '' ? Number.NaN : Number(text)))
  if (!wanted.every(Number.isFinite)) throw malformed('not a number')
  return (value) => compare(value, wanted)
}

/**
 * Returns a test whether the newest values of a device match all conditions of a filter. A missing value matches none. Throws
 * request.malformed for a condition that does not apply to numbers.
 */
export function toStateTest(
  filter: readonly FilterItem[],
  findValue: FindValue,
): (deviceId: number) => boolean {
  const tests = filter.map((item) => ({ field: item.field, test: toTest(item) }))
  return (deviceId) =>
    tests.every(({ field, test }) => {
      const value = findValue(deviceId, field)
      return value !== undefined && test(value)
    })
}
