import { MINUTE_MS } from '@isotherm/kernel/durations'

const LOCK = 'isotherm.refreshing'
/** Maximum time that a crashed tab blocks the refresh, ms. */
const LOCK_LIFE_MS = MINUTE_MS
/** Time until the mark of another tab, written at the same moment, is visible, ms. */
const SETTLE_MS = 50

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export interface LockPorts {
  readonly store: Store
  readonly now: () => number
  /** Id of this tab. */
  readonly tab: string
  readonly wait: (ms: number) => Promise<void>
}

/**
 * Takes the refresh lock of all tabs with a dated mark in local storage. Web Locks are not available on plain HTTP. If
 * two tabs write at the same moment, the later mark wins. Returns the release function; undefined if another tab has
 * the lock.
 */
export async function takeRefreshLock({
  store,
  now,
  tab,
  wait,
}: LockPorts): Promise<(() => void) | undefined> {
  const since = Number(store.getItem(LOCK)?.split(' ')[0] ?? Number.NaN)
  const age = now() - since
  if (age >= 0 && age < LOCK_LIFE_MS) return undefined
  const mark = `${now()} ${tab}`
  store.setItem(LOCK, mark)
  await wait(SETTLE_MS)
  if (store.getItem(LOCK) !== mark) return undefined
  return () => store.removeItem(LOCK)
}
