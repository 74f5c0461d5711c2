import type { StrategyDetail } from '@isotherm/contract/strategies'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { EventLine, EventList } from '../../../shared/ui/event-list.tsx'
import { useStrategyTexts } from './use-strategy-texts.ts'

/** Most entries that are shown; what was before lies in the operation log. */
const MOST = 200

interface StrategyHistoryProps extends Pick<StrategyDetail, 'history'> {
  readonly onCampaign: (id: number) => void
}

/** What happened to a strategy and who did it, newest first, with the way to each campaign it began. */
export function StrategyHistory({ history, onCampaign }: StrategyHistoryProps) {
  const { t } = useTranslation('balancing')
  const texts = useStrategyTexts()
  return (
    <EventList testId="strategy-history">
      {history
        .slice(-MOST)
        .map(({ at, event, by, outcome }, index) => (
          <EventLine
            // biome-ignore lint/suspicious/noArrayIndexKey: what happened keeps its place
            key={index}
            at={at}
            name={t(`strategy.event.${event}`)}
            by={by ?? t('strategy.system')}
          >
            {outcome && <span>{texts.remark(outcome)}</span>}
            {outcome?.campaign !== undefined && (
              <CampaignLink id={outcome.campaign} onCampaign={onCampaign} />
            )}
          </EventLine>
        ))
        .reverse()}
    </EventList>
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
