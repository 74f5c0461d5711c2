import type { DayRange } from '@isotherm/contract/balancing/heat-saving'
import { getHeatSaving } from '@isotherm/contract/endpoints/control/savings'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

export interface SavingPeriods {
  readonly baseline: DayRange
  readonly after: DayRange
}

/** Key of the savings of all stations: a price of a node concerns all below it. */
export const savingsKey = ['balancing', 'saving'] as const

/** What a station saved between two periods; undefined for the usual ones. Days change once a day. */
export const savingQuery = (deviceId: number, periods: SavingPeriods | undefined) =>
  queryOptions({
    queryKey: [...savingsKey, deviceId, periods],
    queryFn: ({ signal }) =>
      call(getHeatSaving, { deviceId, ...(periods ? { periods } : {}) }, { signal, quiet: true }),
  })
