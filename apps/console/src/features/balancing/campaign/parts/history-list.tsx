import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { useTranslation } from 'react-i18next'
import { EventLine, EventList } from '../../../../shared/ui/event-list.tsx'
import { useCampaignTexts } from './use-texts.ts'
import { withoutWaves } from './wave-times.ts'

const tones: Readonly<Partial<Record<CampaignDetail['history'][number]['event'], 'good' | 'alarm'>>> = {
  abort: 'alarm',
  verified: 'good',
  accept: 'good',
}

/** History of a campaign, oldest first, without its waves. */
export function HistoryList({ history }: Pick<CampaignDetail, 'history'>) {
  const { t } = useTranslation('balancing')
  const texts = useCampaignTexts()
  return (
    <EventList testId="campaign-history">
      {withoutWaves(history).map(({ at, event, by }, index) => (
        <EventLine
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of events does not change
          key={index}
          at={at}
          name={texts.event(event)}
          by={by ?? t('campaign.history.system')}
          tone={tones[event]}
        />
      ))}
    </EventList>
  )
}
