import type { ControlLimits } from '@isotherm/contract/command'

/** Limits of one command to a valve. The lowest mean opening is each node's own and is not passed down. */
export type StepLimits = Pick<ControlLimits, 'minOpeningPct' | 'maxStepPct'>

const defined = (values: readonly (number | undefined)[]): readonly number[] =>
  values.filter((value) => value !== undefined)

/** What counts below all of some nodes: the strictest of each limit (docs/specs/hold.md). */
export function toStrictest(limits: readonly ControlLimits[]): StepLimits {
  const lowest = defined(limits.map(({ minOpeningPct }) => minOpeningPct))
  const steps = defined(limits.map(({ maxStepPct }) => maxStepPct))
  return {
    ...(lowest.length > 0 ? { minOpeningPct: Math.max(...lowest) } : {}),
    ...(steps.length > 0 ? { maxStepPct: Math.min(...steps) } : {}),
  }
}
