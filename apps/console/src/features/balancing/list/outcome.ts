import type { IndexName } from '@isotherm/balancing/indices/index-meanings'
import type { Campaign } from '@isotherm/contract/balancing/campaign'
import { findBetter } from '../indices/index-value.ts'

/**
 * What a campaign came to: `after` as measured, `turnedBack` as measured before its valves were turned back again, so that it
 * is no success and no failure any more, `expected` as long as nothing is measured.
 */
export interface Outcome {
  readonly kind: 'after' | 'turnedBack' | 'expected'
  readonly before: number | undefined
  readonly reached: number | undefined
  /** Whether it is for the better; undefined where that cannot be said. */
  readonly isBetter: boolean | undefined
}

export function toOutcome({ state, indices }: Pick<Campaign, 'state' | 'indices'>, name: IndexName): Outcome {
  const before = indices.before[name]
  const after = indices.after?.[name]
  if (after === undefined)
    return { kind: 'expected', before, reached: indices.expected[name], isBetter: undefined }
  if (state === 'rolling-back' || state === 'rolled-back')
    return { kind: 'turnedBack', before, reached: after, isBetter: undefined }
  return {
    kind: 'after',
    before,
    reached: after,
    isBetter: before === undefined ? undefined : findBetter(name, before, after),
  }
}
