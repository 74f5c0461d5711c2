import {
  STRATEGY_HISTORY_PAGE,
  type StrategyDetail,
  type StrategyHistoryEntry,
} from '@isotherm/contract/balancing/strategies'
import { useQuery } from '@tanstack/react-query'
import { Button, Pagination } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Answer } from '../../../shared/ui/answer.tsx'
import { EventLine, EventList } from '../../../shared/ui/event-list.tsx'
import { strategyHistoryQuery } from './strategy-queries.ts'
import { useStrategyTexts } from './use-strategy-texts.ts'

interface StrategyHistoryProps {
  readonly strategy: Pick<StrategyDetail, 'id' | 'history' | 'historyTotal'>
  readonly onCampaign: (id: number) => void
}

/** History of a strategy, newest first, in pages, with links to its campaigns. */
export function StrategyHistory({ strategy, onCampaign }: StrategyHistoryProps) {
  const { t } = useTranslation('balancing')
  const { id, history, historyTotal } = strategy
  const [page, setPage] = useState(1)
  return (
    <>
      {page === 1 ? (
        <Events entries={history.toReversed()} onCampaign={onCampaign} />
      ) : (
        <OlderEvents id={id} page={page} onCampaign={onCampaign} />
      )}
      {historyTotal > STRATEGY_HISTORY_PAGE && (
        <Pagination
          size="small"
          current={page}
          pageSize={STRATEGY_HISTORY_PAGE}
          total={historyTotal}
          showSizeChanger={false}
          showTotal={(total) => t('strategy.entries', { total })}
          onChange={setPage}
        />
      )}
    </>
  )
}

interface OlderEventsProps extends Pick<StrategyHistoryProps, 'onCampaign'> {
  readonly id: number
  readonly page: number
}

/** A page of older history, loaded separately. */
function OlderEvents({ id, page, onCampaign }: OlderEventsProps) {
  const found = useQuery(strategyHistoryQuery(id, page))
  return (
    <Answer query={found}>{({ datalist }) => <Events entries={datalist} onCampaign={onCampaign} />}</Answer>
  )
}

interface EventsProps extends Pick<StrategyHistoryProps, 'onCampaign'> {
  readonly entries: readonly StrategyHistoryEntry[]
}

function Events({ entries, onCampaign }: EventsProps) {
  const { t } = useTranslation('balancing')
  const texts = useStrategyTexts()
  return (
    <EventList testId="strategy-history">
      {entries.map(({ at, event, by, outcome, supply }, index) => (
        <EventLine
          // biome-ignore lint/suspicious/noArrayIndexKey: events have no id
          key={index}
          at={at}
          name={t(`strategy.event.${event}`)}
          by={by ?? t('strategy.system')}
        >
          {outcome && <span>{texts.remark(outcome)}</span>}
          {supply && <span>{texts.supply(supply)}</span>}
          {outcome?.campaign !== undefined && <CampaignLink id={outcome.campaign} onCampaign={onCampaign} />}
        </EventLine>
      ))}
    </EventList>
  )
}

interface CampaignLinkProps {
  readonly id: number
  readonly onCampaign: (id: number) => void
}

/** Link to a campaign of a strategy. */
export function CampaignLink({ id, onCampaign }: CampaignLinkProps) {
  const { t } = useTranslation('balancing')
  return (
    <Button type="link" size="small" data-testid={`strategy-campaign-${id}`} onClick={() => onCampaign(id)}>
      {t('strategy.campaign', { id })}
    </Button>
  )
}
