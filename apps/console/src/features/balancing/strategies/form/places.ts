import { type NodeKey, parseNodeKey, toAddressKey, treeLevels } from '@isotherm/contract/tree'

/** A place that a group may have: a residential area, a building or a unit. */
export interface Place {
  readonly node: NodeKey
  readonly name: string
  /** Names from the residential area down, for lists in which several areas stand. */
  readonly names: readonly string[]
  readonly level: 'area' | 'building' | 'unit'
}

/** Where a valve is: its node, and the comma-joined names down to it. */
interface ValvePlace {
  readonly node: NodeKey
  readonly nestaddr: string
}

const levels = ['area', 'building', 'unit'] as const

/** The nodes above a valve from its residential area down, with their names; none for what stands above areas. */
function listAbove({ node, nestaddr }: ValvePlace): readonly Place[] {
  const key = parseNodeKey(node)
  const uuid = key.kind === 'sub-user' || key.kind === 'address' ? key.uuid : undefined
  if (uuid === undefined) return []
  const parts = key.kind === 'address' ? key.address.split('-') : []
  const names = nestaddr.split(',').slice(treeLevels.residentialArea - 1)
  return levels.flatMap((level, depth) => {
    const name = names[depth]
    if (name === undefined || depth > parts.length) return []
    const own = depth === 0 ? uuid : toAddressKey(uuid, depth, parts.slice(0, depth).join('-'))
    return [{ node: own, name, names: names.slice(0, depth + 1), level }]
  })
}

const byName = new Intl.Collator('zh', { numeric: true })

/**
 * The places of some valves in the order of their names, each once: areas and buildings, and units where all valves are
 * in one building.
 */
export function listPlaces(valves: readonly ValvePlace[]): readonly Place[] {
  const found = new Map<NodeKey, Place>()
  for (const valve of valves) for (const place of listAbove(valve)) found.set(place.node, place)
  const all = [...found.values()]
  const isOneBuilding = all.filter(({ level }) => level === 'building').length === 1
  return all
    .filter(({ level }) => level !== 'unit' || isOneBuilding)
    .sort((one, other) => byName.compare(one.names.join(','), other.names.join(',')))
}

/** Whether one node is another or stands above or below it. */
export function areNested(one: NodeKey, other: NodeKey): boolean {
  const [a, b] = [parseNodeKey(one), parseNodeKey(other)]
  if (one === other) return true
  if (!('uuid' in a) || !('uuid' in b) || a.uuid !== b.uuid) return false
  if (a.kind === 'sub-user' || b.kind === 'sub-user') return true
  const [short, long] = a.depth < b.depth ? [a, b] : [b, a]
  return short.depth !== long.depth && long.address.startsWith(`${short.address}-`)
}

/** Buildings of which no part is in any group. */
export const listFree = (places: readonly Place[], taken: readonly NodeKey[]): readonly Place[] =>
  places.filter(({ level, node }) => level === 'building' && !taken.some((other) => areNested(node, other)))
