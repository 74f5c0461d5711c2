import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'
import { nodeAbilities } from './network.ts'
import { nodeType } from './tree.ts'

const count = z.number().int().nonnegative()

/** One node of the tree as an editor needs it: its values, what the caller may do, and what a change concerns. */
export const nodeRecord = z.object({
  node: nodeKey,
  nodetype: nodeType,
  name: z.string(),
  level: z.number().int().min(1).max(10),
  /** Names from the project down to the node, joined by commas. */
  nestaddr: z.string(),
  /** Parent; null for a project. */
  parent: nodeKey.nullable(),
  description: z.string(),
  /** Version of the node; for an address that of its sub-user, which contains the addresses. */
  version,
  /** For an address those of its sub-user. */
  abilities: nodeAbilities,
  /** What refers to the node or to a node below it. Absent for an ancestor of what is granted to the caller. */
  touches: z
    .object({
      /** Nodes below it. */
      nodes: count,
      devices: count,
      /** Accounts with a grant. */
      accounts: count,
    })
    .optional(),
})
export type NodeRecord = z.infer<typeof nodeRecord>

export const getNodeRecord = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Tree/GetNodeRecord',
  summary:
    'One node with its version, what the caller can do with it, and what refers to it or to nodes below.',
  access: requiresPermission('ps-oraigionsys', 'pg-groupmanage'),
  effect: 'reads',
  input: z.object({ node: refersTo('node', nodeKey) }),
  output: nodeRecord,
  errors: ['node.not-found'],
})

export const nodeRecordEndpoints = { getNodeRecord } as const
