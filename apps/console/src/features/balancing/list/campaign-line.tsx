import { ArrowRightOutlined } from '@ant-design/icons'
import type { IndexName } from '@isotherm/balancing/indices/index-meanings'
import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import type { Campaign } from '@isotherm/contract/balancing/campaign'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { CampaignBadge } from '../campaign-badge.tsx'
import { useIndexText } from '../indices/index-figure.tsx'
import { useModeText } from '../mode-text.ts'
import { StartedBy } from '../started-by.tsx'
import styles from './list.module.css'
import { toOutcome } from './outcome.ts'

/** Main index of each kind of balance. */
const judgedBy: Readonly<Record<BalanceKind, IndexName>> = {
  temperature: 'sigmaReturnK',
  sequence: 'totalFlowKgS',
  energy: 'heatIntensityVariation',
  flow: 'flowBalance',
}

interface CampaignLineProps {
  readonly campaign: Campaign
  readonly kind: BalanceKind
  readonly onOpen: (id: number) => void
}

/** Summary line of a campaign, which opens it. */
export function CampaignLine({ campaign, kind, onOpen }: CampaignLineProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const toMode = useModeText()
  const { id, state, nodeName, nestaddr, moves, movesMade, valves } = campaign
  const { excluded, round, createdBy, createdAt } = campaign
  return (
    <button type="button" className={styles.line} data-testid={`campaign-${id}`} onClick={() => onOpen(id)}>
      <span className={styles.head}>
        <span className={styles.hint}>#{id}</span>
        <CampaignBadge state={state} />
        {campaign.strategy !== undefined && <StartedBy id={campaign.strategy} />}
        {round > 1 && <span className={styles.hint}>{t('list.round', { round })}</span>}
        <strong title={toWholeAddress(nestaddr)}>{nodeName}</strong>
      </span>
      <span className={styles.mode}>{toMode(campaign.mode)}</span>
      <ChangeOf campaign={campaign} name={judgedBy[kind]} />
      <span className={styles.hint}>
        {t('list.moves', { moves, valves })}
        {round > 1 && movesMade > 0 && ` · ${t('list.movesMade', { count: movesMade })}`}
        {excluded > 0 && ` · ${t('list.excluded', { count: excluded })}`}
      </span>
      <span className={styles.hint}>
        {createdBy} · {format.instant(createdAt)}
      </span>
    </button>
  )
}

interface ChangeOfProps {
  readonly campaign: Campaign
  readonly name: IndexName
}

/** An index before and after, or predicted until measured. */
function ChangeOf({ campaign, name }: ChangeOfProps) {
  const { t } = useTranslation('balancing')
  const toText = useIndexText()
  const { kind, before, reached, isBetter } = toOutcome(campaign, name)
  return (
    <span className={styles.change} title={t(`index.${name}`)}>
      <span>{toText(name, before)}</span>
      <ArrowRightOutlined />
      <strong data-better={isBetter}>{toText(name, reached)}</strong>
      <small className={styles.hint}>{t(`list.${kind}`)}</small>
    </span>
  )
}
