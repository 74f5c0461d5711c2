import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLiveStatus } from '../../../shared/live/use-live.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { Panel } from '../../../shared/ui/page-frame.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { campaignQuery } from '../queries.ts'
import { CampaignHead } from './campaign-head.tsx'
import { CampaignReport } from './campaign-report.tsx'
import { FigureTable } from './figures/figure-table.tsx'
import { TrendChart } from './figures/trend-chart.tsx'
import { WavePanel } from './figures/wave-panel.tsx'
import { MapPanel } from './map/map-panel.tsx'
import { MemberPanel } from './members/member-panel.tsx'
import styles from './parts/campaign.module.css'
import { HistoryList } from './parts/history-list.tsx'
import { ShortfallNote } from './parts/shortfall-note.tsx'
import { RoomPanel } from './rooms/room-table.tsx'

interface CampaignViewProps {
  readonly id: number
  readonly onClose: () => void
}

/** Refetch interval of a running campaign, ms: long with a live connection, short without one; and of one whose trim waits. */
const REFETCH_LIVE_MS = 10_000
const REFETCH_OFFLINE_MS = 3_000

const REFETCH_WAITING_MS = 60_000

/** Whether a trim will be offered later. */
const waits = ({ trimFrom, abilities }: CampaignDetail): boolean =>
  trimFrom !== undefined && abilities.includes('accept') && !abilities.includes('trim')

const goesOn = ({ state }: CampaignDetail): boolean =>
  state === 'executing' || state === 'settling' || state === 'rolling-back'

/** One campaign with all its data, shown instead of the page. */
export default function CampaignView({ id, onClose }: CampaignViewProps) {
  const { t } = useTranslation('balancing')
  const { phase } = useLiveStatus()
  const found = useQuery({
    ...campaignQuery(id),
    refetchInterval({ state: { data } }) {
      if (data && waits(data)) return REFETCH_WAITING_MS
      return data && goesOn(data) ? (phase === 'connected' ? REFETCH_LIVE_MS : REFETCH_OFFLINE_MS) : false
    },
  })
  return (
    <section className={styles.view} aria-label={t('campaign.title', { id })} data-testid="campaign-view">
      <Answer query={found}>
        {(campaign) =>
          campaign === null ? (
            <EmptyState
              title={t('campaign.gone')}
              action={<Button onClick={onClose}>{t('campaign.back')}</Button>}
            />
          ) : (
            <Campaign campaign={campaign} onClose={onClose} />
          )
        }
      </Answer>
    </section>
  )
}

function Campaign({
  campaign,
  onClose,
}: {
  readonly campaign: CampaignDetail
  readonly onClose: () => void
}) {
  const { t } = useTranslation('balancing')
  return (
    <>
      <CampaignHead campaign={campaign} onClose={onClose} />
      <ShortfallNote campaign={campaign} />
      <div className={styles.pair}>
        <div className={styles.column}>
          <Panel title={t('campaign.figures.title')}>
            <FigureTable campaign={campaign} />
          </Panel>
          <Panel title={t('campaign.history.title')}>
            <HistoryList history={campaign.history} />
          </Panel>
        </div>
        <div className={styles.column}>
          <WavePanel campaign={campaign} />
          <Panel title={t('campaign.trend.title')}>
            <TrendChart campaign={campaign} />
          </Panel>
        </div>
      </div>
      {campaign.members.length > 0 && (
        <>
          <MapPanel campaign={campaign} />
          <RoomPanel campaign={campaign} />
          <MemberPanel campaign={campaign} />
        </>
      )}
      <CampaignReport campaign={campaign} />
    </>
  )
}
