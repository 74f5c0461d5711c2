import type { ControlLimits } from '@isotherm/contract/command'

/** Limits as their fields hold them: null for one that is not set. */
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

/** What was typed into the fields, and how often the limits had been changed when that began. */
export interface TypedLimits {
  readonly draft: LimitDraft
  readonly version: number
}

/**
 * What the fields show: what was typed, else the limits as they are. `isOvertaken` when what was typed still differs and
 * somebody else has set the limits since: to save it then would undo that unseen.
 */
export function judgeDraft(typed: TypedLimits | undefined, limits: ControlLimits, version: number) {
  const before = toDraft(limits)
  const draft = typed?.draft ?? before
  const isChanged = limitNames.some((name) => draft[name] !== before[name])
  return { draft, isChanged, isOvertaken: isChanged && typed !== undefined && typed.version !== version }
}
