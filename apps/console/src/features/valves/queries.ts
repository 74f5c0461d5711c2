import type { CommandPriority } from '@isotherm/contract/command'
import { getCtlLog, getCtlLogCmdLast, publishMqCtlCmd } from '@isotherm/contract/endpoints/commands'
import { getDevsFromPrjTree } from '@isotherm/contract/endpoints/telemetry'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions, experimental_streamedQuery as streamedQuery } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { commandKeys } from './command-keys.ts'
import { listValves, noValves, type Valves } from './list-valves.ts'

/** Valves are listed, and their commands asked for, so many at a time. */
export const PAGE_SIZE = 1_000
/** The registry changes seldom; live values come by another way. */
export const REGISTRY_FRESH_MS = 5 * 60_000
export const LOG_PAGE_SIZE = 20
/** Lists of the control page are asked for this often, ms: it subscribes only to the valves that are chosen. */
export const LIST_ASK_MS = 15_000

/** All valves below the nodes, page by page, in tree order; no nodes means all the user is granted. */
export const valvesQuery = (nodes: readonly NodeKey[]) =>
  queryOptions<Valves>({
    queryKey: ['valves', 'devices', nodes],
    queryFn: streamedQuery({
      streamFn: ({ signal }) =>
        listValves((page) => {
          const limiter = { page, size: PAGE_SIZE }
          return call(getDevsFromPrjTree, { nodes: [...nodes], kinds: ['valve'], limiter }, { signal })
        }),
      refetchMode: 'replace',
      initialValue: noValves,
      reducer: (held: Valves, page: Valves) => ({ ...page, devices: [...held.devices, ...page.devices] }),
    }),
    // Who leaves while they are listed finds the part that was when coming back.
    staleTime: ({ state }) => (state.data?.isWhole ? REGISTRY_FRESH_MS : 0),
  })

/** Newest command of each of the devices that has one: of PAGE_SIZE devices at most. */
export const lastCommandsQuery = (deviceIds: readonly number[]) =>
  queryOptions({
    queryKey: commandKeys.last(deviceIds),
    queryFn: ({ signal }) => call(getCtlLogCmdLast, { deviceIds: [...deviceIds] }, { signal }),
  })

/** One page of the command log of a subtree, newest first. */
export const commandLogQuery = (nodes: readonly NodeKey[], page: number) =>
  queryOptions({
    queryKey: [...commandKeys.logs, nodes, page],
    queryFn: ({ signal }) =>
      call(getCtlLog, { nodes: [...nodes], limiter: { page, size: LOG_PAGE_SIZE } }, { signal }),
  })

export interface OpeningOrder {
  readonly targets: readonly { readonly deviceId: number; readonly openingPct: number }[]
  readonly reason: string
  readonly priority: CommandPriority
  /** Until when orders of a lower priority are refused, Unix ms. */
  readonly holdUntil: number | undefined
}

/** Sends an order; either all of its commands are stored or none is. */
export const sendOrder = ({ targets, holdUntil, ...order }: OpeningOrder) =>
  call(publishMqCtlCmd, {
    ...order,
    targets: [...targets],
    ...(holdUntil === undefined ? {} : { holdUntil }),
  })
