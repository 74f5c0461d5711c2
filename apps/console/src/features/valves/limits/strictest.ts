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

/** Limits as their fields hold them: null for one that is not set. */
export type LimitDraft = Readonly<Record<keyof ControlLimits, number | null>>

export const limitNames = [
  'minOpeningPct',
  'maxStepPct',
  'minTotalPct',
] as const satisfies readonly (keyof ControlLimits)[]

export const toDraft = (limits: ControlLimits): LimitDraft => ({
  minOpeningPct: limits.minOpeningPct ?? null,
  maxStepPct: limits.maxStepPct ?? null,
  minTotalPct: limits.minTotalPct ?? null,
})

export const fromDraft = (draft: LimitDraft): ControlLimits =>
  Object.fromEntries(limitNames.flatMap((name) => (draft[name] === null ? [] : [[name, draft[name]]])))
