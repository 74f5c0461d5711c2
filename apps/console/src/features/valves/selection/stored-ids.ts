import { parseIds, toIdsText } from './id-list.ts'

/** Longest list in an address, characters: a server accepts about 16,000 for address and headers together. */
const MAX_CHARACTERS = 3_000
const PREFIX = 'kept-'
/** This key stores the names of the stored lists, the most recently used last. `{KEY}.{name}` stores a list. */
const KEY = 'isotherm.valves'
const MAX_STORED = 8

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
const getWindowStore = (): Store => sessionStorage

/** A name for a list, always the same for the same list: its hash (FNV-1a, 32 bits) and its length. */
function toName(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return `${(hash >>> 0).toString(36)}-${text.length}`
}

/** Marks a list as used and removes the least recently used list. */
function touch(store: Store, name: string): void {
  const others = (store.getItem(KEY) ?? '').split(',').filter((each) => each !== '' && each !== name)
  for (const old of others.splice(0, Math.max(0, others.length + 1 - MAX_STORED))) {
    store.removeItem(`${KEY}.${old}`)
  }
  store.setItem(KEY, [...others, name].join(','))
}

/**
 * Ids as text for the address. A long list is stored in the session storage, and the address has its name. It survives a
 * reload and the back button, but not the window.
 */
export function storeIds(ids: readonly number[], getStore = getWindowStore): string {
  const text = toIdsText(ids)
  if (text.length <= MAX_CHARACTERS) return text
  const name = toName(text)
  const store = getStore()
  store.setItem(`${KEY}.${name}`, text)
  touch(store, name)
  return PREFIX + name
}

/** The ids of an address text; empty if the stored list no longer exists. */
export function loadIds(text: string | null, getStore = getWindowStore): readonly number[] {
  if (!text?.startsWith(PREFIX)) return parseIds(text)
  const name = text.slice(PREFIX.length)
  const store = getStore()
  const stored = store.getItem(`${KEY}.${name}`)
  if (stored !== null) touch(store, name)
  return parseIds(stored)
}
