import { z } from 'zod'
import { deviceKind } from '../../devices.ts'
import { defineEndpoint, sessionAccess } from '../../endpoint.ts'
import { nodeKey } from '../../tree.ts'

/** What a row of the tree stands for: a project, a group of levels 2 to 5, a sub-user or an address below it. */
export const nodeType = z.enum(['project', 'group', 'user', 'addr'])
export type NodeType = z.infer<typeof nodeType>

/** One step from the project down to a found node. */
export const treeStep = z.object({
  node: nodeKey,
  label: z.string(),
  level: z.number().int().min(1).max(10),
  nodetype: nodeType,
})
export type TreeStep = z.infer<typeof treeStep>

/** A node, or a device with the node it is placed on, that a search found. */
export const treeHit = z.object({
  /** From the project down to the node itself: enough to show it without loading anything else. */
  chain: z.array(treeStep).min(1),
  /** Comma-joined names from the project down to the node. */
  nestaddr: z.string(),
  projectid: z.number().int(),
  /** What matched: `address` is several parts in order, such as 5-2-301. */
  match: z.enum(['name', 'pinyin', 'address', 'serial', 'imei', 'meter']),
  /** Of a hit on a device; who may not list devices (endpoints/device-access.ts) is given none. */
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
    /** At most so many hits. */
    size: z.number().int().min(1).max(100).default(30),
  }),
  /** `more` is true when further nodes match. */
  output: z.object({ datalist: z.array(treeHit), more: z.boolean() }),
  errors: [],
})

/**
 * How the devices of a subtree are: `good` all of them speak and are believed, `caution` some do not, `alarm`
 * half of them or more do not, `none` there are no devices that the caller may see. A caller without a
 * permission to watch devices (endpoints/telemetry.ts) sees none: `none` and 0 for every node.
 */
export const nodeHealth = z.object({
  node: nodeKey,
  health: z.enum(['good', 'caution', 'alarm', 'none']),
  /** Devices in the subtree that the caller may see. */
  devCount: z.number().int().nonnegative(),
  /** Of these: how many are silent beyond their period, and how many speak with values of bad quality. */
  silentCount: z.number().int().nonnegative(),
  /** Of the silent ones: how many stand behind a silent concentrator, so that nobody can tell of them. */
  unknownCount: z.number().int().nonnegative(),
  badCount: z.number().int().nonnegative(),
})
export type NodeHealth = z.infer<typeof nodeHealth>

export const getNodeHealth = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Tree/GetNodeHealth',
  summary:
    'Counts and health of the devices below each of the nodes; a node that is not there is left out. Who may not watch devices is told of none.',
  access: sessionAccess,
  effect: 'reads',
  input: z.object({ nodes: z.array(nodeKey).min(1).max(500) }),
  output: z.object({ datalist: z.array(nodeHealth) }),
  errors: [],
})

export const treeEndpoints = { searchTree, getNodeHealth } as const
