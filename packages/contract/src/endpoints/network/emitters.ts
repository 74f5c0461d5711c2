import { z } from 'zod'
import { balancePermissions } from '../../balancing/balance-kind.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { limiter, pageOf } from '../../filter.ts'
import { emitterKind } from '../../network/emitters.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey, treeLevels } from '../../tree.ts'

/** A node with the heat emitter of the rooms below it. */
export const heatedNode = z.object({
  node: nodeKey,
  level: z.number().int(),
  /** Names from the project down, joined by commas. */
  nestaddr: z.string(),
  /** Value of the node itself. */
  emitter: emitterKind.optional(),
  /** Value of the nearest node above, if the node has none. */
  inherited: emitterKind.optional(),
  /** Version of the node. */
  version,
  abilities: z.array(z.enum(['edit'])),
})
export type HeatedNode = z.infer<typeof heatedNode>

export const getHeatedNodes = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/GetHeatedNodes',
  summary: 'Nodes at and below a node, in tree order, with the heat emitters of their rooms.',
  access: requiresPermission('ps-oraigionsys', ...Object.values(balancePermissions)),
  effect: 'reads',
  input: z.object({
    node: refersTo('node', nodeKey),
    /** Lowest level in the list; 7 is a unit, 8 a household. */
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
  summary: 'Sets the heat emitters of the rooms below nodes of a company, all or none.',
  access: requiresPermission('ps-oraigionsys'),
  effect: 'changes',
  input: z.object({
    items: z
      .array(
        z.object({
          node: refersTo('node', nodeKey),
          version,
          /** null: the value of the node above applies. */
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
