import { countAlarms } from '@isotherm/contract/endpoints/monitoring/alarms'
import type { NodeKey } from '@isotherm/contract/tree'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { alarmKeys } from './alarm-keys.ts'

/** The end of a silence sends no event, so counts are also polled. */
const COUNT_EVERY_MS = MINUTE_MS

/** Open alarms below the nodes by severity; no nodes means all the user is granted. */
export const alarmCountsQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...alarmKeys.live, 'counts', nodes],
    queryFn: ({ signal }) => call(countAlarms, { nodes: [...nodes] }, { signal, quiet: true }),
    refetchInterval: COUNT_EVERY_MS,
  })
