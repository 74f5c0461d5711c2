import type { SupplyLimits } from '@isotherm/contract/command'
import type { LimitFields } from '../station/limits-draft.ts'

/** Limits of an offset of the heating curve in the form, K (contract, supplyLimits). */
export const supplyFields: LimitFields<keyof SupplyLimits> = {
  bounds: {
    minOffsetK: { min: -30, max: 30 },
    maxOffsetK: { min: -30, max: 30 },
    maxStepK: { min: 0.5, max: 30 },
  },
  minName: 'minOffsetK',
  maxName: 'maxOffsetK',
}
