import { MINUTE_MS } from '@isotherm/kernel/durations'

const LOCK = 'isotherm.refreshing'
/** A tab that died while refreshing holds the others up no longer than this. */
const LOCK_LIFE_MS = MINUTE_MS
/** Within this time another tab's mark is seen, if it put one down in the same moment. */
const SETTLE_MS = 50

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export interface LockPorts {
  readonly store: Store
  readonly now: () => number
  /** Tells this tab from the others. */
  readonly tab: string
  readonly wait: (ms: number) => Promise<void>
}

/**
 * Takes the right to refresh among all tabs, by a dated mark in local storage: Web Locks would be better and
 * do not exist on plain HTTP. Of two tabs that mark in the same moment the later one has it. Gives what
 * releases it, or nothing when another tab is at it.
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
