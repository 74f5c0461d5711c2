import type { Group, Project, Vauser } from '@isotherm/contract/endpoints/network'
import { ADDRESS_SEPARATOR, toAddressKey, treeLevels } from '@isotherm/contract/tree'
import { sortByName } from '@isotherm/kernel/chinese-numerals'
import type { NodeList } from '@isotherm/tree/tree'
import { createListBuilder, type ListBuilder } from './list-builder.ts'
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

/** Groups below a project or group and below each other. Sub-users of an area come later, so it is not complete. */
export function toGroupList(groups: readonly Group[]): NodeList {
  const builder = createListBuilder()
  const add = (group: Group, depth: number): void => {
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

/** Parts of addresses by label, and below each the parts that follow it: 1单元-301 and 1单元-302 share 1单元. */
type AddressParts = Map<string, AddressParts | undefined>

function toParts(addresses: readonly string[]): AddressParts {
  const top: AddressParts = new Map()
  for (const address of addresses) {
    let siblings = top
    let above: AddressParts | undefined
    let last = ''
    for (const label of address.split(ADDRESS_SEPARATOR)) {
      if (above) {
        siblings = above.get(last) ?? new Map()
        above.set(last, siblings)
      }
      if (!siblings.has(label)) siblings.set(label, undefined)
      above = siblings
      last = label
    }
  }
  return top
}

/** Puts names in order. Households are numbered alike in most units: what was ordered before is looked up. */
function createNameOrder(): (names: readonly string[]) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  return (names) => {
    const text = names.join(ADDRESS_SEPARATOR)
    const order = known.get(text) ?? sortByName(names, (name) => name)
    known.set(text, order)
    return order
  }
}

type NameOrder = ReturnType<typeof createNameOrder>

/** `key` and `level` are the sub-user's, `depth` its depth in the list; nothing stands below level 10. */
function addAddresses(
  builder: ListBuilder,
  user: { readonly key: string; readonly level: number; readonly depth: number },
  addresses: readonly string[],
  toOrder: NameOrder,
): void {
  const addLevel = (parts: AddressParts, index: number, above: string): void => {
    const level = user.level + index
    if (level > LOADING_STOPS_AT) return
    for (const label of toOrder([...parts.keys()])) {
      const path = above === '' ? label : `${above}${ADDRESS_SEPARATOR}${label}`
      const key = toAddressKey(user.key, index, path)
      builder.add({ key, label, depth: user.depth + index, level, type: 'addr', complete: true })
      const below = parts.get(label)
      if (below) addLevel(below, index + 1, path)
    }
  }
  addLevel(toParts(addresses), 1, '')
}

/** The address levels below a sub-user alone. */
export function toAddressList(key: string, level: number, addresses: readonly string[]): NodeList {
  const builder = createListBuilder()
  addAddresses(builder, { key, level, depth: 0 }, addresses, createNameOrder())
  return builder.list
}

/**
 * The sub-users below a residential area, ordered by name with numerals by value, each with its addresses,
 * and behind them the one marked for testing. Its addresses are the union of the whole company's, too many to
 * stand below every area from the start: they come when it is opened (toAddressList).
 */
export function toSubUserList(
  area: { readonly key: string; readonly level: number },
  own: readonly Vauser[],
  test: Vauser | undefined,
): NodeList {
  const builder = createListBuilder()
  const level = area.level + 1
  const toOrder = createNameOrder()
  for (const user of sortByName(own, ({ name }) => name)) {
    const { uuid: key, name: label } = user
    builder.add({ key, label, depth: 1, level, type: 'user', complete: true })
    addAddresses(builder, { key, level, depth: 1 }, user.addrlist, toOrder)
  }
  if (test) {
    const key = toPlacedKey(test.uuid, area.key)
    builder.add({ key, label: test.name, depth: 1, level, type: 'user', complete: false })
  }
  return builder.list
}
