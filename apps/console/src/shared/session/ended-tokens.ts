import { z } from 'zod'

/** Key in the local storage for sessions that were logged out of while the server was away. */
const KEY = 'isotherm.ended'
/** The server takes as many at once. */
const MAX_ENDED = 20

const ended = z.array(z.object({ hash: z.string(), expiresAt: z.number() }))
type Ended = z.infer<typeof ended>

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

function read(store: Store, now: number): Ended {
  try {
    return ended.parse(JSON.parse(store.getItem(KEY) ?? '[]')).filter(({ expiresAt }) => expiresAt > now)
  } catch {
    return []
  }
}

function write(store: Store, list: Ended): void {
  if (list.length === 0) store.removeItem(KEY)
  else store.setItem(KEY, JSON.stringify(list.slice(-MAX_ENDED)))
}

/** Hashes of the tokens whose sessions the server still has to end. They cannot be used to sign in. */
export const listEnded = (store: Store, now: number): readonly string[] =>
  read(store, now).map(({ hash }) => hash)

export const storeEnded = (store: Store, hash: string, expiresAt: number, now: number): void =>
  write(store, [...read(store, now).filter((each) => each.hash !== hash), { hash, expiresAt }])

export const forgetEnded = (store: Store, hashes: readonly string[], now: number): void =>
  write(
    store,
    read(store, now).filter(({ hash }) => !hashes.includes(hash)),
  )
