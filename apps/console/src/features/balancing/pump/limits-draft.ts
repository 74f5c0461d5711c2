import type { PumpLimits } from '@isotherm/contract/command'
import type { Pump } from '@isotherm/contract/endpoints/control/pumps'

export const limitNames = [
  'minHeadKpa',
  'maxHeadKpa',
  'maxStepKpa',
] as const satisfies readonly (keyof PumpLimits)[]

/** Limits in the form; null while incomplete. */
export type LimitsDraft = Readonly<Record<keyof PumpLimits, number | null>>

/** Typed limits, with the version of the limits when editing started. */
export interface TypedLimits {
  readonly draft: LimitsDraft
  readonly version: number
}

/** Bounds of each field, kPa (contract, pumpLimits). */
export const limitBounds = {
  minHeadKpa: { min: 5, max: 999 },
  maxHeadKpa: { min: 6, max: 1_000 },
  maxStepKpa: { min: 1, max: 1_000 },
} as const satisfies Record<keyof PumpLimits, { readonly min: number; readonly max: number }>

const isWithin = (value: number, { min, max }: { readonly min: number; readonly max: number }): boolean =>
  value >= min && value <= max

/** Valid limits; undefined while a field is empty or out of bounds, or the minimum is not below the maximum. */
export function fromDraft({ minHeadKpa, maxHeadKpa, maxStepKpa }: LimitsDraft): PumpLimits | undefined {
  if (minHeadKpa === null || maxHeadKpa === null || maxStepKpa === null) return undefined
  const limits = { minHeadKpa, maxHeadKpa, maxStepKpa }
  const isWhole = limitNames.every((name) => isWithin(limits[name], limitBounds[name]))
  return isWhole && minHeadKpa < maxHeadKpa ? limits : undefined
}

/**
 * Content of the fields: typed values, else the present limits. `isOvertaken` if another user has saved different
 * limits since editing started: saving now would silently undo them.
 */
export function judgeDraft(
  typed: TypedLimits | undefined,
  { limits, version }: Pick<Pump, 'limits' | 'version'>,
) {
  const draft: LimitsDraft = typed?.draft ?? limits
  const isChanged = limitNames.some((name) => draft[name] !== limits[name])
  return { draft, isChanged, isOutdated: isChanged && typed !== undefined && typed.version !== version }
}
