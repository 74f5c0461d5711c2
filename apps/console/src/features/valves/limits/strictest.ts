import type { ControlLimits } from '@isotherm/contract/command'

/** Limits of one command to a valve. The minimum mean opening is checked per node and is not inherited. */
export type StepLimits = Pick<ControlLimits, 'minOpeningPct' | 'maxStepPct'>

const defined = (values: readonly (number | undefined)[]): readonly number[] =>
  values.filter((value) => value !== undefined)

/** The limits in force below all of the nodes: the strictest of each kind (docs/specs/hold.md). */
export function toStrictest(limits: readonly ControlLimits[]): StepLimits {
  const lowest = defined(limits.map(({ minOpeningPct }) => minOpeningPct))
  const steps = defined(limits.map(({ maxStepPct }) => maxStepPct))
  return {
    ...(lowest.length > 0 ? { minOpeningPct: Math.max(...lowest) } : {}),
    ...(steps.length > 0 ? { maxStepPct: Math.min(...steps) } : {}),
  }
}
