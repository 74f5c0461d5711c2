import { HOUR_MS } from '@isotherm/kernel/durations'

/** Counts what is refused. The first of a reason is reported at once, later ones as a number, at most once an hour. */
export function createRefusals(report: (text: string) => void, now: () => number) {
  const byReason = new Map<string, { count: number; reportedAt: number }>()
  return {
    add(reason: string): void {
      const known = byReason.get(reason)
      if (known === undefined) {
        byReason.set(reason, { count: 0, reportedAt: now() })
        report(`a push was refused: ${reason}`)
        return
      }
      known.count++
      if (now() - known.reportedAt < HOUR_MS) return
      report(`${known.count} more pushes were refused: ${reason}`)
      byReason.set(reason, { count: 0, reportedAt: now() })
    },
  }
}
