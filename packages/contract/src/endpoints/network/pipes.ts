import { z } from 'zod'
import { balancePermissions } from '../../balancing/balance-kind.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { limiter, pageOf } from '../../filter.ts'
import { pipeRecord } from '../../network/pipes.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'

/** A pipe of the secondary network, by the two nodes that it joins: which of them is named first says nothing. */
export const pipe = z.object({
  from: nodeKey,
  to: nodeKey,
  /** Comma-joined names of both from the project down. */
  fromAddr: z.string(),
  toAddr: z.string(),
  record: pipeRecord,
  version,
  abilities: z.array(z.enum(['edit', 'remove'])),
})
export type Pipe = z.infer<typeof pipe>

/** Who arranges the tree records its pipes; who balances sees them too. */
export const recordingPipes = requiresPermission('ps-oraigionsys')

export const getPipes = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/GetPipes',
  summary: 'Pipes both ends of which are at or below a node, in the order of the tree.',
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
  summary: 'Records pipes between nodes of a company, changes or removes them; all or none.',
  access: recordingPipes,
  effect: 'changes',
  input: z.object({
    items: z
      .array(
        z.object({
          from: refersTo('node', nodeKey),
          to: refersTo('node', nodeKey),
          /** Of the pipe there is; none for one that is not there yet. */
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
