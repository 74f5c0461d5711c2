import { quality } from '@isotherm/contract/metrics'

export type QualityFlag = keyof typeof quality

/** Gravest first. */
const order: readonly QualityFlag[] = [
  'sensorFault',
  'outOfRange',
  'implausible',
  'substituted',
  'stale',
  'maintenance',
  'clockCorrected',
]

/** The quality bits that are set, gravest first. */
export const qualityFlags = (bits: number): readonly QualityFlag[] =>
  order.filter((flag) => (bits & quality[flag]) !== 0)
