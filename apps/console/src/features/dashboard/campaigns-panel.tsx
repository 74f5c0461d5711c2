import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import type { Campaign, CampaignState } from '@isotherm/contract/balancing/campaign'
import { getCampaigns } from '@isotherm/contract/endpoints/control/balancing'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { toCompactAddress, toWholeAddress } from '../../shared/format/address.ts'
import { useFormat } from '../../shared/format/use-format.ts'
import { useMayCall } from '../../shared/session/may-call.ts'
import { Answer } from '../../shared/ui/answer.tsx'
import type { Tone } from '../../shared/ui/badge.tsx'
import { Panel } from '../../shared/ui/page-frame.tsx'
import styles from './dashboard.module.css'
import { campaignsQuery } from './queries.ts'

/** Page of each kind of balance. */
const paths: Readonly<Record<BalanceKind, string>> = {
  temperature: '/ewph/eqmonitor',
  sequence: '/ewph/sxmonitor',
  energy: '/ewph/enmonitor',
  flow: '/ewph/flowmonitor',
}

/** Tones of the states that are listed. */
const tones: Readonly<Partial<Record<CampaignState, Tone>>> = {
  executing: 'accent',
  settling: 'accent',
  paused: 'caution',
  'rolling-back': 'caution',
  verified: 'good',
  aborted: 'alarm',
}

/** Whether the user may see campaigns of any kind. */
export const useMaySeeCampaigns = (): boolean => useMayCall(getCampaigns)

/** Campaigns that run or wait for a decision; each leads to its page. Hidden while there are none. */
export function CampaignsPanel({ nodes }: { readonly nodes: readonly NodeKey[] }) {
  const { t } = useTranslation('dashboard')
  const campaigns = useQuery(campaignsQuery(nodes))
  if (campaigns.data?.total === 0) return null
  return (
    <Panel title={t('tile.campaigns')} className={styles.wide ?? ''}>
      <Answer query={campaigns}>
        {({ datalist }) => (
          <ul className={styles.lines} data-testid="home-campaigns">
            {datalist.map((campaign) => (
              <CampaignItem key={campaign.id} campaign={campaign} />
            ))}
          </ul>
        )}
      </Answer>
    </Panel>
  )
}

function CampaignItem({ campaign }: { readonly campaign: Campaign }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const { id, state, mode, nestaddr, createdBy, createdAt, moved, moves } = campaign
  return (
    <li>
      <Link to={`${paths[mode.kind]}?campaign=${id}`} title={toWholeAddress(nestaddr)}>
        {toCompactAddress(nestaddr)}
      </Link>
      <span>{t(`campaign.kind.${mode.kind}`)}</span>
      <span className={`badge badge-${tones[state] ?? 'muted'}`}>{t(`campaign.state.${state}`)}</span>
      {state === 'executing' && <span className={styles.hint}>{t('campaign.moved', { moved, moves })}</span>}
      <span className={styles.hint}>
        {createdBy} · {format.instant(createdAt)}
      </span>
    </li>
  )
}
