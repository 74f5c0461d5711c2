import type { StrategyDetail } from '@isotherm/contract/strategies'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import campaignStyles from '../campaign/campaign.module.css'
import { useStrategyTexts } from './use-strategy-texts.ts'

/** Most entries that are shown; what was before lies in the operation log. */
const MOST = 200

interface StrategyHistoryProps extends Pick<StrategyDetail, 'history'> {
  readonly onCampaign: (id: number) => void
}

/** What happened to a strategy and who did it, newest first, with the way to each campaign it began. */
export function StrategyHistory({ history, onCampaign }: StrategyHistoryProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const texts = useStrategyTexts()
  return (
    <ol className={campaignStyles.history} data-testid="strategy-history">
      {history
        .slice(-MOST)
        .map(({ at, event, by, outcome }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what happened keeps its place
          <li key={index} data-event={event}>
            <time dateTime={new Date(at).toISOString()}>{format.instant(at)}</time>
            <span>{t(`strategy.event.${event}`)}</span>
            {outcome && <span>{texts.outcome(outcome)}</span>}
            {outcome?.campaign !== undefined && (
              <CampaignLink id={outcome.campaign} onCampaign={onCampaign} />
            )}
            <small>{by ?? t('strategy.system')}</small>
          </li>
        ))
        .reverse()}
    </ol>
  )
}

interface CampaignLinkProps {
  readonly id: number
  readonly onCampaign: (id: number) => void
}

/** The way to a campaign that a strategy began. */
export function CampaignLink({ id, onCampaign }: CampaignLinkProps) {
  const { t } = useTranslation('balancing')
  return (
    <Button type="link" size="small" data-testid={`strategy-campaign-${id}`} onClick={() => onCampaign(id)}>
      {t('strategy.campaign', { id })}
    </Button>
  )
}
