import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { alarmCountsQuery } from '../../shared/alarms/alarm-counts.ts'
import { ALARMS_PATH } from '../../shared/alarms/alarms-path.ts'
import { SeverityBadge } from '../../shared/alarms/severity-badge.tsx'
import { useFormat } from '../../shared/format/use-format.ts'
import { Answer } from '../../shared/ui/answer.tsx'
import { Panel } from '../../shared/ui/page-frame.tsx'
import styles from './dashboard.module.css'

/** Open alarms of the selection by severity, live; each figure leads to its alarms. */
export function AlarmsPanel({ nodes }: { readonly nodes: readonly NodeKey[] }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const counts = useQuery(alarmCountsQuery(nodes))
  return (
    <Panel
      title={t('tile.alarms')}
      className={styles.wide ?? ''}
      extra={<Link to={`${ALARMS_PATH}?section=open`}>{t('open')}</Link>}
    >
      <Answer query={counts}>
        {({ bySeverity }) => (
          <ul className={styles.alarms} data-testid="home-alarms">
            {bySeverity.map(({ severity, total, unacknowledged }) => (
              <li key={severity}>
                <Link
                  to={`${ALARMS_PATH}?section=open&severity=${severity}`}
                  data-testid={`home-alarms-${severity}`}
                >
                  <SeverityBadge severity={severity} />
                  <strong className="figure-value">{format.number(total, 0)}</strong>
                  <small className={styles.hint}>
                    {unacknowledged > 0 && t('figure.unacknowledged', { count: unacknowledged })}
                  </small>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Answer>
    </Panel>
  )
}
