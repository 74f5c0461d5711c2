import { CheckCircleOutlined, ExclamationCircleOutlined } from '@ant-design/icons'
import type { Finding } from '@isotherm/contract/alarms/finding'
import { getFindings } from '@isotherm/contract/endpoints/monitoring/findings'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format/use-format.ts'
import { useMayCall } from '../session/may-call.ts'
import { Badge } from '../ui/badge.tsx'
import { ErrorState, LoadingState } from '../ui/states.tsx'
import styles from './devices.module.css'
import { findingsQuery } from './findings-query.ts'
import { useEvidenceText } from './use-evidence-text.ts'

/** Whether the user may see the findings of devices. */
export const useMaySeeFindings = (): boolean => useMayCall(getFindings)

/** Findings of the plausibility rules in the readings of a device, with their evidence; hidden without permission. */
export function DeviceFindings({ deviceId }: { readonly deviceId: number }) {
  const { t } = useTranslation('common')
  const maySee = useMaySeeFindings()
  const findings = useQuery({ ...findingsQuery(deviceId), enabled: maySee })
  if (!maySee) return null
  return (
    <section aria-label={t('device.finding.title')} data-testid="device-findings">
      <h3>{t('device.finding.title')}</h3>
      {findings.isPending ? (
        <LoadingState />
      ) : findings.isError ? (
        <ErrorState error={findings.error} onRetry={() => findings.refetch()} />
      ) : findings.data.total === 0 ? (
        <Badge tone="good" icon={<CheckCircleOutlined />}>
          {t('device.finding.none')}
        </Badge>
      ) : (
        <ul className={styles.list}>
          {findings.data.datalist.map((finding) => (
            <FindingItem key={finding.id} finding={finding} />
          ))}
        </ul>
      )}
    </section>
  )
}

function FindingItem({ finding }: { readonly finding: Finding }) {
  const { t } = useTranslation('common')
  const format = useFormat()
  const toEvidence = useEvidenceText()
  const { since, until, detail } = finding
  const evidence = toEvidence(detail)
  return (
    <li>
      <FindingBadge finding={finding} />
      <span className={styles.hint}>
        {until === undefined
          ? t('device.finding.since', { since: format.instant(since) })
          : t('device.finding.over', { since: format.instant(since), until: format.instant(until) })}
      </span>
      {evidence !== '' && <span className={styles.hint}>{evidence}</span>}
    </li>
  )
}

/** Name of a finding, with its evidence as tooltip. Ended findings are muted. */
export function FindingBadge({ finding }: { readonly finding: Finding }) {
  const { t } = useTranslation('common')
  const toEvidence = useEvidenceText()
  const { rule, until, detail } = finding
  return (
    <Badge
      tone={until === undefined ? 'caution' : 'muted'}
      icon={<ExclamationCircleOutlined />}
      title={toEvidence(detail)}
    >
      {t(`device.finding.rule.${rule}`)}
    </Badge>
  )
}
