import { z } from 'zod'
import { balancePermissions } from '../../balancing/balance-kind.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { limiter, pageOf } from '../../filter.ts'
import { emitterKind } from '../../network/emitters.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey, treeLevels } from '../../tree.ts'

/** A node with what heats the rooms below it. */
export const heatedNode = z.object({
  node: nodeKey,
  level: z.number().int(),
  /** Comma-joined names from the project down. */
  nestaddr: z.string(),
  /** Said of the node itself. */
  emitter: emitterKind.optional(),
  /** Said of the nearest node above it, where nothing is said of itself. */
  inherited: emitterKind.optional(),
  /** Of the node. */
  version,
  abilities: z.array(z.enum(['edit'])),
})
export type HeatedNode = z.infer<typeof heatedNode>

export const getHeatedNodes = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/GetHeatedNodes',
  summary: 'Nodes at and below a node, in the order of the tree, with what heats their rooms.',
  access: requiresPermission('ps-oraigionsys', ...Object.values(balancePermissions)),
  effect: 'reads',
  input: z.object({
    node: refersTo('node', nodeKey),
    /** The lowest that is listed; units are 7, households 8. */
    lowestLevel: z.number().int().min(treeLevels.group).max(treeLevels.household).default(treeLevels.unit),
    limiter: limiter.default({ page: 1, size: 1_000 }),
  }),
  output: pageOf(heatedNode),
  errors: ['node.not-found'],
})

export const updateEmitters = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/UpdateEmitters',
  summary: 'Says what heats the rooms below nodes of a company; all or none.',
  access: requiresPermission('ps-oraigionsys'),
  effect: 'changes',
  input: z.object({
    items: z
      .array(
        z.object({
          node: refersTo('node', nodeKey),
          version,
          /** null says nothing of it: what is said above holds. */
          emitter: emitterKind.nullable(),
        }),
      )
      .min(1)
      .max(200),
  }),
  output: z.object({ datalist: z.array(heatedNode) }),
  errors: ['node.not-found', 'node.bad-place', 'entity.stale'],
})

export const emittersEndpoints = { getHeatedNodes, updateEmitters } as const
