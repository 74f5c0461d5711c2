import type { PumpLimits } from '@isotherm/contract/command'
import type { Pump } from '@isotherm/contract/endpoints/control/pumps'

export const limitNames = [
  'minHeadKpa',
  'maxHeadKpa',
  'maxStepKpa',
] as const satisfies readonly (keyof PumpLimits)[]

/** Limits as their fields hold them: null for one that is being typed. */
export type LimitsDraft = Readonly<Record<keyof PumpLimits, number | null>>

/** What was typed, and how often the limits had been changed when that began. */
export interface TypedLimits {
  readonly draft: LimitsDraft
  readonly version: number
}

/** What each field takes, kPa (contract, pumpLimits). */
export const limitBounds = {
  minHeadKpa: { min: 5, max: 999 },
  maxHeadKpa: { min: 6, max: 1_000 },
  maxStepKpa: { min: 1, max: 1_000 },
} as const satisfies Record<keyof PumpLimits, { readonly min: number; readonly max: number }>

const isWithin = (value: number, { min, max }: { readonly min: number; readonly max: number }): boolean =>
  value >= min && value <= max

/** Limits that may be set; undefined while a field is empty or out of its bounds, or the least head is not below the most. */
export function fromDraft({ minHeadKpa, maxHeadKpa, maxStepKpa }: LimitsDraft): PumpLimits | undefined {
  if (minHeadKpa === null || maxHeadKpa === null || maxStepKpa === null) return undefined
  const limits = { minHeadKpa, maxHeadKpa, maxStepKpa }
  const isWhole = limitNames.every((name) => isWithin(limits[name], limitBounds[name]))
  return isWhole && minHeadKpa < maxHeadKpa ? limits : undefined
}

/**
 * What the fields show: what was typed, else the limits as they are. `isOvertaken` when what was typed still differs and
 * somebody else has set the limits since: to save it then would undo that unseen.
 */
export function judgeDraft(
  typed: TypedLimits | undefined,
  { limits, version }: Pick<Pump, 'limits' | 'version'>,
) {
  const draft: LimitsDraft = typed?.draft ?? limits
  const isChanged = limitNames.some((name) => draft[name] !== limits[name])
  return { draft, isChanged, isOvertaken: isChanged && typed !== undefined && typed.version !== version }
}
