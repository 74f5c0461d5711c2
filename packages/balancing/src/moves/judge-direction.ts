/** Answer of a valve to a command, openings in %. */
export interface OpeningAnswer {
  readonly orderedPct: number
  /** What the valve reported before the command; null if that is not known. */
  readonly beforePct: number | null
  /** What it reported after it had carried the command out. */
  readonly reportedPct: number
}

/**
 * `inverted`: wired or configured the wrong way round. `suspected`: its answers say so, but are too few. It is not known
 * whether such a valve goes to 100 − p or only reports so.
 */
export type Direction = 'inverted' | 'suspected' | 'usual'

/** An order distinguishes p from 100 − p if they differ by this, percentage points. */
const MIN_APART_PCT = 20
/**
 * Smallest distance of the orders, percentage points. The reports of a valve that follows change with its orders, those of an
 * inverted one against them: with orders d apart and a tolerance of 3, only a feedback whose error changes by 2·d − 6 in between
 * could look inverted.
 */
const MIN_SPREAD_PCT = 8

/**
 * Judges by the answers of a valve since the last one that shows that it follows, in the order of time. A report within
 * `tolerancePct` of an order confirms it. Inverted is a valve that reported 100 − p for every order p, and for at least two
 * different ones that distinguish p from 100 − p. A report of 0 or 100 is no evidence, because a broken feedback gives it
 * too; nor is a report that did not change. Worked example: judge-direction.test.ts.
 */
export function judgeDirection(answers: readonly OpeningAnswer[], tolerancePct: number): Direction {
  const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= tolerancePct
  const isAgainst = ({ orderedPct, reportedPct }: OpeningAnswer): boolean =>
    isNear(reportedPct, 100 - orderedPct)
  const hasChanged = ({ beforePct, reportedPct }: OpeningAnswer): boolean =>
    beforePct === null || !isNear(reportedPct, beforePct)
  const followed = answers.findLastIndex(
    (answer) => isNear(answer.reportedPct, answer.orderedPct) && !isAgainst(answer),
  )
  const since = answers
    .slice(followed + 1)
    .filter((answer) => answer.reportedPct > 0 && answer.reportedPct < 100 && hasChanged(answer))
  const orders = since.map(({ orderedPct }) => orderedPct)
  const informative = new Set(orders.filter((ordered) => Math.abs(100 - 2 * ordered) >= MIN_APART_PCT))
  if (informative.size === 0 || !since.every(isAgainst)) return 'usual'
  const isSure = informative.size > 1 && Math.max(...orders) - Math.min(...orders) >= MIN_SPREAD_PCT
  return isSure ? 'inverted' : 'suspected'
}
