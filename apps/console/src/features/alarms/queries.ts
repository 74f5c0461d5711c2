import type { DeviceKind } from '@isotherm/contract/devices'
import {
  getAlarmAbilities,
  getAlarmRules,
  getAlarmSilences,
  getAlarmTargets,
} from '@isotherm/contract/endpoints/alarm-rules'
import { getAlarmLog, getAlarms } from '@isotherm/contract/endpoints/alarms'
import { getDevsFromPrjTree } from '@isotherm/contract/endpoints/telemetry'
import type { FilterItem } from '@isotherm/contract/filter'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import { alarmKeys } from '../../shared/alarms/alarm-keys.ts'
import { call } from '../../shared/api/client.ts'
import { readServerNow } from '../../shared/live/server-now.ts'
import type { AbilityQuery } from '../../shared/node-action.ts'
import type { AlarmFilter } from './alarm-filter.ts'
import { type LogRange, toLogRangeText, toLogSpan } from './log/log-range.ts'

/** Alarms that are listed at once; who has more to do narrows the filter or acts on all of it. */
const MOST_LISTED = 500
export const LOG_PAGE_SIZE = 100
const ALL = { page: 1, size: 1_000 }
/** Silences end by themselves, without a word here. */
const ASK_EVERY_MS = 60_000

/** The worst and newest alarms that match. */
export const alarmsQuery = (nodes: readonly NodeKey[], asked: AlarmFilter) =>
  queryOptions({
    queryKey: [...alarmKeys.live, 'list', nodes, asked],
    queryFn: ({ signal }) =>
      call(getAlarms, { nodes: [...nodes], ...asked, limiter: { page: 1, size: MOST_LISTED } }, { signal }),
    refetchInterval: ASK_EVERY_MS,
  })

/** How many alarms match now. */
export const matchingQuery = (nodes: readonly NodeKey[], asked: AlarmFilter) =>
  queryOptions({
    queryKey: [...alarmKeys.live, 'matching', nodes, asked],
    queryFn: async ({ signal }) => {
      const input = { nodes: [...nodes], ...asked, limiter: { page: 1, size: 1 } }
      return (await call(getAlarms, input, { signal })).total
    },
    staleTime: 0,
    refetchInterval: ASK_EVERY_MS,
  })

/** One alarm, whatever became of it; nothing when it is not there for the user. */
export const alarmQuery = (id: number) =>
  queryOptions({
    queryKey: [...alarmKeys.live, 'one', id],
    queryFn: async ({ signal }) => {
      const filter: FilterItem[] = [{ field: 'id', cond: 'eq', vstd: id }]
      const input = { filter, open: false, suppressed: true, limiter: { page: 1, size: 1 } }
      return (await call(getAlarms, input, { signal })).datalist[0] ?? null
    },
  })

/** The open alarms that are kept behind one, the worst first. */
export const keptBehindQuery = (id: number) =>
  queryOptions({
    queryKey: [...alarmKeys.live, 'kept', id],
    queryFn: ({ signal }) => {
      const filter: FilterItem[] = [{ field: 'suppressedBy', cond: 'eq', vstd: id }]
      return call(getAlarms, { filter, suppressed: true, limiter: { page: 1, size: 50 } }, { signal })
    },
  })

/** What happened to one alarm, newest first. */
export const timelineQuery = (id: number) =>
  queryOptions({
    queryKey: [...alarmKeys.live, 'timeline', id],
    queryFn: ({ signal }) => call(getAlarmLog, { alarmId: id, limiter: { page: 1, size: 200 } }, { signal }),
  })

/** Which entries of the log are meant. */
export interface LogAsked {
  readonly nodes: readonly NodeKey[]
  readonly filter: FilterItem[]
  readonly range: LogRange
}

/** What the server is asked for of the log. */
export const toLogInput = ({ nodes, filter, range }: LogAsked) => ({
  nodes: [...nodes],
  filter,
  ...toLogSpan(range, readServerNow()),
})

export const logQuery = (asked: LogAsked, page: number) =>
  queryOptions({
    queryKey: [...alarmKeys.live, 'log', asked.nodes, asked.filter, toLogRangeText(asked.range), page],
    queryFn: ({ signal }) =>
      call(getAlarmLog, { ...toLogInput(asked), limiter: { page, size: LOG_PAGE_SIZE } }, { signal }),
  })

export const rulesQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...alarmKeys.rules, nodes],
    queryFn: ({ signal }) => call(getAlarmRules, { nodes: [...nodes], limiter: ALL }, { signal }),
  })

/** How many devices of some kinds stand below a node. */
export const concernedQuery = (node: NodeKey, kinds: readonly DeviceKind[]) =>
  queryOptions({
    queryKey: [...alarmKeys.all, 'concerned', node, kinds],
    queryFn: async ({ signal }) => {
      const input = { nodes: [node], kinds: [...kinds], limiter: { page: 1, size: 1 } }
      return (await call(getDevsFromPrjTree, input, { signal, quiet: true })).total
    },
  })

/** Whether the user may silence what is at a node and below. */
export const maySilenceQuery = (node: NodeKey): AbilityQuery => ({
  queryKey: [...alarmKeys.all, 'may-silence', node],
  async queryFn({ signal }) {
    const { abilities } = await call(getAlarmAbilities, { node }, { signal, quiet: true })
    return abilities.includes('silence')
  },
})

/** Silences that are not over and touch the nodes, the first to end first. */
export const silencesQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...alarmKeys.silences, nodes],
    queryFn: ({ signal }) =>
      call(getAlarmSilences, { nodes: [...nodes], limiter: ALL }, { signal, quiet: true }),
    refetchInterval: ASK_EVERY_MS,
  })

export const targetsQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...alarmKeys.targets, nodes],
    queryFn: ({ signal }) => call(getAlarmTargets, { nodes: [...nodes], limiter: ALL }, { signal }),
    refetchInterval: 10_000,
  })
