import { z } from 'zod'
import { balancePermissions } from '../../balancing/balance-kind.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { limiter, pageOf } from '../../filter.ts'
import { pipeRecord } from '../../network/pipes.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'

/** A pipe of the secondary network between two nodes. The order of the nodes has no meaning. */
export const pipe = z.object({
  from: nodeKey,
  to: nodeKey,
  /** Names of both nodes from the project down, joined by commas. */
  fromAddr: z.string(),
  toAddr: z.string(),
  record: pipeRecord,
  version,
  abilities: z.array(z.enum(['edit', 'remove'])),
})
export type Pipe = z.infer<typeof pipe>

/** Users that edit the tree record pipes; users that balance can see them. */
export const recordingPipes = requiresPermission('ps-oraigionsys')

export const getPipes = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/GetPipes',
  summary: 'Pipes with both ends at or below a node, in tree order.',
  access: requiresPermission('ps-oraigionsys', ...Object.values(balancePermissions)),
  effect: 'reads',
  input: z.object({ node: refersTo('node', nodeKey), limiter: limiter.default({ page: 1, size: 1_000 }) }),
  output: pageOf(pipe),
  errors: ['node.not-found'],
})

export const updatePipes = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/UpdatePipes',
  summary: 'Records, changes or removes pipes between nodes of a company, all or none.',
  access: recordingPipes,
  effect: 'changes',
  input: z.object({
    items: z
      .array(
        z.object({
          from: refersTo('node', nodeKey),
          to: refersTo('node', nodeKey),
          /** Version of the existing pipe; absent for a new one. */
          version: version.optional(),
          /** null removes the pipe. */
          record: pipeRecord.nullable(),
        }),
      )
      .min(1)
      .max(200),
  }),
  output: z.object({ datalist: z.array(pipe) }),
  errors: ['node.not-found', 'node.bad-place', 'entity.stale'],
})

export const pipesEndpoints = { getPipes, updatePipes } as const
