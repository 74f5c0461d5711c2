import { ArrowLeftOutlined, PrinterOutlined } from '@ant-design/icons'
import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { CampaignBadge } from '../campaign-badge.tsx'
import { useModeText } from '../mode-text.ts'
import { StartedBy } from '../started-by.tsx'
import { CampaignActions } from './campaign-actions.tsx'
import styles from './parts/campaign.module.css'
import { ExportButton } from './parts/export-button.tsx'
import { StageBar } from './parts/stage-bar.tsx'
import { useCampaignTexts } from './parts/use-texts.ts'

interface CampaignHeadProps {
  readonly campaign: CampaignDetail
  readonly onClose: () => void
}

/** Head of a campaign: facts, progress and actions. */
export function CampaignHead({ campaign, onClose }: CampaignHeadProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const toModeText = useModeText()
  const { id, nodeName, nestaddr, stationName, mode, state, round, abilities } = campaign
  const isUnreadable = campaign.flows === undefined
  const isTooOld =
    !isUnreadable && state === 'draft' && abilities.includes('replan') && !abilities.includes('approve')
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <Button icon={<ArrowLeftOutlined />} onClick={onClose} data-testid="campaign-back">
          {t('campaign.back')}
        </Button>
        <h1 title={toWholeAddress(nestaddr)}>{nodeName}</h1>
        <CampaignBadge state={state} />
        {campaign.strategy !== undefined && (
          <Link to={{ search: `?strategy=${campaign.strategy}` }} data-testid="campaign-strategy">
            <StartedBy id={campaign.strategy} />
          </Link>
        )}
        {round > 1 && <span>{t('campaign.round', { round })}</span>}
        <span className={styles.faint}>{t('campaign.title', { id })}</span>
      </div>
      <p className={styles.facts}>
        <strong>{toModeText(mode)}</strong>
        {stationName !== nodeName && (
          <span>
            {t('campaign.station')} {stationName}
          </span>
        )}
        <span>{t('campaign.planned', { instant: format.instant(campaign.plannedAt) })}</span>
        {campaign.flows !== undefined && <span>{t(`campaign.flows.${campaign.flows}`)}</span>}
        <CampaignPeople campaign={campaign} />
      </p>
      <StageBar campaign={campaign} />
      <AbortNote campaign={campaign} />
      {isUnreadable && <Alert type="warning" showIcon title={t('campaign.unreadable')} />}
      <TrimWait campaign={campaign} />
      {isTooOld && <Alert type="warning" showIcon title={t('campaign.tooOld')} />}
      <div className={styles.actions} role="toolbar" aria-label={t('campaign.act.label')}>
        <CampaignActions campaign={campaign} />
        <span className={styles.spacer} />
        <Button icon={<PrinterOutlined />} onClick={() => window.print()} data-testid="campaign-print">
          {t('campaign.report.print')}
        </Button>
        <ExportButton id={id} />
      </div>
    </header>
  )
}

/** Until when a trim waits for rooms, instead of its button. */
function TrimWait({ campaign }: { readonly campaign: CampaignDetail }) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const { trimFrom, abilities } = campaign
  if (trimFrom === undefined || !abilities.includes('accept') || abilities.includes('trim')) return null
  const text = t('campaign.roomsMoving', { instant: format.instant(trimFrom) })
  return <Alert type="info" showIcon title={text} data-testid="campaign-trim-wait" />
}

/** Users and times of plan, approval and end. */
export function CampaignPeople({ campaign }: { readonly campaign: CampaignDetail }) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const { createdBy, createdAt, approvedBy, approvedAt, endedAt } = campaign
  return (
    <>
      <span>{t('campaign.created', { account: createdBy, instant: format.instant(createdAt) })}</span>
      {approvedBy !== undefined && (
        <span>{t('campaign.approved', { account: approvedBy, instant: format.instant(approvedAt) })}</span>
      )}
      {endedAt !== undefined && <span>{t('campaign.ended', { instant: format.instant(endedAt) })}</span>}
    </>
  )
}

/** Reason of an automatic abort, and the state of the valves. */
function AbortNote({ campaign }: { readonly campaign: CampaignDetail }) {
  const { t } = useTranslation('balancing')
  const texts = useCampaignTexts()
  const { abort, state } = campaign
  if (abort === undefined) return null
  const isOpen = state === 'aborted'
  return (
    <Alert
      type={isOpen ? 'error' : 'info'}
      showIcon
      data-testid="campaign-abort"
      title={t('campaign.abort.title')}
      description={
        <>
          {texts.abort(campaign, abort)} {t(isOpen ? 'campaign.abort.now' : 'campaign.abort.nowOver')}
        </>
      }
    />
  )
}
