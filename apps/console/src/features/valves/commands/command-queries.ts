import type { CommandPriority } from '@isotherm/contract/command'
import { getCtlLog, getCtlLogCmdLast, publishMqCtlCmd } from '@isotherm/contract/endpoints/control/commands'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { commandKeys } from './command-keys.ts'

export const LOG_PAGE_SIZE = 20
/** Poll period of the lists on the control page, ms: that page subscribes only to the chosen valves. */
export const LIST_POLL_MS = 15_000

/** The newest command of each device that has one, for at most PAGE_SIZE devices. */
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

/** An order: one opening per valve, sent together as one batch. */
export interface OpeningOrder {
  readonly targets: readonly { readonly deviceId: number; readonly openingPct: number }[]
  readonly reason: string
  readonly priority: CommandPriority
  /** End of the hold, Unix ms: until then, orders of a lower priority are refused. */
  readonly holdUntil: number | undefined
}

/** Sends an order. The server stores all of its commands or none. */
export const sendOrder = ({ targets, holdUntil, ...order }: OpeningOrder) =>
  call(publishMqCtlCmd, {
    ...order,
    targets: [...targets],
    ...(holdUntil === undefined ? {} : { holdUntil }),
  })
