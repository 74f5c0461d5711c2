import { parseIds, toIdsText } from './id-list.ts'

/** Longest list that an address carries itself: a server takes some 16,000 signs of address and headers together. */
const MOST_SIGNS = 3_000
const PREFIX = 'kept-'
/** Under this key stand the names of what is kept, that used last at the end; under it and a name the list. */
const KEY = 'isotherm.valves'
const MOST_KEPT = 8

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
const getWindowStore = (): Store => sessionStorage

/** A name that the same list always gets (FNV-1a, 32 bits, and how long it is). */
function toName(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return `${(hash >>> 0).toString(36)}-${text.length}`
}

/** Notes that a list was used; the one that was not for longest goes. */
function touch(store: Store, name: string): void {
  const others = (store.getItem(KEY) ?? '').split(',').filter((each) => each !== '' && each !== name)
  for (const old of others.splice(0, Math.max(0, others.length + 1 - MOST_KEPT))) {
    store.removeItem(`${KEY}.${old}`)
  }
  store.setItem(KEY, [...others, name].join(','))
}

/**
 * Ids for the address. A scattered selection of thousands is kept in this window's storage under a name that the
 * address carries: it survives a reload and the back button, and is gone with the window.
 */
export function keepIds(ids: readonly number[], getStore = getWindowStore): string {
  const text = toIdsText(ids)
  if (text.length <= MOST_SIGNS) return text
  const name = toName(text)
  const store = getStore()
  store.setItem(`${KEY}.${name}`, text)
  touch(store, name)
  return PREFIX + name
}

/** The ids an address carries or names; none when what it names is gone. */
export function recallIds(text: string | null, getStore = getWindowStore): readonly number[] {
  if (!text?.startsWith(PREFIX)) return parseIds(text)
  const name = text.slice(PREFIX.length)
  const store = getStore()
  const kept = store.getItem(`${KEY}.${name}`)
  if (kept !== null) touch(store, name)
  return parseIds(kept)
}
