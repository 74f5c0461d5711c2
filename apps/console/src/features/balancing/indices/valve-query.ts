import type { BalanceNow } from '@isotherm/contract/balancing/balance-now'

/** A valve of the loop with its present readings. */
export type BalanceValve = BalanceNow['valves'][number]

/** Filter of the valves: `off` are more than 1 K from the mean return. */
export const valveFilters = ['all', 'off', 'moving', 'excluded'] as const
export type ValveFilter = (typeof valveFilters)[number]

export const valveSorts = ['place', 'opening', 'flow', 'supply', 'return', 'room', 'deviation'] as const
export type ValveSort = (typeof valveSorts)[number]

export interface ValveQuery {
  readonly text: string
  readonly filter: ValveFilter
  readonly sort: ValveSort
  readonly descending: boolean
}

/** Deviation from the mean above which a valve is off, K. */
const OFF_K = 1

const values: Readonly<Record<Exclude<ValveSort, 'place'>, (valve: BalanceValve) => number | undefined>> = {
  opening: ({ openingPct }) => openingPct,
  flow: ({ flowM3H }) => flowM3H,
  supply: ({ supplyC }) => supplyC,
  return: ({ returnC }) => returnC,
  room: ({ roomC }) => roomC,
  deviation: ({ deviationK }) => deviationK,
}

const shows: Readonly<Record<ValveFilter, (valve: BalanceValve) => boolean>> = {
  all: () => true,
  off: ({ deviationK }) => deviationK !== undefined && Math.abs(deviationK) > OFF_K,
  moving: ({ excluded }) => excluded === undefined,
  excluded: ({ excluded }) => excluded !== undefined,
}

/** Filters and sorts the valves. Equal ones stay in tree order; valves without a reading come last. */
export function applyValveQuery(valves: readonly BalanceValve[], query: ValveQuery): readonly BalanceValve[] {
  const words = query.text.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = valves.filter((valve) => {
    const haystack = `${valve.nestaddr} ${valve.deviceName}`.toLowerCase()
    return shows[query.filter](valve) && words.every((word) => haystack.includes(word))
  })
  if (query.sort === 'place') return query.descending ? shown.toReversed() : shown
  const toValue = values[query.sort]
  const sign = query.descending ? -1 : 1
  return shown.toSorted((a, b) => {
    const [left, right] = [toValue(a), toValue(b)]
    if (left === undefined || right === undefined)
      return Number(left === undefined) - Number(right === undefined)
    return sign * (left - right)
  })
}
