import { treeHit } from '@isotherm/contract/endpoints/network/tree'
import { z } from 'zod'

const recentItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('page'), path: z.string() }),
  z.object({ kind: z.literal('node'), hit: treeHit }),
])
/** A visited page or a selected node. */
export type RecentItem = z.infer<typeof recentItem>

const recentItems = z.array(recentItem)
/** Maximum of remembered items of each kind. */
const MAX_OF_A_KIND = 5

const toKey = (item: RecentItem): string => {
  if (item.kind === 'page') return `page ${item.path}`
  return `node ${item.hit.chain.at(-1)?.node ?? ''} ${item.hit.device?.id ?? ''}`
}

/** Adds an item as the newest, without duplicates. Removes the oldest items above the maximum of their kind. */
export function addRecent(items: readonly RecentItem[], added: RecentItem): readonly RecentItem[] {
  const all = [added, ...items.filter((item) => toKey(item) !== toKey(added))]
  const newestOf = (kind: RecentItem['kind']) =>
    new Set(all.filter((item) => item.kind === kind).slice(0, MAX_OF_A_KIND))
  const newest = [newestOf('page'), newestOf('node')]
  return all.filter((item) => newest.some((group) => group.has(item)))
}

const toStorageKey = (userId: number): string => `isotherm.recent.${userId}`

/** Recently used items of this user on this machine; empty if they cannot be read. */
export function readRecent(store: Pick<Storage, 'getItem'>, userId: number): readonly RecentItem[] {
  const stored = store.getItem(toStorageKey(userId))
  if (stored === null) return []
  try {
    return recentItems.safeParse(JSON.parse(stored)).data ?? []
  } catch {
    return []
  }
}

export function saveRecent(
  store: Pick<Storage, 'getItem' | 'setItem'>,
  userId: number,
  added: RecentItem,
): void {
  store.setItem(toStorageKey(userId), JSON.stringify(addRecent(readRecent(store, userId), added)))
}
