import type { IndexName } from '@isotherm/balancing/indices/index-meanings'
import type { Campaign } from '@isotherm/contract/balancing/campaign'
import { findBetter } from '../indices/index-value.ts'

/**
 * Outcome of a campaign: `after` as measured; `rolledBack` as measured before a rollback, so neither success nor
 * failure; `expected` until measured.
 */
export interface Outcome {
  readonly kind: 'after' | 'rolledBack' | 'expected'
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
  return {
    kind: 'after',
    before,
    reached: after,
    isBetter: before === undefined ? undefined : findBetter(name, before, after),
  }
}
