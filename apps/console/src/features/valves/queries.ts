import type { Command, CommandPriority } from '@isotherm/contract/command'
import type { Device } from '@isotherm/contract/devices'
import { getCtlLog, getCtlLogCmdLast, publishMqCtlCmd } from '@isotherm/contract/endpoints/commands'
import { getDevsFromPrjTree } from '@isotherm/contract/endpoints/telemetry'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { live } from '../../shared/live/live.ts'
import { commandKeys } from './command-keys.ts'

const PAGE_SIZE = 1_000
/** The registry changes seldom; live values come by another way. */
const REGISTRY_FRESH_MS = 5 * 60_000
export const LOG_PAGE_SIZE = 20
/** Lists of the control page are asked for this often, ms: it subscribes only to the valves that are chosen. */
export const LIST_ASK_MS = 15_000

async function fetchValves(nodes: readonly NodeKey[], signal: AbortSignal): Promise<readonly Device[]> {
  const devices: Device[] = []
  for (let page = 1; ; page++) {
    const input = { nodes: [...nodes], kinds: ['valve' as const], limiter: { page, size: PAGE_SIZE } }
    const { datalist, total } = await call(getDevsFromPrjTree, input, { signal })
    devices.push(...datalist)
    if (datalist.length === 0 || devices.length >= total) return devices
  }
}

/** All valves below the nodes in tree order; no nodes means all the user is granted. */
export const valvesQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: ['valves', 'devices', nodes],
    queryFn: ({ signal }) => fetchValves(nodes, signal),
    staleTime: REGISTRY_FRESH_MS,
  })

/** Newest command of each of the devices that has one. */
export const lastCommandsQuery = (deviceIds: readonly number[]) =>
  queryOptions({
    queryKey: commandKeys.last(deviceIds),
    queryFn: async ({ signal }) => {
      const commands: Command[] = []
      for (let start = 0; start < deviceIds.length; start += PAGE_SIZE) {
        const input = { deviceIds: deviceIds.slice(start, start + PAGE_SIZE) }
        commands.push(...(await call(getCtlLogCmdLast, input, { signal })).datalist)
      }
      return { datalist: commands }
    },
    enabled: deviceIds.length > 0,
  })

/** One page of the command log of a subtree, newest first. */
export const commandLogQuery = (nodes: readonly NodeKey[], page: number) =>
  queryOptions({
    queryKey: [...commandKeys.logs, nodes, page],
    queryFn: ({ signal }) =>
      call(getCtlLog, { nodes: [...nodes], limiter: { page, size: LOG_PAGE_SIZE } }, { signal }),
  })

/** The server's present instant, Unix ms: ranges that end now end at its now. */
export const readServerNow = (): number => Date.now() + live.status().clockOffsetMs

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
