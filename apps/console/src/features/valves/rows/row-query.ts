import type { MetricName } from '@isotherm/contract/metrics'
import { type Trust, toTrust } from '../../../shared/devices/device-trust.ts'
import { findMetric, findPending, findTargetPct, type ValveRow } from './valve-row.ts'

/** Columns of the live table after the address, which is always shown. */
export const columns = [
  'opening',
  'target',
  'supply',
  'return',
  'flow',
  'pressure',
  'battery',
  'signal',
  'age',
  'hold',
  'state',
] as const
export type Column = (typeof columns)[number]

/** Metric behind a column, for those that show one. */
export const metricOfColumn = {
  opening: 'valve.opening',
  target: 'valve.target',
  supply: 'temp.supply',
  return: 'temp.return',
  flow: 'heat.flow',
  pressure: 'pressure.diff',
  battery: 'bat.v',
  signal: 'rssi',
} as const satisfies Partial<Record<Column, MetricName>>

export type SortKey = 'address' | Exclude<Column, 'state'>
export const sortKeys: readonly SortKey[] = ['address', ...columns.filter((column) => column !== 'state')]

export const rowFilters = [
  'all',
  'live',
  'doubtful',
  'stale',
  'silent',
  'unknown',
  'pending',
  'held',
] as const
export type RowFilter = (typeof rowFilters)[number]

/** Filter and order of the live table. */
export interface RowQuery {
  readonly text: string
  readonly filter: RowFilter
  readonly sort: SortKey
  readonly descending: boolean
}

/** The sort value of a row. Undefined sorts last in both directions. `address` keeps the tree order. */
function toSortValue(row: ValveRow, sort: SortKey, now: number): number | undefined {
  if (sort === 'address') return undefined
  if (sort === 'age') return row.state && now - row.state.ts
  if (sort === 'hold') return row.hold?.until
  if (sort === 'target') return findTargetPct(row)
  return findMetric(row.state, metricOfColumn[sort])
}

const shows = (filter: RowFilter, trust: Trust, row: ValveRow): boolean => {
  if (filter === 'all') return true
  if (filter === 'pending') return findPending(row.command) !== undefined
  if (filter === 'held') return row.hold !== undefined
  if (filter === 'stale') return trust === 'stale' || trust === 'never'
  return trust === filter
}

/** True if every word occurs in address, name or serial. */
function matches({ device }: ValveRow, words: readonly string[]): boolean {
  const haystack = `${device.nestaddr} ${device.name} ${device.imei}`.toLowerCase()
  return words.every((word) => haystack.includes(word))
}

/** The rows that match a search; all rows without one. */
export function searchRows(rows: readonly ValveRow[], text: string): readonly ValveRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return words.length === 0 ? rows : rows.filter((row) => matches(row, words))
}

/** The matching rows, sorted. Equal rows keep the tree order. `now` is Unix ms. */
export function applyRowQuery(rows: readonly ValveRow[], query: RowQuery, now: number): readonly ValveRow[] {
  const found = searchRows(rows, query.text)
  const shown =
    query.filter === 'all'
      ? found
      : found.filter((row) => shows(query.filter, toTrust(row.device, row.state, now), row))
  if (query.sort === 'address') return query.descending ? shown.toReversed() : shown
  const sign = query.descending ? -1 : 1
  return shown
    .map((row) => ({ row, value: toSortValue(row, query.sort, now) }))
    .toSorted((a, b) => {
      if (a.value === undefined || b.value === undefined) {
        return Number(a.value === undefined) - Number(b.value === undefined)
      }
      return sign * (a.value - b.value)
    })
    .map(({ row }) => row)
}
