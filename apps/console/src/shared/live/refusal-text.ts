import { MAX_LIVE_NODES } from '@isotherm/contract/live'
import { useTranslation } from 'react-i18next'
import { TOO_MANY_NODES } from './live-client.ts'

/** Text for the code of a live refusal. */
export function useRefusalText(): (code: string) => string {
  const { t } = useTranslation('common')
  return (code) => {
    if (code === TOO_MANY_NODES) return t('live.tooManyNodes', { limit: MAX_LIVE_NODES })
    return t(code === 'live.too-many' ? 'live.tooMany' : 'live.refused')
  }
}
