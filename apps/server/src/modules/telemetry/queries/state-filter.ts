import type { DeviceState } from '@isotherm/contract/devices'
import type { FilterItem } from '@isotherm/contract/filter'
import { isMetricName } from '@isotherm/contract/metrics'
import { AppError } from '../../../platform/app-error.ts'

/** Whether a field belongs to the newest values of a device: a metric, their instant or their quality. */
export const isStateField = (name: string): boolean =>
  name === 'ts' || name === 'quality' || isMetricName(name)

/** A newest value by field name; undefined if the device has none. */
export function findValue(state: DeviceState | undefined, field: string): number | undefined {
  if (!state) return undefined
  if (field === 'ts') return state.ts
  if (field === 'quality') return state.quality
  return Object.hasOwn(state.metrics, field) ? state.metrics[field] : undefined
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
 * Returns a test whether newest values match all conditions of a filter. A missing value matches none. Throws
 * request.malformed for a condition that does not apply to numbers.
 */
export function toStateTest(filter: readonly FilterItem[]): (state: DeviceState | undefined) => boolean {
  const tests = filter.map((item) => ({ field: item.field, test: toTest(item) }))
  return (state) =>
    tests.every(({ field, test }) => {
      const value = findValue(state, field)
      return value !== undefined && test(value)
    })
}
