import { MINUTE_MS } from '@isotherm/kernel/durations'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'

/** Counts the calls of API keys by minute, in this process. */
export function createKeyLimits(clock: Pick<Clock, 'now'>) {
  const windows = new Map<number, { readonly startsAt: number; calls: number }>()
  return {
    /** Counts a call. Throws request.too-many above the limit of the minute. */
    count(keyId: number, callsPerMinute: number): void {
      const now = clock.now()
      const startsAt = now - (now % MINUTE_MS)
      const known = windows.get(keyId)
      const current = known?.startsAt === startsAt ? known : { startsAt, calls: 0 }
      windows.set(keyId, current)
      current.calls += 1
      if (current.calls > callsPerMinute)
        throw new AppError('request.too-many', {
          retryAfterS: Math.ceil((startsAt + MINUTE_MS - now) / 1000),
        })
    },
  }
}
