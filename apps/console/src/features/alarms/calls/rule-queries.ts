import type { DeviceKind } from '@isotherm/contract/devices'
import {
  getAlarmAbilities,
  getAlarmRules,
  getAlarmSilences,
  getAlarmTargets,
} from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import { getDevsFromPrjTree } from '@isotherm/contract/endpoints/monitoring/telemetry'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import { alarmKeys } from '../../../shared/alarms/alarm-keys.ts'
import { call } from '../../../shared/api/client.ts'
import type { AbilityQuery } from '../../../shared/nodes/node-action.ts'

const ALL = { page: 1, size: 1_000 }
/** The server sends no event when a silence expires, so the list polls, ms. */
const SILENCE_POLL_MS = 60_000
/** The server sends no event for a delivery, so the list of targets polls, ms. */
const TARGET_POLL_MS = 10_000

export const rulesQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...alarmKeys.rules, nodes],
    queryFn: ({ signal }) => call(getAlarmRules, { nodes: [...nodes], limiter: ALL }, { signal }),
  })

/** Number of devices of the given kinds below a node. */
export const affectedQuery = (node: NodeKey, kinds: readonly DeviceKind[]) =>
  queryOptions({
    queryKey: [...alarmKeys.all, 'concerned', node, kinds],
    queryFn: async ({ signal }) => {
      const input = { nodes: [node], kinds: [...kinds], limiter: { page: 1, size: 1 } }
      return (await call(getDevsFromPrjTree, input, { signal, quiet: true })).total
    },
  })

/** Whether the user may silence a node with everything below. */
export const maySilenceQuery = (node: NodeKey): AbilityQuery => ({
  queryKey: [...alarmKeys.all, 'may-silence', node],
  async queryFn({ signal }) {
    const { abilities } = await call(getAlarmAbilities, { node }, { signal, quiet: true })
    return abilities.includes('silence')
  },
})

/** Running silences at, above or below the nodes, in order of their end. */
export const silencesQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...alarmKeys.silences, nodes],
    queryFn: ({ signal }) =>
      call(getAlarmSilences, { nodes: [...nodes], limiter: ALL }, { signal, quiet: true }),
    refetchInterval: SILENCE_POLL_MS,
  })

export const targetsQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...alarmKeys.targets, nodes],
    queryFn: ({ signal }) => call(getAlarmTargets, { nodes: [...nodes], limiter: ALL }, { signal }),
    refetchInterval: TARGET_POLL_MS,
  })
