import { quality } from '@isotherm/contract/metrics'

export type QualityFlag = keyof typeof quality

/** Most severe first. */
const order: readonly QualityFlag[] = [
  'sensorFault',
  'outOfRange',
  'implausible',
  'substituted',
  'stale',
  'maintenance',
  'clockCorrected',
]

/** The set quality bits, most severe first. */
export const qualityFlags = (bits: number): readonly QualityFlag[] =>
  order.filter((flag) => (bits & quality[flag]) !== 0)
