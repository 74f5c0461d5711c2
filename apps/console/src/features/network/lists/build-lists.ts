import type { Group, Project, Vauser } from '@isotherm/contract/endpoints/network/network'
import { treeLevels } from '@isotherm/contract/tree'
import { sortByName } from '@isotherm/kernel/chinese-numerals'
import type { NodeList } from '@isotherm/tree/tree'
import { addAddresses, type NameOrder } from './address-list.ts'
import type { Steps } from './in-slices.ts'
import { createListBuilder } from './list-builder.ts'
import { toPlacedKey } from './node-keys.ts'
import { LOADING_STOPS_AT } from './node-kinds.ts'

/** Projects below the root. */
export function toProjectList(projects: readonly Project[]): NodeList {
  const builder = createListBuilder()
  for (const { id, projectName } of projects) {
    const key = String(id)
    builder.add({
      key,
      label: projectName,
      depth: 1,
      level: treeLevels.group,
      type: 'project',
      complete: false,
    })
  }
  return builder.list
}

/**
 * Groups below a project or group, nested. Residential areas are not complete, because their sub-users are loaded later.
 * A group that occurs twice is placed at its first occurrence.
 */
export function toGroupList(groups: readonly Group[]): NodeList {
  const builder = createListBuilder()
  const seen = new Set<number>()
  const add = (group: Group, depth: number): void => {
    if (seen.has(group.id)) return
    seen.add(group.id)
    const complete = group.level < treeLevels.residentialArea || group.level >= LOADING_STOPS_AT
    builder.add({
      key: String(group.id),
      label: group.title,
      depth,
      level: group.level,
      type: 'group',
      complete,
    })
    for (const child of group.childrens) add(child, depth + 1)
  }
  for (const group of groups) add(group, 1)
  return builder.list
}

/**
 * The sub-users below a residential area with their addresses, sorted by name with numerals by value. The test-marked
 * sub-user comes last. Its addresses are the union of all addresses of the company, too many to add below every area:
 * they are loaded when it is opened (toAddressList).
 */
export function* toSubUserList(
  area: { readonly key: string; readonly level: number },
  own: readonly Vauser[],
  test: Vauser | undefined,
  toOrder: NameOrder,
): Steps<NodeList> {
  const builder = createListBuilder()
  const level = area.level + 1
  for (const user of sortByName(own, ({ name }) => name)) {
    const { uuid: key, name: label } = user
    builder.add({ key, label, depth: 1, level, type: 'user', complete: true })
    yield* addAddresses(builder, { key, level, depth: 1 }, user.addrlist, toOrder)
    yield
  }
  if (test) {
    const key = toPlacedKey(test.uuid, area.key)
    builder.add({ key, label: test.name, depth: 1, level, type: 'user', complete: false })
  }
  return builder.list
}
