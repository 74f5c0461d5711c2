import { getAlarmLog, getAlarms } from '@isotherm/contract/endpoints/monitoring/alarms'
import type { FilterItem } from '@isotherm/contract/filter'
import type { NodeKey } from '@isotherm/contract/tree'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { queryOptions } from '@tanstack/react-query'
import { alarmKeys } from '../../../shared/alarms/alarm-keys.ts'
import { call } from '../../../shared/api/client.ts'
import { readServerNow } from '../../../shared/live/server-now.ts'
import type { AlarmFilter } from '../filter/alarm-filter.ts'
import { type LogRange, toLogRangeText, toLogSpan } from '../filter/log-range.ts'

/** Maximum number of listed alarms. For more, the user narrows the filter or handles all matching alarms in one call. */
const MAX_LISTED = 500
export const LOG_PAGE_SIZE = 100
/** The server sends no event when a silence expires, so the lists poll, ms. */
const POLL_MS = MINUTE_MS

/** The worst and newest alarms that match. */
export const alarmsQuery = (nodes: readonly NodeKey[], request: AlarmFilter) =>
  queryOptions({
    queryKey: [...alarmKeys.live, 'list', nodes, request],
    queryFn: ({ signal }) =>
      call(getAlarms, { nodes: [...nodes], ...request, limiter: { page: 1, size: MAX_LISTED } }, { signal }),
    refetchInterval: POLL_MS,
  })

/** How many alarms match now. */
export const matchingQuery = (nodes: readonly NodeKey[], request: AlarmFilter) =>
  queryOptions({
    queryKey: [...alarmKeys.live, 'matching', nodes, request],
    queryFn: async ({ signal }) => {
      const input = { nodes: [...nodes], ...request, limiter: { page: 1, size: 1 } }
      return (await call(getAlarms, input, { signal })).total
    },
    staleTime: 0,
    refetchInterval: POLL_MS,
  })

/** One alarm in any state; null if it does not exist for the user. */
export const alarmQuery = (id: number) =>
  queryOptions({
    queryKey: [...alarmKeys.live, 'one', id],
    queryFn: async ({ signal }) => {
      const filter: FilterItem[] = [{ field: 'id', cond: 'eq', vstd: id }]
      const input = { filter, open: false, suppressed: true, limiter: { page: 1, size: 1 } }
      return (await call(getAlarms, input, { signal })).datalist[0] ?? null
    },
  })

/** The open alarms that an alarm suppresses, the most severe first. */
export const suppressedQuery = (id: number) =>
  queryOptions({
    queryKey: [...alarmKeys.live, 'suppressed', id],
    queryFn: ({ signal }) => {
      const filter: FilterItem[] = [{ field: 'suppressedBy', cond: 'eq', vstd: id }]
      return call(getAlarms, { filter, suppressed: true, limiter: { page: 1, size: 50 } }, { signal })
    },
  })

/** The log of one alarm, newest first. */
export const timelineQuery = (id: number) =>
  queryOptions({
    queryKey: [...alarmKeys.live, 'timeline', id],
    queryFn: ({ signal }) => call(getAlarmLog, { alarmId: id, limiter: { page: 1, size: 200 } }, { signal }),
  })

/** Filter and range of the log. */
export interface LogRequest {
  readonly nodes: readonly NodeKey[]
  readonly filter: FilterItem[]
  readonly range: LogRange
}

/** The input of the log endpoint. */
export const toLogInput = ({ nodes, filter, range }: LogRequest) => ({
  nodes: [...nodes],
  filter,
  ...toLogSpan(range, readServerNow()),
})

export const logQuery = (request: LogRequest, page: number) =>
  queryOptions({
    queryKey: [...alarmKeys.live, 'log', request.nodes, request.filter, toLogRangeText(request.range), page],
    queryFn: ({ signal }) =>
      call(getAlarmLog, { ...toLogInput(request), limiter: { page, size: LOG_PAGE_SIZE } }, { signal }),
  })
