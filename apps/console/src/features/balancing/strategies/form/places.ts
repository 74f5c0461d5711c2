import { type NodeKey, parseNodeKey, toAddressKey, treeLevels } from '@isotherm/contract/tree'

/** A place for a group: a building or a unit. */
export interface Place {
  readonly node: NodeKey
  readonly level: 'building' | 'unit'
  readonly name: string
  /** Name of its residential area. */
  readonly area: string
}

/** Place of a valve: its node and comma-joined names. */
interface ValvePlace {
  readonly node: NodeKey
  readonly nestaddr: string
}

/** Building and unit of a valve; undefined above building level. A building is a sub-user of the tree. */
function listAbove({ node, nestaddr }: ValvePlace): readonly Place[] {
  const key = parseNodeKey(node)
  if (key.kind !== 'sub-user' && key.kind !== 'address') return []
  const names = nestaddr.split(',')
  const nameAt = (level: number) => names[level - 1] ?? ''
  const area = nameAt(treeLevels.residentialArea)
  const building: Place = { node: key.uuid, level: 'building', name: nameAt(treeLevels.building), area }
  const part = key.kind === 'address' ? key.address.split('-')[0] : undefined
  if (part === undefined) return [building]
  const name = `${building.name} ${nameAt(treeLevels.unit)}`
  return [building, { node: toAddressKey(key.uuid, 1, part), level: 'unit', name, area }]
}

const byName = new Intl.Collator('zh', { numeric: true })

/** Distinct places of some valves, sorted by name: buildings, or units if all valves are in one building. */
export function listPlaces(valves: readonly ValvePlace[]): readonly Place[] {
  const found = new Map<NodeKey, Place>()
  for (const valve of valves) for (const place of listAbove(valve)) found.set(place.node, place)
  const all = [...found.values()]
  const isOneBuilding = all.filter(({ level }) => level === 'building').length === 1
  return all
    .filter(({ level }) => level !== 'unit' || isOneBuilding)
    .sort((one, other) => byName.compare(one.area, other.area) || byName.compare(one.name, other.name))
}

/** Whether two nodes are equal or one is above the other. */
export function areNested(one: NodeKey, other: NodeKey): boolean {
  if (one === other) return true
  const [a, b] = [parseNodeKey(one), parseNodeKey(other)]
  if (!('uuid' in a) || !('uuid' in b) || a.uuid !== b.uuid) return false
  if (a.kind === 'sub-user' || b.kind === 'sub-user') return true
  const [short, long] = a.depth < b.depth ? [a, b] : [b, a]
  return short.depth !== long.depth && long.address.startsWith(`${short.address}-`)
}

/** Buildings without a part in any group. */
export const listFree = (places: readonly Place[], taken: readonly NodeKey[]): readonly Place[] =>
  places.filter(({ level, node }) => level === 'building' && !taken.some((other) => areNested(node, other)))

/** Groups places by residential area, in order. */
export function listAreas(places: readonly Place[]): readonly (readonly [string, readonly Place[]])[] {
  const areas = new Map<string, Place[]>()
  for (const place of places) areas.set(place.area, [...(areas.get(place.area) ?? []), place])
  return [...areas]
}
