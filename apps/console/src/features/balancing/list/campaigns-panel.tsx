import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import type { Campaign } from '@isotherm/contract/balancing/campaign'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../shared/ui/page-frame.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.tsx'
import { CampaignLine } from './campaign-line.tsx'
import styles from './list.module.css'
import type { CampaignList } from './use-campaign-list.ts'

interface CampaignsPanelProps {
  readonly kind: BalanceKind
  readonly list: CampaignList
  readonly onOpen: (id: number) => void
}

/** The campaigns of a selection, newest first. */
export function CampaignsPanel({ kind, list, onOpen }: CampaignsPanelProps) {
  const { t } = useTranslation('balancing')
  const { campaigns, total, error } = list
  return (
    <Panel
      title={t('list.title')}
      extra={
        campaigns !== undefined &&
        total > 0 && (
          <span className={styles.hint}>{t('list.shown', { shown: campaigns.length, total })}</span>
        )
      }
    >
      {campaigns === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={list.retry} />
        ) : (
          <LoadingState />
        )
      ) : campaigns.length === 0 ? (
        <EmptyState title={t('list.none')} hint={t('list.noneHint')} />
      ) : (
        <Lines kind={kind} campaigns={campaigns} total={total} onMore={list.more} onOpen={onOpen} />
      )}
    </Panel>
  )
}

interface LinesProps {
  readonly kind: BalanceKind
  readonly campaigns: readonly Campaign[]
  readonly total: number
  readonly onMore: () => void
  readonly onOpen: (id: number) => void
}

function Lines({ kind, campaigns, total, onMore, onOpen }: LinesProps) {
  const { t } = useTranslation('balancing')
  return (
    <>
      <ul className={styles.list} data-testid="campaigns">
        {campaigns.map((campaign) => (
          <li key={campaign.id}>
            <CampaignLine campaign={campaign} kind={kind} onOpen={onOpen} />
          </li>
        ))}
      </ul>
      {campaigns.length < total && (
        <Button size="small" type="link" onClick={onMore}>
          {t('list.more')}
        </Button>
      )}
    </>
  )
}
