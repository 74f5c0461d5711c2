import type { CountedHeat } from '@isotherm/contract/endpoints/monitoring/meters'
import type { DayRange } from './plant-days.ts'
import type { RegisterEnds } from './register-ends.ts'

interface Edge {
  /** Part of a gap across an end of the range that lies inside it. */
  readonly share: number
  readonly days: number
  /** Heat of the whole gap. */
  readonly whole: number
  /** Heat that is certainly inside: all of it if the gap does not cross the end. */
  readonly certain: number
}

const noEdge: Edge = { share: 0, days: 0, whole: 0, certain: 0 }

/** The gap between two readings with equal shares of its days; `inside` of them are in the range. */
function toEdge(startDay: number, start: number, endDay: number, end: number, inside: number): Edge {
  const days = endDay - startDay - 1
  if (days <= 0 || inside <= 0) return noEdge
  const whole = Math.max(0, end - start)
  return { share: (whole * inside) / days, days: inside, whole, certain: inside === days ? whole : 0 }
}

/** Heat of a register that only grows, from its ends. Gives the same sum as its days (sumHeat), but no estimated part inside. */
export function findHeatOfEnds(ends: RegisterEnds, { from, to }: DayRange): CountedHeat | undefined {
  const { firstDay, first, beforeDay, before, lastDay, last, afterDay, after, days } = ends
  const missingDays = to - from - days
  if (days === 0) {
    if (beforeDay === 0 || afterDay === 0) return undefined
    const { share, whole, certain } = toEdge(beforeDay, before, afterDay, after, to - from)
    return {
      heatKwh: share,
      estimatedKwh: share,
      lowKwh: certain,
      highKwh: whole,
      missingDays,
      uncountedDays: 0,
    }
  }
  const lead = beforeDay === 0 ? noEdge : toEdge(beforeDay, before, firstDay, first, firstDay - from)
  const trail = afterDay === 0 ? noEdge : toEdge(lastDay, last, afterDay, after, to - 1 - lastDay)
  // Without a gap the last day ends with the first reading of the day after.
  const end = afterDay === lastDay + 1 ? Math.max(last, after) : last
  const counted = Math.max(0, end - first)
  const outside = firstDay - from + (to - 1 - lastDay)
  return {
    heatKwh: counted + lead.share + trail.share,
    estimatedKwh: lead.share + trail.share,
    lowKwh: counted + lead.certain + trail.certain,
    highKwh: counted + lead.whole + trail.whole,
    missingDays,
    uncountedDays: outside - lead.days - trail.days,
  }
}
