import type { EarlierDevice } from '@isotherm/contract/endpoints/monitoring/history'
import { getDataSegments } from '@isotherm/contract/endpoints/monitoring/history'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

const FRESH_MS = 5 * MINUTE_MS

/** The devices that were replaced by the given ones: each measured a part of the history of its place. */
export const earlierQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['history', 'earlier', ids],
    queryFn: async ({ signal }): Promise<readonly EarlierDevice[]> =>
      (await call(getDataSegments, { deviceIds: [...ids] }, { signal })).datalist,
    enabled: ids.length > 0,
    staleTime: FRESH_MS,
  })
