import { ADDRESS_SEPARATOR, toAddressKey } from '@isotherm/contract/tree'
import { sortByName } from '@isotherm/kernel/chinese-numerals'
import type { NodeList } from '@isotherm/tree/tree'
import type { Steps } from './in-slices.ts'
import { createListBuilder, type ListBuilder } from './list-builder.ts'
import { LOADING_STOPS_AT } from './node-kinds.ts'

/** Addresses parsed, or rows built, per step. */
const STEP_SIZE = 1_000

/** Address parts by label, each with the parts below it: 1单元-301 and 1单元-302 share 1单元. */
type AddressParts = Map<string, AddressParts | undefined>

function addParts(top: AddressParts, address: string): void {
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

function* toParts(addresses: readonly string[]): Steps<AddressParts> {
  const top: AddressParts = new Map()
  for (const [index, address] of addresses.entries()) {
    addParts(top, address)
    if (index % STEP_SIZE === STEP_SIZE - 1) yield
  }
  return top
}

/** Sorts names. */
export type NameOrder = (names: readonly string[]) => readonly string[]

/** A sort of names with a cache. Most units have the same household numbers, so most lists are sorted only once. */
export function createNameOrder(): NameOrder {
  const cache = new Map<string, readonly string[]>()
  return (names) => {
    const text = names.join(ADDRESS_SEPARATOR)
    const order = cache.get(text) ?? sortByName(names, (name) => name)
    cache.set(text, order)
    return order
  }
}

/** The sub-user that addresses belong to, and its depth in the list. */
export interface AddressOwner {
  readonly key: string
  readonly level: number
  readonly depth: number
}

/** Adds the address levels below a sub-user, down to level 10. */
export function* addAddresses(
  builder: ListBuilder,
  owner: AddressOwner,
  addresses: readonly string[],
  toOrder: NameOrder,
): Steps<void> {
  let added = 0
  function* addLevel(parts: AddressParts, index: number, above: string): Steps<void> {
    const level = owner.level + index
    if (level > LOADING_STOPS_AT) return
    for (const label of toOrder([...parts.keys()])) {
      const path = above === '' ? label : `${above}${ADDRESS_SEPARATOR}${label}`
      const key = toAddressKey(owner.key, index, path)
      builder.add({ key, label, depth: owner.depth + index, level, type: 'addr', complete: true })
      added += 1
      if (added % STEP_SIZE === 0) yield
      const below = parts.get(label)
      if (below) yield* addLevel(below, index + 1, path)
    }
  }
  yield* addLevel(yield* toParts(addresses), 1, '')
}

/** The list of the address levels below a sub-user, without the sub-user. */
export function* toAddressList(
  key: string,
  level: number,
  addresses: readonly string[],
  toOrder: NameOrder,
): Steps<NodeList> {
  const builder = createListBuilder()
  yield* addAddresses(builder, { key, level, depth: 0 }, addresses, toOrder)
  return builder.list
}
