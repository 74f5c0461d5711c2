import type { PumpLimits } from '@isotherm/contract/command'
import type { LimitFields } from '../station/limits-draft.ts'

/** Limits of a pump in the form, kPa (contract, pumpLimits). */
export const pumpFields: LimitFields<keyof PumpLimits> = {
  bounds: {
    minHeadKpa: { min: 5, max: 999 },
    maxHeadKpa: { min: 6, max: 1_000 },
    maxStepKpa: { min: 1, max: 1_000 },
  },
  minName: 'minHeadKpa',
  maxName: 'maxHeadKpa',
}
