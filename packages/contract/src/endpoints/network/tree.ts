import { z } from 'zod'
import { deviceKind } from '../../devices.ts'
import { defineEndpoint, sessionAccess } from '../../endpoint.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'

/** Kind of a row of the tree: a project, a group of levels 2 to 5, a sub-user or an address below it. */
export const nodeType = z.enum(['project', 'group', 'user', 'addr'])
export type NodeType = z.infer<typeof nodeType>

/** A node on the path from the project down to a found node. */
export const treeStep = z.object({
  node: nodeKey,
  label: z.string(),
  level: z.number().int().min(1).max(10),
  nodetype: nodeType,
})
export type TreeStep = z.infer<typeof treeStep>

/** A search result: a node, or a device with its node. */
export const treeHit = z.object({
  /** Path from the project down to the node, so that it can be shown without further calls. */
  chain: z.array(treeStep).min(1),
  /** Names from the project down to the node, joined by commas. */
  nestaddr: z.string(),
  projectid: z.number().int(),
  /** What matched. `address`: several parts in order, such as 5-2-301. */
  match: z.enum(['name', 'pinyin', 'address', 'serial', 'imei', 'meter']),
  /** Only for a device. Users that cannot list devices (endpoints/devices/device-access.ts) get no devices. */
  device: z
    .object({ id: z.number().int(), serial: z.string(), name: z.string(), kind: deviceKind })
    .optional(),
})
export type TreeHit = z.infer<typeof treeHit>

export const searchTree = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Tree/SearchNodes',
  summary:
    'Nodes and devices whose name, pinyin initials, address, serial, IMEI or meter number match, best first.',
  access: sessionAccess,
  effect: 'reads',
  input: z.object({
    text: z.string().min(1).max(60),
    /** Maximum number of results. */
    size: z.number().int().min(1).max(100).default(30),
  }),
  /** `more`: further nodes match. */
  output: z.object({ datalist: z.array(treeHit), more: z.boolean() }),
  errors: [],
})

/**
 * Health of the devices of a subtree. `good`: all are present with trusted readings. `caution`: some are not. `alarm`: half
 * of them or more are not. `none`: the caller can see no devices here. A caller without a permission to watch devices
 * (endpoints/monitoring/telemetry.ts) gets `none` and 0 for every node.
 */
export const nodeHealth = z.object({
  node: nodeKey,
  health: z.enum(['good', 'caution', 'alarm', 'none']),
  /** Number of devices in the subtree that the caller can see. */
  devCount: z.number().int().nonnegative(),
  /** Number of silent devices, and of present devices with values of bad quality. */
  silentCount: z.number().int().nonnegative(),
  /** Number of silent devices behind a silent concentrator: their own state is unknown. */
  unknownCount: z.number().int().nonnegative(),
  badCount: z.number().int().nonnegative(),
})
export type NodeHealth = z.infer<typeof nodeHealth>

export const getNodeHealth = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Tree/GetNodeHealth',
  summary:
    'Counts and health of the devices below each of the nodes. Unknown nodes are omitted. A caller without permission to watch devices gets 0.',
  access: sessionAccess,
  effect: 'reads',
  input: z.object({ nodes: z.array(nodeKey).min(1).max(500) }),
  output: z.object({ datalist: z.array(nodeHealth) }),
  errors: [],
})

export const getPlace = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Tree/GetPlace',
  summary: 'The address of one node, for example of a scanned label.',
  access: sessionAccess,
  effect: 'reads',
  input: z.object({ node: refersTo('node', nodeKey) }),
  output: z.object({
    node: nodeKey,
    name: z.string(),
    /** Names from the project down to the node, joined by commas. */
    nestaddr: z.string(),
  }),
  errors: ['node.not-found'],
})

export const treeEndpoints = { searchTree, getNodeHealth, getPlace } as const
