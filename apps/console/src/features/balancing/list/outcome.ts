import type { IndexName } from '@isotherm/balancing/indices/index-meanings'
import { correctSigma } from '@isotherm/balancing/indices/weather-correction'
import type { Campaign } from '@isotherm/contract/balancing/campaign'
import { findBetter } from '../indices/index-value.ts'

/** Reached or expected result of a campaign, by one index. */
export interface Outcome {
  /**
   * `expected`: the forecast, until the result is measured. `after`: the measured value. `corrected`: the measured value,
   * converted to the weather before the campaign. `rolledBack`: measured before a rollback, so neither success nor failure.
   */
  readonly kind: 'after' | 'corrected' | 'rolledBack' | 'expected'
  readonly before: number | undefined
  readonly reached: number | undefined
  /** Whether it is an improvement; undefined if unknown. */
  readonly isBetter: boolean | undefined
}

export function toOutcome({ state, indices }: Pick<Campaign, 'state' | 'indices'>, name: IndexName): Outcome {
  const before = indices.before[name]
  const after = indices.after?.[name]
  if (after === undefined)
    return { kind: 'expected', before, reached: indices.expected[name], isBetter: undefined }
  if (state === 'rolling-back' || state === 'rolled-back')
    return { kind: 'rolledBack', before, reached: after, isBetter: undefined }
  const corrected =
    name === 'sigmaReturnK' && indices.after ? correctSigma(indices.before, indices.after) : undefined
  const reached = corrected ?? after
  return {
    kind: corrected === undefined ? 'after' : 'corrected',
    before,
    reached,
    isBetter: before === undefined ? undefined : findBetter(name, before, reached),
  }
}
