import type { batchAbility } from '@isotherm/contract/command'
import {
  cancelCtlBatch,
  getCtlBatches,
  pauseCtlBatch,
  resumeCtlBatch,
  retryCtlBatch,
} from '@isotherm/contract/endpoints/command-batches'
import { getCtlLog } from '@isotherm/contract/endpoints/commands'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../../shared/api/client.ts'
import { type CommandGroup, statesOfGroup } from '../commands/command-groups.ts'
import { batchKeys, commandKeys } from '../commands/command-keys.ts'

export const BATCH_PAGE_SIZE = 20
/** Commands of a batch that are asked for at once; as many as a screen or two show. */
export const ROWS_PAGE_SIZE = 100

/** One batch; undefined for one that is none of the caller's. */
export const batchQuery = (batchId: string) =>
  queryOptions({
    queryKey: batchKeys.one(batchId),
    queryFn: async ({ signal }) => {
      const input = { batchIds: [batchId], limiter: { page: 1, size: 1 } }
      const [batch] = (await call(getCtlBatches, input, { signal })).datalist
      return batch ?? null
    },
  })

/** Batches with a command to a valve below the nodes, newest first; no nodes means everywhere. */
export const batchListQuery = (nodes: readonly NodeKey[], page: number) =>
  queryOptions({
    queryKey: batchKeys.list(nodes, page),
    queryFn: ({ signal }) => {
      const limiter = { page, size: BATCH_PAGE_SIZE }
      return call(getCtlBatches, { nodes: [...nodes], limiter }, { signal })
    },
  })

/** A page of the commands of a batch that are in a group. */
export const batchRowsQuery = (batchId: string, group: CommandGroup | 'all', page: number) =>
  queryOptions({
    queryKey: commandKeys.rowsPage(batchId, group, page),
    queryFn: ({ signal }) => {
      const states = group === 'all' ? {} : { states: [...statesOfGroup[group]] }
      return call(getCtlLog, { batchId, ...states, limiter: { page, size: ROWS_PAGE_SIZE } }, { signal })
    },
  })

export type BatchMove = z.infer<typeof batchAbility>

const endpointOf = {
  pause: pauseCtlBatch,
  resume: resumeCtlBatch,
  cancel: cancelCtlBatch,
  retry: retryCtlBatch,
} as const

/** Does something with a batch. The batch as it is then; a retry gives the new one. */
export const moveBatch = (batchId: string, move: BatchMove) => call(endpointOf[move], { batchId })
