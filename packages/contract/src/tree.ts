import { z } from 'zod'
import { INVISIBLE } from './entity.ts'

/** Id of the tree's root, which has no row in the database (specification, section 9). */
export const ROOT_KEY = '-1'

/** Levels of the tree, from the root (0) to the household (8) (specification, section 3). */
export const treeLevels = {
  root: 0,
  group: 1,
  company: 2,
  area: 3,
  station: 4,
  residentialArea: 5,
  building: 6,
  unit: 7,
  household: 8,
} as const
export type TreeLevelName = keyof typeof treeLevels

/**
 * Key of a tree node on the wire: the number of a project or group as text, the uuid of a sub-user, or
 * `{uuid}-L{index}-{address}` for an address level below a sub-user (specification, section 3).
 */
export const nodeKey = z.string().min(1).max(200)
export type NodeKey = z.infer<typeof nodeKey>

/** Name of a node, without commas, which separate names in longer texts, and without outer spaces. */
export const nodeName = z
  .string()
  .min(1)
  .max(60)
  .regex(
    new RegExp(String.raw`^[^\s,${INVISIBLE}](?:[^,${INVISIBLE}]*[^\s,${INVISIBLE}])?$`, 'u'),
    'a name has no comma and no space around it',
  )

/** Separates the parts of an address such as 1单元-301. */
export const ADDRESS_SEPARATOR = '-'

/** Name of a unit or household: a part of an address, so it has no hyphen either. */
export const addressName = nodeName.regex(/^[^-]*$/, 'a unit or household has no hyphen in its name')

/** Key of an address node: `depth` counts from 1, `address` is the path of parts down to it. */
export const toAddressKey = (subUserUuid: string, depth: number, address: string): NodeKey =>
  `${subUserUuid}-L${depth}-${address}`

const ADDRESS_KEY = /^(?<uuid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-L(?<depth>\d+)-(?<address>.+)$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export type ParsedNodeKey =
  | { readonly kind: 'root' }
  | { readonly kind: 'group'; readonly id: number }
  | { readonly kind: 'sub-user'; readonly uuid: string }
  | { readonly kind: 'address'; readonly uuid: string; readonly depth: number; readonly address: string }
  | { readonly kind: 'invalid' }

/** Parses a node key. Projects and groups share one number range and are both `group`. */
export function parseNodeKey(key: NodeKey): ParsedNodeKey {
  if (key === ROOT_KEY) return { kind: 'root' }
  if (/^[1-9]\d{0,14}$/.test(key)) return { kind: 'group', id: Number(key) }
  if (UUID.test(key)) return { kind: 'sub-user', uuid: key }
  const parts = ADDRESS_KEY.exec(key)?.groups
  if (!parts?.uuid || !parts.depth || !parts.address) return { kind: 'invalid' }
  return { kind: 'address', uuid: parts.uuid, depth: Number(parts.depth), address: parts.address }
}
