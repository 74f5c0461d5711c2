import { LRUCache } from 'lru-cache'
import type { Clock } from '../../platform/clock.ts'
import type { Caller } from '../../platform/http/call.ts'

const MAX_CALLERS = 20_000
/** Age at which a caller is read again, ms. Only the database shows that its session was idle for too long. */
const MAX_AGE_MS = 60_000

/** Callers by token, each as of an access revision. */
export interface CallerCache {
  /** Undefined if the caller must be read: it is not known at this revision, too old, or its token has expired. */
  find(key: string, revision: number): Caller | undefined
  /** `readAt`: when its reading began, Unix ms. */
  store(key: string, revision: number, caller: Caller, readAt: number): void
  readonly size: number
}

export function createCallerCache(clock: Pick<Clock, 'now'>): CallerCache {
  const callers = new LRUCache<
    string,
    { readonly revision: number; readonly caller: Caller; readonly readAt: number }
  >({ max: MAX_CALLERS })
  let forgottenAt = clock.now()

  /** Tokens are exchanged while a session lasts, and nobody asks for the caller of an old one again. */
  function forgetOld(now: number): void {
    if (now - forgottenAt < MAX_AGE_MS) return
    forgottenAt = now
    for (const [key, { readAt }] of [...callers.entries()])
      if (now - readAt >= MAX_AGE_MS) callers.delete(key)
  }

  return {
    find(key, revision) {
      const known = callers.get(key)
      const now = clock.now()
      if (known?.revision !== revision || now - known.readAt >= MAX_AGE_MS) return undefined
      return known.caller.expiresAt > now ? known.caller : undefined
    },
    store(key, revision, caller, readAt) {
      forgetOld(clock.now())
      callers.set(key, { revision, caller, readAt })
    },
    get size() {
      return callers.size
    },
  }
}
