import { MINUTE_MS } from '@isotherm/kernel/durations'
import { AppError } from '../app-error.ts'
import type { Clock } from '../clock.ts'

/** Counts calls by minute, in this process: of API keys or of accounts, by their ids. */
export function createMinuteLimits(clock: Pick<Clock, 'now'>) {
  const windows = new Map<number, { readonly startsAt: number; calls: number }>()
  return {
    /** Counts a call. Throws request.too-many above the limit of the minute. */
    count(id: number, callsPerMinute: number): void {
      const now = clock.now()
      const startsAt = now - (now % MINUTE_MS)
      const known = windows.get(id)
      const current = known?.startsAt === startsAt ? known : { startsAt, calls: 0 }
      windows.set(id, current)
      current.calls += 1
      if (current.calls > callsPerMinute)
        throw new AppError('request.too-many', {
          retryAfterS: Math.ceil((startsAt + MINUTE_MS - now) / 1000),
        })
    },
  }
}
