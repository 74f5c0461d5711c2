import { MOST_LIVE_NODES } from '@isotherm/contract/live'
import type { TFunction } from 'i18next'
import { TOO_MANY_NODES } from './live-client.ts'

/** Why there are no live data, from the code of the refusal. */
export function toRefusalText(t: TFunction, code: string): string {
  if (code === TOO_MANY_NODES) return t('live.tooManyNodes', { ns: 'common', limit: MOST_LIVE_NODES })
  return t(code === 'live.too-many' ? 'live.tooMany' : 'live.refused', { ns: 'common' })
}
