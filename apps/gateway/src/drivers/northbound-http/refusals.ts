import { HOUR_MS } from '@isotherm/kernel/durations'

/** Singular and plural of what is refused. */
interface Names {
  readonly one: string
  readonly more: string
}

const pushes: Names = { one: 'a push was refused', more: 'more pushes were refused' }
export const messages: Names = { one: 'a message was dropped', more: 'more messages were dropped' }

/**
 * Counts refused messages by reason. Reports the first of a reason at once, and later ones as a number at most once
 * an hour.
 */
export function createRefusals(report: (text: string) => void, now: () => number, { one, more } = pushes) {
  const byReason = new Map<string, { count: number; reportedAt: number }>()
  return {
    add(reason: string, count = 1): void {
      const known = byReason.get(reason)
      if (known === undefined) {
        byReason.set(reason, { count: count - 1, reportedAt: now() })
        report(`${one}: ${reason}`)
        return
      }
      known.count += count
      if (now() - known.reportedAt < HOUR_MS) return
      report(`${known.count} ${more}: ${reason}`)
      byReason.set(reason, { count: 0, reportedAt: now() })
    },
  }
}
