import { z } from 'zod'
import { commandBatch } from '../../command.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { limiter, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'

const batchId = refersTo('command-batch', z.string().max(64))

export const getCtlBatches = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/GetCtlBatches',
  summary: 'Batches of commands, newest first, with the number of commands to visible devices by state.',
  access: requiresPermission('pe-fmreal', 'pe-fmcontrol', 'pe-fmhistory'),
  effect: 'reads',
  input: z.object({
    /** Only batches with a command to a device below one of these nodes. */
    nodes: z.array(refersTo('node', nodeKey)).max(2_000).optional(),
    batchIds: z.array(batchId).max(100).optional(),
    limiter,
  }),
  output: pageOf(commandBatch),
  errors: ['node.not-found', 'command-batch.not-found'],
})

const toBatchCall = (name: string, summary: string) =>
  defineEndpoint({
    backend: 'ht-api',
    method: 'POST',
    path: `/CtlDev/${name}CtlBatch`,
    summary,
    access: requiresPermission('pe-fmcontrol'),
    effect: 'changes',
    input: z.object({ batchId }),
    output: commandBatch,
    errors: ['command-batch.not-found', 'command-batch.not-now'],
  })

export const pauseCtlBatch = toBatchCall(
  'Pause',
  'Pauses a batch: its unsent commands wait, and their validity is extended by the pause.',
)
export const resumeCtlBatch = toBatchCall('Resume', 'Resumes a paused batch.')
export const cancelCtlBatch = toBatchCall(
  'Cancel',
  'Cancels the unsent commands of a batch. Commands that were sent continue.',
)
export const retryCtlBatch = defineEndpoint({
  ...toBatchCall('Retry', ''),
  summary:
    'Retries the commands of a batch that failed, expired or have an unknown outcome, as a new batch, except for valves with a newer command.',
  errors: [
    'command-batch.not-found',
    'command-batch.not-now',
    'device.retired',
    'device.not-controllable',
    'command.outside-limits',
    'command.head-outside',
    'command.offset-outside',
    'command.held',
    'command.total-too-low',
  ],
})

export const commandBatchesEndpoints = {
  getCtlBatches,
  pauseCtlBatch,
  resumeCtlBatch,
  cancelCtlBatch,
  retryCtlBatch,
} as const
