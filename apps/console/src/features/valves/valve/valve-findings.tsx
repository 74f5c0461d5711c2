import { CheckCircleOutlined, ExclamationCircleOutlined } from '@ant-design/icons'
import type { Finding } from '@isotherm/contract/alarms/finding'
import { getFindings } from '@isotherm/contract/endpoints/monitoring/findings'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useSession } from '../../../shared/session/session-store.ts'
import { ErrorState, LoadingState } from '../../../shared/ui/states.tsx'
import { Badge } from '../../../shared/ui/trust-badge.tsx'
import text from '../lists/text.module.css'
import styles from './valve.module.css'
import { findingsQuery } from './valve-queries.ts'

/** Findings of the plausibility rules in the readings of a valve; hidden without permission. */
export function ValveFindings({ deviceId }: { readonly deviceId: number }) {
  const { t } = useTranslation('valves')
  const maySee = useSession(({ permitted }) =>
    getFindings.access.anyOf.some((permission) => permitted.has(permission)),
  )
  const findings = useQuery({ ...findingsQuery(deviceId), enabled: maySee })
  if (!maySee) return null
  return (
    <section aria-label={t('finding.title')} data-testid="valve-findings">
      <h3>{t('finding.title')}</h3>
      {findings.isPending ? (
        <LoadingState />
      ) : findings.isError ? (
        <ErrorState error={findings.error} onRetry={() => findings.refetch()} />
      ) : findings.data.total === 0 ? (
        <Badge tone="good" icon={<CheckCircleOutlined />}>
          {t('finding.none')}
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
  const { t } = useTranslation('valves')
  const format = useFormat()
  const { rule, since, until } = finding
  return (
    <li>
      <Badge tone={until === undefined ? 'caution' : 'muted'} icon={<ExclamationCircleOutlined />}>
        {t(`finding.rule.${rule}`)}
      </Badge>
      <span className={text.hint}>
        {until === undefined
          ? t('finding.since', { since: format.instant(since) })
          : t('finding.over', { since: format.instant(since), until: format.instant(until) })}
      </span>
    </li>
  )
}
