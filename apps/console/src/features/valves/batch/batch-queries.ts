import type { batchAbility } from '@isotherm/contract/command'
import {
  cancelCtlBatch,
  getCtlBatches,
  pauseCtlBatch,
  resumeCtlBatch,
  retryCtlBatch,
} from '@isotherm/contract/endpoints/control/command-batches'
import { getCtlLog } from '@isotherm/contract/endpoints/control/commands'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../../shared/api/client.ts'
import { type CommandGroup, statesOfGroup } from '../commands/command-groups.ts'
import { batchKeys, commandKeys } from '../commands/command-keys.ts'

export const BATCH_PAGE_SIZE = 20
/** Commands per page of a batch: one or two screens. */
export const ROWS_PAGE_SIZE = 100

/** One batch; null if it does not exist for this user. */
export const batchQuery = (batchId: string) =>
  queryOptions({
    queryKey: batchKeys.one(batchId),
    queryFn: async ({ signal }) => {
      const input = { batchIds: [batchId], limiter: { page: 1, size: 1 } }
      const [batch] = (await call(getCtlBatches, input, { signal })).datalist
      return batch ?? null
    },
  })

/** Batches with a command to a valve below the nodes, newest first. No nodes: all that the user may see. */
export const batchListQuery = (nodes: readonly NodeKey[], page: number) =>
  queryOptions({
    queryKey: batchKeys.list(nodes, page),
    queryFn: ({ signal }) => {
      const limiter = { page, size: BATCH_PAGE_SIZE }
      return call(getCtlBatches, { nodes: [...nodes], limiter }, { signal })
    },
  })

/** A page of the commands of a batch, of one group or of all. */
export const batchRowsQuery = (batchId: string, group: CommandGroup | 'all', page: number) =>
  queryOptions({
    queryKey: commandKeys.rowsPage(batchId, group, page),
    queryFn: ({ signal }) => {
      const states = group === 'all' ? {} : { states: [...statesOfGroup[group]] }
      return call(getCtlLog, { batchId, ...states, limiter: { page, size: ROWS_PAGE_SIZE } }, { signal })
    },
  })

export type BatchAction = z.infer<typeof batchAbility>

const endpointOf = {
  pause: pauseCtlBatch,
  resume: resumeCtlBatch,
  cancel: cancelCtlBatch,
  retry: retryCtlBatch,
} as const

/** Runs an action on a batch. Returns the changed batch; for a retry, the new one. */
export const runBatchAction = (batchId: string, action: BatchAction) => call(endpointOf[action], { batchId })
