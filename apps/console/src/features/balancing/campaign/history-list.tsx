import type { CampaignDetail } from '@isotherm/contract/balancing'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import styles from './campaign.module.css'
import { useCampaignTexts } from './use-texts.ts'
import { withoutWaves } from './wave-times.ts'

/** What happened to a campaign and who did it, oldest first; its waves stand in a table of their own. */
export function HistoryList({ history }: Pick<CampaignDetail, 'history'>) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const texts = useCampaignTexts()
  return (
    <ol className={styles.history} data-testid="campaign-history">
      {withoutWaves(history).map(({ at, event, by }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what happened keeps its place
        <li key={index} data-event={event}>
          <time dateTime={new Date(at).toISOString()}>{format.instant(at)}</time>
          <span>{texts.event(event)}</span>
          <small>{by ?? t('campaign.history.system')}</small>
        </li>
      ))}
    </ol>
  )
}
