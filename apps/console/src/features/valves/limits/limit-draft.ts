import type { ControlLimits } from '@isotherm/contract/command'

/** Limits as form values; null means not set. */
type LimitDraft = Readonly<Record<keyof ControlLimits, number | null>>

export const limitNames = [
  'minOpeningPct',
  'maxStepPct',
  'minTotalPct',
] as const satisfies readonly (keyof ControlLimits)[]

const toDraft = (limits: ControlLimits): LimitDraft => ({
  minOpeningPct: limits.minOpeningPct ?? null,
  maxStepPct: limits.maxStepPct ?? null,
  minTotalPct: limits.minTotalPct ?? null,
})

export const fromDraft = (draft: LimitDraft): ControlLimits =>
  Object.fromEntries(limitNames.flatMap((name) => (draft[name] === null ? [] : [[name, draft[name]]])))

/** Typed values, and the version of the limits when the typing began. */
export interface TypedLimits {
  readonly draft: LimitDraft
  readonly version: number
}

/**
 * The values of the form: the typed ones, else the current limits. `isConflicting`: another user changed the limits since
 * the typing began, and the typed values still differ. Saving would overwrite that change.
 */
export function compareDraft(typed: TypedLimits | undefined, limits: ControlLimits, version: number) {
  const before = toDraft(limits)
  const draft = typed?.draft ?? before
  const isChanged = limitNames.some((name) => draft[name] !== before[name])
  return { draft, isChanged, isConflicting: isChanged && typed !== undefined && typed.version !== version }
}
